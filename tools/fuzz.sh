#!/bin/sh
# Runs every fuzzer for some seconds, from the corpus in the tree, one per core at a time:
#   tools/fuzz.sh FOLDER_OF_FUZZERS SECONDS
# Findings are kept beside the fuzzers: new inputs in found/, crashes in crashes/.  Counts
# go to BLOOMERY_RESULTS, if it is set, for tools/scoreboard.py.
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/fuzz_counts.sh"

# One fuzzer, in the folder of all: --one NAME SECONDS
if [ "${1-}" = --one ]; then
  name=$2
  mkdir -p "found/$name" crashes
  seeds=
  for folder in "$here/../fuzz/corpus/$name" "$here/../fuzz/corpus/${name#fuzz_}"; do
    [ ! -d "$folder" ] || seeds=$folder
  done
  if ! "./$name" -max_total_time="$3" -artifact_prefix="crashes/$name-" -verbosity=0 \
    -print_final_stats=1 "found/$name" ${seeds:+"$seeds"} >"$name.log" 2>&1; then
    keep "$name" failed
    tail -n 60 "$name.log"
    echo "fuzz: $name failed; the input that reproduces it is in $(pwd)/crashes"
    exit 1
  fi
  sed -n "s/^stat::number_of_executed_units: */fuzz: $name, inputs tried: /p
    s/^stat::average_exec_per_sec: */fuzz: $name, per second: /p" "$name.log"
  keep "$name" passed "$(sed -n 's/^stat::number_of_executed_units: *//p' "$name.log")"
  exit
fi

[ $# = 2 ] || { sed -n '3s/^# *//p' "$0" >&2; exit 2; }
cd "$1"
names=$(find . -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | sed 's|^\./||' | sort)
[ -n "$names" ] || { echo "fuzz: no fuzzer in $1" >&2; exit 1; }
printf '%s\n' "$names" | xargs -P "$(nproc)" -I NAME "$here/fuzz.sh" --one NAME "$2" || exit 1
echo "fuzz: $(printf '%s\n' "$names" | wc -l) fuzzers ran for $2 seconds each and found nothing"
