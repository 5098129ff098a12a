"""Arrow arrays of every maker: pyarrow, Polars, DuckDB, pandas."""

import ctypes

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bloomery

WORDS = ["alice", "", "käse", "a text of more than twelve bytes", None, "bob", None, "x" * 300]
KEYS = [w for w in WORDS if w is not None]
TEXT_TYPES = [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view(), pa.binary_view()]
INTEGER_TYPES = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


def of(keys, source="bytes"):
    f = bloomery.Filter(5000, source=source)
    f.update(list(keys))
    return f


def updated(batch, source="bytes"):
    f = bloomery.Filter(5000, source=source)
    f.update(batch)
    return f


def check(batch, values, source="bytes"):
    """Inserted without its nulls; asked with False, or null, for them."""
    keys = [v for v in values if v is not None]
    f = updated(batch, source)
    assert f == of(keys, source)
    assert f.may_contain(batch).tolist() == [v is not None for v in values]
    nulls = f.may_contain_arrow(batch)
    assert nulls.tolist() == [None if v is None else True for v in values]
    assert pa.array(nulls).to_pylist() == nulls.tolist()
    g = bloomery.Filter(5000, source=source)
    seen = set()
    fresh = [v is not None and not (v in seen or seen.add(v)) for v in values]
    assert g.update_if_absent(batch).tolist() == fresh


@pytest.mark.parametrize("type_", TEXT_TYPES, ids=str)
def test_texts(type_):
    values = pa.array([w.encode() if w is not None else None for w in WORDS], pa.binary())
    whole = values.cast(type_) if "view" not in str(type_) else pa.array(
        WORDS if type_ == pa.string_view() else values.to_pylist(), type_)
    check(whole, WORDS)
    for start in range(len(WORDS)):
        for length in (0, 1, 3, 99):
            check(whole.slice(start, length), WORDS[start:start + length])


@pytest.mark.parametrize("type_", INTEGER_TYPES, ids=str)
def test_integers(type_):
    values = [0, 1, None, 100, 7, None, 1]
    whole = pa.array(values, type_)
    check(whole, values, "integers")
    check(whole.slice(2, 4), values[2:6], "integers")
    if str(type_).startswith("i"):
        assert updated(pa.array([-1, -100], type_), "integers") == of([-1, -100], "integers")


def test_fixed_size_binary():
    values = [b"abcd", None, b"\0\0\0\0", b"efgh"]
    whole = pa.array(values, pa.binary(4))
    check(whole, values)
    check(whole.slice(1), values[1:])
    check(pa.array([b"", None], pa.binary(0)), [b"", None])


@pytest.mark.parametrize("index", [pa.int8(), pa.uint16(), pa.int32(), pa.int64()], ids=str)
def test_dictionaries(index):
    values = ["a", None, "bb", "a", "bb", None, "c"]
    whole = pa.array(values, pa.dictionary(index, pa.string()))
    check(whole, values)
    check(whole.slice(1, 4), values[1:5])
    numbers = [5, None, 6, 5]
    check(pa.array(numbers, pa.dictionary(index, pa.int64())), numbers, "integers")
    nulls_inside = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None], index), pa.array(["a", None, "b"]))
    check(nulls_inside, ["a", None, "b", None])


def test_chunks_tables_and_readers():
    chunked = pa.chunked_array([["a", None], [], ["b", "c"]])
    check(chunked, ["a", None, "b", "c"])
    check(pa.chunked_array([], pa.string()), [])
    table = pa.table({"k": chunked})
    check(table, ["a", None, "b", "c"])
    check(table.slice(1, 2), [None, "b"])
    check(pa.record_batch({"k": ["a", "b"]}).slice(1), ["b"])
    with pytest.raises(TypeError, match="2 columns"):
        updated(pa.table({"k": ["a"], "v": [1]}))
    assert updated(table.to_reader()) == of(["a", "b", "c"])


def test_nulls_alone():
    f = updated(pa.nulls(5))
    assert f == bloomery.Filter(5000)
    assert f.may_contain(pa.nulls(3)).tolist() == [False] * 3
    assert f.may_contain_arrow(pa.nulls(2)).tolist() == [None, None]
    check(pa.array([None, None], pa.int64()), [None, None], "integers")


def test_a_long_array_with_nulls():
    values = [None if i % 7 == 0 else f"key {i}" for i in range(3000)]
    check(pa.array(values), values)
    check(pa.array(values).slice(511, 1030), values[511:1541])


@pytest.mark.parametrize("values", [
    pa.array([1.5]), pa.array([True]), pa.array([["x"]]), pa.array([{"a": "x", "b": 1}]),
    pa.array([0], pa.timestamp("s")), pa.array([0], pa.date32()), pa.array([1], pa.decimal128(5)),
    pa.array([1.5], pa.dictionary(pa.int8(), pa.float64())), pa.RunEndEncodedArray.from_arrays([1], ["x"]),
], ids=lambda a: str(a.type))
def test_other_types_are_refused(values):
    for source in ("bytes", "integers"):
        with pytest.raises(TypeError, match="no array of keys|columns"):
            updated(values, source)


def test_keys_of_another_source():
    with pytest.raises(bloomery.SourceError):
        updated(pa.array([1]))
    with pytest.raises(bloomery.SourceError):
        updated(pa.array(["x"]), "integers")


def test_a_stream_that_fails_in_the_middle():
    def batches():
        yield pa.record_batch({"k": ["a", "b"]})
        raise RuntimeError("the disk is gone")

    f = bloomery.Filter(100)
    reader = pa.RecordBatchReader.from_batches(pa.schema([("k", pa.string())]), batches())
    with pytest.raises(ValueError, match="disk is gone") as e:
        f.update(reader)
    assert e.value.keys_done == 2 and "b" in f


def test_a_stream_that_uses_the_filter():
    f = bloomery.Filter(100)

    def batches():
        for key in ("a", "b"):
            assert key not in f
            yield pa.record_batch({"k": [key]})
            assert key in f

    f.update(pa.RecordBatchReader.from_batches(pa.schema([("k", pa.string())]), batches()))


def test_polars():
    check(pl.Series(WORDS), WORDS)
    check(pl.Series(WORDS)[2:6], WORDS[2:6])
    check(pl.Series([1, None, 3]), [1, None, 3], "integers")
    check(pl.Series(["a", "b", "a"], dtype=pl.Categorical), ["a", "b", "a"])
    f = of(KEYS)
    frame = pl.DataFrame({"k": ["alice", "nobody", None]})
    assert frame.filter(pl.Series(f.may_contain_arrow(frame["k"])))["k"].to_list() == ["alice"]
    assert bloomery.Filter.build(pl.Series([1, 2, 3])).source == "integers"


def test_duckdb():
    con = duckdb.connect()
    relation = con.sql("select 'k' || i::varchar as k from range(5000) t(i)")
    f = bloomery.Filter(5000)
    f.update(relation)
    assert f == of([f"k{i}" for i in range(5000)])
    g = bloomery.Filter(5000, source="integers")
    g.update(con.sql("select i from range(3000) t(i)"))
    assert g == of(range(3000), "integers")


def test_pandas():
    check(pd.Series(["a", "b"]), ["a", "b"])
    check(pd.Series(["a", None], dtype=pd.ArrowDtype(pa.string())), ["a", None])
    check(pd.Series([1, 2]), [1, 2], "integers")
    check(pd.Index(["a", "b"]), ["a", "b"])
    f = of(["a"])
    frame = pd.DataFrame({"k": ["a", "b"]})
    assert frame[f.may_contain(frame["k"])]["k"].tolist() == ["a"]


@given(st.lists(st.one_of(st.none(), st.text(st.characters(exclude_categories=["Cs"]), max_size=30)), max_size=60),
       st.integers(0, 60), st.integers(0, 60), st.sampled_from([pa.string(), pa.large_string(), pa.string_view()]))
def test_any_slice(values, start, length, type_):
    check(pa.array(values, type_).slice(start, length), values[start:start + length])


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), max_size=60), st.integers(0, 60))
def test_any_integers(values, start):
    check(pa.array(values, pa.int64()).slice(start), values[start:], "integers")


# --- capsules that no library makes ---
class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p),
                   ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p),
                  ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p),
                  ("private_data", ctypes.c_void_p)]
NOTHING = RELEASE(lambda p: None)
NEW = ctypes.pythonapi.PyCapsule_New
NEW.restype, NEW.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Made:
    """An exporter of what its test says."""

    def __init__(self, format=b"u", buffers=(None, None, None), length=0, null_count=0, offset=0, names=None,
                 released=False, **fields):
        release = None if released else ctypes.cast(NOTHING, ctypes.c_void_p)
        self.schema = Schema(format=format, release=release)
        self.held = [b if b is None else ctypes.create_string_buffer(b, len(b)) for b in buffers]
        pointers = (ctypes.c_void_p * max(1, len(buffers)))(
            *[None if b is None else ctypes.addressof(b) for b in self.held])
        self.pointers = pointers
        self.array = Array(length=length, null_count=null_count, offset=offset, n_buffers=len(buffers),
                           buffers=ctypes.addressof(pointers), release=release)
        for name, value in fields.items():
            setattr(self.schema if name.startswith("schema_") else self.array, name.removeprefix("schema_"), value)
        self.names = names or (b"arrow_schema", b"arrow_array")

    def __arrow_c_array__(self, requested_schema=None):
        return (NEW(ctypes.addressof(self.schema), self.names[0], None),
                NEW(ctypes.addressof(self.array), self.names[1], None))


def offsets(*values):
    return np.array(values, dtype=np.int32).tobytes()


def view(length, buffer=0, offset=0, prefix=b"aaaa"):
    return np.array([length], np.int32).tobytes() + prefix + np.array([buffer, offset], np.int32).tobytes()


def test_made_by_hand_and_right():
    check(Made(buffers=(None, offsets(0, 1, 3), b"abb"), length=2), ["a", "bb"])
    sizes = np.array([20], np.int64).tobytes()
    check(Made(b"vu", (None, view(14, 0, 2), b"x" * 20, sizes), length=1), ["x" * 14])


BROKEN = {
    "a negative length": dict(length=-1),
    "a negative offset": dict(offset=-1),
    "a length without end": dict(length=2**62),
    "no buffers": dict(length=1),
    "too few buffers": dict(buffers=(None, offsets(0, 1)), length=1),
    "too many buffers": dict(buffers=(None, offsets(0, 1), b"a", b"a"), length=1),
    "no pointer to them": dict(buffers=(None, offsets(0, 1), b"a"), length=1) | {"array": 0},
    "offsets that go back": dict(buffers=(None, offsets(0, 3, 1), b"abc"), length=2),
    "an offset below zero": dict(buffers=(None, offsets(-1, 1), b"abc"), length=1),
    "nulls without a bitmap": dict(buffers=(None, offsets(0, 1), b"a"), length=1, null_count=1),
    "more nulls than elements": dict(buffers=(b"\0", offsets(0, 1), b"a"), length=1, null_count=5),
    "nulls below zero": dict(buffers=(b"\0", offsets(0, 1), b"a"), length=1, null_count=-7),
    "a view outside its buffer": dict(format=b"vu", buffers=(None, view(14, 0, 9), b"x" * 20, np.array([20], np.int64).tobytes()), length=1),
    "a view of no buffer": dict(format=b"vu", buffers=(None, view(14, 1, 0), b"x" * 20, np.array([20], np.int64).tobytes()), length=1),
    "a view of length -1": dict(format=b"vu", buffers=(None, view(-1), b"x" * 20, np.array([20], np.int64).tobytes()), length=1),
    "a view without sizes": dict(format=b"vu", buffers=(None, view(14), b"x" * 20, None), length=1),
    "a width that is none": dict(format=b"w:4x", buffers=(None, b"abcd"), length=1),
    "a width below zero": dict(format=b"w:-4", buffers=(None, b"abcd"), length=1),
    "a width without end": dict(format=b"w:99999999999", buffers=(None, b"abcd"), length=1),
    "integers without bytes": dict(format=b"l", buffers=(None, None), length=1),
    "no format": dict(format=None),
    "released": dict(released=True),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    fields = dict(BROKEN[name])
    without_pointer = fields.pop("array", None) is not None
    made = Made(**fields)
    if without_pointer:
        made.array.buffers = None
    for source in ("bytes", "integers"):
        f = bloomery.Filter(100, source=source)
        with pytest.raises(ValueError):
            f.update(made)
        assert f == bloomery.Filter(100, source=source)


def test_a_dictionary_index_out_of_range():
    values = Made(buffers=(None, offsets(0, 1), b"a"), length=1)
    for index, count in ((1, 1), (255, 1)):
        made = Made(b"C", (None, bytes([index])), length=count)
        made.schema.dictionary = ctypes.addressof(values.schema)
        made.array.dictionary = ctypes.addressof(values.array)
        with pytest.raises(ValueError, match="dictionary"):
            updated(made)
    made.array.dictionary = None
    with pytest.raises(ValueError, match="dictionary"):
        updated(made)


def test_a_schema_that_is_its_own_dictionary():
    made = Made(b"C", (None, b"\0"), length=1)
    made.schema.dictionary = ctypes.addressof(made.schema)
    made.array.dictionary = ctypes.addressof(made.array)
    with pytest.raises(TypeError, match="nested"):
        updated(made)


@pytest.mark.parametrize("names", [(b"arrow_array", b"arrow_schema"), (b"arrow_schema", None), (b"x", b"arrow_array")])
def test_capsules_of_other_names(names):
    with pytest.raises(TypeError, match="capsule"):
        updated(Made(names=names))


@pytest.mark.parametrize("what", [None, 5, (), (1, 2), (1, 2, 3)])
def test_no_capsules(what):
    class Strange:
        def __arrow_c_array__(self, requested_schema=None):
            return what

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return what

    for batch in (Strange(), Stream()):
        with pytest.raises(TypeError):
            updated(batch)
