"""load and loads: whatever a container holds."""

from __future__ import annotations

import os

from ._core import Filter, ForeignFilter, PackedSet, inspect
from ._errors import CorruptError, UnsupportedError

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Union

    from typing_extensions import Buffer, TypeAlias

    _Path: TypeAlias = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
    # Sources by name, as the option source of a Filter has them.
    from ._core import _Source

_MAGIC_BYTES = 8
_HINT = (
    "; these are no bytes of a Bloomery container.  A filter of another system: "
    "bloomery.ForeignFilter.load(dialect, path), bloomery.dialects() lists the dialects.  A bare "
    "form: bloomery.Filter.load(path, form='portable')"
)


def _header(path_or_bytes: _Path | Buffer, begin: bytes) -> str:
    """The kind of a container; an error about other bytes says what to do with them."""
    try:
        return inspect(path_or_bytes)["kind"]
    except CorruptError as e:
        if begin != _magic():
            e.args = (str(e) + _HINT,)
        raise


def _magic() -> bytes:
    return bytes(Filter(1))[:_MAGIC_BYTES]


def _begin_of(path: _Path) -> bytes:
    try:
        with open(os.fspath(path), "rb") as f:  # an int would be a descriptor, and be closed
            return f.read(_MAGIC_BYTES)
    except OSError:
        return b""  # inspect says why


def load(
    path: _Path,
    *,
    secret: bytes | None = None,
    source: _Source | None = None,
    max_bytes: int | None = None,
) -> Filter | ForeignFilter | PackedSet:
    """Whatever container is in a file: a Filter, a ForeignFilter or a PackedSet.

    The file's header says which.  `secret`, `source` and `max_bytes` are those of `Filter.load`.
    Bytes of other systems have no header: `ForeignFilter.load(dialect, path)` reads them.

    >>> bloomery.Filter.build(["alice"]).save("seen.bloom")
    >>> "alice" in bloomery.load("seen.bloom")
    True
    """
    kind = _header(path, _begin_of(path))
    if kind == "foreign":
        return ForeignFilter.load_container(path)
    if kind == "packed":
        return PackedSet(path, secret=secret, source=source)
    return Filter.load(path, secret=secret, source=source, max_bytes=max_bytes)


def loads(
    data: Buffer,
    *,
    secret: bytes | None = None,
    source: _Source | None = None,
    max_bytes: int | None = None,
) -> Filter | ForeignFilter:
    """The same from bytes; a packed set is opened from its file, by `PackedSet(path)`.

    >>> data = bytes(bloomery.Filter.build(["alice"]))
    >>> "alice" in bloomery.loads(data)
    True
    """
    kind = _header(data, bytes(memoryview(data)[:_MAGIC_BYTES]))
    if kind == "foreign":
        return ForeignFilter.from_container(data)
    if kind == "packed":
        raise UnsupportedError("a packed set is read from its file: bloomery.PackedSet(path)")
    return Filter.from_bytes(data, secret=secret, source=source, max_bytes=max_bytes)
