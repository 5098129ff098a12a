#!/bin/sh
# Runs every fuzzer for some seconds, from the corpus in the tree:
#   tools/fuzz.sh FOLDER_OF_FUZZERS SECONDS
# Findings are kept beside the fuzzers: new inputs in found/, crashes in crashes/.  Counts
# go to BLOOMERY_RESULTS, if it is set, for tools/scoreboard.py.
set -eu
[ $# = 2 ] || { sed -n '3s/^# *//p' "$0" >&2; exit 2; }
# keep NAME passed|failed INPUTS
keep() {
  [ -n "${BLOOMERY_RESULTS-}" ] || return 0
  mkdir -p "$BLOOMERY_RESULTS"
  printf '{"tests": [{"name": "", "result": "%s", "counts": {"inputs": %d}}]}\n' "$2" "${3:-0}" \
    >"$BLOOMERY_RESULTS/$1.json"
}

corpora=$(CDPATH='' cd "$(dirname "$0")/../fuzz/corpus" && pwd)
cd "$1"

ran=0
for fuzzer in ./fuzz_*; do
  [ -f "$fuzzer" ] && [ -x "$fuzzer" ] || continue
  name=$(basename "$fuzzer")
  mkdir -p "found/$name" crashes
  seeds=
  for folder in "$corpora/$name" "$corpora/${name#fuzz_}"; do
    [ ! -d "$folder" ] || seeds=$folder
  done
  echo "fuzz: $name for $2 seconds"
  if ! "$fuzzer" -max_total_time="$2" -artifact_prefix="crashes/$name-" -verbosity=0 \
    -print_final_stats=1 "found/$name" ${seeds:+"$seeds"} >"$name.log" 2>&1; then
    keep "$name" failed
    tail -n 60 "$name.log"
    echo "fuzz: $name failed; the input that reproduces it is in $1/crashes"
    exit 1
  fi
  sed -n 's/^stat::number_of_executed_units: */fuzz:   inputs tried: /p
    s/^stat::average_exec_per_sec: */fuzz:   per second: /p' "$name.log"
  keep "$name" passed "$(sed -n 's/^stat::number_of_executed_units: *//p' "$name.log")"
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "fuzz: no fuzzer in $1" >&2; exit 1; }
echo "fuzz: $ran fuzzers ran for $2 seconds each and found nothing"
