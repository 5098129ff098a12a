"""Spark's own BloomFilter, which lives in its Java virtual machine: read and written as bytes."""

from __future__ import annotations

from typing import Any

from .. import ForeignFilter, InvalidArgumentError
from .recipe import SPARK
from .session import session_of


def from_spark(bloom: Any) -> ForeignFilter:
    """Reads its bytes, or the object that df._jdf.stat().bloomFilter(col, n, p) returns.

    Keys of integers are 8 bytes to it: lookups by may_contain and filter_semi widen them.

    >>> df = spark.createDataFrame([("alice",), ("bob",)], ["user"])
    >>> "alice" in bs.from_spark(df._jdf.stat().bloomFilter("user", 1000, 0.01))
    True
    """
    if isinstance(bloom, (bytes, bytearray, memoryview)):
        return ForeignFilter.from_bytes(SPARK, bloom)
    if not hasattr(bloom, "writeTo"):
        raise TypeError(f"{type(bloom).__name__} is neither Spark's BloomFilter nor its bytes")
    jvm = session_of(None)._jvm
    out = jvm.java.io.ByteArrayOutputStream()
    bloom.writeTo(out)
    return ForeignFilter.from_bytes(SPARK, bytes(out.toByteArray()))


def to_spark(f: ForeignFilter, *, spark: Any = None) -> Any:
    """The object of Spark's virtual machine; of a filter of the dialect spark.

    >>> bs.to_spark(bloomery.ForeignFilter.build("spark", ["alice"], fpr=0.01)).mightContain("alice")
    True
    """
    if not isinstance(f, ForeignFilter) or f.dialect != SPARK:
        raise InvalidArgumentError(
            f"{f!r} has other bits than Spark's own filter: build one with kind='spark' from the keys"
        )
    jvm = session_of(spark)._jvm
    return jvm.org.apache.spark.util.sketch.BloomFilter.readFrom(bytearray(f.to_bytes()))
