#!/bin/sh
# Removes the files that a list names, one per line, and the folders that are empty then:
#   tools/uninstall.sh LIST
set -eu
[ -f "$1" ] || { echo "uninstall: no $1: nothing was installed from this folder" >&2; exit 2; }
while IFS= read -r file; do
  [ -n "$file" ] || continue
  rm -f -- "$file"
  folder=$(dirname -- "$file")
  # Only folders of our own: others' may be empty on purpose.
  while [ "$folder" != / ]; do
    case $folder in
      */bloomery | */bloomery/*) rmdir -- "$folder" 2>/dev/null || break ;;
      *) break ;;
    esac
    folder=$(dirname -- "$folder")
  done
done < "$1"
rm -f -- "$1"
