#!/bin/sh
# Runs every fuzzer of the ports to Go and Rust: tools/fuzz_ports.sh [SECONDS each, 60]
# Go has a fuzzer built in; the Rust fuzzers download libfuzzer-sys.  Counts go to
# BLOOMERY_RESULTS, if it is set, for tools/scoreboard.py.
set -eu
cd "$(dirname "$0")/../ports"
seconds=${1:-60}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# keep NAME passed|failed INPUTS
keep() {
  [ -n "${BLOOMERY_RESULTS-}" ] || return 0
  mkdir -p "$BLOOMERY_RESULTS"
  printf '{"tests": [{"name": "", "result": "%s", "counts": {"inputs": %d}}]}\n' "$2" "${3:-0}" \
    >"$BLOOMERY_RESULTS/$1.json"
}

for package in . ./dialect ./internal/conform; do
  for target in $(cd go && go test -list '^Fuzz' "$package" | grep '^Fuzz'); do
    echo "== go $target"
    if ! (cd go && go test -run '^$' -fuzz "^$target\$" -fuzztime "${seconds}s" "$package") \
      >"$log" 2>&1; then
      keep "go_$target" failed
      tail -n 60 "$log"
      exit 1
    fi
    tail -n 3 "$log"
    keep "go_$target" passed "$(sed -n 's/.* execs: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)"
  done
done

failed=0
rust/fuzz/run.sh "$seconds" >"$log" 2>&1 || failed=1
cat "$log"
# Each target's heading, then its count; if it failed, it was the last.
name=build
while read -r first second _; do
  case $first in
    ==) name=$second ;;
    stat::number_of_executed_units:) keep "rust_$name" passed "$second" ;;
  esac
done <"$log"
[ $failed = 0 ] || keep "rust_$name" failed
exit $failed
