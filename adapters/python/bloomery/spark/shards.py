"""Static filters (ribbon, fuse, xor) of more keys than one machine sorts: a packed set of shards.

Every key belongs to one shard, by its hash (bloomery.shards_of).  Hashes travel, 8 bytes each, not
keys; a task builds a shard; the driver writes the members to a file, one at a time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from .. import Builder, Filter, InvalidArgumentError, PackedSet, PackedWriter, inspect, shards_of
from .keys import check_source
from .recipe import refuse_secret
from .sources import Keys

_BUFFER = 1 << 17  # hashes of one shard in one record: 1 MiB
SHARD_KEYS = 1 << 24  # of the usual shard


class ShardedFilter:
    """A packed set in which every key is in one member, mapped; pickled by its path.

    >>> with bloomery.PackedWriter("shards.bloom") as shards:
    ...     shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
    >>> "alice" in bs.ShardedFilter("shards.bloom")
    True
    """

    def __init__(self, path: Any) -> None:
        self.path = os.path.abspath(path)
        self._set = PackedSet(self.path)
        self._header = inspect(self.path)

    def __len__(self) -> int:
        """The number of shards."""
        return len(self._set)

    def __contains__(self, key: Any) -> bool:
        return bool(self._set.may_contain_sharded([key])[0])

    def may_contain(self, keys: Any) -> Any:
        """Looks up many keys: a NumPy array of bool.

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
        >>> bs.ShardedFilter("shards.bloom").may_contain(["alice", "carol"]).tolist()
        [True, False]
        """
        return self._set.may_contain_sharded(keys)

    def may_contain_arrow(self, keys: Any) -> Any:
        """The same as an Arrow array of booleans, in which a null stays null.

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
        >>> bs.ShardedFilter("shards.bloom").may_contain_arrow(["alice", "carol"]).tolist()
        [True, False]
        """
        return self._set.may_contain_sharded_arrow(keys)

    @property
    def source(self) -> str:
        """What its keys are, as for Filter.

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
        >>> bs.ShardedFilter("shards.bloom").source
        'bytes'
        """
        return self._set.source

    @property
    def kind(self) -> str:
        """The kind of its members.

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
        >>> bs.ShardedFilter("shards.bloom").kind
        'ribbon'
        """
        return self._set.kind

    @property
    def capacity(self) -> int:
        """Its distinct keys.

        >>> shards = bloomery.PackedWriter("shards.bloom")
        >>> shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
        >>> shards.finish(distinct_keys=2)
        >>> bs.ShardedFilter("shards.bloom").capacity
        2
        """
        return self._header["keys"]

    def realised_fpr(self) -> float:
        """The rate that its members were built for, which static filters keep; from the header.

        >>> shards = bloomery.PackedWriter("shards.bloom")
        >>> shards.add(bloomery.Filter.build(["alice", "bob"], 0.001, kind="ribbon"))
        >>> shards.finish(asked_fpr=0.001)
        >>> bs.ShardedFilter("shards.bloom").realised_fpr()
        0.001
        """
        return self._header["asked_fpr"]

    @property
    def size_in_bytes(self) -> int:
        """Bytes of its members.

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
        >>> bs.ShardedFilter("shards.bloom").size_in_bytes > 0
        True
        """
        return self._header["payload_bytes"]

    @property
    def damaged_chunks(self) -> int:
        """Chunks that were read so far and whose checksum was wrong.

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"], kind="ribbon"))
        >>> bs.ShardedFilter("shards.bloom").damaged_chunks
        0
        """
        return self._set.damaged_chunks

    def __reduce__(self) -> Any:
        return (ShardedFilter, (self.path,))

    def __repr__(self) -> str:
        return f"<bloomery.spark.ShardedFilter: {len(self)} {self.kind} filters, keys are {self.source}>"


def build_sharded(
    keys: Keys, capacity: int, fpr: float | None, kind: str, path: Any, shards: int | None, options: dict[str, Any]
) -> ShardedFilter:
    """A static filter of all keys, in shards, written to `path` on the driver's machine."""
    refuse_secret(options)
    shards = -(-capacity // SHARD_KEYS) if shards is None else shards
    if shards < 1:
        raise InvalidArgumentError("shards: at least one")
    options = dict(options)
    hashing: dict[str, Any] = {k: options.pop(k) for k in ("hash", "seed", "source") if k in options}
    hashing.setdefault("source", "integers" if keys.integers else "bytes")
    check_source(Filter(1, **hashing), keys.integers, "of the keys")
    shard = _Shard(kind, fpr, hashing, options)
    shard.built(())  # refuses wrong options before a job begins
    from pyspark import StorageLevel  # type: ignore[import-not-found,import-untyped,unused-ignore]

    hashed = keys.run(_Hashes(hashing, shards, keys.hashed).records)
    # Kept, and built in parallel by the count: the iterator would build them one after the other.
    members = hashed.partitionBy(shards, int).mapPartitions(shard, True).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        members.count()
        writer = PackedWriter(path)
        distinct, rate = 0, 0.0
        for member in members.toLocalIterator():
            writer.add(member)
            distinct, rate = distinct + member.capacity, max(rate, member.realised_fpr())
        writer.finish(asked_fpr=rate if fpr is None else fpr, distinct_keys=distinct)
    finally:
        members.unpersist()
    return ShardedFilter(path)


class _Hashes:
    """Hashes of columns by shard, in records of bounded size."""

    def __init__(self, hashing: dict[str, Any], shards: int, hashed: bool) -> None:
        self.hashing, self.shards, self.hashed = hashing, shards, hashed

    def records(self, columns: Iterable[Any]) -> Iterator[tuple[int, bytes]]:
        import numpy as np

        hasher = Filter(1, **self.hashing)  # any filter with the hash
        held: list[list[Any]] = [[] for _ in range(self.shards)]
        sizes = [0] * self.shards
        for column in columns:
            there = column.drop_null()
            hashes = there.to_numpy(zero_copy_only=False).view("u8") if self.hashed else hasher.hash_keys(there)
            shard = shards_of(hashes, self.shards)
            order = np.argsort(shard, kind="stable")
            ends = np.searchsorted(shard[order], np.arange(self.shards + 1))
            for i in range(self.shards):
                if ends[i] == ends[i + 1]:
                    continue
                held[i].append(hashes[order[ends[i] : ends[i + 1]]])
                sizes[i] += int(ends[i + 1] - ends[i])
                if sizes[i] >= _BUFFER:
                    yield i, np.concatenate(held[i]).tobytes()
                    held[i], sizes[i] = [], 0
        for i in range(self.shards):
            if sizes[i]:
                yield i, np.concatenate(held[i]).tobytes()


class _Shard:
    """The filter of one shard; a key that comes twice is in it once."""

    def __init__(self, kind: str, fpr: float | None, hashing: dict[str, Any], options: dict[str, Any]) -> None:
        self.kind, self.fpr, self.hashing, self.options = kind, fpr, hashing, options

    def built(self, records: Iterable[tuple[int, bytes]]) -> Filter:
        keys = Builder(**self.hashing)
        for _, hashes in records:
            keys.update_hashes(memoryview(hashes).cast("Q"))
        return keys.finish(self.fpr, kind=self.kind, **self.options)

    def __call__(self, records: Iterable[tuple[int, bytes]]) -> Iterator[Filter]:
        yield self.built(records)
