"""Bloom filters and their relatives: fast, saved, and the same in every language.

    import bloomery

    seen = bloomery.Filter(1_000_000, 0.01)
    seen.add("alice")
    "alice" in seen             # True: possibly present
    "bob" in seen               # False: definitely not present
    seen.save("seen.bloom")

Keys are str (UTF-8), bytes, or, of a filter made with source="integers", int.  Many keys
at once: update, may_contain, of lists, NumPy arrays and Arrow arrays.
"""

from . import _core, _signatures
from ._core import (
    Answers,
    Builder,
    ConcurrentFilter,
    Filter,
    ForeignFilter,
    Hashes,
    MappedFilter,
    PackedSet,
    PackedWriter,
    Receipt,
    __version__,
    budget,
    dialects,
    inspect,
    kinds,
    portable_promise,
    random_secret,
    shards_of,
    size,
    verify,
)
from ._errors import (
    ChangedFileError,
    CorruptError,
    Error,
    FileAccessError,
    FileError,
    FullError,
    IncompatibleError,
    InvalidArgumentError,
    MissingFileError,
    NotPresentError,
    OutOfMemoryError,
    SourceError,
    TooLargeError,
    TooManyCopiesError,
    UnattainableError,
    UnsupportedError,
)
from ._open import load, loads

_signatures.add_to(_core)

__all__ = [
    "Answers",
    "Builder",
    "ChangedFileError",
    "ConcurrentFilter",
    "CorruptError",
    "Error",
    "FileAccessError",
    "FileError",
    "Filter",
    "ForeignFilter",
    "FullError",
    "Hashes",
    "IncompatibleError",
    "InvalidArgumentError",
    "MappedFilter",
    "MissingFileError",
    "NotPresentError",
    "OutOfMemoryError",
    "PackedSet",
    "PackedWriter",
    "Receipt",
    "SourceError",
    "TooLargeError",
    "TooManyCopiesError",
    "UnattainableError",
    "UnsupportedError",
    "__version__",
    "budget",
    "dialects",
    "inspect",
    "kinds",
    "load",
    "loads",
    "portable_promise",
    "random_secret",
    "shards_of",
    "size",
    "verify",
]
