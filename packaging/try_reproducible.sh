#!/bin/sh
# Builds the archive of make dist again, in another folder, and compares:
#   packaging/try_reproducible.sh FOLDER
set -eu
folder=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# The files as they are, committed or not.
mkdir -p "$work/somewhere/else"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf -) |
  tar -xf - -C "$work/somewhere/else"
cd "$work/somewhere/else"
cmake --preset dist --log-level=WARNING
cmake --build --preset dist --target bloomery_tool bloomery_man bloomery_completions
tools/dist.sh build/dist build/dist
diff "$folder/SHA256SUMS" build/dist/SHA256SUMS
echo "dist: the same bytes from another folder"
