"""Mapped files that another process truncates or overwrites: an exception, never a wrong answer or a dead process."""

import os
import pickle
import subprocess
import sys

import pytest

import bloomery
from conftest import FORGETTING

KEYS = [f"key-{i}" for i in range(20_000)]


def write(path, kind="ribbon", keys=KEYS, **options):
    if kind == "packed":
        with bloomery.PackedWriter(path) as w:
            w.add(bloomery.Filter.build(keys, 0.01))
        return
    bloomery.Filter.build(keys, 0.01, kind=kind, **options).save(path)


def overwrite(path, data):
    """In place, as cp does."""
    with open(path, "r+b") as f:
        f.truncate(0)
        f.write(data)


def later(path):
    """So that the next write has another time, whatever the clock's tick."""
    old = os.stat(path).st_mtime_ns - 10**9
    os.utime(path, ns=(old, old))


@pytest.fixture
def path(tmp_path):
    write(tmp_path / "f.bloom")
    later(tmp_path / "f.bloom")
    return tmp_path / "f.bloom"


CALLS = {
    "in": lambda m: "key-7" in m,
    "may_contain": lambda m: m.may_contain(KEYS),
    "may_contain_arrow": lambda m: m.may_contain_arrow(KEYS),
    "verify": lambda m: m.verify(),
    "info": lambda m: m.info(),
    "fill": lambda m: m.fill(),
    "realised_fpr": lambda m: m.realised_fpr(),
}


@pytest.mark.parametrize("size", [0, 100, 5000])
@pytest.mark.parametrize("verified", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_a_truncated_file_raises(path, call, verified, size):
    m = bloomery.MappedFilter(path, copy=False)
    if verified:
        assert m.verify() == 0
    os.truncate(path, size)
    for _ in range(2):
        with pytest.raises(bloomery.ChangedFileError, match="was changed while it was read") as e:
            CALLS[call](m)
        assert e.value.path == str(path) and isinstance(e.value, OSError)
    assert not m.unchanged()


@pytest.mark.parametrize("kind", [k["name"] for k in bloomery.kinds()])
def test_a_file_written_over_raises(tmp_path, kind):
    path, other = tmp_path / "f.bloom", tmp_path / "g.bloom"
    write(path, kind)
    write(other, kind, KEYS + ["more"])
    later(path)
    m = bloomery.MappedFilter(path, copy=False)
    assert kind in FORGETTING or m.may_contain(KEYS).all()
    overwrite(path, other.read_bytes())
    with pytest.raises(bloomery.ChangedFileError):
        m.may_contain(KEYS)
    with pytest.raises(bloomery.ChangedFileError):
        _ = "key-1" in m
    assert kind in FORGETTING or bloomery.MappedFilter(path).may_contain(KEYS).all()


@pytest.mark.parametrize("call", [lambda s: s.may_contain(0, "key-7"), lambda s: s.members_with("key-7"),
                                  lambda s: s.may_contain_sharded(KEYS), lambda s: s.verify()])
def test_packed_sets_too(tmp_path, call):
    path = tmp_path / "p.bloom"
    write(path, "packed")
    later(path)
    s = bloomery.PackedSet(path, copy=False)
    os.truncate(path, 0)
    with pytest.raises(bloomery.ChangedFileError):
        call(s)


def test_a_copy_does_not_care(path):
    small, whole = bloomery.MappedFilter(path), bloomery.MappedFilter(path, copy=True)
    os.truncate(path, 0)
    for m in (small, whole):
        assert m.may_contain(KEYS).all() and "key-1" in m and m.unchanged() and m.verify() == 0
    with pytest.raises(TypeError, match="copy"):
        bloomery.MappedFilter(path, copy=1)


def test_large_files_are_mapped_unless_copied(tmp_path):
    path = tmp_path / "large.bloom"
    bloomery.Filter(memory=5 << 20, capacity=1000).save(path)
    later(path)
    mapped, copied = bloomery.MappedFilter(path), bloomery.MappedFilter(path, copy=True)
    os.truncate(path, 4096)
    assert "x" not in copied
    with pytest.raises(bloomery.ChangedFileError):
        _ = "x" in mapped


def test_a_rename_is_no_change(path):
    m = bloomery.MappedFilter(path, copy=False)
    path.rename(path.with_suffix(".moved"))
    write(path, "block", ["other"])
    assert m.may_contain(KEYS).all() and m.unchanged()


OTHER_BUS_ERROR = """
import mmap, os, sys, bloomery
path, other = sys.argv[1:]
m = bloomery.MappedFilter(path, copy=False)
with open(other, "w+b") as f:
    f.write(bytes(8192))
    f.flush()
    theirs = mmap.mmap(f.fileno(), 8192)
    os.truncate(other, 0)
    theirs[5000]
print("not reached")
"""


def test_other_bus_errors_are_not_hidden(path, tmp_path):
    said = subprocess.run([sys.executable, "-c", OTHER_BUS_ERROR, path, tmp_path / "other"],
                          capture_output=True, text=True, check=False)
    assert said.returncode == -7 and said.stdout == ""


# --- pickle ---
@pytest.mark.parametrize("copy", [None, True, False])
def test_pickled_by_path(path, copy, monkeypatch):
    monkeypatch.chdir(path.parent)
    m = bloomery.MappedFilter(path.name, copy=copy)
    assert m.path == str(path)
    stored = pickle.dumps(m)
    assert len(stored) < 1000
    monkeypatch.chdir("/")
    again = pickle.loads(stored)
    assert again.may_contain(KEYS).all() and again.path == str(path)
    os.utime(path)  # the same bytes
    assert "key-1" in pickle.loads(stored)
    write(path, keys=KEYS[:-1])
    with pytest.raises(bloomery.ChangedFileError):
        pickle.loads(stored)
    with pytest.raises(bloomery.ChangedFileError):
        pickle.dumps(m)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(stored)


def test_sources_and_secrets_of_pickles(tmp_path):
    f = bloomery.Filter(100, source="integers")
    f.add(42)
    f.save(tmp_path / "i")
    assert 42 in pickle.loads(pickle.dumps(bloomery.MappedFilter(tmp_path / "i")))
    secret = bloomery.random_secret()
    bloomery.Filter(100, secret=secret).save(tmp_path / "s")
    with pytest.raises(bloomery.UnsupportedError, match="secret"):
        pickle.dumps(bloomery.MappedFilter(tmp_path / "s", secret=secret))
