"""spec/dialects/parquet.md: which of its variants the bytes are."""

from ..errors import invalid_argument
from . import parquet_file, parquet_filter


def decode(data, variant=None):
    """"PAR1" at both ends marks a file for certain; a bare bitset must be named."""
    if variant == "bitset":
        return parquet_filter.decode_bitset(data)
    if variant == "file" or (variant is None and parquet_file.has_mark(data)):
        return parquet_file.decode(data)
    if variant in (None, "header"):
        return parquet_filter.decode_header(data)
    raise invalid_argument(f"no variant {variant} of parquet")
