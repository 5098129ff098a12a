"""Static kinds: hash-partitioned shards in one packed set."""

import pyarrow as pa
import pytest
from conftest import KEYS

import bloomery
from bloomery import spark as bs


@pytest.mark.parametrize("options", [{}, bs.SPARK_HASH], ids=["usual", "spark_hash"])
@pytest.mark.parametrize("kind", ["ribbon", "fuse", "xor"])
def test_every_key_is_found(frame, folder, table, tmp_path, kind, options):
    f = bs.build_filter(frame, "word", KEYS, 0.01, kind, path=tmp_path / "a", shards=5, **options)
    g = bs.build_filter(folder, "word", KEYS, 0.01, kind, path=tmp_path / "b", shards=5, tasks=3, **options)
    # The same file: members are built from sets of hashes.
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (len(f), f.kind, f.source) == (5, kind, "bytes") and repr(f) != repr(None)
    distinct = {w for w in table["word"].to_pylist() if w is not None}
    assert f.capacity == len(distinct) and f.realised_fpr() == 0.01
    assert f.may_contain_arrow(table["word"]).tolist() == [None if w is None else True for w in table["word"].to_pylist()]
    assert "käse-5" in g and "" in g
    wrong = int(f.may_contain([f"absent {i}" for i in range(50_000)]).sum())
    assert wrong < 500 + 6 * 500**0.5
    assert f.damaged_chunks == 0


def test_members_are_those_of_their_keys_alone(frame, table, tmp_path):
    """Each as one process builds it from the keys of its shard."""
    bs.build_filter(frame, "number", KEYS, 0.01, "ribbon", path=tmp_path / "a", shards=3)
    column = table["number"].drop_null()
    hasher = bloomery.Filter(1, source="integers")
    shards = bloomery.shards_of(hasher.hash_keys(column), 3)
    with bloomery.PackedWriter(tmp_path / "b") as w:
        for i in range(3):
            w.add(bloomery.Filter.build(column.filter(pa.array(shards == i)), 0.01, kind="ribbon"))
    a, b = bloomery.PackedSet(tmp_path / "a"), bloomery.PackedSet(tmp_path / "b")
    assert [a.member_bytes(i) for i in range(3)] == [b.member_bytes(i) for i in range(3)]
    assert min(a.member_bytes(i) for i in range(3)) > 0.9 * max(a.member_bytes(i) for i in range(3))
    n = sum(a.member_bytes(i) for i in range(3))
    assert (tmp_path / "a").read_bytes()[4096 : 4096 + n] == (tmp_path / "b").read_bytes()[4096 : 4096 + n]


def test_the_rule():
    """spec/container.md, 6.2: member = floor(fmix64(h) * n / 2^64)."""
    def fmix64(x):
        for m in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            x = (x ^ x >> 33) * m % 2**64
        return x ^ x >> 33

    hashes = [0, 1, 2**64 - 1, *(i * 0x9E3779B97F4A7C15 % 2**64 for i in range(1000))]
    for n in (1, 2, 3, 1000, 2**40):
        assert bloomery.shards_of(hashes, n).tolist() == [fmix64(h) * n >> 64 for h in hashes]
    with pytest.raises(ValueError):
        bloomery.shards_of(hashes, 0)


def test_in_spark(spark, frame, tmp_path):
    f = bs.build_filter(frame, "number", KEYS, 0.01, "fuse", path=tmp_path / "f")
    assert len(f) == 1
    assert bs.filter_semi(frame, "number", f).count() == frame.filter("number is not null").count()
    r = bs.filter_left_anti(spark.range(1, 10_001), "id", f, rows=10_000)
    assert r.expected_lost == 100 and r.kept.count() > 10_000 - 160
    with pytest.raises(bloomery.SourceError):
        bs.filter_semi(frame, "word", f)


def test_few_keys_and_none(spark, tmp_path):
    f = bs.build_filter(spark.range(3), "id", 3, 0.01, "ribbon", path=tmp_path / "f", shards=8)
    assert 2 in f and len(f) == 8
    g = bs.build_filter(spark.range(0), "id", 3, 0.01, "xor", path=tmp_path / "g", shards=2)
    assert 2 not in g


def test_what_is_refused(spark, frame, tmp_path):
    with pytest.raises(bloomery.InvalidArgumentError, match="path is needed"):
        bs.build_filter(frame, "word", KEYS, 0.01, "ribbon")
    with pytest.raises(bloomery.InvalidArgumentError, match="path and shards"):
        bs.build_filter(frame, "word", KEYS, 0.01, path=tmp_path / "f")
    with pytest.raises(bloomery.InvalidArgumentError):
        bs.build_filter(frame, "word", KEYS, 2.0, "ribbon", path=tmp_path / "f")
    with pytest.raises(bloomery.InvalidArgumentError):
        bs.build_filter(frame, "word", KEYS, 0.01, "ribbon", path=tmp_path / "f", shards=0)
    assert not (tmp_path / "f").exists()
