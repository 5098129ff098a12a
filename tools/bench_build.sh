#!/usr/bin/env bash
# Static filters of many keys: the same bytes for any number of threads, in memory and on disk.
#
#   tools/bench_build.sh [--tool FILE] [--keys N] [--memory-limit SIZE] [--largest N]
#
# Builds ribbon and fuse filters at 1 % of N (100 million) keys, the numbers 1 to N in
# decimal, by 1, 2, 4 and 7 threads, with and without a limit of memory (400 MiB), and
# compares all bytes.  Then a ribbon of the largest set (0: none; 1000000000 takes some
# minutes and 20 GB of disk) within 2 GiB, and looks every key up.  Prints Markdown:
# seconds and peak memory, reading and hashing the keys included.
set -euo pipefail
export LC_ALL=C

tool=build/release/bloomery keys=100000000 largest=0 limit=400MiB
while [ $# -gt 0 ]; do
  case $1 in
    --tool) tool=$2 ;;
    --keys) keys=$2 ;;
    --largest) largest=$2 ;;
    --memory-limit) limit=$2 ;;
    *) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
[ -x "$tool" ] || { echo "bench_build: no tool at $tool; run make first" >&2; exit 2; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export TMPDIR=$dir  # for keys that are sorted on disk
say() { echo "bench_build: $*" >&2; }

# build KEYS OUT OPTION...: prints "seconds | MiB".
build() {
  local n=$1 out=$2
  shift 2
  seq "$n" | python3 -c '
import resource, subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[1:], check=True)
seconds = time.monotonic() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"{seconds:.0f} | {peak / 1024:.0f}")' \
    "$tool" build -q --fpr 1% -o "$out" "$@" -
}

# row KIND KEYS PLACE THREADS OPTION...
row() {
  local kind=$1 n=$2 place=$3 threads=$4 cost
  shift 4
  say "$kind of $n keys, $place, $threads threads"
  cost=$(build "$n" "$dir/new" --kind "$kind" --threads "$threads" "$@")
  if [ -e "$dir/first" ]; then
    cmp "$dir/first" "$dir/new"
    same=same
  else
    cp "$dir/new" "$dir/first"
    same=first
  fi
  bits=$("$tool" info --json "$dir/new" |
    python3 -c 'import json, sys; print("%.3f" % (lambda d: d["bits"] / d["keys"])(json.load(sys.stdin)))')
  echo "| $kind | $n | $place | $threads | $cost | $bits | $same |"
}

echo "| kind | keys | where | threads | seconds | peak MiB | bits per key | file |"
echo "|:--|--:|:--|--:|--:|--:|--:|:--|"
for kind in ribbon fuse; do
  [ "$keys" -gt 0 ] || break
  rm -f "$dir/first"
  for threads in 1 2 4 7; do row "$kind" "$keys" "in memory" "$threads"; done
  for threads in 1 2 4 7; do
    row "$kind" "$keys" "within $limit" "$threads" --memory-limit "$limit"
  done
done
if [ "$largest" -gt 0 ]; then
  rm -f "$dir/first"
  row ribbon "$largest" "within 2 GiB" 2 --memory-limit 2GiB
  say "looking up every key"
  missing=$(seq "$largest" | "$tool" query -v -c "$dir/new" || true)
  echo
  echo "$missing of the $largest keys are not found in the last filter."
  [ "$missing" -eq 0 ]
fi
