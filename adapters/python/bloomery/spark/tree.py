"""Parts of a filter, united on the executors: a tree, so that the driver receives little."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .. import CorruptError

# As many bytes the driver unites itself: one more level would take longer than to send them.
DRIVER_BYTES = 64 << 20


def united(parts: Any, part_bytes: int, fan_in: int) -> Any:
    """The union of an RDD of filters; None if there are none.  No task holds more than two."""
    if fan_in < 2:
        raise ValueError("fan_in: at least 2")
    while (count := parts.getNumPartitions()) > 1 and count * part_bytes > DRIVER_BYTES:
        groups = -(-count // fan_in)
        numbered = parts.mapPartitionsWithIndex(_Numbered(fan_in))
        parts = numbered.partitionBy(groups, int).mapPartitions(_merged_values)
    return next(merged(parts.collect()), None)


class _Numbered:
    """(group, filter): neighbours meet in one task."""

    def __init__(self, fan_in: int) -> None:
        self.fan_in = fan_in

    def __call__(self, partition: int, filters: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        return ((partition // self.fan_in, f) for f in filters)


def _merged_values(pairs: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    return merged(f for _, f in pairs)


def merged(filters: Iterable[Any]) -> Iterator[Any]:
    """Their union, or nothing."""
    whole = None
    for f in filters:
        if f.damaged_chunks:
            raise CorruptError("a part of the filter was damaged on its way; run the job again")
        if whole is None:
            whole = f
        else:
            whole.merge(f)
    if whole is not None:
        yield whole
