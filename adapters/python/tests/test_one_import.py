"""bloomery.rbloom and bloomery.pybloom_live: programs of those packages, with one import changed.

Where pip has the packages themselves, both do the same, call by call.
"""

import copy
import enum
import gc
import hashlib
import io
import pickle
import subprocess
import sys
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bloomery
from bloomery import pybloom_live, rbloom


def theirs(package):
    return pytest.importorskip(package, reason=f"pip could not install {package}: nothing to compare with")


# --- the examples of rbloom's README ---
def some_hash_func(obj):
    return int.from_bytes(hashlib.sha256(pickle.dumps(obj)).digest()[:16], "big", signed=True)


RBLOOM = ["ours", "rbloom"]


@pytest.fixture(params=RBLOOM)
def Bloom(request):
    return rbloom.Bloom if request.param == "ours" else theirs("rbloom").Bloom


def test_quickstart_of_rbloom(Bloom):
    bf = Bloom(200, 0.01)
    bf.add("hello")
    assert "hello" in bf and "world" not in bf
    bf.update(["hello", "world"])
    other_bf = Bloom(200, 0.01)
    other_bf.update(["more", "items"])
    third_bf = bf | other_bf
    assert all(word in third_bf for word in ("hello", "world", "more", "items"))
    third_bf = bf.copy()
    third_bf.update(other_bf)
    assert bf.issubset(third_bf) and bf <= third_bf and not third_bf <= bf


def test_benchmark_of_rbloom(Bloom):
    bf = Bloom(10_000, 0.01)
    for i in range(10_000):
        bf.add(i + 0.5)
    for i in range(10_000):
        assert i + 0.5 in bf
    assert sum(i + 0.25 in bf for i in range(10_000)) < 200


def test_hash_function_and_files_of_rbloom(Bloom, tmp_path):
    bf = Bloom(10_000, 0.01, some_hash_func)
    bf.add("hello")
    bf.add("world")
    bf.save(str(tmp_path / "bf.bloom"))
    loaded_bf = Bloom.load(str(tmp_path / "bf.bloom"), some_hash_func)
    assert loaded_bf == bf
    loaded_bf_from_bytes = Bloom.load_bytes(bf.save_bytes(), some_hash_func)
    assert loaded_bf_from_bytes == bf and "hello" in loaded_bf_from_bytes
    assert bf.hash_func is some_hash_func


class Equal:
    """Found by an equal object, as in a set."""

    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    def __hash__(self):
        return hash(("Equal", self.x))


def test_objects_are_those_of_a_set(Bloom):
    bf = Bloom(100, 0.001)
    bf.update([1, "text", (1, 2), None, frozenset({3}), Equal(5)])
    assert all(x in bf for x in (1, 1.0, True, 1 + 0j, "text", (1, 2), None, frozenset({3}), Equal(5)))
    assert Equal(6) not in bf
    with pytest.raises(TypeError, match="unhashable"):
        bf.add([])


def names_of(cls):
    return {name for name in dir(cls) if not name.startswith("_")}


def test_every_name_of_theirs_is_there():
    assert names_of(theirs("rbloom").Bloom) <= names_of(rbloom.Bloom)
    real = theirs("pybloom_live")
    for name in ("BloomFilter", "ScalableBloomFilter"):
        instances = [getattr(package, name)(100) for package in (real, pybloom_live)]
        missing = {n for n in dir(instances[0]) if not n.startswith("_")} - set(dir(instances[1]))
        # docs/python.md names them.
        assert missing <= {"FILE_FMT", "bitarray", "bits_per_slice", "filters", "hashfn", "make_hashes", "num_slices", "ratio"}


# What both refuse.
RAISES = [
    (ValueError, lambda B: B(0, 0.01)),
    (ValueError, lambda B: B(10, 0)),
    (ValueError, lambda B: B(10, 1.0)),
    (TypeError, lambda B: B(10.0, 0.1)),
    (TypeError, lambda B: B(10, 0.1, 5)),
    (OverflowError, lambda B: B(10, 0.1, lambda o: 2**127).add(1)),
    (TypeError, lambda B: B(10, 0.1, lambda o: "x").add(1)),
    (TypeError, lambda B: B(10, 0.1, lambda o: 1.5).add(1)),
    (ValueError, lambda B: B(200, 0.01) | B(900, 0.01)),
    (ValueError, lambda B: B(200, 0.01) & B(900, 0.01)),
    (ValueError, lambda B: B(200, 0.01) <= B(900, 0.01)),
    (ValueError, lambda B: B(200, 0.01) | B(200, 0.01, some_hash_func)),
    (ValueError, lambda B: B(200, 0.01).update(B(200, 0.01, some_hash_func))),
    (TypeError, lambda B: B(200, 0.01) | {1}),
    (TypeError, lambda B: B(200, 0.01) < 5),
    (TypeError, lambda B: B(200, 0.01).update(5)),
    (TypeError, lambda B: hash(B(200, 0.01))),
    (TypeError, lambda B: len(B(200, 0.01))),
    (ValueError, lambda B: B(200, 0.01).save("never.bloom")),
    (ValueError, lambda B: B(200, 0.01).save_bytes()),
    (ValueError, lambda B: B.load_bytes(B(200, 0.01, some_hash_func).save_bytes(), hash)),
    (TypeError, lambda B: B.load_bytes(B(200, 0.01, some_hash_func).save_bytes())),
    (FileNotFoundError, lambda B: B.load("missing.bloom", some_hash_func)),
]


@pytest.mark.parametrize("case", range(len(RAISES)))
def test_both_refuse(Bloom, case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error, call = RAISES[case]
    with pytest.raises(error):
        call(Bloom)
    assert not list(tmp_path.iterdir())


# Whose hashes look random: rbloom spreads small integers badly.  No two of them have a bit in common in filters of
# SIZE, in either package: what an intersection leaves of two sets without a common item is then nothing, in both.
ITEMS = [(i + 1) * 0x9E37_79B9_7F4A_7C15 % (2**61 - 1) for i in range(30) if i != 22]
SIZE = 5000


def answers_of(B, script):
    """What a class answers to a script of set operations on three filters."""
    filters = [B(SIZE, 0.001) for _ in range(3)]
    said = []
    for name, i, j, items in script:
        a, b = filters[i], filters[j]
        if name == "update":
            a.update(items, b)
        elif name == "add":
            for x in items:
                a.add(x)
        elif name == "union":
            filters[i] = a.union(items, b)
        elif name == "|=":
            a |= b
        elif name == "&=":
            a &= b
        elif name == "intersection":
            filters[i] = a.intersection(b)
        elif name == "intersection_update":
            a.intersection_update(b, a)
        elif name == "clear":
            a.clear()
        elif name == "copy":
            filters[i] = b.copy()
        said.append(([x in f for f in filters for x in ITEMS], [bool(f) for f in filters],
                     [[p <= q, p < q, p >= q, p > q, p == q, p != q, p.issubset(q), p.issuperset(q)]
                      for p in filters for q in filters]))
    return said


STEPS = ["update", "add", "union", "|=", "&=", "intersection", "intersection_update", "clear", "copy"]


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 2), st.integers(0, 2), st.lists(st.sampled_from(ITEMS), max_size=5)),
                max_size=8))
def test_sets_behave_the_same(script):
    assert answers_of(rbloom.Bloom, script) == answers_of(theirs("rbloom").Bloom, script)


def test_items_have_no_bit_in_common(Bloom):
    alone = [Bloom(SIZE, 0.001).union([x]) for x in ITEMS]
    assert not any(a & b for i, a in enumerate(alone) for b in alone[:i])


def test_a_cycle_through_the_hash_function_is_collected():
    held = []
    f = rbloom.Bloom(100, 0.01, lambda x: len(held) + x)
    held.append(f)
    f.add(5)
    assert 5 in f and 6 not in f
    gone = weakref.ref(f)
    del f, held
    gc.collect()
    assert gone() is None


def test_a_hash_function_that_makes_the_filter_anew():
    def turn(x):
        f.__init__(100, 0.01, turn)
        return x

    f = rbloom.Bloom(100, 0.01, turn)
    f.add(1)  # into the filter that was there when it began
    assert isinstance(f.filter, bloomery.Filter)
    with pytest.raises(TypeError, match="not initialised"):
        rbloom.Bloom.__new__(rbloom.Bloom).add(1)
    with pytest.raises(TypeError, match="not initialised"):
        1 in rbloom.Bloom.__new__(rbloom.Bloom)  # noqa: B015


def test_estimates_are_near_each_other(Bloom):
    f = Bloom(500, 0.001)
    f.update(ITEMS)
    assert 25 < f.approx_items < 35


# --- what is ours ---
def test_saved_filters_are_found_in_another_process(tmp_path):
    path = tmp_path / "f.bloom"
    f = rbloom.Bloom(1000, 0.01, some_hash_func)
    f.update(["hello", ("a", 1)])
    f.save(path)
    program = f"""
import sys; sys.path.insert(0, {str(__file__.rsplit('/', 1)[0])!r})
from test_one_import import some_hash_func
from bloomery.rbloom import Bloom
f = Bloom.load({str(path)!r}, some_hash_func)
assert "hello" in f and ("a", 1) in f and "other" not in f
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    again = pickle.loads(pickle.dumps(f))
    assert again == f and again.hash_func is some_hash_func


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "f.bloom"
    bloomery.Filter.build(["hello"]).save(path)
    with pytest.raises(ValueError, match="not written by bloomery.rbloom"):
        rbloom.Bloom.load(path, some_hash_func)
    path.write_bytes(b"\x07" + bytes(247))
    with pytest.raises(bloomery.CorruptError, match="rbloom itself cannot be read"):
        rbloom.Bloom.load(path, some_hash_func)
    with pytest.raises(ValueError, match="not written by BloomFilter"):
        pybloom_live.BloomFilter.fromfile(io.BytesIO(bytes(bloomery.Filter.build(["hello"]))))
    with pytest.raises(bloomery.CorruptError, match="pybloom_live itself cannot be read"):
        pybloom_live.BloomFilter.fromfile(io.BytesIO(bytes(200)))


def test_hash_of_the_process_is_never_stored():
    f = rbloom.Bloom(1000, 0.01)
    for call in (f.save_bytes, lambda: pickle.dumps(f), lambda: f.save("never.bloom")):
        with pytest.raises(ValueError, match="in every process.*hash_func"):
            call()
    assert copy.copy(f) == copy.deepcopy(f) == f and f.filter.source == "integers"


def test_subclasses_stay_what_they_are():
    f = Named(100, 0.01, some_hash_func)
    f.add("x")
    for again in (pickle.loads(pickle.dumps(f)), f.copy(), f | f, copy.copy(f)):
        assert type(again) is Named and again == f and "x" in again


class Named(rbloom.Bloom):
    pass


class Color(str, enum.Enum):
    RED = "red"


# --- pybloom_live ---
PYBLOOM = ["ours", "pybloom_live"]


@pytest.fixture(params=PYBLOOM)
def pybloom(request):
    return pybloom_live if request.param == "ours" else theirs("pybloom_live")


def test_bloom_filter(pybloom):
    f = pybloom.BloomFilter(capacity=1000, error_rate=0.001)
    assert [f.add(x) for x in range(10)] == [False] * 10
    assert all(x in f for x in range(10)) and 10 not in f and 5 in f
    assert f.add(5) is True and f.add("5") is True and len(f) == f.count == 10
    assert f.add("x", skip_check=True) is False and f.count == 11
    assert (f.capacity, f.error_rate) == (1000, 0.001)
    for x in (b"bytes", b" at 0x7", 1.5, None, ("a", 1)):
        f.add(x)
        assert x in f and str(x) in f
    f.add(Color.RED)
    assert "red" in f and Color.RED in f and "Color.RED" not in f


def test_it_refuses_more_than_its_capacity(pybloom):
    f = pybloom.BloomFilter(capacity=10)
    with pytest.raises(IndexError, match="at capacity"):
        for i in range(100):
            f.add(i)
    assert f.count == 11
    for wrong in ((0,), (-1,), (10, 0), (10, 1), (10, 2)):
        with pytest.raises(ValueError):
            pybloom.BloomFilter(*wrong)


@pytest.mark.parametrize("operator", ["union", "intersection", "|", "&"])
def test_set_operations(pybloom, operator):
    f, g = (pybloom.BloomFilter(100, 0.001) for _ in range(2))
    for x in ("a", "b"):
        f.add(x)
    for x in ("b", "c"):
        g.add(x)
    both = {"union": f.union, "intersection": f.intersection, "|": f.__or__, "&": f.__and__}[operator](g)
    is_union = operator in ("union", "|")
    assert [x in both for x in "abcd"] == ([True, True, True, False] if is_union else [False, True, False, False])
    assert [x in f for x in "abc"] == [True, True, False]
    with pytest.raises(ValueError):
        f.union(pybloom.BloomFilter(200, 0.001))
    with pytest.raises(ValueError):
        f.intersection(pybloom.BloomFilter(100, 0.01))


def test_files_and_pickles(pybloom, tmp_path):
    for make in (lambda: pybloom.BloomFilter(100, 0.001), lambda: pybloom.ScalableBloomFilter(100, 0.001)):
        f = make()
        for i in range(90):
            f.add(i)
        with open(tmp_path / "f", "wb") as out:
            f.tofile(out)
        with open(tmp_path / "f", "rb") as file:
            g = type(f).fromfile(file)
        h = pickle.loads(pickle.dumps(f))
        for again in (g, h):
            assert all(i in again for i in range(90)) and len(again) == len(f) and again.error_rate == 0.001
            assert "new" not in again and again.add("new") is False and again.add("new") is True


def test_scalable(pybloom):
    S = pybloom.ScalableBloomFilter
    s = S(initial_capacity=100, error_rate=0.001, mode=S.SMALL_SET_GROWTH)
    assert (s.SMALL_SET_GROWTH, s.LARGE_SET_GROWTH) == (2, 4)
    for i in range(10_000):
        s.add(i)
    assert all(i in s for i in range(10_000)) and 9_900 <= len(s) <= 10_000 and s.count == len(s)
    assert s.add(5) is True and s.capacity >= len(s) and (s.initial_capacity, s.scale) == (100, 2)
    assert sum(f"other-{i}" in s for i in range(10_000)) <= 150
    t = S(initial_capacity=100, error_rate=0.001, mode=S.SMALL_SET_GROWTH)
    t.add("y")
    assert "y" in s.union(t) and 77 in s | t
    with pytest.raises(ValueError):
        s.union(S(200))


def test_count_of_unions_is_an_estimate():
    f, g = pybloom_live.BloomFilter(1000), pybloom_live.BloomFilter(1000)
    for i in range(200):
        f.add(i)
        g.add(i + 100)
    assert 280 < len(f.union(g)) < 320 and len(f.copy()) == 200


def test_keys_that_would_not_be_found_are_refused():
    f = pybloom_live.BloomFilter(100)
    for key in (object(), [object()], print, type("C", (), {})(), {1, 2}, frozenset("ab"), lambda: 0):
        if " at 0x" not in str(key) and not isinstance(key, (set, frozenset)):
            continue
        for call in (lambda key=key: f.add(key), lambda key=key: key in f):
            with pytest.raises(TypeError, match="not found|fixed order"):
                call()
    assert len(f) == 0
    f.add(" at 0x is text here")
    assert " at 0x is text here" in f
