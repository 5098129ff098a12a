"""spec/dialects.md: files of other systems. This package reads those of Apache Parquet."""

from ..errors import invalid_argument
from . import parquet

READERS = {"parquet": parquet.decode}


def read(name, data, options):
    """A filter of a dialect, refused in the order of spec/container.md, section 5."""
    form, hashes = options.get("form", "bytes"), options.get("hashes")
    if form not in ("bytes", "integer"):
        raise invalid_argument(f"{name} takes no keys of the form {form}")
    filter = READERS[name](data, options.get("variant"))
    if hashes not in (None, filter.hashes()):
        raise invalid_argument(f"{hashes} hashes, and the bytes say {filter.hashes()}")
    filter.check_asked(options.get("part"), form)
    return filter
