#!/bin/sh
# Runs every fuzzer of the ports to Go and Rust, one per core at a time:
#   tools/fuzz_ports.sh [SECONDS each, 60]
# Go has a fuzzer built in; the Rust fuzzers download libfuzzer-sys.  Counts go to
# BLOOMERY_RESULTS, if it is set, for tools/scoreboard.py.
set -eu
cd "$(dirname "$0")"
here=$(pwd)
. "$here/fuzz_counts.sh"

# One fuzzer: --one SECONDS go PACKAGE TARGET, or --one SECONDS rust TARGET
if [ "${1-}" = --one ]; then
  seconds=$2 language=$3
  shift 3
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if [ "$language" = go ]; then
    name=$2
    cd ../ports/go
    set -- go test -run '^$' -fuzz "^$2\$" -fuzztime "${seconds}s" -parallel 1 "$1"
    count='s/.* execs: \([0-9]*\) .*/\1/p'
  else
    name=$1
    set -- ../ports/rust/fuzz/run.sh "$seconds" "$1"
    count='s/^stat::number_of_executed_units: *//p'
  fi
  if ! "$@" >"$log" 2>&1; then
    keep "${language}_$name" failed
    echo "== $language $name failed"
    tail -n 60 "$log"
    exit 1
  fi
  echo "== $language $name"
  tail -n 3 "$log"
  keep "${language}_$name" passed "$(sed -n "$count" "$log" | tail -n 1)"
  exit
fi

seconds=${1:-60}
list=$(mktemp)
trap 'rm -f "$list"' EXIT
for package in . ./dialect ./internal/conform; do
  (cd ../ports/go && go test -list '^Fuzz' "$package") | sed -n "s|^Fuzz.*|go $package &|p"
done >"$list"
../ports/rust/fuzz/run.sh build
../ports/rust/fuzz/run.sh list | sed 's/^/rust /' >>"$list"
xargs -P "$(nproc)" -L 1 "$here/fuzz_ports.sh" --one "$seconds" <"$list" || exit 1
echo "fuzz: $(wc -l <"$list") fuzzers ran for $seconds seconds each and found nothing"
