"""What a key is: the same bytes as in every other language, and nothing salted."""

import enum
import subprocess
import sys
import uuid

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bloomery


def made(source="bytes"):
    return bloomery.Filter(100, source=source)


def test_text_is_its_utf8():
    f = made()
    for text in ("", "alice", "käse", "日本", "\U0001f600", "a\0b", "x" * 10_000):
        f.clear()
        f.add(text)
        assert text.encode() in f
        assert f.hash_key(text) == f.hash_key(text.encode())


def test_bytes_in_all_their_forms():
    f = made()
    f.add(b"alice")
    big = memoryview(b"--alice--")
    for same in ("alice", b"alice", bytearray(b"alice"), memoryview(b"alice"), big[2:7]):
        assert same in f
    f.add(bytearray(b"bob"))
    f.add(memoryview(b"carol"))
    assert "bob" in f and "carol" in f


@pytest.mark.parametrize("view", [memoryview(b"abcd")[::2], memoryview(bytes(8)).cast("Q")])
def test_views_that_are_no_bytes(view):
    with pytest.raises(TypeError, match="contiguous|memoryview"):
        view in made()


def test_a_released_view():
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(ValueError):
        made().add(view)


def test_subclasses_are_what_they_inherit():
    class Text(str):
        def encode(self, *a):
            raise AssertionError("nobody asks")

    class Number(int):
        pass

    class Color(str, enum.Enum):
        RED = "red"

    f, g = made(), made("integers")
    f.add(Text("x"))
    f.add(Color.RED)
    f.add(numpy.str_("y"))
    g.add(Number(7))
    assert "x" in f and "red" in f and "y" in f and 7 in g


def test_surrogates_are_refused():
    with pytest.raises(UnicodeEncodeError):
        made().add("\ud800")
    with pytest.raises(UnicodeEncodeError):
        made().update(["a", "\ud800"])


def test_integers_are_their_value_modulo_2_64():
    f = made("integers")
    f.add(-1)
    assert 2**64 - 1 in f and -1 in f and 2**32 - 1 not in f
    for x in (0, 1, -(2**63), 2**63 - 1, 2**63, 2**64 - 1):
        f.add(x)
        assert x in f


@pytest.mark.parametrize("x", [2**64, -(2**63) - 1, 10**30, -(10**30)])
@pytest.mark.parametrize("source", ["integers", "hashes"])
def test_larger_integers_are_refused(x, source):
    f = made(source)
    for call in (lambda: f.add(x), lambda: x in f, lambda: f.update([x]), lambda: f.may_contain([1, x])):
        with pytest.raises(OverflowError, match="64 bits"):
            call()


WRONG = [1.5, None, True, (1,), ["x"], {"x"}, object(), 1j, numpy.int64(3), numpy.float64(1), numpy.bool_(True), type]


@pytest.mark.parametrize("source", ["bytes", "integers", "hashes"])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda x: type(x).__name__)
def test_other_types_are_refused_with_a_hint(source, wrong):
    f = made(source)
    before = bytes(f)
    for call in (
        lambda: f.add(wrong),
        lambda: wrong in f,
        lambda: f.add_if_absent(wrong),
        lambda: f.update([wrong]),
        lambda: f.may_contain([wrong]),
        lambda: f.hash_key(wrong),
    ):
        with pytest.raises(TypeError, match="no key"):
            call()
    assert bytes(f) == before


def test_keys_of_another_source():
    with pytest.raises(bloomery.SourceError, match="source='integers'"):
        made().add(42)
    with pytest.raises(bloomery.SourceError, match="integers"):
        made("integers").add("42")
    with pytest.raises(bloomery.SourceError):
        made("hashes").add("42")
    assert issubclass(bloomery.SourceError, (TypeError, bloomery.Error))


def test_hashes_of_the_callers_own():
    f = made("hashes")
    f.add(0x0123456789ABCDEF)
    assert 0x0123456789ABCDEF in f
    assert f.hash_key(5) == 5


def test_the_same_in_another_process():
    code = "import bloomery; f = bloomery.Filter(100); print(f.hash_key('alice'))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, check=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {f"{made().hash_key('alice')}\n"}


def test_add_if_absent():
    f = made()
    assert f.add_if_absent("x") is True
    assert f.add_if_absent("x") is False
    assert f.insert("y") is None and "y" in f


@given(st.lists(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.binary()), max_size=40))
def test_one_by_one_and_in_batches(keys):
    one, many = bloomery.Filter(50), bloomery.Filter(50)
    for k in keys:
        one.add(k)
    many.update(keys)
    assert one == many
    assert many.may_contain(tuple(keys)).all()


@given(st.lists(st.integers(-(2**63), 2**64 - 1), max_size=40))
def test_the_same_for_integers(keys):
    one, many, streamed = (bloomery.Filter(50, source="integers") for _ in range(3))
    for k in keys:
        one.add(k)
    many.update(keys)
    streamed.update(iter(keys))
    assert one == many == streamed
    assert all(k in one for k in keys)


# --- UUIDs ---
IDS = [uuid.UUID(int=i * 0x1234_5678_9ABC_DEF0_0FED_CBA9_8765 % 2**128) for i in range(1, 300)] + [
    uuid.UUID(int=0), uuid.UUID(int=2**128 - 1), uuid.UUID(int=2**64), uuid.UUID(int=2**64 - 1)]


class MyUUID(uuid.UUID):
    """Answers wrongly where it can: the number is taken from the slot of the class."""

    @property
    def bytes(self):
        return b"wrong"


@pytest.mark.parametrize("make", [list, tuple, iter, lambda ids: numpy.array(ids, dtype=object)])
def test_a_uuid_is_its_bytes(make):
    f, by_bytes = bloomery.Filter(1000, 1e-6), bloomery.Filter(1000, 1e-6)
    f.update(make(IDS))
    by_bytes.update([u.bytes for u in IDS])
    one_by_one = bloomery.Filter(1000, 1e-6)
    for u in IDS:
        one_by_one.add(u)
    assert f == by_bytes == one_by_one
    assert f.may_contain(IDS).all() and all(u in f and u.bytes in f for u in IDS)
    assert f.hash_key(IDS[0]) == f.hash_key(IDS[0].bytes) != f.hash_key(str(IDS[0]))
    assert MyUUID(int=IDS[7].int) in f
    mixed = bloomery.Filter.build(["text", IDS[0], b"bytes", IDS[1]], kind="ribbon")
    assert mixed.may_contain([IDS[0], "text", IDS[1].bytes, b"bytes"]).all()


def test_a_uuid_everywhere(tmp_path):
    u = IDS[5]
    f = bloomery.Filter.build(IDS, kind="block")
    f.save(tmp_path / "f")
    concurrent = bloomery.ConcurrentFilter(100)
    concurrent.add(u)
    concurrent.update(IDS[:3])
    keys = bloomery.Builder()
    keys.update(IDS, [u.bytes])
    assert keys.count() == len(IDS)
    with bloomery.PackedWriter(tmp_path / "p") as w:
        w.add(f)
    packed = bloomery.PackedSet(tmp_path / "p")
    cuckoo = bloomery.Filter(100, kind="cuckoo")
    cuckoo.erase(cuckoo.add_with_receipt(u))
    cuckoo.add(u)
    cuckoo.erase_present(u.bytes)
    assert u in bloomery.MappedFilter(tmp_path / "f") and u in concurrent and IDS[1].bytes in concurrent
    assert packed.may_contain(0, u) and packed.members_with(u) == [0] and packed.may_contain_sharded([u]).all()
    assert u not in cuckoo and u in keys.finish(kind="fuse") and f.may_contain_hashes(f.hash_keys(IDS)).all()
    counted = bloomery.Filter(100, kind="counting")
    counted.update([u, u.bytes])
    assert counted.count(u) == 2


def test_where_a_uuid_is_no_key():
    theirs = bloomery.ForeignFilter("guava", capacity=100, fpr=0.01)
    for call in (lambda: theirs.add(IDS[0]), lambda: theirs.update(IDS), lambda: IDS[0] in theirs):
        with pytest.raises(TypeError, match=r"u\.bytes.*str\(u\)"):
            call()
    integers = bloomery.Filter(100, source="integers")
    for call in (lambda: integers.add(IDS[0]), lambda: integers.update([1, IDS[0]])):
        with pytest.raises(bloomery.SourceError, match="a UUID is 16 bytes"):
            call()
    broken = uuid.UUID.__new__(uuid.UUID)  # without a number
    with pytest.raises(AttributeError):
        bloomery.Filter(10).add(broken)
