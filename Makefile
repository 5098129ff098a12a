# Short names for the usual CMake commands; `make help` lists them.
#
# Each target first installs the Debian packages it needs (tools/setup.sh); once they are
# installed, nothing needs the network.

FUZZ_SECONDS ?= 300
PREFIX ?= /usr/local
# Parts of make test-full keep theirs elsewhere (tools/test_full.py).
RESULTS := $(or $(BLOOMERY_RESULTS_ROOT),$(CURDIR)/build/results)
# $(call build,TREE): the following command, its seconds in build/results for make scoreboard.
build = tools/test_times.py step '$(1): build' --
# $(call run_tests,TREE): ctest, its results in build/results/TREE for make scoreboard.
run_tests = mkdir -p $(RESULTS)/$(1) && BLOOMERY_RESULTS=$(RESULTS)/$(1) \
  tools/test_times.py step '$(1): tests' -- \
  ctest --output-on-failure --parallel $(shell nproc) \
  --output-junit $(RESULTS)/$(1)/ctest.xml --test-output-size-passed 1000000
say = @printf '\n== %s\n'
release = cmake --preset release -DBLOOMERY_BENCH=OFF -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX)) \
  --log-level=WARNING && cmake --build --preset release
# Only what the tool consists of: not the shared libraries, the C interface, the manual.
release_tool = $(release) --target bloomery_tool

full_parts := dev asan tsan portable clang fuzz fuzz-ports aarch64 s390x x86-64-v1 packaging spark engines toy-kind bench

.PHONY: tool demo demo-engines install uninstall package dist wheel docs packaging-test test test-spark test-engines \
  test-full $(full_parts:%=test-full-%) $(full_parts:%=full-%) conformance emulate coverage \
  scoreboard release-check bench bench-docs format format-check clean help setup-tool \
  setup-dev

tool: setup-tool
	$(say) "building the release tool"
	@$(release_tool)
	$(say) "the tool is build/release/bloomery; try: build/release/bloomery --help"

demo: tool
	$(say) "a filter of a million keys"
	@tools/demo.sh build/release/bloomery

# Tool, libraries, headers, CMake and pkg-config files, manual page, completions; below
# $(DESTDIR)$(PREFIX).  uninstall removes what the last install from this folder wrote.
install: setup-tool
	$(say) "building tool and libraries"
	@$(release)
	$(say) "installing to $(DESTDIR)$(abspath $(PREFIX))"
	@DESTDIR='$(DESTDIR)' cmake --install build/release >build/install.log || \
	  { cat build/install.log; exit 1; }
	@sed 's|^|$(DESTDIR)|' build/release/install_manifest.txt >build/installed.txt
	@echo >>build/installed.txt
	$(say) "installed $$(wc -l <build/installed.txt) files; build/installed.txt lists them"

uninstall:
	$(say) "removing the files in build/installed.txt"
	@tools/uninstall.sh build/installed.txt

package: PREFIX = /usr
package:
	@tools/setup.sh package
	$(say) "building the Debian package"
	@$(release)
	@rm -rf build/package
	@cpack --config build/release/CPackConfig.cmake -B build/package >build/package.log || \
	  { cat build/package.log; exit 1; }
	@rm -rf build/package/_CPack_Packages
	$(say) "the package is $$(echo build/package/*.deb); to install: apt install ./FILE"

# One program that needs no libraries, the same bytes wherever it is built.
dist: setup-tool
	$(say) "building the static tool"
	@cmake --preset dist --log-level=WARNING
	@cmake --build --preset dist --target bloomery_tool bloomery_man bloomery_completions
	@tools/dist.sh build/dist build/dist
	$(say) "the archive is in build/dist"

# The package for Python: checked by auditwheel, tried in an empty virtual environment.
wheel:
	@tools/setup.sh wheel
	$(say) "building the wheel with $(or $(PYTHON),python3)"
	@packaging/wheel/make.sh build/wheel
	$(say) "trying the wheel"
	@packaging/wheel/try.sh build/wheel
	$(say) "the wheel is $$(cat build/wheel/newest); to install: pip install FILE"

docs:
	@tools/setup.sh docs
	$(say) "writing the reference (Doxygen)"
	@tools/reference/make.sh build/docs
	$(say) "open build/docs/html/index.html"

# The package, the archive, the wheel and the Conan recipe, each made and used from an empty folder.
packaging-test: package dist wheel docs
	@tools/setup.sh packaging-test
	$(say) "trying the Debian package"
	@packaging/debian/try.sh build/package/*.deb
	$(say) "trying the static tool, and building it again in another folder"
	@packaging/try_dist.sh build/dist
	@packaging/try_reproducible.sh build/dist
	$(say) "trying the Conan recipe"
	@packaging/conan/try.sh

test: setup-dev
	@tools/setup.sh python
	@tools/scoreboard.py begin
	$(say) "building and running the tests (preset dev) on $$(tools/test_times.py cpu)"
	@cmake --preset dev --log-level=WARNING
	@$(call build,dev) cmake --build --preset dev
	@$(call run_tests,dev) --preset dev
	$(say) "running the memory tests under AddressSanitizer and UndefinedBehaviorSanitizer"
	@$(call build,asan) cmake --build --preset dev --target memory_tests
	@$(call run_tests,asan) --preset dev-asan
	$(say) "running the thread tests under ThreadSanitizer (preset tsan)"
	@$(tsan_tests)
	@tools/scoreboard.py end

tsan_tests = cmake --preset tsan -DBLOOMERY_TOOL=OFF -DBLOOMERY_EXAMPLES=OFF --log-level=WARNING && \
  $(call build,tsan) cmake --build --preset tsan --target thread_tests && \
  $(call run_tests,tsan) --preset tsan --label-regex threads

# The package for Python in Apache Spark, on two cores of this machine.  Exit status 77: pip cannot
# install PySpark, which is said, and the tests are skipped.
test-spark: setup-dev
	@tools/setup.sh spark
	$(say) "building the package for Python, and running its tests in Spark"
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev --target bloomery bloomery_tool
	@python3 adapters/python/tests/run.py --tree build/dev --work build/dev/spark \
	  --tests adapters/python/tests_spark || { [ $$? -eq 77 ] && \
	  echo "PySpark cannot be had" >$${BLOOMERY_SKIPPED:-/dev/null}; }

# Servers, engines and browsers that read or write our filters: ctest's label "engines", 25
# minutes at most.
test-engines: setup-dev
	$(say) "running the tests with servers, engines and browsers (label engines)"
	@cmake --preset dev --log-level=WARNING
	@$(call build,dev) cmake --build --preset dev --target engine_tests
	@$(call run_tests,engines) --preset engines

# Databases with and without our policies, side by side: absent Gets and bytes of filters.
demo-engines: setup-dev
	$(say) "building the demonstrations with storage engines"
	@cmake --preset release -DBLOOMERY_ENGINES=ON --log-level=WARNING
	@cmake --build --preset release --target engine_demos
	@for demo in build/release/engines/demo_*; do $$demo || exit 1; done

# In parts of at most an hour, each with its commit recorded (build/full): make test-full runs
# those that have not passed for this commit, make test-full-PART one of them.
export FUZZ_SECONDS
test-full: setup-dev
	@tools/test_full.py run
$(full_parts:%=test-full-%): test-full-%: setup-dev
	@tools/test_full.py run $*

full-dev: setup-dev
	@tools/setup.sh python
	@cmake --preset dev --log-level=WARNING
	@$(call build,dev) cmake --build --preset dev
	@$(call run_tests,dev) --preset dev
# Unlike make test: every program, its own code too, and every check.
full-asan:
	@cmake --preset asan --log-level=WARNING
	@$(call build,asan) cmake --build --preset asan
	@$(call run_tests,asan) --preset asan
full-tsan:
	@$(tsan_tests)
full-portable:
	@cmake --preset portable --log-level=WARNING
	@$(call build,portable) cmake --build --preset portable
	@$(call run_tests,portable) --preset portable
full-clang:
	@cmake --preset dev -B build/dev-clang -DCMAKE_CXX_COMPILER=clang++ \
	  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBLOOMERY_TEST_UNITY=OFF \
	  -DBLOOMERY_TOOL_UNITY=OFF -DBLOOMERY_UNITY=OFF -DBLOOMERY_ASAN_TESTS=OFF --log-level=WARNING
	@$(call build,dev-clang) cmake --build build/dev-clang
	@$(call run_tests,dev-clang) --test-dir build/dev-clang --label-exclude '^engines$$'
full-fuzz:
	$(say) "running every fuzzer for $(FUZZ_SECONDS) seconds (set FUZZ_SECONDS to change this)"
	@cmake --preset fuzz -DBLOOMERY_C=OFF --log-level=WARNING
	@cmake --build --preset fuzz
	@BLOOMERY_RESULTS=$(RESULTS)/fuzz tools/fuzz.sh build/fuzz/fuzz $(FUZZ_SECONDS)
full-fuzz-ports:
	@BLOOMERY_RESULTS=$(RESULTS)/fuzz tools/fuzz_ports.sh $(FUZZ_SECONDS)
full-aarch64 full-s390x full-x86-64-v1: full-%:
	@BLOOMERY_RESULTS=$(RESULTS) tools/emulate.sh $*
full-packaging: packaging-test
full-spark: test-spark
full-engines: test-engines
# A toy kind, added to a copy of the tree: what it takes, and where it appears.
full-toy-kind: setup-dev
	@tools/setup.sh python
	@tests/toy_kind/try.py
# Every program of bench/, as make bench builds it, for a moment each.
full-bench:
	@tools/setup.sh bench
	@$(bench_tree)
	@mkdir -p $(RESULTS)/bench
	@cd tests/bench && BLOOMERY_BENCH=$(CURDIR)/build/release/bench BLOOMERY_TEST_NAME=bench_programs \
	  BLOOMERY_RESULTS=$(RESULTS)/bench python3 -B ../support/run_unittest.py programs_test

# Every implementation (C++, C, Go, Rust, Python) on all of spec/vectors and spec/scripts,
# and on each other's files.
conformance: setup-dev
	$(say) "building the C++ and C programs of the conformance kit"
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev --target conform conform_c bloomery_tool
	$(say) "building the ports and running the conformance kit (spec/conformance.md)"
	@tools/conformance.py --cpp build/dev/tests/conform --c build/dev/adapters/c/conform_c \
	  --tool build/dev/bloomery \
	  --go ports/go --rust ports/rust --python ports/python-reference \
	  --binding build/dev/python/venv/bin/python --build build/dev/ports

# The same bits on other CPUs: ARM, a big-endian one, and an x86-64 without AVX.
emulate:
	$(say) "running the tests on other CPUs, emulated"
	@tools/emulate.sh

# Test coverage of the library, the C interface and the tool; some minutes.
coverage: setup-dev
	@tools/setup.sh coverage
	$(say) "building with gcov and running the tests (preset coverage)"
	@cmake --preset coverage --log-level=WARNING
	@cmake --build --preset coverage
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage --parallel $(shell nproc) --output-on-failure \
	  --exclude-regex '^(consume|tree|example)\.|^(nocompile|interleave_test)$$'
	$(say) "reading the coverage counts"
	@tools/coverage.py build/coverage

# The tables of docs/reliability.md and tests/README.md, from the last make test, the parts of
# make test-full and make coverage.
scoreboard:
	@tools/test_times.py table --write >build/times.md
	@tools/scoreboard.py write

# What a release needs: current figures, true documents, versions that agree, nothing uncommitted.
release-check: tool
	$(say) "checking what a release needs"
	@tools/release_check.py --tool build/release/bloomery

# Other libraries' filters are built and measured beside ours if they are found.
bench_tree = cmake --preset release -DBLOOMERY_BENCH=ON -DBLOOMERY_BENCH_PEERS=ON --log-level=WARNING && \
  cmake --build --preset release
# Calls with users' keys, four minutes for each of the former; three rounds of the latter take
# two or three.  Where a CPU has no x86-64-v3, its programs are not built.
end_to_end_programs = bench_end_to_end_v3 bench_end_to_end
one_key_programs = bench_one_key_v3 bench_one_key
# $(call run_built,PROGRAMS,ARGUMENTS): those that were built.
run_built = for program in $(1); do test ! -x build/release/bench/$$program || \
  build/release/bench/$$program $(2) || exit 1; done

bench:
	@tools/setup.sh bench
	$(say) "building the benchmarks (docs/performance.md explains them)"
	@$(bench_tree)
	$(say) "measuring for half an hour: nothing else should be running"
	@$(call run_built,$(end_to_end_programs))
	@$(call run_built,$(one_key_programs),--rounds 3)
	@build/release/bench/bench_report --json build/release/bench.json
	@build/release/bench/bench_files
	@tools/charts.py build/release/bench.json build/release/charts
	$(say) "the charts are in build/release/charts"

# The same, into the documents, 25 minutes at most: refuses above a load average of 0.5.  Each
# program waits until the last one's load has gone.  bench_report: the Bloom filters, ours and
# others', and what people use instead.
compared := block bloom partitioned portable Boost RocksDB xorf unordered
bench-docs:
	@tools/setup.sh bench
	@$(bench_tree)
	$(say) "measuring for 25 minutes: nothing else should be running"
	@tools/wait_idle.py
	@$(call run_built,$(end_to_end_programs),--write docs/performance.md && tools/wait_idle.py)
	@$(call run_built,$(one_key_programs),--rounds 3 --write docs/performance.md && tools/wait_idle.py)
	@build/release/bench/bench_report $(compared:%=--only %) --json build/release/bench.json --write docs/performance.md
	@tools/charts.py build/release/bench.json
	@tools/readme_table.py --write

format: setup-dev
	$(say) "formatting every source file"
	@tools/format.sh

format-check: setup-dev
	$(say) "checking the format of every source file"
	@tools/format.sh --check

clean:
	$(say) "removing build/"
	@rm -rf build

setup-tool:
	@tools/setup.sh tool

setup-dev:
	@tools/setup.sh dev

help:
	@echo 'make               build the release tool at build/release/bloomery'
	@echo 'make demo          build the tool, make a filter of a million keys, query it, time it'
	@echo 'make demo-engines  databases with and without our filter policies, side by side'
	@echo 'make test          build and run the tests; memory and thread tests again under sanitizers'
	@echo 'make test-spark    the package for Python in Apache Spark (installs PySpark; needs a Java)'
	@echo 'make test-engines  the tests with servers, engines and browsers'
	@echo 'make test-full     everything: full-size cases, sanitizers, clang, fuzzers, qemu, packages,'
	@echo '                   in parts; those that passed for this commit are not run again'
	@echo 'make test-full-PART  one part: $(full_parts)'
	@echo 'make conformance   test every language on the same vectors and scripts; print the matrix'
	@echo 'make emulate       run the tests on ARM, a big-endian CPU and an old x86-64, under qemu'
	@echo 'make coverage      measure which lines and branches the tests reach, by gcov'
	@echo 'make scoreboard    write the tables of docs/reliability.md and tests/README.md from the last runs'
	@echo 'make release-check check what a release needs: figures, documents, versions'
	@echo 'make bench         measure our filters beside those of other libraries, end to end too; half an hour'
	@echo 'make bench-docs    the same, into docs/performance.md, its charts and README; 25 minutes'
	@echo 'make format        format the sources;  make format-check only checks'
	@echo 'make clean         remove build/'
	@echo 'make install       install tool, libraries, headers, manual page (PREFIX, DESTDIR)'
	@echo 'make uninstall     remove what the last make install wrote'
	@echo 'make package       a Debian package of the same, in build/package'
	@echo 'make dist          the tool as one static program, with SHA256SUMS, in build/dist'
	@echo 'make wheel         the package for Python, in build/wheel (PYTHON=python3.12 chooses the version)'
	@echo 'make docs          the API reference, build/docs/html (Doxygen)'
	@echo 'make packaging-test  package, archive, wheel and Conan recipe, used from empty folders'
	@echo 'Missing Debian packages are installed first, as root or through sudo.'
