#!/bin/sh
# Makes a filter of a million keys, queries it, and shows size, FPR and speed.
#   tools/demo.sh TOOL        (`make demo` builds the tool first)
set -eu
tool=$(CDPATH='' cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$folder"

step() { printf '\n%s\n' "$*"; }
# Shows a command, runs it and indents its output.
try() {
  printf '  $ bloomery %s\n' "$*"
  code=0
  "$tool" "$@" >said 2>&1 || code=$?
  sed 's/^/    /' said
  [ "$code" = 0 ] || exit "$code"
}
# One number out of a JSON answer.
field() { sed -n "s/^ *\"$2\": *\([-+0-9.e]*\),*\$/\1/p" "$1"; }
# The minimum of one column of a table's row "text, 16 bytes": users.txt has texts as short.
of_texts() {
  awk -F ' *[|] *' -v name="$2" '$2 == "key" { for (i = 1; i <= NF; i++) if ($i == name) at = i }
    $2 == "text, 16 bytes" { split($at, cell, " "); print cell[1] }' "$1"
}

step "1. Build a filter from a million keys, one per line, with a false-positive rate of 1 %:"
echo "  \$ seq -f 'user%.0f' 1 1000000 > users.txt"
seq -f 'user%.0f' 1 1000000 >users.txt
try build users.txt -o users.bloom

step "2. Query it.  It prints the keys that are possibly present:"
try query users.bloom user42 nobody

step "3. Verify that every key is found.  There must be no false negative:"
try verify users.bloom --keys users.txt

step "4. Show its facts:"
try info users.bloom

step "5. Measure the false-positive rate: count how many of a million absent keys pass:"
echo "  \$ seq -f 'absent%.0f' 1 1000000 | bloomery query users.bloom -c"
passed=$(seq -f 'absent%.0f' 1 1000000 | "$tool" query users.bloom -c)
echo "    $passed"

step "6. Measure the speed on this machine (some seconds):"
echo "  \$ bloomery bench --keys 1000000 --end-to-end"
"$tool" bench --keys 1000000 --end-to-end >bench.md
"$tool" info users.bloom --json >info.json

step "Summary:"
awk -v text="$(wc -c <users.txt)" -v file="$(wc -c <users.bloom)" -v wrong="$passed" \
  -v realised="$(field info.json realised_fpr)" \
  -v present="$(of_texts bench.md present)" -v absent="$(of_texts bench.md absent)" \
  -v present_batched="$(of_texts bench.md "present, batched")" \
  -v absent_batched="$(of_texts bench.md "absent, batched")" 'BEGIN {
  printf "  size           %d bytes: %.2f bits per key, %.0f %% of the %d bytes of text\n",
         file, file * 8 / 1e6, 100 * file / text, text
  printf "  realised FPR   %.3f %% from its bits; %.3f %% measured on a million absent keys\n",
         100 * realised, wrong / 1e4
  printf "  lookups        absent keys %.1f ns, present keys %.1f ns: texts of 16 bytes, hash included\n",
         absent, present
  printf "  in batches     absent keys %.1f ns, present keys %.1f ns\n",
         absent_batched, present_batched
}'
