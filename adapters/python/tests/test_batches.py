"""Lists, iterators and NumPy arrays; and what a batch that fails has done."""

import array
import collections

import numpy as np
import pytest

import bloomery

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def texts(n=2000):
    return [f"key-{i}" for i in range(n)]


def made(source="bytes"):
    return bloomery.Filter(5000, source=source)


def of(keys, source="bytes"):
    f = made(source)
    for k in keys:
        f.add(k)
    return f


@pytest.mark.parametrize(
    "form", [list, tuple, set, frozenset, iter, collections.deque, dict.fromkeys, lambda k: (x for x in k), lambda k: np.array(k, dtype=object)]
)
def test_iterables(form):
    f = made()
    f.update(form(texts()))
    assert f == of(texts())
    answers = f.may_contain(form(texts()))
    assert answers.dtype == bool and answers.shape == (2000,) and answers.all()


def test_several_batches_and_none():
    f = made()
    f.update()
    f.update([], (), iter(()), np.array([], dtype="S3"))
    assert f == made()
    f.update(["a"], ("b",), iter(["c"]))
    assert f == of("abc")
    assert f.may_contain([]).shape == (0,)


@pytest.mark.parametrize("one", ["alice", b"alice", bytearray(b"alice"), memoryview(b"alice"), 5, None, 5.5, object()])
def test_one_key_is_no_batch(one):
    f = made()
    for call in (f.update, f.may_contain, f.update_if_absent):
        with pytest.raises(TypeError, match="one key|batch"):
            call(one)
    assert f == made()


def test_a_filter_is_no_batch():
    with pytest.raises(TypeError, match=r"\|="):
        made().update(made())


@pytest.mark.parametrize("wrong", [3, None, 1.5, ("x",)])
@pytest.mark.parametrize("at", [0, 1, 511, 512, 1999])
def test_a_list_with_a_wrong_key_changes_nothing(wrong, at):
    keys = texts()
    keys[at] = wrong
    for form in (list, tuple):
        f = made()
        with pytest.raises(TypeError, match=f"key {at}:") as e:
            f.update(form(keys))
        assert e.value.keys_done == 0 and f == made()
        with pytest.raises(TypeError):
            f.update_if_absent(form(keys))
        assert f == made()


@pytest.mark.parametrize("at", [0, 1, 4095, 4096, 9000])
def test_an_iterator_with_a_wrong_key_says_what_was_done(at):
    keys = texts(10_000)
    keys[at] = None
    f = bloomery.Filter(20_000)
    with pytest.raises(TypeError, match=f"key {at}:") as e:
        f.update(iter(keys))
    assert e.value.keys_done == at
    assert f.may_contain(keys[:at]).all()
    g = bloomery.Filter(20_000)
    g.update(keys[:at])
    assert f == g


def test_an_iterator_that_raises():
    def broken():
        yield "a"
        yield "b"
        raise KeyError("mine")

    f = made()
    with pytest.raises(KeyError, match="mine") as e:
        f.update(broken())
    assert e.value.keys_done == 2 and f == of("ab")


def test_an_exception_that_takes_no_notes():
    class Bare(Exception):
        def __setattr__(self, name, value):
            raise AttributeError(name)

    def broken():
        yield "a"
        raise Bare

    with pytest.raises(Bare):
        made().update(broken())


def test_an_iterator_that_uses_the_filter():
    f = made()
    f.update(k for k in texts() if k not in f)
    assert f == of(texts())


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_arrays(dtype):
    info = np.iinfo(dtype)
    values = np.array([0, 1, 5, info.max, info.min, info.max - 1], dtype=dtype)
    f = made("integers")
    f.update(values)
    assert f == of([int(v) for v in values], "integers")
    assert f.may_contain(values).all()
    assert f.may_contain(values[::-1]).all()
    g = made("integers")
    g.update(np.repeat(values, 500)[::500])  # a distance between elements
    assert g == f
    with pytest.raises(bloomery.SourceError):
        made().update(values)


def test_other_buffers():
    f = made("integers")
    f.update(array.array("q", [-1, 2, 3]))
    f.update(memoryview(array.array("H", [4])))
    assert f == of([-1, 2, 3, 4], "integers")
    h = made("hashes")
    h.update(np.array([5, 6], dtype=np.uint64))
    assert h == of([5, 6], "hashes")


def test_an_array_at_an_odd_address():
    raw = bytearray(8 * 1000 + 1)
    values = np.frombuffer(raw, dtype=np.uint64, offset=1)
    values[:] = np.arange(1000)
    f = made("integers")
    f.update(values)
    assert f == of(range(1000), "integers")


def test_fixed_bytes():
    values = np.array([b"a", b"bcd", b"", b"ef"])
    f = made()
    f.update(values)
    assert f == of([b"a", b"bcd", b"", b"ef"])
    assert f.may_contain(values[::2]).all()
    whole = np.array([b"a\0\0\0", b"bcd\0"], dtype="V4")
    g = made()
    g.update(whole)
    assert g == of([b"a\0\0\0", b"bcd\0"])


def test_text_arrays():
    values = np.array(["a", "käse", "", "\U0001f600", "日本"])
    f = made()
    f.update(values)
    assert f == of(values.tolist())
    strange = np.zeros(2, dtype="U1")
    strange.view(np.uint32)[0] = 0xD800
    with pytest.raises(ValueError):
        f.update(strange)


def test_arrays_of_another_layout():
    f, g = made(), made("integers")
    for values, what in (
        (np.zeros(3), "float"),
        (np.zeros(3, dtype=bool), "bool"),
        (np.zeros(3, dtype=complex), "array"),
        (np.zeros((2, 2), dtype=int), "dimension"),
        (np.array(3), "dimension"),
        (np.array([1, 2], dtype=">i8"), "byte order"),
        (np.zeros(3, dtype=[("a", int)]), "array"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "no key"),
    ):
        for filter_ in (f, g):
            with pytest.raises(TypeError, match=what):
                filter_.update(values)
    assert f == made() and g == made("integers")


def test_update_if_absent_is_a_dedup():
    f = made()
    new = f.update_if_absent(["a", "b", "a", "c", "b"])
    assert new.tolist() == [True, True, False, True, False]
    assert f.update_if_absent(iter(["c", "d"])).tolist() == [False, True]


def test_answers_are_numpys_own_to_change():
    a = made().may_contain(["x"])
    a[0] = True
    assert a.all() and isinstance(a, np.ndarray)


def test_answers_without_numpy(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    f = of(["x"])
    a = f.may_contain(["x", "y"])
    assert type(a) is bloomery.Answers
    assert a.tolist() == [True, False] and len(a) == 2 and a[0] is True and a[-1] is False
    assert list(a) == [True, False] and bytes(a) == b"\1\0"
    with pytest.raises(IndexError):
        a[2]
    assert "1 of 2" in repr(a)


def test_masked_arrays_are_refused():
    """Their buffer has the masked values: to insert them, or to skip them, is for the caller to say."""
    masked = np.ma.masked_array(np.array([1, 2, 3]), mask=[False, True, False])
    f = bloomery.Filter(100, source="integers")
    for call in (f.update, f.may_contain, f.hash_keys):
        with pytest.raises(TypeError, match="compressed"):
            call(masked)
    with pytest.raises(TypeError, match="compressed"):
        bloomery.Filter.build(masked)
    f.update(masked.compressed())
    assert f.may_contain(np.array([1, 2, 3])).tolist() == [True, False, True]
