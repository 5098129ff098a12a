"""What goes wrong, as exceptions: one class for each code of the library."""

from __future__ import annotations

import errno


class Error(Exception):
    """Any error of the library.

    `code` is its name (spec/conformance.md), `offset` the byte where wrong bytes lie,
    `asked` and `possible` the requested value and the nearest one there is
    (0 if that says nothing), `path` the file, or "".

    >>> try:
    ...     bloomery.Filter(0)
    ... except bloomery.Error as e:
    ...     e.code
    'invalid_argument'
    """

    code: str = "unknown"
    offset: int = 0
    asked: float = 0.0
    possible: float = 0.0
    path: str = ""

    # For inspect.signature, which finds none in the exceptions of Python.
    def __init__(self, *args: object) -> None:
        super().__init__(*args)

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InvalidArgumentError(Error, ValueError):
    """A value that no filter can have, or options that exclude each other.

    >>> try:
    ...     bloomery.Filter(1000, fpr=2)
    ... except bloomery.InvalidArgumentError:
    ...     print("refused")
    refused
    """

    code = "invalid_argument"


class TooLargeError(Error, ValueError):
    """More than the kind, the memory limit or `max_bytes` allows.

    >>> try:
    ...     bloomery.Filter.from_bytes(bytes(bloomery.Filter(100_000)), max_bytes=1000)
    ... except bloomery.TooLargeError:
    ...     print("refused")
    refused
    """

    code = "too_large"


class OutOfMemoryError(Error, MemoryError):
    """The filter does not fit in memory.

    >>> try:
    ...     f = bloomery.Filter(memory=2**46, capacity=1000)
    ... except bloomery.OutOfMemoryError:
    ...     print("refused")
    refused
    """

    code = "out_of_memory"


class UnattainableError(Error, ValueError):
    """The target rate is mathematically impossible.

    >>> try:
    ...     bloomery.Filter(1000, 1e-300)
    ... except bloomery.UnattainableError:
    ...     print("refused")
    refused
    """

    code = "unattainable"


class CorruptError(Error, ValueError):
    """Bytes that no writer of this format wrote.

    >>> try:
    ...     bloomery.Filter.from_bytes(b"no filter")
    ... except bloomery.CorruptError:
    ...     print("refused")
    refused
    """

    code = "corrupt"


class UnsupportedError(Error, NotImplementedError):
    """A format that this version cannot read, or a call that the kind does not have.

    >>> try:
    ...     bloomery.Filter(1000).count("alice")
    ... except bloomery.UnsupportedError:
    ...     print("refused")
    refused
    """

    code = "unsupported"


class IncompatibleError(Error, ValueError):
    """Two things that cannot be combined: filters, a filter and a secret.

    >>> try:
    ...     bloomery.Filter(1000).merge(bloomery.Filter(9000))
    ... except bloomery.IncompatibleError:
    ...     print("refused")
    refused
    """

    code = "incompatible"


class SourceError(IncompatibleError, TypeError):
    """A key of another source than the filter was made for: it would never be found.

    >>> try:
    ...     bloomery.Filter(1000).add(42)
    ... except bloomery.SourceError:
    ...     print("refused")
    refused
    """


class FileError(Error, OSError):
    """The operating system refused; `errno` says why.

    >>> try:
    ...     bloomery.Filter(10).save("no/such/folder/f.bloom")
    ... except bloomery.FileError:
    ...     print("refused")
    refused
    """

    code = "io"


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file.

    >>> try:
    ...     bloomery.Filter.load("missing.bloom")
    ... except bloomery.MissingFileError:
    ...     print("missing")
    missing
    """


class FileAccessError(FileError, PermissionError):
    """The file may not be read or written.

    >>> issubclass(bloomery.FileAccessError, PermissionError)
    True
    """


class ChangedFileError(FileError):
    """A mapped file was truncated, or written to in place, after it was opened.

    >>> bloomery.Filter(1000).save("seen.bloom")
    >>> seen = bloomery.MappedFilter("seen.bloom", copy=False)
    >>> with open("seen.bloom", "r+b") as file:
    ...     _ = file.truncate(100)
    >>> try:
    ...     "alice" in seen
    ... except bloomery.ChangedFileError:
    ...     print("changed")
    changed
    """


class FullError(Error):
    """No room for the key; nothing has changed.

    >>> f = bloomery.Filter(100, kind="cuckoo")
    >>> try:
    ...     f.update(f"user-{i}" for i in range(1000))
    ... except bloomery.FullError as e:
    ...     e.keys_done >= 100
    True
    """

    code = "full"


class NotPresentError(Error, KeyError):
    """The key is not in the filter, so it cannot be erased.

    >>> try:
    ...     bloomery.Filter(1000, kind="cuckoo").erase_present("alice")
    ... except bloomery.NotPresentError:
    ...     print("not present")
    not present
    """

    code = "not_present"


class TooManyCopiesError(Error):
    """The key is in the filter as often as the kind can hold one.

    >>> f = bloomery.Filter(1000, kind="cuckoo")
    >>> try:
    ...     f.update(["alice"] * 100)
    ... except bloomery.TooManyCopiesError as e:
    ...     e.keys_done
    8
    """

    code = "too_many_copies"


_BY_CODE: dict[str, type[Error]] = {
    c.code: c
    for c in (
        InvalidArgumentError,
        TooLargeError,
        OutOfMemoryError,
        UnattainableError,
        CorruptError,
        UnsupportedError,
        IncompatibleError,
        FullError,
        NotPresentError,
        TooManyCopiesError,
    )
}
_BY_ERRNO: dict[int, type[FileError]] = {
    errno.ENOENT: MissingFileError,
    errno.EACCES: FileAccessError,
    errno.EPERM: FileAccessError,
}


def make(
    code: str, text: str, offset: int, asked: float, possible: float, path: str, number: int
) -> Error:
    """The exception of an error of the library."""
    error: Error
    if code == "io":
        error = _BY_ERRNO.get(number, FileError)(text)
        error.errno = number
        if path:
            error.filename = path
    else:
        error = _BY_CODE.get(code, Error)(text)
    error.offset, error.asked, error.possible, error.path = offset, asked, possible, path
    return error


def make_changed(path: str) -> ChangedFileError:
    """The exception of a mapped file that is not the one that was opened."""
    error = ChangedFileError(
        f"{path}: was changed while it was read: it was truncated, or written to in place.  Open it again; "
        "replace filters by save or mv, not in place as cp does; copy=True reads the file into memory"
    )
    error.errno, error.filename, error.path = errno.ESTALE, path, path
    return error
