"""may_contain and the joins: the answers of the filter outside of Spark, and rows counted."""

import pyarrow as pa
import pytest
from conftest import KEYS, single
from pyspark.sql import functions as F

import bloomery
from bloomery import spark as bs


@pytest.fixture(scope="module")
def asked(spark):
    """Half of the words of the table, as many others, and nulls."""
    return spark.range(40_000).select(
        "id", F.when(F.col("id") % 100 != 3, F.concat(F.lit("käse-"), F.col("id") + 70_000)).alias("word"))


def answers(frame, column):
    rows = frame.select("id", column.alias("a")).orderBy("id").collect()
    return [r.a for r in rows]


def words_of(frame):
    return [r.word for r in frame.select("id", "word").orderBy("id").collect()]


def test_the_answers_of_the_filter(spark, asked, table, tmp_path):
    f = single(table["word"], KEYS, 0.01)
    expected = f.may_contain_arrow(pa.array(words_of(asked))).tolist()
    assert None in expected and True in expected and False in expected
    assert answers(asked, bs.may_contain("word", f)) == expected
    assert answers(asked, bs.may_contain(F.col("word"), spark.sparkContext.broadcast(f))) == expected
    assert answers(asked, bs.may_contain(F.col("word").cast("binary"), f)) == expected
    f.save(tmp_path / "words.filter")
    assert answers(asked, bs.may_contain("word", tmp_path / "words.filter")) == expected
    spark.sparkContext.addFile(str(tmp_path / "words.filter"))
    assert answers(asked, bs.may_contain("word", "words.filter")) == expected
    assert bs.filter_semi(asked, "word", "words.filter").count() == expected.count(True)


def test_integers(spark, table):
    f = single(table["number"], KEYS, 0.01, source="integers")
    frame = spark.range(10_000).withColumn("k", F.when(F.col("id") % 9 != 1, (F.col("id") - 5_000) * 12_345_678_901))
    keys = [r.k for r in frame.orderBy("id").collect()]
    assert answers(frame, bs.may_contain("k", f)) == f.may_contain_arrow(pa.array(keys, pa.int64())).tolist()


@pytest.mark.parametrize("source", ["bytes", "integers"])
def test_without_arrow_udf(spark, asked, monkeypatch, tmp_path, source):
    """As in PySpark before 4.1."""
    monkeypatch.delattr(F, "arrow_udf")
    f = bloomery.Filter(KEYS, 0.01, source=source)
    big = 2**53 + 1
    keys = [f"käse-{i}" for i in range(75_000)] if source == "bytes" else [big + i for i in range(0, 20_000, 2)]
    f.update(keys)
    frame = asked if source == "bytes" else asked.withColumn("word", F.when(F.col("id") % 9 != 1, F.col("id") + big))
    found = words_of(frame)
    type_ = pa.string() if source == "bytes" else pa.int64()
    expected = f.may_contain_arrow(pa.array(found, type_)).tolist()
    assert answers(frame, bs.may_contain("word", f)) == expected
    f.save(tmp_path / "f")
    assert answers(frame, bs.may_contain("word", tmp_path / "f")) == expected


def test_a_worker_maps_a_file_once(spark, tmp_path):
    """However many tasks it has; and again when the file is another."""
    from bloomery.spark import lookup

    path = tmp_path / "f.filter"
    bloomery.Filter(10).save(path)
    worker = lookup._Worker(lookup._handle(path, None))

    def which(batches):
        import os

        for b in batches:
            yield pa.record_batch({"process": [os.getpid()], "object": [id(worker.filter())]})

    def rows():
        return spark.range(0, 1000, 1, 20).mapInArrow(which, "process long, object long").collect()

    # Each task has a copy of `worker`, and the processes keep the filter.
    first = rows()
    assert len(first) == 20
    assert len({(r.process, r.object) for r in first}) == len({r.process for r in first}) < 20


def test_a_file_that_is_replaced(spark, tmp_path):
    path = tmp_path / "f.filter"
    counts = []
    for keys in (range(10), range(10, 30)):
        f = bloomery.Filter(1000, 1e-6, source="integers")
        f.update(list(keys))
        f.save(path)
        counts.append(spark.range(100).filter(bs.may_contain("id", path)).count())
    assert counts == [10, 20]


def test_wrong_sorts_are_refused(spark, asked, tmp_path):
    integers = bloomery.Filter(10, source="integers")
    for f in (integers, spark.sparkContext.broadcast(integers)):
        with pytest.raises(bloomery.SourceError, match="word holds text or bytes.*made for integers"):
            bs.filter_semi(asked, "word", f)
    with pytest.raises(bloomery.SourceError, match="id holds integers.*made for bytes"):
        bs.filter_left_anti(asked, "id", bloomery.Filter(10))
    # Without a DataFrame the type is known to the workers only; they refuse it, too.
    with pytest.raises(Exception, match="an array of integers, and this filter was made for bytes"):
        asked.select(bs.may_contain("id", bloomery.Filter(10))).collect()
    with pytest.raises(Exception, match="holds no keys|no array of keys"):
        asked.select(bs.may_contain(F.lit(1.5), bloomery.Filter(10))).collect()
    with pytest.raises(TypeError, match="dict is no filter"):
        bs.may_contain("word", {})
    with pytest.raises(FileNotFoundError):
        bs.filter_semi(asked, "word", tmp_path / "nope")
    (tmp_path / "garbage").write_bytes(b"no filter" * 100)
    with pytest.raises(bloomery.Error):
        bs.filter_semi(asked, "word", tmp_path / "garbage")


def test_a_join_that_a_filter_prunes(spark, table):
    """The rows of the join are the same; those that enter it are few."""
    small = spark.range(0, 200_000, 100).withColumnRenamed("id", "k")
    large = spark.range(200_000).select(F.col("id").alias("k"), (F.col("id") * 7).alias("v"))
    f = bs.build_filter(small, "k", 2_000, 0.01)
    pruned = bs.filter_semi(large, "k", f)
    entered, left = pruned.count(), large.count()
    assert left == 200_000
    expected = 2_000 + 198_000 * f.realised_fpr()
    assert 2_000 <= entered and abs(entered - expected) < 6 * (198_000 * f.realised_fpr()) ** 0.5
    whole = large.join(small, "k")
    assert whole.count() == 2_000 == pruned.join(small, "k").count()
    assert pruned.join(small, "k").exceptAll(whole).count() == 0
    print(f"\njoin: {left:,} rows, {entered:,} after the filter, {2_000:,} in the result")


def test_what_an_anti_join_loses_is_said(spark, asked, table):
    f = single(table["word"], KEYS, 0.01)
    known = spark.createDataFrame(pa.table({"word": table["word"].unique()}).to_pandas())
    exact = asked.join(known, "word", "left_anti")
    r = bs.filter_left_anti(asked, "word", f)
    assert (r.rows, r.fpr) == (40_000, f.realised_fpr())
    assert r.expected_lost == pytest.approx(40_000 * f.realised_fpr())
    assert bs.filter_left_anti(asked, "word", f, rows=10).expected_lost == pytest.approx(10 * f.realised_fpr())
    kept, wanted = r.kept.count(), exact.count()
    # Nothing is kept that is known, nulls stay, and what is lost is about what was said of the new rows.
    assert r.kept.select("id").exceptAll(exact.select("id")).count() == 0
    assert r.kept.filter("word is null").count() == 400
    lost, mean = wanted - kept, (wanted - 400) * f.realised_fpr()
    assert abs(lost - mean) < 6 * mean**0.5 and 0 < lost < r.expected_lost * 2
    print(f"\nanti join: {wanted:,} rows, {lost} lost, at most {r.expected_lost:.0f} expected")


def test_drop_duplicates_across_days(spark):
    """Two days, the second with half of the first; the filter of both after it."""
    first, second = spark.range(0, 4_000), spark.range(2_000, 6_000)
    seen = bs.build_filter(first, "id", 10_000, 0.001)
    fresh = bs.filter_left_anti(second, "id", seen, rows=4_000).kept
    assert 1_980 <= fresh.count() <= 2_000
    assert fresh.filter("id < 4000").count() == 0
    seen |= bs.build_filter(fresh, "id", 10_000, 0.001)
    assert bs.filter_left_anti(second, "id", seen, rows=4_000).kept.count() <= 20
