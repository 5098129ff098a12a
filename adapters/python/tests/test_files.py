"""Files: saved, loaded, mapped, damaged, cut; and exceptions that say where."""

import os
import pathlib

import numpy as np
import pytest

import bloomery
from conftest import made

NAMES = [f"name-{i}" for i in range(20_000)]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "names.bloom"
    f = bloomery.Filter.build(NAMES, 0.01)
    f.save(path)
    return path, f


def test_paths_in_all_their_forms(saved, tmp_path):
    _, f = saved
    for path in (str(tmp_path / "a"), os.fsencode(tmp_path / "b"), pathlib.Path(tmp_path / "c"), tmp_path / "name with käse"):
        f.save(path)
        assert bloomery.Filter.load(path) == f
        assert bloomery.verify(path)["damaged_chunks"] == 0
    for wrong in (5, None, 1.5):
        with pytest.raises(TypeError):
            f.save(wrong)
    with pytest.raises(ValueError):
        f.save("a\0b")


def test_missing_and_forbidden(saved, tmp_path):
    _, f = saved
    for call in (bloomery.Filter.load, bloomery.MappedFilter, bloomery.inspect, bloomery.verify, bloomery.PackedSet):
        with pytest.raises(FileNotFoundError, match="nope") as e:
            call(tmp_path / "nope")
        assert isinstance(e.value, bloomery.FileError) and e.value.errno == 2 and e.value.path.endswith("nope")
    with pytest.raises(bloomery.Error):
        bloomery.Filter.load(tmp_path)
    with pytest.raises(OSError):
        f.save(tmp_path / "no" / "folder")


def test_headers_and_verification(saved):
    path, f = saved
    facts = bloomery.inspect(path)
    assert facts["kind"] == "block" and facts["keys"] == len(NAMES) and facts["sentinels"] == 8
    assert facts == bloomery.inspect(path.read_bytes())
    report = bloomery.verify(path)
    assert report["damaged_chunks"] == 0 and report["source"] == "bytes"
    assert report["file_bytes"] == path.stat().st_size
    assert bytes(f) == path.read_bytes() == bytes(memoryview(f))


def test_damage_answers_perhaps(saved, tmp_path):
    path, f = saved
    data = bytearray(path.read_bytes())
    data[5000] ^= 0x10
    hurt = tmp_path / "hurt.bloom"
    hurt.write_bytes(data)
    g = bloomery.Filter.load(hurt)
    assert g.damaged_chunks == 1 and g.may_contain(NAMES).all()
    assert g.realised_fpr() > f.realised_fpr()
    m = bloomery.MappedFilter(hurt)
    assert m.may_contain(NAMES).all() and m.damaged_chunks == 1
    report = bloomery.verify(hurt)
    assert report["damaged_chunks"] == 1 and report["first_damage_at"] == 128 + 4096


def test_flipped_bits_are_never_a_false_negative(saved):
    path, _ = saved
    data = path.read_bytes()
    for bit in range(0, 8 * len(data), 8 * 997 + 3):
        hurt = bytearray(data)
        hurt[bit // 8] ^= 1 << bit % 8
        try:
            g = bloomery.Filter.from_bytes(hurt)
        except bloomery.Error:
            continue
        assert g.may_contain(NAMES[:200]).all()


def test_cut_files_are_refused(saved):
    path, _ = saved
    data = path.read_bytes()
    for size in [*range(0, 200, 7), 4095, 4096, len(data) - 1]:
        with pytest.raises(bloomery.Error) as e:
            bloomery.Filter.from_bytes(data[:size])
        assert e.value.code in ("corrupt", "unsupported")
    with pytest.raises(bloomery.CorruptError):
        bloomery.Filter.from_bytes(data + b"x")


def test_errors_carry_their_numbers(saved):
    path, _ = saved
    data = bytearray(path.read_bytes())
    data[60] ^= 1
    with pytest.raises(bloomery.CorruptError) as e:
        bloomery.Filter.from_bytes(data)
    assert e.value.offset > 0 and "corrupt" in str(e.value)
    with pytest.raises(bloomery.TooLargeError) as e:
        bloomery.Filter.load(path, max_bytes=100)
    assert e.value.asked > 100


def test_wrong_types():
    for wrong in ("text", 5, None, [1]):
        with pytest.raises(TypeError):
            bloomery.Filter.from_bytes(wrong)
    with pytest.raises(ValueError):
        bloomery.Filter.from_bytes(b"", form="zip")


def test_sources_are_recorded(tmp_path):
    f = bloomery.Filter(100, source="integers")
    f.add(42)
    f.save(tmp_path / "f")
    assert 42 in bloomery.Filter.load(tmp_path / "f") and 42 in bloomery.MappedFilter(tmp_path / "f")
    with pytest.raises(bloomery.IncompatibleError):
        bloomery.Filter.load(tmp_path / "f", source="bytes")
    with pytest.raises(bloomery.SourceError):
        "42" in bloomery.MappedFilter(tmp_path / "f")


def test_bare_forms(tmp_path):
    f = bloomery.Filter(1000, kind="portable")
    f.update(NAMES[:1000])
    bare = f.to_bytes("portable")
    assert bloomery.Filter.from_bytes(bare, "portable").to_bytes("portable") == bare
    f.save(tmp_path / "p", "portable")
    assert (tmp_path / "p").read_bytes() == bare
    assert NAMES[0] in bloomery.Filter.load(tmp_path / "p", "portable")
    s = bloomery.Filter(1000, kind="split-block")
    s.update(NAMES[:1000])
    assert bloomery.Filter.from_bytes(s.to_bytes("bitset"), "bitset").may_contain(NAMES[:1000]).all()
    for form in ("portable", "bitset"):
        with pytest.raises(bloomery.IncompatibleError):
            bloomery.Filter(10).to_bytes(form)


def test_a_buffer_is_a_moment(saved):
    f = bloomery.Filter(100)
    view = memoryview(f)
    before = bytes(view)
    f.add("x")
    assert bytes(view) == before != bytes(f) and view.readonly
    f.fold(1)
    del f
    assert bytes(view) == before


def test_packed_sets(tmp_path):
    for kind, path in (("block", tmp_path / "a"), ("fuse", tmp_path / "b")):
        with bloomery.PackedWriter(path) as w:
            for part in range(10):
                keys = [f"{part}/{i}" for i in range(100)]
                w.add(bloomery.Filter.build(keys, kind=kind, fpr=0.001))
            assert len(w) == 10
        s = bloomery.PackedSet(path)
        assert len(s) == 10 and s.kind == kind and s.verify() == 0 and "10" in repr(s)
        for part in range(10):
            assert s.may_contain(part, f"{part}/5")
            assert part in s.members_with(f"{part}/7")
            assert s.member_bytes(part) > 0
        assert len(s.members_with("nobody")) < 3
        with pytest.raises(IndexError):
            s.may_contain(10, "x")
        with pytest.raises(bloomery.SourceError):
            s.may_contain(0, 5)
    with pytest.raises(bloomery.UnsupportedError):
        bloomery.PackedWriter(tmp_path / "c").add(bloomery.Filter(10, kind="cuckoo"))
    with pytest.raises(bloomery.IncompatibleError), bloomery.PackedWriter(tmp_path / "d") as w:
        w.add(bloomery.Filter(10))
        w.add(bloomery.Filter(10, seed=5))
    assert not (tmp_path / "d").exists()
    with pytest.raises(bloomery.Error):
        bloomery.Filter.load(tmp_path / "a")


def test_sharded_sets(tmp_path):
    """Every key in one member, by its hash: built from hashes, asked in batches."""
    hashes = bloomery.Filter(1).hash_keys(NAMES)
    shards = bloomery.shards_of(hashes, 3)
    w = bloomery.PackedWriter(tmp_path / "s")
    for i in range(3):
        b = bloomery.Builder()
        b.update_hashes(hashes[shards == i])
        assert b.count() == int((shards == i).sum()) > 6000
        w.add(b.finish(0.01, kind="ribbon"))
    w.finish(asked_fpr=0.01, distinct_keys=len(NAMES))
    s = bloomery.PackedSet(tmp_path / "s")
    assert s.may_contain_sharded(NAMES).all()
    assert s.may_contain_sharded_arrow(["name-5"]).tolist() == [True]
    absent = [f"absent-{i}" for i in range(20_000)]
    assert int(s.may_contain_sharded(absent).sum()) < 290
    with pytest.raises(bloomery.SourceError):
        s.may_contain_sharded(np.array([1, 2]))
    header = bloomery.inspect(tmp_path / "s")
    assert (header["asked_fpr"], header["keys"]) == (0.01, len(NAMES))
    with pytest.raises(ValueError, match="at least one"):
        bloomery.shards_of(hashes, 0)
    with pytest.raises(TypeError):
        bloomery.shards_of(["text"], 3)


# --- load and loads ---
def test_load_opens_every_container(tmp_path, kind):
    path = tmp_path / "f"
    f = made(kind)
    f.save(path)
    assert bloomery.load(path) == f == bloomery.loads(path.read_bytes()) == bloomery.loads(memoryview(bytes(f)))


def test_load_opens_the_others(tmp_path):
    path = tmp_path / "f"
    theirs = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
    theirs.save(path, container=True)
    for opened in (bloomery.load(path), bloomery.loads(path.read_bytes())):
        assert type(opened) is bloomery.ForeignFilter and "alice" in opened and opened.dialect == "guava"
    with bloomery.PackedWriter(path) as w:
        w.add(bloomery.Filter.build(["alice"]))
    opened = bloomery.load(path)
    assert type(opened) is bloomery.PackedSet and opened.members_with("alice") == [0]
    with pytest.raises(bloomery.UnsupportedError, match="PackedSet"):
        bloomery.loads(path.read_bytes())
    secret = bloomery.random_secret()
    bloomery.Filter(10, secret=secret).save(path)
    assert bloomery.load(path, secret=secret).hash == "siphash13"
    with pytest.raises(bloomery.TooLargeError):
        bloomery.load(path, secret=secret, max_bytes=1)


def test_load_says_what_to_do_with_other_bytes(tmp_path):
    path = tmp_path / "f"
    theirs = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
    for other in (b"", b"text", bytes(1000), theirs.to_bytes()):
        path.write_bytes(other)
        for call in (lambda: bloomery.load(path), lambda other=other: bloomery.loads(other)):
            with pytest.raises(bloomery.CorruptError, match=r"ForeignFilter\.load\(dialect, path\)") as e:
                call()
            assert e.value.code == "corrupt"
    # A container that is damaged is no other system's.
    path.write_bytes(bytes(bloomery.Filter(10))[:100])
    with pytest.raises(bloomery.CorruptError) as e:
        bloomery.load(path)
    assert "ForeignFilter" not in str(e.value)
    with pytest.raises(FileNotFoundError):
        bloomery.load(tmp_path / "missing")
    with pytest.raises(TypeError):
        bloomery.load(5)
    with pytest.raises(TypeError):
        bloomery.loads("text")
