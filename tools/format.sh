#!/bin/sh
# Formats every C++ file by .clang-format; with --check only lists those that differ.
set -eu
cd "$(dirname "$0")/.."
if ! command -v clang-format >/dev/null 2>&1; then
  echo "format: clang-format is missing; tools/setup.sh dev installs it" >&2
  exit 77 # CTest counts it as skipped
fi
case "${1-}" in
  --check) options='--dry-run --Werror' ;;
  '') options=-i ;;
  *) echo "usage: tools/format.sh [--check]" >&2; exit 2 ;;
esac
# A section ruler is "// --- title ---": one that fills the line would be split.
if [ "${1-}" = --check ] && grep -rnE '^ *// *-{5,}|^ *// --- .* -{4,}$' \
    --include='*.[ch]pp' --include='*.[ch]' include src cli adapters bench fuzz examples tests; then
  echo "format: write a section ruler as // --- title ---" >&2
  exit 1
fi
for folder in include src cli adapters bench fuzz examples tests tools; do
  [ ! -d $folder ] || find $folder -name '*.[ch]pp' -o -name '*.h' -o -name '*.c'
done | sort | xargs clang-format $options
