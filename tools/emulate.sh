#!/bin/sh
# Builds the tests for other CPUs and runs them under qemu-user:
#   tools/emulate.sh [aarch64|s390x|x86-64-v1]...     (default: all three)
#
# aarch64 has NEON, s390x is big-endian, x86-64-v1 stops at any AVX instruction.  Not
# included: the full-size tests and model_test (floating-point mathematics that sets no
# bit; minutes under emulation), property tests, and tests that run the tool or the
# compiler.  BUILD_DIR in the environment sets the build folder, BLOOMERY_RESULTS the
# folder for results.
set -eu
cd "$(dirname "$0")/.."

for cpu in "$@"; do
  [ -f "cmake/toolchains/$cpu.cmake" ] && continue
  sed -n '3s/^# *//p' "$0" >&2
  exit 2
done
[ $# -gt 0 ] || set -- aarch64 s390x x86-64-v1
tools/setup.sh emulate

say() { printf '%s\n' "emulate: $*"; }
build=${BUILD_DIR:-build}
unset BLOOMERY_TEST_FULL BLOOMERY_ISA

build_tests() {
  cmake --preset "$1" -B "$build/$1" --log-level=WARNING >/dev/null &&
    cmake --build "$build/$1"
}

run_tests() (
  say "$1: emulated by qemu-user, not run on hardware"
  ulimit -c 0
  # The emulator's own memory grows with all that a test maps.  The limit makes one test
  # fail instead of the whole machine.
  ulimit -v 8388608
  set -- "$1" ctest --test-dir "$build/$1" --output-on-failure --label-exclude full \
    --exclude-regex '^model_test' --parallel "${CTEST_PARALLEL_LEVEL:-$(nproc)}"
  if [ -n "${BLOOMERY_RESULTS-}" ]; then
    BLOOMERY_RESULTS=$BLOOMERY_RESULTS/$1
    mkdir -p "$BLOOMERY_RESULTS"
    set -- "$@" --output-junit "$BLOOMERY_RESULTS/ctest.xml" --test-output-size-passed 1000000
  fi
  shift
  "$@"
)

failed=0
summary=
for cpu in "$@"; do
  printf '\n'
  say "$cpu: building"
  verdict='passed (emulated by qemu-user, not run on hardware)'
  if ! build_tests "$cpu"; then
    verdict='DOES NOT BUILD' failed=1
  elif ! run_tests "$cpu"; then
    verdict='FAILED (emulated by qemu-user, not run on hardware)' failed=1
  fi
  summary="$summary
emulate: $cpu: $verdict"
done
printf '%s\n' "$summary"
exit $failed
