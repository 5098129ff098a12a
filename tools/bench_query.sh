#!/usr/bin/env bash
# The tool's throughput and memory, beside grep on the same file.
#
#   tools/bench_query.sh [--tool FILE] [--lines N] [--rounds R] [--write DOCUMENT]
#
# Makes N (10 million) random lines of 16 bytes, a filter of every tenth, and runs
# `bloomery query -c`, `grep -Fxc nosuchline` and `wc -l` on them in turn, from the page
# cache.  Then measures the peak memory of `build` and `query`.  Prints Markdown; --write also
# puts it between the bench_query markers of a document.  About a minute.
set -euo pipefail
export LC_ALL=C

tool=build/release/bloomery lines=10000000 rounds=7 document=
while [ $# -gt 0 ]; do
  case $1 in
    --tool) tool=$2 ;;
    --lines) lines=$2 ;;
    --rounds) rounds=$2 ;;
    --write) document=$2 ;;
    *) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
[ -x "$tool" ] || { echo "bench_query: no tool at $tool; run make first" >&2; exit 2; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { echo "bench_query: $*" >&2; }

# Runs a command; its output goes to the file $1.  Sets `seconds`.
timed() {
  local out=$1 start
  shift
  start=$EPOCHREALTIME
  "$@" > "$out" || [ $? -eq 1 ]  # 1: nothing selected, as grep's exit status
  seconds=$(awk "BEGIN { print $EPOCHREALTIME - $start }")
}

# Peak resident memory of a command, in KiB.
peak_of() {
  if [ -x /usr/bin/time ]; then
    /usr/bin/time -f %M -o "$dir/peak" "$@" > /dev/null || true
    tail -n 1 "$dir/peak"
  else
    python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
  fi
}

minimum() { sort -g "$1" | head -n 1; }
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

say "making $lines lines of 16 bytes in $dir"
head -c $((8 * lines)) /dev/urandom | od -An -v -tx8 -w8 | tr -d ' ' > "$dir/lines"
awk 'NR % 10 == 0' "$dir/lines" > "$dir/keys"
head -n $((lines / 10)) "$dir/lines" > "$dir/some"
"$tool" build -q --dialect portable -o "$dir/filter" "$dir/keys"

for round in $(seq "$rounds"); do
  say "round $round of $rounds"
  timed "$dir/count" "$tool" query --dialect portable -c "$dir/filter" -f "$dir/lines"
  echo "$seconds" >> "$dir/time.query"
  timed /dev/null grep -Fxc nosuchline "$dir/lines"
  echo "$seconds" >> "$dir/time.grep"
  timed /dev/null wc -l "$dir/lines"
  echo "$seconds" >> "$dir/time.wc"
done

say "peak memory"
build_peak=$(peak_of "$tool" build -q --dialect portable -o "$dir/all" "$dir/lines")
query_peak=$(peak_of "$tool" query --dialect portable -c "$dir/filter" -f "$dir/lines")
some_peak=$(peak_of "$tool" query --dialect portable -c "$dir/filter" -f "$dir/some")
filter_kib=$((($(stat -c %s "$dir/all") + 1023) / 1024))
limit=$((8 * lines / 1024 + filter_kib + 16 * 1024))

grep_min=$(minimum "$dir/time.grep") grep_middle=$(median "$dir/time.grep")
row() {
  awk -v name="$1" -v lines="$lines" -v least="$(minimum "$2")" \
    -v middle="$(median "$2")" -v gl="$grep_min" -v gm="$grep_middle" 'BEGIN {
      printf "| %s | %.3f (%.3f) | %.1f (%.1f) | %.2f (%.2f) |\n", name, least, middle,
             lines / least / 1e6, lines / middle / 1e6, gl / least, gm / middle }'
}

report() {
  printf '%s lines of 16 bytes, a filter of every tenth, best of %s rounds (median):\n\n' \
    "$lines" "$rounds"
  printf '| command | seconds | million lines/s | speed of grep |\n|:--|--:|--:|--:|\n'
  # The backquotes are Markdown.
  # shellcheck disable=SC2016
  {
    row '`bloomery query -c`' "$dir/time.query"
    row '`grep -Fxc nosuchline`' "$dir/time.grep"
    row '`wc -l`' "$dir/time.wc"
  }
  printf '\nThe query selected %s lines.\n\n' "$(cat "$dir/count")"
  printf '| peak memory | KiB | limit |\n|:--|--:|--:|\n'
  printf '| build, capacity counted | %s | %s (8 bytes per key, filter, 16 MiB) |\n' \
    "$build_peak" "$limit"
  printf '| query of %s lines | %s | |\n' "$((lines / 10))" "$some_peak"
  printf '| query of %s lines | %s | as above: flat |\n' "$lines" "$query_peak"
}

report | tee "$dir/report"
[ -z "$document" ] && exit 0
awk -v report="$dir/report" '
  /^<!-- bench_query: end -->$/ { skip = 0; found++ }
  !skip { print }
  /^<!-- bench_query: begin -->$/ {
    skip = 1; found++
    while ((getline line < report) > 0) print line
  }
  END { exit found == 2 ? 0 : 1 }' "$document" > "$dir/document" ||
  { echo "bench_query: $document: no bench_query markers to write between" >&2; exit 2; }
cat "$dir/document" > "$document"
