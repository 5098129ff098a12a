"""build_filter: the bits of one process, whatever the source, the kind and the partitions."""

import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import KEYS, single
from pyspark.sql import functions as F
from pyspark.sql import types as T

import bloomery
from bloomery import spark as bs
from bloomery.spark import tree

UNITED = ["block", "split-block", "bloom", "partitioned", "portable"]


def same(f, expected):
    assert f == expected and f.to_bytes() == expected.to_bytes()


@pytest.mark.parametrize("kind", UNITED)
def test_every_kind_that_is_bits(frame, folder, table, monkeypatch, kind):
    monkeypatch.setattr(tree, "DRIVER_BYTES", 0)  # all of it on the executors
    expected = single(table["word"], KEYS, 0.01, kind=kind)
    same(bs.build_filter(frame, "word", KEYS, 0.01, kind), expected)
    same(bs.build_filter(str(folder), "word", KEYS, 0.01, kind), expected)


@pytest.mark.parametrize("column", ["number", "small", "bytes"])
def test_every_type(frame, folder, table, column):
    source = "bytes" if column == "bytes" else "integers"
    expected = single(table[column], KEYS, 0.01, source=source)
    assert expected.source == source
    same(bs.build_filter(frame, column, KEYS, 0.01), expected)
    same(bs.build_filter(folder, column, KEYS, 0.01), expected)


@pytest.mark.parametrize("type_", ["tinyint", "smallint", "int", "bigint"])
def test_integers_of_every_width(spark, type_):
    frame = spark.range(-100, 100).select(F.col("id").cast(type_).alias("k"))
    same(bs.build_filter(frame, "k", 500, 0.01), single(list(range(-100, 100)), 500, 0.01, source="integers"))


def test_options_and_expressions(frame, table):
    f = bs.build_filter(frame, F.upper("word"), KEYS, bits_per_key=12, seed=7, profile="two-lines")
    upper = [w and w.upper() for w in table["word"].to_pylist()]
    same(f, single([w for w in upper if w is not None], KEYS, None, bits_per_key=12, seed=7, profile="two-lines"))


@pytest.mark.parametrize("kind", ["block", "bloom", "partitioned"])
@pytest.mark.parametrize("column", ["word", "number", "small", "bytes"])
def test_keys_that_spark_hashes(frame, folder, table, kind, column):
    """Hashes come to Python instead of keys, with the same bits; from files, keys do."""
    source = "bytes" if column in ("word", "bytes") else "integers"
    expected = single(table[column], KEYS, 0.01, kind=kind, source=source, **bs.SPARK_HASH)
    same(bs.build_filter(frame, column, KEYS, 0.01, kind, **bs.SPARK_HASH), expected)
    same(bs.build_filter(folder, column, KEYS, 0.01, kind, **bs.SPARK_HASH), expected)


def test_spark_hashes_keys_of_any_length(spark):
    words = ["x" * n for n in range(130)] + ["\u00e9\u4e16" * n for n in range(1, 40)] + ["", None, "\0"]
    frame = spark.createDataFrame([(w, None if w is None else w.encode()) for w in words], "w string, b binary")
    expected = single([w for w in words if w is not None], 500, 0.0001, **bs.SPARK_HASH)
    for column in ("w", "b"):
        same(bs.build_filter(frame, column, 500, 0.0001, **bs.SPARK_HASH), expected)
    numbers = [0, 1, -1, 2**63 - 1, -(2**63), 42, None]
    frame = spark.createDataFrame([(n,) for n in numbers], "n bigint")
    expected = single([n for n in numbers if n is not None], 500, 0.0001, source="integers", **bs.SPARK_HASH)
    same(bs.build_filter(frame, "n", 500, 0.0001, **bs.SPARK_HASH), expected)
    # Integers that are hashes already are not hashed again.
    ready = dict(bs.SPARK_HASH, source="hashes")
    expected = single([n % 2**64 for n in numbers if n is not None], 500, 0.0001, **ready)
    same(bs.build_filter(frame, "n", 500, 0.0001, **ready), expected)


@pytest.mark.parametrize(("partitions", "fan_in"), [(1, 2), (7, 2), (40, 3), (3, 100)])
@pytest.mark.parametrize("driver_bytes", [0, 1 << 30], ids=["tree", "driver"])
def test_any_number_of_parts(frame, table, monkeypatch, partitions, fan_in, driver_bytes):
    monkeypatch.setattr(tree, "DRIVER_BYTES", driver_bytes)
    expected = single(table["word"], KEYS, 0.01)
    same(bs.build_filter(frame.repartition(partitions), "word", KEYS, 0.01, fan_in=fan_in), expected)
    same(bs.build_filter(frame.repartition(partitions), "word", KEYS, 0.01, tasks=2), expected)


def test_nothing_at_all(spark, frame):
    empty = bloomery.Filter(100, 0.01)
    same(bs.build_filter(frame.filter("false"), "word", 100, 0.01), empty)
    same(bs.build_filter(spark.createDataFrame([], "k string"), "k", 100, 0.01), empty)
    same(bs.build_filter(frame.filter("word is null"), "word", 100, 0.01), empty)


def test_skewed_and_repeated_partitions(spark, frame, table):
    skewed = frame.union(frame).union(frame).repartition(8, F.length("word"))
    same(bs.build_filter(skewed, "word", KEYS, 0.01), single(table["word"], KEYS, 0.01))


# --- files ---
def test_files_patterns_and_pieces(spark, folder, table, tmp_path):
    expected = single(table["word"], KEYS, 0.01)
    same(bs.build_filter(str(folder / "part-*.parquet"), "word", KEYS, 0.01), expected)
    same(bs.build_filter(sorted(folder.glob("part-*")), "word", KEYS, 0.01, tasks=2), expected)
    pq.write_table(table, tmp_path / "one.parquet", row_group_size=7_000)
    same(bs.build_filter(tmp_path / "one.parquet", "word", KEYS, 0.01, tasks=5), expected)
    same(bs.build_filter(f"file://{tmp_path}/one.parquet", "word", KEYS, 0.01), expected)
    same(bs.build_filter(f"file://{folder}", "word", KEYS, 0.01), expected)
    with pytest.raises(ValueError, match="without escapes"):
        bs.build_filter(f"file://{tmp_path}/o%6Ee.parquet", "word", KEYS, 0.01)
    dictionary = table.set_column(0, "word", table["word"].dictionary_encode())
    pq.write_table(dictionary, tmp_path / "dictionary.parquet")
    same(bs.build_filter(tmp_path / "dictionary.parquet", "word", KEYS, 0.01), expected)


@pytest.mark.parametrize("end", ["\n", ""])
def test_lines_of_text_in_any_pieces(spark, tmp_path, monkeypatch, end):
    from bloomery.spark import files

    lines = [f"line {i}" * (i % 7) for i in range(5_000)]
    text = "\n".join(lines) + end
    (tmp_path / "a.txt").write_text(text)
    with gzip.open(tmp_path / "b.txt.gz", "wt") as out:
        out.write("only here\n" + text)
    expected = single([*lines, "only here"], 20_000, 0.01)
    same(bs.build_filter(tmp_path, None, 20_000, 0.01), expected)
    # Each split of a short text, against Python's own.
    monkeypatch.setattr(files, "_BLOCK", 5)
    for text in ("", "\n", "a", "a\n", "\n\na\n\nbcdefghijkl\nx", "no newline at all", "ab\ncd\n\n"):
        (tmp_path / "c").write_text(text)
        wanted = text.encode().split(b"\n")[: None if text and not text.endswith("\n") else -1]
        for step in range(1, len(text) + 2):
            cuts = [*range(0, len(text), step), len(text)]
            pieces = [files.Piece(str(tmp_path / "c"), a, b, 1) for a, b in zip(cuts, cuts[1:])]
            found = [k for p in pieces for column in files._lines(p, None) for k in column.to_pylist()]
            assert found == wanted, (text, step)


def test_lines_that_end_in_crlf(spark, tmp_path):
    (tmp_path / "dos.txt").write_bytes(b"alice\r\nbob\r\n")
    with pytest.raises(Exception, match="dos.txt: lines end in CR LF: crlf=True drops"):
        bs.build_filter(tmp_path, None, 100, 0.01)
    same(bs.build_filter(tmp_path, None, 100, 0.01, crlf=True), single(["alice", "bob"], 100, 0.01))
    same(bs.build_filter(tmp_path, None, 100, 0.01, crlf=False), single(["alice\r", "bob\r"], 100, 0.01))
    (tmp_path / "dos.txt").write_bytes(b"\xef\xbb\xbfalice\n")
    with pytest.raises(Exception, match="byte order mark"):
        bs.build_filter(tmp_path, None, 100, 0.01)


# --- what is refused, and when ---
@pytest.fixture
def no_jobs(spark):
    """Nothing may have been started."""
    tracker = spark.sparkContext.statusTracker()
    before = len(tracker.getJobIdsForGroup(None))
    yield
    assert len(tracker.getJobIdsForGroup(None)) == before


@pytest.mark.parametrize("kind", ["cuckoo", "counting", "quotient", "scalable", "stable", "window"])
def test_kinds_that_cannot_be_united(frame, no_jobs, kind):
    with pytest.raises(bloomery.UnsupportedError, match=f"the kind {kind} cannot be united.*block"):
        bs.build_filter(frame, "word", KEYS, 0.01, kind)


OTHER_TYPES = [T.BooleanType(), T.DoubleType(), T.FloatType(), T.DateType(), T.TimestampType(), T.DecimalType(10, 2),
               T.ArrayType(T.StringType()), T.StructType([T.StructField("a", T.StringType())])]


@pytest.mark.parametrize("type_", OTHER_TYPES, ids=lambda t: t.simpleString())
def test_other_types(spark, no_jobs, type_):
    frame = spark.range(5).select(F.lit(None).cast(type_).alias("k"))
    with pytest.raises(TypeError, match="holds no keys: cast it"):
        bs.build_filter(frame, "k", 100, 0.01)
    with pytest.raises(TypeError, match="holds no keys: cast it"):
        bs.filter_semi(frame, "k", bloomery.Filter(10))


def test_collations(spark, no_jobs):
    frame = spark.createDataFrame([("a",)], "k string collate UTF8_LCASE")
    with pytest.raises(TypeError, match="collation UTF8_LCASE.*cast it"):
        bs.build_filter(frame, "k", 100, 0.01)


def test_other_parameters(frame, folder, no_jobs, tmp_path):
    with pytest.raises(bloomery.Error, match="at least one key"):
        bs.build_filter(frame, "word", 0, 0.01)
    with pytest.raises(bloomery.InvalidArgumentError):
        bs.build_filter(frame, "word", 100, 1.5)
    with pytest.raises(TypeError, match="bit_per_key"):
        bs.build_filter(frame, "word", 100, bit_per_key=8)
    with pytest.raises(bloomery.InvalidArgumentError, match="no kind 'blok'"):
        bs.build_filter(frame, "word", 100, kind="blok")
    with pytest.raises(bloomery.InvalidArgumentError, match="secret"):
        bs.build_filter(frame, "word", 100, secret=bytes(16), hash="siphash13")
    with pytest.raises(bloomery.SourceError, match="integers"):
        bs.build_filter(frame, "word", 100, source="integers")
    with pytest.raises(bloomery.UnsupportedError, match="2 GiB"):
        bs.build_filter(frame, "word", 2_000_000_000, 0.001)
    with pytest.raises(Exception, match="nope"):
        bs.build_filter(frame, "nope", 100)
    with pytest.raises(TypeError, match="one column"):
        bs.build_filter(frame, "*", 100)
    with pytest.raises(ValueError, match="no column 'nope'.*word, number"):
        bs.build_filter(folder, "nope", 100)
    with pytest.raises(FileNotFoundError):
        bs.build_filter(tmp_path / "nope.parquet", "word", 100)
    with pytest.raises(FileNotFoundError, match="no files"):
        bs.build_filter(tmp_path, "word", 100)
    (tmp_path / "x.csv").write_text("a,b")
    with pytest.raises(ValueError, match="format='parquet' or 'text'"):
        bs.build_filter(tmp_path, "word", 100)
    (tmp_path / "x.parquet").write_text("no Parquet file")
    with pytest.raises(pa.ArrowInvalid):
        bs.build_filter(tmp_path / "x.parquet", "word", 100)


def test_files_of_different_types(spark, folder, tmp_path):
    pq.write_table(pa.table({"k": ["a"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"k": [1]}), tmp_path / "b.parquet")
    with pytest.raises(Exception, match="b.parquet: the column k holds integers in some files and text in others"):
        bs.build_filter(tmp_path, "k", 100, tasks=1)


def test_too_many_keys_are_said(frame):
    with pytest.warns(UserWarning, match="made for 10,000: its false-positive rate is 0"):
        f = bs.build_filter(frame, "word", 10_000, 0.01)
    assert f.realised_fpr() > 0.1
