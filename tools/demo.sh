#!/bin/sh
# Makes a filter of a million keys, asks it, and shows what it learned.
#   tools/demo.sh TOOL        (`make demo` builds the tool first)
set -eu
tool=$(CDPATH='' cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
cd "$folder"

step() { printf '\n%s\n' "$*"; }
# Shows a command, runs it and indents what it says.
try() {
  printf '  $ bloomery %s\n' "$*"
  code=0
  "$tool" "$@" >said 2>&1 || code=$?
  sed 's/^/    /' said
  [ "$code" = 0 ] || exit "$code"
}
# One number out of a JSON answer.
field() { sed -n "s/^ *\"$2\": *\([-+0-9.e]*\),*\$/\1/p" "$1"; }

step "1. A million keys, one a line, and a filter that may be wrong once in a hundred:"
echo "  \$ seq -f 'user%.0f' 1 1000000 > users.txt"
seq -f 'user%.0f' 1 1000000 >users.txt
try build users.txt -o users.bloom

step "2. Ask it.  It prints the keys that may be there:"
try query users.bloom user42 nobody

step "3. Is every key found?  A filter must never forget one:"
try verify users.bloom --keys users.txt

step "4. What does it say about itself?"
try info users.bloom

step "5. How often is it wrong?  A million keys it never saw; counted: those it takes for its own:"
echo "  \$ seq -f 'stranger%.0f' 1 1000000 | bloomery query users.bloom -c"
strangers=$(seq -f 'stranger%.0f' 1 1000000 | "$tool" query users.bloom -c)
echo "    $strangers"

step "6. How fast is it here?  (some seconds)"
echo "  \$ bloomery bench --keys 1000000 --json"
"$tool" bench --keys 1000000 --json >bench.json
"$tool" info users.bloom --json >info.json

step "What it learned:"
awk -v text="$(wc -c <users.txt)" -v file="$(wc -c <users.bloom)" -v wrong="$strangers" \
  -v realised="$(field info.json realised_fpr)" \
  -v present="$(field bench.json present_ns)" -v absent="$(field bench.json absent_ns)" \
  -v present_batched="$(field bench.json present_batched_ns)" \
  -v absent_batched="$(field bench.json absent_batched_ns)" 'BEGIN {
  printf "  size           %d bytes: %.2f bits a key, %.0f %% of the %d bytes of text\n",
         file, file * 8 / 1e6, 100 * file / text, text
  printf "  realised FPR   %.3f %% by its bits; %.3f %% of a million strangers\n",
         100 * realised, wrong / 1e4
  printf "  lookups        absent keys %.1f ns, present keys %.1f ns\n", absent, present
  printf "  in batches     absent keys %.1f ns, present keys %.1f ns\n",
         absent_batched, present_batched
}'
