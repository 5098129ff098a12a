"""build_filter: a part for each partition or group of files, then their union."""

from __future__ import annotations

import warnings
from typing import Any

from .. import InvalidArgumentError
from .keys import is_spark_hash
from .recipe import SPARK, Recipe, check_united, is_static, part_size, recipe_of
from .shards import build_sharded
from .sources import keys_of
from .tree import united


def build_filter(
    data: Any,
    col: Any,
    capacity: int,
    fpr: float | None = None,
    kind: str = "block",
    *,
    format: str | None = None,
    crlf: bool | None = None,
    tasks: int | None = None,
    fan_in: int = 8,
    path: Any = None,
    shards: int | None = None,
    spark: Any = None,
    **options: Any,
) -> Any:
    """The filter of all keys in a column, bit for bit that of one process.

    data     a DataFrame; or paths of Parquet or text files that every executor can read: one
             or several, folders and patterns too
    col      a column of it, by name or as a Column; of Parquet files a name; of text None
    kind     one whose parts can be united by OR: block, split-block, bloom, partitioned, portable;
             "spark": Spark's own BloomFilter (options variant and seed);
             or a static one, ribbon, fuse or xor: a ShardedFilter in the file `path`
    format   "parquet" or "text", where names of files do not show it
    crlf     True: a CR before a newline is no part of the key; False: it is; None: it is refused
    tasks    at most so many parts; as many as the DataFrame has partitions, or of files one to
             four for each core: more if a part is small beside the files that it is made from
    fan_in   parts that are united by one task
    path     of static kinds: the file, on the driver's machine
    shards   of static kinds: the number of members; one for each 16M keys of `capacity`, which is
             an estimate there: each is sized for the distinct keys that it has
    options  of bloomery.Filter.  **SPARK_HASH (hash="xxh64", seed=42): the keys of a DataFrame are hashed
             by Spark itself, and 8 bytes for each come to Python instead of the key

    Nulls are skipped.  Warns if more keys came than `capacity`, so that the rate is not kept.

    >>> df = spark.createDataFrame([("alice",), ("bob",)], ["user"])
    >>> f = bs.build_filter(df, "user", capacity=1000, fpr=0.01)
    >>> "alice" in f, "carol" in f
    (True, False)
    """
    if is_static(kind):
        if path is None:
            raise InvalidArgumentError(f"kind {kind}: path is needed, the file for the packed set of its shards")
        keys = keys_of(data, col, format, crlf, tasks, 0, spark, is_spark_hash(options))
        return build_sharded(keys, capacity, fpr, kind, path, shards, options)
    check_united(kind)
    if path is not None or shards is not None:
        raise InvalidArgumentError("path and shards are for static kinds; this filter is returned, and can be saved")
    part_bytes = part_size(kind, capacity, fpr, options)
    keys = keys_of(data, col, format, crlf, tasks, part_bytes, spark, kind != SPARK and is_spark_hash(options))
    recipe = recipe_of(kind, capacity, fpr, keys.integers, options, keys.hashed)
    whole = united(keys.run(recipe.parts), part_bytes, fan_in)
    if whole is None:
        whole = recipe.empty()
    _check_rate(whole, recipe)
    return whole


def _check_rate(f: Any, recipe: Recipe) -> None:
    """A filter with more keys than it was made for has a higher rate than its target."""
    keys = f.estimated_keys()
    if keys <= 1.05 * recipe.capacity + 10:  # the estimate is good to a fraction of this
        return
    warnings.warn(
        f"about {keys:,.0f} keys came, and the filter was made for {recipe.capacity:,}: its false-positive "
        f"rate is {f.realised_fpr():.3g}; build it again with a larger capacity",
        stacklevel=3,
    )
