"""What goes wrong, as exceptions: one class for each code of the library."""

from __future__ import annotations

import errno


class Error(Exception):
    """Any error of the library.

    `code` is its name (spec/conformance.md), `offset` the byte where wrong bytes lie,
    `asked` and `possible` the requested value and the nearest one there is
    (0 if that says nothing), `path` the file, or "".
    """

    code: str = "unknown"
    offset: int = 0
    asked: float = 0.0
    possible: float = 0.0
    path: str = ""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InvalidArgumentError(Error, ValueError):
    code = "invalid_argument"


class TooLargeError(Error, ValueError):
    code = "too_large"


class OutOfMemoryError(Error, MemoryError):
    code = "out_of_memory"


class UnattainableError(Error, ValueError):
    """The target rate is mathematically impossible."""

    code = "unattainable"


class CorruptError(Error, ValueError):
    """Bytes that no writer of this format wrote."""

    code = "corrupt"


class UnsupportedError(Error, NotImplementedError):
    """A format that this version cannot read, or a call that the kind does not have."""

    code = "unsupported"


class IncompatibleError(Error, ValueError):
    """Two things that cannot be combined: filters, a filter and a secret."""

    code = "incompatible"


class SourceError(IncompatibleError, TypeError):
    """A key of another source than the filter was made for: it would never be found."""


class FileError(Error, OSError):
    """The operating system refused; `errno` says why."""

    code = "io"


class MissingFileError(FileError, FileNotFoundError):
    pass


class FileAccessError(FileError, PermissionError):
    pass


class ChangedFileError(FileError):
    """A mapped file was truncated, or written to in place, after it was opened."""


class FullError(Error):
    """No room for the key; nothing has changed."""

    code = "full"


class NotPresentError(Error, KeyError):
    """The key is not in the filter, so it cannot be erased."""

    code = "not_present"


class TooManyCopiesError(Error):
    """The key is in the filter as often as the kind can hold one."""

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
