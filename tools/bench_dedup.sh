#!/usr/bin/env bash
# `bloomery dedup` beside `sort -u` and awk on the same file: time, memory, lines lost.
#
#   tools/bench_dedup.sh [--tool FILE] [--lines N] [--rounds R]
#
# Makes N (10 million) lines of 16 bytes, of which every tenth repeats an earlier one, and
# lets the three read them in turn, from the page cache, with output to /dev/null.  The
# lines that dedup loses are counted exactly, against sort -u.  Prints Markdown.  Several
# minutes: awk alone takes half a minute a round.
set -euo pipefail
export LC_ALL=C

tool=build/release/bloomery lines=10000000 rounds=3
while [ $# -gt 0 ]; do
  case $1 in
    --tool) tool=$2 ;;
    --lines) lines=$2 ;;
    --rounds) rounds=$2 ;;
    *) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
[ -x "$tool" ] || { echo "bench_dedup: no tool at $tool; run make first" >&2; exit 2; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { echo "bench_dedup: $*" >&2; }

# Runs a command; appends "seconds KiB" (elapsed, peak resident memory) to the file $1.
timed() {
  local to=$1
  shift
  python3 - "$to" "$@" <<'PYTHON'
import os, resource, subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
seconds = time.monotonic() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
with open(sys.argv[1], "a") as out:
    print(f"{seconds:.3f} {peak}", file=out)
PYTHON
}

say "making $lines lines of 16 bytes in $dir"
head -c $((8 * lines)) /dev/urandom | od -An -v -tx8 -w8 | tr -d ' ' |
  awk 'NR % 10 == 0 && NR > 1000 { print kept[NR % 997]; next }
       { kept[NR % 997] = $0; print }' > "$dir/lines"

for round in $(seq "$rounds"); do
  say "round $round of $rounds"
  timed "$dir/time.dedup" "$tool" dedup -q "$dir/lines"
  timed "$dir/time.sort" sort -u "$dir/lines"
  # shellcheck disable=SC2016
  timed "$dir/time.awk" awk '!seen[$0]++' "$dir/lines"
done

say "counting lost lines"
"$tool" dedup "$dir/lines" 2> "$dir/summary" | sort > "$dir/printed"
sort -u "$dir/lines" > "$dir/unique"
lost=$(comm -13 "$dir/printed" "$dir/unique" | wc -l)
twice=$(uniq -d "$dir/printed" | wc -l)
"$tool" dedup -q --filter "$dir/state" "$dir/lines" > /dev/null
filter_kib=$((($(stat -c %s "$dir/state") + 1023) / 1024))

best() { sort -g "$1" | head -n 1 | cut -d' ' -f1; }
peak() { cut -d' ' -f2 "$1" | sort -g | tail -n 1; }
dedup_best=$(best "$dir/time.dedup")
row() {
  awk -v name="$1" -v t="$(best "$2")" -v kib="$(peak "$2")" -v dedup="$dedup_best" \
    'BEGIN { printf "| %s | %.2f | %.1f | %d |\n", name, t, t / dedup, kib }'
}
printf '%s lines of 16 bytes, a tenth of them repeated, best of %s rounds (%s):\n\n' \
  "$lines" "$rounds" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
printf '| command | seconds | times dedup | peak memory, KiB |\n|:--|--:|--:|--:|\n'
# The backquotes are Markdown.
# shellcheck disable=SC2016
{
  row '`bloomery dedup`' "$dir/time.dedup"
  row '`sort -u`' "$dir/time.sort"
  row '`awk '\''!seen[$0]++'\''`' "$dir/time.awk"
}
printf '\nThe filter takes %s KiB; the limit of memory is that and 16 MiB: %s KiB.\n' \
  "$filter_kib" "$((filter_kib + 16384))"
printf 'Lines lost: %s; printed twice: %s.  It said: %s\n' "$lost" "$twice" \
  "$(cat "$dir/summary")"
