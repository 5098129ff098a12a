#!/bin/sh
# Writes the reference to OUT/html: tools/reference/make.sh OUT
# Fails on any warning of Doxygen, and where a class has no description.
set -eu
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^project(bloomery VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
rm -rf "$out/html" "$out/xml"
# The description of a class comes before the list of its members.
doxygen -l "$out/layout.xml"
sed -i '/<class>/,/<\/class>/{/<detaileddescription/d
s/<briefdescription.*/<detaileddescription title=""\/>/}' "$out/layout.xml"
{
  cat tools/reference/Doxyfile
  printf 'OUTPUT_DIRECTORY = "%s"\nLAYOUT_FILE = "%s/layout.xml"\nPROJECT_NUMBER = %s\n' \
    "$out" "$out" "$version"
} | doxygen -
python3 tools/reference/check.py "$out/xml"
