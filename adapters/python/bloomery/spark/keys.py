"""Which columns are keys, and of which sort; the same keys as outside of Spark."""

from __future__ import annotations

from typing import Any

# The hash that Spark's own function xxhash64 computes, as options of a filter.
SPARK_HASH: dict[str, Any] = {"hash": "xxh64", "seed": 42}
HINT = "cast it, for example to string or long, and look up keys that were cast the same way"
_TEXTS = ("string", "binary", "varchar", "char")
_INTEGERS = ("byte", "short", "integer", "long")


def is_integers(type_: Any, name: str) -> bool:
    """Whether a Spark type is integers; false for texts; every other type is refused."""
    if type_.typeName() in _INTEGERS:
        return True
    if type_.typeName() in _TEXTS:
        # Two texts that such a type calls equal may have different bytes.
        if getattr(type_, "collation", "UTF8_BINARY") not in (None, "UTF8_BINARY"):
            raise TypeError(
                f"the column {name} has the collation {type_.collation}, and a filter compares "
                f"bytes: cast it to string collate UTF8_BINARY"
            )
        return False
    raise TypeError(f"the column {name} of type {type_.simpleString()} holds no keys: {HINT}")


def is_arrow_integers(type_: Any, name: str) -> bool:
    """The same, of an Arrow type."""
    import pyarrow as pa  # type: ignore[import-not-found,import-untyped,unused-ignore]

    is_a = pa.types
    if is_a.is_dictionary(type_):
        return is_arrow_integers(type_.value_type, name)
    if is_a.is_integer(type_):
        return True
    texts = ("string", "large_string", "binary", "large_binary", "fixed_size_binary", "string_view", "binary_view")
    if any(getattr(is_a, f"is_{t}", lambda _: False)(type_) for t in texts):
        return False
    raise TypeError(f"the column {name} of type {type_} holds no keys: {HINT}")


def column_of(df: Any, col: Any) -> tuple[Any, bool]:
    """The DataFrame of this one column, and whether it holds integers."""
    one = df.select(col)
    if len(one.schema.fields) != 1:
        raise TypeError(f"one column of keys is expected, and {col} is {len(one.schema.fields)}")
    field = one.schema.fields[0]
    return one, is_integers(field.dataType, field.name)


def is_spark_hash(options: dict[str, Any]) -> bool:
    """Whether Spark can hash the keys of a filter with these options."""
    by_value = options.get("source") in (None, "bytes", "integers")
    return by_value and all(options.get(name) == value for name, value in SPARK_HASH.items())


def hashed(one: Any, integers: bool) -> Any:
    """The DataFrame of the hashes of a column, by SPARK_HASH; null for null, which Spark would hash, too."""
    from pyspark.sql import functions as F  # type: ignore[import-not-found,import-untyped,unused-ignore]

    key = F.col("key")
    return one.toDF("key").select(
        F.when(key.isNotNull(), F.xxhash64(key.cast("long") if integers else key)).alias("hash")
    )


def widen_integers(column: Any) -> Any:
    """Integers as the 8 bytes that Spark's own filter hashes; other columns as they are."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([widen_integers(c) for c in column.chunks], None if column.chunks else pa.binary())
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not pa.types.is_integer(column.type):
        return column
    return column.cast(pa.int64()).view(pa.binary(8))


def check_source(f: Any, integers: bool, name: str) -> None:
    """Refuses a lookup that could find nothing."""
    source = getattr(f, "source", None)
    if source is None or (source in ("integers", "hashes")) == integers:
        return
    from .. import SourceError

    raise SourceError(
        f"the column {name} holds {'integers' if integers else 'text or bytes'}, and the filter was made for {source}"
    )
