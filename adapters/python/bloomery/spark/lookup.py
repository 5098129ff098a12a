"""may_contain: a vectorised function of Spark over a filter that every worker decodes once."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from .. import Filter, ForeignFilter, MappedFilter
from .keys import widen_integers
from .session import session_of
from .shards import ShardedFilter

_mapped: dict[str, tuple[Any, Any]] = {}  # of this process: by path, which file it was, and the filter


def may_contain(col: Any, f: Any, *, spark: Any = None) -> Any:
    """A boolean Column: False, definitely not present; True, possibly; null for null.

    col  a Column or its name: text, binary or integers, as the filter's keys
    f    a Filter or ForeignFilter, which is broadcast; or a path that every executor can read,
         or the name of a file that was added with SparkContext.addFile: it is mapped, so all
         workers of a machine share it.  ShardedFilter(path) likewise

    >>> df = spark.createDataFrame([("alice",), ("carol",), (None,)], ["user"])
    >>> known = bs.may_contain("user", bloomery.Filter.build(["alice", "bob"]))
    >>> [row.known for row in df.select(known.alias("known")).collect()]
    [True, False, None]
    """
    from pyspark.sql import functions as F  # type: ignore[import-not-found,import-untyped,unused-ignore]

    column = F.col(col) if isinstance(col, str) else col
    ask = _Worker(_handle(f, spark))
    if hasattr(F, "arrow_udf"):
        import pyarrow as pa  # type: ignore[import-not-found,import-untyped,unused-ignore]

        return F.arrow_udf(_hinted(ask.arrow, pa.Array), "boolean")(column)
    import pandas as pd  # type: ignore[import-not-found,import-untyped,unused-ignore]

    # A null in a pandas column of integers would turn all of them into floats.
    is_integers = getattr(ask.filter(), "source", "bytes") in ("integers", "hashes")
    whole = F.coalesce(column, F.lit(0)) if is_integers else column
    answer = F.pandas_udf(_hinted(ask.pandas, pd.Series), "boolean")(whole)
    return F.when(column.isNotNull(), answer)


def _hinted(answer: Any, type_: Any) -> Any:
    """A function whose hints say to Spark what goes in and out."""

    def may_contain(column: Any) -> Any:
        return answer(column)

    may_contain.__annotations__ = {"column": type_, "return": type_}
    return may_contain


class _Worker:
    """What runs in the workers, and where they find the filter."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle

    def filter(self) -> Any:
        if not isinstance(self.handle, _File):
            return self.handle.value  # decoded when a worker reads it for the first time
        path = found(self.handle.path)
        try:
            now = os.stat(path)
            which = (now.st_dev, now.st_ino, now.st_mtime_ns, now.st_size)
        except OSError:
            which = None  # opening it says why
        known = _mapped.get(path)
        if known is None or known[0] != which:
            known = _mapped[path] = (which, self.handle.open(path))
        return known[1]

    def arrow(self, column: Any) -> Any:
        import pyarrow as pa

        f = self.filter()
        return pa.array(f.may_contain_arrow(widen_integers(column) if isinstance(f, ForeignFilter) else column))

    def pandas(self, series: Any) -> Any:
        import pyarrow as pa

        return self.arrow(pa.Array.from_pandas(series)).to_pandas()


class _File(NamedTuple):
    path: str
    open: Any


def _handle(f: Any, spark: Any) -> Any:
    if isinstance(f, ShardedFilter):
        return _File(f.path, ShardedFilter)
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        return _File(os.path.abspath(path) if os.path.exists(path) else path, MappedFilter)
    if isinstance(f, (Filter, ForeignFilter)):
        return session_of(spark).sparkContext.broadcast(f)
    if hasattr(f, "value") and isinstance(f.value, (Filter, ForeignFilter)):
        return f
    raise TypeError(
        f"{type(f).__name__} is no filter that can be sent to the executors: pass a Filter, a ForeignFilter, "
        f"a broadcast of one, a ShardedFilter, or the path of a file"
    )


def found(path: str) -> str:
    """Where this process has the file: a name alone may be one of SparkContext.addFile."""
    if os.path.exists(path) or os.path.dirname(path):
        return path
    from pyspark import SparkFiles  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return str(SparkFiles.get(path))
