"""Spark's own BloomFilter: its bytes, both ways, and its silent cap."""

import pytest
from conftest import KEYS
from pyspark.sql import functions as F

import bloomery
from bloomery import spark as bs


def own(frame, column, capacity, fpr):
    return frame._jdf.stat().bloomFilter(column, capacity, fpr)


@pytest.mark.parametrize("column", ["word", "number", "small"])
def test_the_same_bits(spark, frame, folder, column):
    theirs = own(frame, column, KEYS, 0.01)
    read = bs.from_spark(theirs)
    assert read.dialect == "spark" and read.bits == theirs.bitSize()
    for source in (frame, folder):
        ours = bs.build_filter(source, column, KEYS, 0.01, "spark", variant=read.variant)
        assert ours.to_bytes() == read.to_bytes()


def test_there_and_back(spark, frame):
    ours = bs.build_filter(frame, "word", KEYS, 0.01, "spark")
    theirs = bs.to_spark(ours)
    assert theirs.mightContainString("käse-5") and theirs.mightContainString("")
    assert theirs.bitSize() == ours.bits
    assert bs.from_spark(theirs).to_bytes() == ours.to_bytes()
    assert bs.from_spark(ours.to_bytes()).to_bytes() == ours.to_bytes()
    numbers = bs.to_spark(bs.build_filter(frame, "number", KEYS, 0.01, "spark"))
    assert numbers.mightContainLong(12_345_678_901) and not numbers.mightContainLong(5)
    v1 = bs.to_spark(bs.build_filter(frame, "word", KEYS, 0.01, "spark", variant="v1"))
    assert v1.mightContainString("käse-5")


def test_lookups(spark, frame):
    for column in ("word", "number", "small"):
        f = bs.from_spark(own(frame, column, KEYS, 0.01))
        assert bs.filter_semi(frame, column, f).count() == frame.filter(F.col(column).isNotNull()).count()
    f = bs.from_spark(own(frame, "number", KEYS, 0.01))
    others = spark.range(10_000).select((F.col("id") * 3 + 1).cast("int").alias("k"))
    assert abs(bs.filter_semi(others, "k", f).count() - 10_000 * f.realised_fpr()) < 60


def test_what_is_refused(spark):
    with pytest.raises(bloomery.InvalidArgumentError, match="other bits.*kind='spark'"):
        bs.to_spark(bloomery.Filter(10))
    with pytest.raises(TypeError, match="neither"):
        bs.from_spark("text")
    with pytest.raises(bloomery.Error):
        bs.from_spark(b"\0\0\0\1 garbage")
    with pytest.raises(bloomery.Error):
        bs.from_spark(bytes([0, 0, 0, 2]) + bytes([0x7F] * 20))


def test_the_silent_cap(spark):
    """For 10 million keys at 1 %, by default Spark makes 2^26 bits, and does not say so."""
    theirs = bs.from_spark(own(spark.range(1000), "id", 10_000_000, 0.01))
    assert theirs.bits == 67_108_864
    ours = bs.build_filter(spark.range(1000), "id", 10_000_000, 0.01, "spark")
    assert ours.bits == 95_850_624 and ours.hashes == 7
    assert bloomery.Filter(10_000_000, 0.01).expected_fpr(10_000_000) <= 0.01
