"""How large a filter is, and which options are refused."""

import pytest

import bloomery
from conftest import CALLS


def test_by_rate_bits_and_memory():
    assert bloomery.Filter(1000).expected_fpr(1000) <= 0.01
    assert bloomery.Filter(1000, 1e-4).expected_fpr(1000) <= 1e-4
    b = bloomery.Filter(10_000, bits_per_key=16)
    assert b.size_in_bytes == pytest.approx(20_000, rel=0.01)
    m = bloomery.Filter(10_000, memory=4096)
    assert m.size_in_bytes <= 4096
    assert bloomery.Filter(units=16, profile="line").size_in_bytes == 1024
    assert bloomery.Filter(100, kind="bloom", units=1000, hashes=3).capacity == 100


def test_size_says_the_same():
    for options in ({}, {"kind": "ribbon"}, {"kind": "cuckoo"}):
        s = bloomery.size(10_000, 0.001, **options)
        assert s["expected_fpr"] <= 0.001 and s["size_in_bytes"] > 10_000
    assert bloomery.size(10_000)["size_in_bytes"] == bloomery.Filter(10_000).size_in_bytes


@pytest.mark.parametrize(
    "arguments, options, exception",
    [
        ((), {}, ValueError),
        ((0,), {}, ValueError),
        ((-1,), {}, ValueError),
        ((1 << 70,), {}, ValueError),
        ((True,), {}, TypeError),
        (("many",), {}, TypeError),
        ((10, 0.0), {}, ValueError),
        ((10, 1.0), {}, ValueError),
        ((10, float("nan")), {}, ValueError),
        ((10, 0.1), {"memory": 100}, ValueError),
        ((10,), {"kind": "no"}, ValueError),
        ((10,), {"kind": "ribbon"}, NotImplementedError),
        ((10,), {"source": "words"}, ValueError),
        ((10,), {"hash": "md5"}, ValueError),
        ((10,), {"hash": "siphash13"}, ValueError),
        ((10,), {"secret": b"short"}, ValueError),
        ((10,), {"secret": b"0" * 16, "hash": "xxh3"}, ValueError),
        ((10,), {"kind": "portable", "seed": 3}, ValueError),
        ((10,), {"kind": "portable", "hash": "xxh3"}, NotImplementedError),
        ((10,), {"profile": "sideways"}, ValueError),
        ((10,), {"arity": 3}, NotImplementedError),
        ((10,), {"generations": 3}, NotImplementedError),
        ((10,), {"fprr": 0.1}, TypeError),
        ((10,), {"foldable": 1}, TypeError),
        ((10, 0.01), {"kind": "window", "generations": -1}, ValueError),
    ],
)
def test_refused(arguments, options, exception):
    with pytest.raises(exception):
        bloomery.Filter(*arguments, **options)


def test_absurd_sizes_allocate_nothing():
    with pytest.raises((bloomery.TooLargeError, bloomery.OutOfMemoryError)) as e:
        bloomery.Filter(10**15)
    assert e.value.asked > 0
    with pytest.raises((bloomery.TooLargeError, bloomery.OutOfMemoryError)):
        bloomery.Filter(10, memory=1 << 62)


def test_an_object_that_was_not_initialised():
    f = bloomery.Filter.__new__(bloomery.Filter)
    for call in (lambda: "x" in f, lambda: f.add("x"), lambda: memoryview(f), lambda: f.kind, lambda: bytes(f)):
        with pytest.raises(TypeError):
            call()


def test_subclasses():
    class Mine(bloomery.Filter):
        pass

    f = Mine(100)
    f.add("x")
    assert "x" in f and f == f.copy()


def test_secrets():
    secret = bloomery.random_secret()
    assert len(secret) == 16 and secret != bloomery.random_secret()
    f = bloomery.Filter(100, secret=secret)
    f.add("x")
    assert f.hash == "siphash13" and f.seed is None
    data = f.to_bytes()
    assert secret not in data
    assert "x" in bloomery.Filter.from_bytes(data, secret=secret)
    for wrong in (None, bytes(16)):
        with pytest.raises(bloomery.IncompatibleError):
            bloomery.Filter.from_bytes(data, secret=wrong)


def test_seeds_make_other_bits():
    a, b = bloomery.Filter(100, seed=1), bloomery.Filter(100, seed=2)
    a.add("x"), b.add("x")
    assert bytes(a) != bytes(b) and (a.seed, b.seed) == (1, 2)
    assert a.hash_key("x") != b.hash_key("x")


def test_the_tables():
    kinds, dialects = bloomery.kinds(), bloomery.dialects()
    assert kinds[0]["name"] == "block" and len(dialects) >= 15
    assert {"guava", "spark", "redisbloom", "parquet"} <= {d["name"] for d in dialects}
    assert bloomery.__version__.count(".") == 2


def test_build_counts_distinct_keys():
    f = bloomery.Filter.build(["a", "b", "a"] * 100, kind="ribbon", fpr=0.001)
    assert "a" in f and "b" in f
    facts = bloomery.inspect(f.to_bytes())
    assert facts["keys"] == 2 and facts["asked_fpr"] == 0.001
    assert facts["sentinels"] == 2


def test_build_finds_the_source():
    assert bloomery.Filter.build([1, 2]).source == "integers"
    assert bloomery.Filter.build(["1"]).source == "bytes"
    assert bloomery.Filter.build([]).source == "bytes"
    with pytest.raises(TypeError):
        bloomery.Filter.build([1, "2"])
    with pytest.raises(TypeError):
        bloomery.Filter.build([True])


def test_builder(tmp_path):
    for limit in (None, 1 << 20):
        b = bloomery.Builder(memory_limit=limit, temp_dir=tmp_path)
        for part in range(10):
            b.update([f"{part}-{i}" for i in range(1000)], [f"{part}-{i}" for i in range(10)])
        assert b.count() == 10_000
        f = b.finish(0.001, kind="fuse", threads=2)
        assert f.kind == "fuse" and f.capacity == 10_000
        assert f.may_contain([f"3-{i}" for i in range(1000)]).all()
    with pytest.raises(TypeError):
        bloomery.Builder(kind="fuse")
    with pytest.raises(ValueError):
        bloomery.Builder().finish(threads=0)


def test_a_kind_that_is_built_points_to_build(kind):
    if "build" not in CALLS[kind]:
        return
    with pytest.raises(bloomery.UnsupportedError, match=rf"bloomery\.Filter\.build\(keys, fpr, kind='{kind}'\)"):
        bloomery.Filter(1000, kind=kind)
    assert "alice" in bloomery.Filter.build(["alice"], 0.01, kind=kind)
