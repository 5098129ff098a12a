#!/bin/sh
# Installs the Debian packages this project needs and does not find.
#
#   tools/setup.sh tool    what the command-line tool needs (make, make demo)
#   tools/setup.sh dev     that, and what the tests, benchmarks and fuzzers need
#   tools/setup.sh bench   what make bench needs: the tool's, and the peers to measure
#   tools/setup.sh emulate what the tests for other CPUs need (make emulate)
#   tools/setup.sh coverage what make coverage needs, besides what the tests need
#   tools/setup.sh python  what the tests of the package for Python need: pip's packages too
#   tools/setup.sh spark   what make test-spark needs besides: a Java, and PySpark by pip
#   tools/setup.sh package what make package needs
#   tools/setup.sh wheel   what make wheel needs
#   tools/setup.sh docs    what make docs needs
#   tools/setup.sh packaging-test  what make packaging-test needs besides
#
# Does nothing, in one line, when all are there.  Otherwise says what it installs and
# why, and installs it as root or through sudo.  For bench it also puts the headers of
# Boost into build/boost, and those of xor_singleheader into build/xor_singleheader;
# without them the benchmarks leave those filters out and say so.
set -eu

# One package per line: name, then what for.
for_tool='
g++                  the compiler (C++20: version 11 or later)
cmake                the build system (version 3.25 or later)
ninja-build          what CMake builds with
make                 the front door
libxxhash-dev        XXH3 and XXH64, compiled into the library
libcli11-dev         command-line parsing of the tool
libfmt-dev           text output of the tool
nlohmann-json3-dev   JSON output of the tool
zlib1g-dev           gzip input of the tool
libzstd-dev          zstd input of the tool
liblzma-dev          xz input of the tool
'
for_dev='
libgtest-dev         unit tests
librapidcheck-dev    property tests
libbenchmark-dev     benchmarks
pkg-config           the test that other projects can find the library
python3              the checks of layers, headers and documents
clang                the second compiler, and libFuzzer
clang-format         make format
zstd                 compressed input for the tests of the tool
xz-utils             the same
libleveldb-dev       filters of its own making, to be read beside it
librocksdb-dev       the same
redis-tools          a Redis server, for the tests of the module; they start their own
'
for_emulate='
googletest           sources of the unit test library, compiled for each CPU
g++-aarch64-linux-gnu  the compiler for ARM
g++-s390x-linux-gnu  the compiler for a big-endian CPU
qemu-user            runs their programs here
'
for_coverage='
gcovr                lines and branches, from the counts of gcov
'
for_python='
python3              the interpreter
'
# Headers and virtual environments come with interpreters that are not Debian's.
python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || for_python="${for_python}python3-venv  a place for its packages
"
python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' >/dev/null 2>&1 ||
  for_python="${for_python}python3-dev  the headers of the interpreter
"
for_spark=$for_python
command -v java >/dev/null 2>&1 || for_spark="${for_spark}default-jre-headless  what Spark runs on
"
for_wheel="
g++                  the compiler (C++20: version 11 or later)
libxxhash-dev        XXH3 and XXH64, compiled into the library
$for_python"
for_package='
dpkg-dev             the libraries that a package depends on
file                 which files are programs
'
for_docs='
doxygen              the reference
python3              its filter and its check
'
for_packaging_test='
man-db               reads the manual page
pkg-config           the test that other projects can find the library
python3-venv         a place for the Conan client
git                  a second copy of the tree
'
for_bench='
libbenchmark-dev     benchmarks
python3              the charts
librocksdb-dev       a filter to measure beside ours
'
# Compilers of other languages only where there are none: they may not come from Debian.  Those of
# Debian 12 do for the ports; pebble (go 1.23) and SlateDB (cargo 1.89) need newer ones, which
# this does not install: without them their tests say so and are skipped (docs/engines.md).
for_ports=
command -v cargo >/dev/null 2>&1 || for_ports="${for_ports}cargo  the port to Rust, and its peers
"
command -v go >/dev/null 2>&1 || for_ports="${for_ports}golang-go  the port to Go, and its peers
"

python3 -m pip --version >/dev/null 2>&1 || for_bench="${for_bench}python3-pip  fetches the headers of Boost
"

say() { printf '%s\n' "setup: $*"; }

case "${1-}" in
  tool) wanted=$for_tool ;;
  dev) wanted=$for_tool$for_dev$for_ports ;;
  bench) wanted=$for_tool$for_bench$for_ports ;;
  emulate) wanted=$for_tool$for_emulate ;;
  coverage) wanted=$for_coverage ;;
  python) wanted=$for_python ;;
  spark) wanted=$for_spark ;;
  wheel) wanted=$for_wheel ;;
  package) wanted=$for_tool$for_package ;;
  docs) wanted=$for_docs ;;
  packaging-test) wanted=$for_packaging_test ;;
  *)
    sed -n '4,14s/^# *//p' "$0" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
  say "not a Debian system, so nothing is checked or installed.  Needed, under Debian's names:"
  printf '%s\n' "$wanted" | sed '/^$/d; s/^/  /'
  exit 0
fi

is_installed() {
  dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# The sanitizer and fuzzer runtime carries the version of clang in its name.
clang_runtime() {
  version=$(apt-cache show --no-all-versions clang 2>/dev/null |
    sed -n 's/^Depends:.*[ ,]clang-\([0-9][0-9]*\).*/\1/p')
  printf 'libclang-rt-%s-dev   runtime of libFuzzer and the sanitizers\n' "${version:-14}"
}

list_missing() {
  printf '%s\n' "$wanted" | while read -r name purpose; do
    [ -z "$name" ] || is_installed "$name" || printf '  %-20s %s\n' "$name" "$purpose"
  done
}

[ "$1" != dev ] || is_installed 'libclang-rt-*-dev' || wanted="$wanted
$(clang_runtime)"
# A Boost of the system that has Boost.Bloom (1.89 or later) will do.
fetch_boost() {
  root=$(dirname "$0")/..
  [ ! -e /usr/include/boost/bloom.hpp ] && [ ! -e /usr/local/include/boost/bloom.hpp ] || return 0
  [ ! -e "$root/build/boost/include/boost/bloom.hpp" ] || return 0
  say "fetching the headers of Boost into build/boost"
  "$root/tools/boost_headers.py" "$root/build/boost" ||
    say "no headers of Boost (see above): make bench goes on without Boost.Bloom"
}

fetch_xor_singleheader() {
  root=$(dirname "$0")/..
  [ ! -e "$root/build/xor_singleheader/include/binaryfusefilter.h" ] || return 0
  say "fetching the headers of xor_singleheader into build/xor_singleheader"
  "$root/tools/xor_singleheader.py" "$root/build/xor_singleheader" ||
    say "no headers of xor_singleheader (see above): bench_one_key goes on without its filters"
}

# Where no registry can be reached, the test says so and is skipped.
fetch_python_packages() {
  root=$(cd "$(dirname "$0")/.." && pwd)
  python3 "$root/tools/python_env.py" "$root/build/dev/$1/venv" \
    "$root/adapters/python/$2/requirements.txt" || true
}
fetch_packages() {
  case "$1" in
    bench) fetch_boost && fetch_xor_singleheader ;;
    python) fetch_python_packages python tests ;;
    spark) fetch_python_packages spark tests_spark ;;
  esac
}

missing=$(list_missing)
if [ -z "$missing" ]; then
  say "all packages for '$1' are installed"
  fetch_packages "$1"
  exit 0
fi

say "these Debian packages are missing:"
printf '%s\n' "$missing"
as_root=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    say "installing them needs root, and there is no sudo.  Ask an administrator to run:"
    printf '  apt-get install %s\n' "$(printf '%s\n' "$missing" | awk '{ printf "%s ", $1 }')"
    exit 1
  fi
  as_root=sudo
fi
say "installing them ${as_root:+through sudo, which may ask for your password, }with apt-get"

export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q || say "the package lists could not be refreshed; trying with the old ones"
# With fresh lists the version of clang is known, if it was not before.
[ "$1" != dev ] || is_installed 'libclang-rt-*-dev' || missing="$(printf '%s\n' "$missing" |
  grep -v libclang-rt)
$(clang_runtime)"
names=$(printf '%s\n' "$missing" | awk 'NF { print $1 }')
# shellcheck disable=SC2086  # one word a package
if ! $as_root apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=120 $names; then
  say "apt-get failed; its message is above.  Needed:" $names
  exit 1
fi
say "installed:" $names
fetch_packages "$1"
