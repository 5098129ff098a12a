"""Rows of a DataFrame by what a filter says of their keys: before joins, and to drop duplicates."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from .. import MappedFilter
from .keys import check_source, column_of
from .lookup import found, may_contain


class AntiJoin(NamedTuple):
    """What filter_left_anti keeps, and what it costs.

    >>> bs.AntiJoin(kept=None, fpr=0.01, rows=200, expected_lost=2.0).expected_lost
    2.0
    """

    kept: Any
    """The rows whose key is definitely not in the filter, and those with a null."""
    fpr: float
    """The share of the rows with new keys that is lost."""
    rows: int
    """The rows that went in."""
    expected_lost: float
    """rows * fpr: so many rows with a new key are lost, if none of the keys is in the filter; otherwise fewer."""


def filter_semi(df: Any, col: Any, f: Any) -> Any:
    """The rows whose key is possibly in the filter.

    No row with a partner is lost; of the others a share of about f.realised_fpr() stays, which the
    join then drops.  Nulls are dropped.

    >>> df = spark.createDataFrame([("alice",), ("carol",)], ["user"])
    >>> bs.filter_semi(df, "user", bloomery.Filter.build(["alice", "bob"])).collect()
    [Row(user='alice')]
    """
    _check(df, col, f)
    return df.filter(may_contain(_column(df, col), f, spark=df.sparkSession))


def filter_left_anti(df: Any, col: Any, f: Any, *, rows: int | None = None) -> AntiJoin:
    """The rows whose key is definitely not in the filter.

    As df.join(keys, col, "left_anti") but for false positives: these rows are lost.  Rows with a null are
    kept, as that join keeps them.

    rows  the number of rows of df; they are counted, by a job, if it is not given

    >>> df = spark.createDataFrame([("alice",), ("carol",)], ["user"])
    >>> bs.filter_left_anti(df, "user", bloomery.Filter.build(["alice", "bob"])).kept.collect()
    [Row(user='carol')]
    """
    from pyspark.sql import functions as F  # type: ignore[import-not-found,import-untyped,unused-ignore]

    opened = _check(df, col, f)
    present = may_contain(_column(df, col), f, spark=df.sparkSession)
    kept = df.filter(~F.coalesce(present, F.lit(False)))
    rate = opened.realised_fpr()
    count = df.count() if rows is None else rows
    return AntiJoin(kept, rate, count, count * rate)


def _column(df: Any, col: Any) -> Any:
    return df[col] if isinstance(col, str) else col


def _check(df: Any, col: Any, f: Any) -> Any:
    """Refuses a column of another sort than the filter's keys, before a job begins."""
    one, integers = column_of(df, col)
    if isinstance(f, (str, os.PathLike)):
        f = MappedFilter(found(os.fspath(f)))
    f = getattr(f, "value", f)  # a broadcast
    check_source(f, integers, one.columns[0])
    return f
