#!/bin/sh
# Makes a wheel of the package for Python from nothing, in a folder; make wheel calls it.
#
#   packaging/wheel/make.sh FOLDER       with python3, or the interpreter in $PYTHON
#
# By Python 3.12 or later: one wheel for all of them (cp312-abi3); by an older one: for that version.
# auditwheel then says which Linux it runs on, and names it so (manylinux).  Fetches nanobind,
# scikit-build-core and auditwheel by pip; without auditwheel the wheel is for machines like this one.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
work=$out/work-$version
rm -rf "$work/raw" "$work/checked"
mkdir -p "$work/raw" "$work/checked"

has_auditwheel=yes
"$python" "$root/tools/python_env.py" "$work/venv" "$root/packaging/wheel/requirements.txt" || has_auditwheel=
[ -x "$work/venv/bin/python" ] || { echo "wheel: no virtual environment of $python" >&2; exit 1; }
"$work/venv/bin/python" -m pip wheel --no-deps --disable-pip-version-check -q -w "$work/raw" \
  "$root/adapters/python" --config-settings=build-dir="$work/build"
made=$(echo "$work"/raw/*.whl)
if [ -n "$has_auditwheel" ]; then
  PATH=$work/venv/bin:$PATH
  auditwheel show "$made" | sed '/^$/d'
  auditwheel -v repair --strip -w "$work/checked" "$made" >"$work/auditwheel.log" 2>&1 ||
    { cat "$work/auditwheel.log" >&2; exit 1; }
  made=$(echo "$work"/checked/*.whl)
else
  echo "wheel: not checked, as auditwheel cannot be installed: it is for machines like this one"
fi
cp "$made" "$out/"
echo "$out/$(basename "$made")" >"$out/newest"
echo "wheel: $out/$(basename "$made"), $(stat -c %s "$made") bytes"
