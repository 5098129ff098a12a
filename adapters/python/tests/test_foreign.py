"""Other systems' filters: made, read, asked, written back as they were."""

import pickle

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bloomery

KEYS = [f"key-{i}" for i in range(300)]
WRITTEN = [d["name"] for d in bloomery.dialects() if d["writes"] and not d["builds"]]


def made(dialect):
    # The rate, a seed: each where its owner takes one.
    for options in ({"fpr": 0.01}, {}, {"fpr": 0.01, "seed": 7}):
        try:
            f = bloomery.ForeignFilter(dialect, capacity=500, **options)
            break
        except bloomery.Error:
            pass
    f.update(KEYS)
    return f


@pytest.mark.parametrize("dialect", WRITTEN)
def test_written_and_read(dialect, tmp_path):
    f = made(dialect)
    assert f.dialect == dialect and dialect in repr(f)
    assert all(k in f for k in KEYS) and f.may_contain(KEYS).all()
    assert f.may_contain([f"other-{i}" for i in range(1000)]).sum() < 200
    assert 0 <= f.realised_fpr() < 0.2 and f.size_in_bytes > 0 and f.estimated_keys() > 100
    options = {n: getattr(f, n) for n in ("bits", "hashes", "seed", "variant")}
    data = f.to_bytes()
    assert data == bytes(f) == bytes(memoryview(f))
    needs = next(d["needs"] for d in bloomery.dialects() if d["name"] == dialect)
    g = bloomery.ForeignFilter.from_bytes(dialect, data, **{n: options[n] for n in needs if n in options})
    assert g.may_contain(KEYS).all() and g.to_bytes() == data
    f.save(tmp_path / "c", container=True)
    h = bloomery.ForeignFilter.load_container(tmp_path / "c")
    assert h.to_bytes() == data and h.dialect == dialect and h.damaged_chunks == 0
    assert bloomery.ForeignFilter.from_container(f.to_container()).to_bytes() == data
    assert pickle.loads(pickle.dumps(f)).to_bytes() == data


def test_files(tmp_path):
    f = made("guava")
    f.save(tmp_path / "g")
    g = bloomery.ForeignFilter.load("guava", tmp_path / "g")
    assert g.to_bytes() == f.to_bytes()
    with pytest.raises(FileNotFoundError):
        bloomery.ForeignFilter.load("guava", tmp_path / "no")


def test_unions():
    a, b = bloomery.ForeignFilter("guava", capacity=500), bloomery.ForeignFilter("guava", capacity=500)
    a.add("x"), b.insert("y")
    a.merge(b)
    assert "x" in a and "y" in a
    a.merge(a)
    with pytest.raises(bloomery.IncompatibleError):
        a.merge(bloomery.ForeignFilter("guava", capacity=5000))
    with pytest.raises(bloomery.IncompatibleError):
        a.merge(bloomery.ForeignFilter("spark", capacity=500))


def test_built_at_once():
    f = bloomery.ForeignFilter.build("fastfilter", KEYS, variant="fuse8")
    assert f.may_contain(KEYS).all() and f.variant == "fuse8"
    g = bloomery.ForeignFilter.build("guava", pa.array([*KEYS, None]))
    assert g.may_contain(KEYS).all()


def test_batches_and_nulls():
    f = bloomery.ForeignFilter("spark", capacity=500)
    f.update(pa.array(["a", None, "b"]), ["c", b"d", memoryview(b"e")], iter(["f"]))
    assert f.may_contain(list("abcdef")).all()
    assert f.may_contain_arrow(pa.array(["a", None])).tolist() == [True, None]
    for wrong in (5, None, 1.5):
        with pytest.raises(TypeError):
            wrong in f
        with pytest.raises(TypeError):
            f.update([wrong])
    with pytest.raises(TypeError):
        f.update(pa.array([1]))


def test_parquet_is_split_block():
    f = made("parquet")
    g = f.to_native()
    assert g.kind == "split-block" and g.may_contain(KEYS).all()
    with pytest.raises(bloomery.IncompatibleError, match="rebuild"):
        made("guava").to_native()


@pytest.mark.parametrize("call", [
    lambda: bloomery.ForeignFilter("no"),
    lambda: bloomery.ForeignFilter("guava", capacity=0),
    lambda: bloomery.ForeignFilter("guava", capacity=10, fpr=2.0),
    lambda: bloomery.ForeignFilter("guava", capacity=10, variant="no"),
    lambda: bloomery.ForeignFilter("guava", capacity=10, key_form="no"),
    lambda: bloomery.ForeignFilter.from_bytes("guava", b""),
    lambda: bloomery.ForeignFilter.from_bytes("guava", b"\1" * 100),
    lambda: bloomery.ForeignFilter.from_container(b"x"),
])
def test_refused(call):
    with pytest.raises(ValueError):
        call()


def test_options_that_do_not_exist():
    with pytest.raises(TypeError, match="sed"):
        bloomery.ForeignFilter("guava", capacity=10, sed=3)
    with pytest.raises(TypeError):
        bloomery.ForeignFilter.from_bytes("guava", b"", capacity=3)
    with pytest.raises(TypeError):
        bloomery.ForeignFilter("guava", capacity="many")


@given(st.sampled_from([d["name"] for d in bloomery.dialects()]), st.binary(max_size=200))
def test_any_bytes(dialect, data):
    try:
        f = bloomery.ForeignFilter.from_bytes(dialect, data)
    except bloomery.Error:
        return
    "x" in f
    assert f.to_bytes() is not None


@pytest.mark.parametrize("dialect", WRITTEN)
def test_merged_with_itself_as_with_a_copy(dialect):
    """Which is refused where two filters cannot be united."""
    a = made(dialect)
    b = pickle.loads(pickle.dumps(a))

    def merged(f, g):
        try:
            f.merge(g)
        except bloomery.Error as e:
            return type(e), str(e)
        return f.to_bytes()

    assert merged(a, a) == merged(b, pickle.loads(pickle.dumps(b)))
    assert all(k in a for k in KEYS)
