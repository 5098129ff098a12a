#!/bin/sh
# A wheel from nothing, used in an empty virtual environment where there is no compiler.
#
#   tests/try_wheel.sh [FOLDER]     works in FOLDER (build/python-wheel)
#
# Needs the packages of tests/requirements.txt in the Python that is first in PATH, or a
# registry to fetch nanobind and scikit-build-core from.  Some minutes.
set -eu
adapter=$(cd "$(dirname "$0")/.." && pwd)
work=${1:-$adapter/../../build/python-wheel}
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
python3 -m pip wheel --no-deps -q -w "$work" "$adapter" -Cbuild-dir="$work/build"
wheel=$(echo "$work"/*.whl)
size=$(stat -c %s "$wheel")
echo "$(basename "$wheel"): $size bytes"
[ "$size" -lt 3145728 ] || { echo "larger than 3 MiB" >&2; exit 1; }
python3 -m venv "$work/empty"
"$work/empty/bin/python" -m pip install -q --no-index --no-deps "$wheel"
# Nothing is in PATH: no compiler, no tool.
cd "$work"
env -i PATH="$work/empty/bin" "$work/empty/bin/python" - <<'END'
import pickle
import subprocess
import sys

import bloomery

f = bloomery.Filter(1000, 0.01)
f.update(["alice", "bob"])
assert "alice" in f and "carol" not in f
assert pickle.loads(pickle.dumps(f)) == f
assert bloomery.Filter.build(["x"], kind="ribbon").may_contain(["x"]).tolist() == [True]
f.save("f.bloom")
said = subprocess.run([sys.executable, "-m", "bloomery", "query", "f.bloom", "alice", "carol"],
                      capture_output=True, text=True)
assert said.stdout == "alice\n", said
print("used without a compiler, without NumPy:", f)
END
