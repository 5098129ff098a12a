#!/bin/sh
# Installs the wheel that make.sh made last into empty virtual environments, where there is no
# compiler and no NumPy, and uses it:
#
#   packaging/wheel/try.sh FOLDER        with python3, or the interpreter in $PYTHON
#
# A wheel for several versions is tried with all of those that are in PATH.
set -eu
wheel=$(cat "$1/newest")
python=${PYTHON:-python3}
size=$(stat -c %s "$wheel")
[ "$size" -lt 3145728 ] || { echo "$wheel: $size bytes, more than 3 MiB" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/use.py" <<'END'
import inspect, io, os, pickle, sys
import bloomery
from bloomery.pybloom_live import BloomFilter
from bloomery.rbloom import Bloom

f = bloomery.Filter(1000, 0.01)
f.update(["alice", "bob"])
assert "alice" in f and "carol" not in f
assert pickle.loads(pickle.dumps(f)) == f
assert list(memoryview(f.may_contain(["alice", "carol"]))) == [True, False]
f.save("f.bloom")
assert "bob" in bloomery.load("f.bloom") and "bob" in bloomery.MappedFilter("f.bloom")
calls = []
r = bloomery.Filter.build(["x"], kind="ribbon", progress=lambda *a: calls.append(a))
assert "x" in r and calls == [(2, 2)]
assert str(inspect.signature(bloomery.Filter)) == "(capacity=None, fpr=None, **options)"
assert str(inspect.signature(bloomery.Filter(9).add)) == "(key, /)"
assert str(inspect.signature(bloomery.Filter.build)).startswith("(keys, fpr=None, capacity=None")
assert ">>>" in bloomery.Filter.__doc__ and ">>>" in bloomery.Filter.add.__doc__
assert "hello" in Bloom(200, 0.01).union(["hello"]) and BloomFilter(100).add("x") is False
for bad in (lambda: f.add(1), lambda: bloomery.Filter.from_bytes(b"x"), lambda: bloomery.Filter.load("missing")):
    try:
        bad()
    except bloomery.Error as e:
        assert str(e)
    else:
        raise AssertionError
assert "numpy" not in sys.modules
print("used without a compiler, without NumPy, by Python", sys.version.split()[0])
END
tried=
try_with() {
  version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  case " $tried " in *" $version "*) return 0 ;; esac
  tried="$tried $version"
  "$1" -m venv "$work/venv-$version"
  "$work/venv-$version/bin/python" -m pip install -q --no-index --no-deps --disable-pip-version-check "$wheel"
  (cd "$work" && env -i PATH="$work/venv-$version/bin" "$work/venv-$version/bin/python" use.py)
}
try_with "$python"
case $wheel in
  *-abi3-*)
    for other in python3.12 python3.13 python3.14; do
      if "$other" -c pass >/dev/null 2>&1; then try_with "$other"; fi
    done
    ;;
esac
echo "wheel: $(basename "$wheel") works with Python$tried"
