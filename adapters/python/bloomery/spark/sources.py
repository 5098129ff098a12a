"""Where the keys are: a column of a DataFrame, or files; and tasks that read it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from .files import Files, Piece, listed, plan
from .keys import column_of, hashed
from .session import session_of

Task = Callable[[Iterator[Any]], Iterator[Any]]
"""Makes records of the columns (Arrow arrays) of its partition."""


class Keys(NamedTuple):
    integers: bool
    hashed: bool
    """The columns are hashes of keys, not keys."""
    run: Callable[[Task], Any]
    """The RDD of the records of all tasks.  Nothing runs before an action."""


def keys_of(
    data: Any,
    col: Any,
    format: str | None,
    crlf: bool | None,
    tasks: int | None,
    part_bytes: int,
    spark: Any,
    spark_hash: bool,
) -> Keys:
    """Refuses columns that hold no keys, and files that are missing.

    spark_hash  the filter has Spark's hash: of a DataFrame, hashes come to Python, 8 bytes each, instead of keys
    """
    if tasks is not None and tasks < 1:
        raise ValueError("tasks: at least 1")
    if hasattr(data, "mapInArrow"):
        if format is not None or crlf is not None:
            raise TypeError("format and crlf are for files, and a DataFrame was given")
        one, integers = column_of(data, col)
        one = hashed(one, integers) if spark_hash else one
        one = one if tasks is None else one.coalesce(tasks)
        return Keys(integers, spark_hash, lambda task: one.mapInArrow(_OfFrame(task), "record binary").rdd.map(_unpickled))
    context = session_of(spark).sparkContext
    listing = listed(data)
    if tasks is None:
        # Short tasks spread evenly; but each makes, sends and unites a part.
        cores = context.defaultParallelism
        worth_it = sum(size for _, size in listing) // max(1, 8 * part_bytes)
        tasks = min(max(cores, worth_it), 4 * cores)
    files = plan(listing, col, format, crlf, tasks)
    groups = files.spread(tasks)
    spread = context.parallelize(groups, len(groups))
    return Keys(files.integers, False, lambda task: spread.mapPartitions(_OfFiles(task, files)))


class _OfFiles:
    def __init__(self, task: Task, files: Files) -> None:
        self.task = task
        # The pieces travel with the partitions, each to its own.
        self.files = Files(files.format, files.column, files.crlf, files.integers, ())

    def __call__(self, groups: Iterable[list[Piece]]) -> Iterator[Any]:
        return self.task(c for pieces in groups for p in pieces for c in self.files.columns(p))


class _OfFrame:
    """Records go through Spark's rows, pickled."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa  # type: ignore[import-not-found,import-untyped,unused-ignore]

        for record in self.task(b.column(0) for b in batches):
            yield pa.record_batch([pa.array([pickle.dumps(record, 5)], pa.binary())], ["record"])


def _unpickled(row: Any) -> Any:
    return pickle.loads(row[0])
