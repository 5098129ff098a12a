"""Keys in files: Parquet columns and lines of text, in pieces that tasks read."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .keys import is_arrow_integers

_FORMATS = {".parquet": "parquet", ".parq": "parquet", ".txt": "text", ".text": "text", ".lines": "text"}
_COMPRESSED = (".gz", ".zst", ".bz2", ".lz4")
_BATCH = 1 << 16  # rows
_BLOCK = 8 << 20  # bytes of text
_MIN_PIECE = 16 << 20  # of a text file


@dataclass(frozen=True)
class Piece:
    """A part of one file: row groups [first, last), or the lines that begin in bytes [first, last)."""

    path: str
    first: int
    last: int
    weight: int


@dataclass(frozen=True)
class Files:
    format: str
    column: str | None
    crlf: bool | None
    integers: bool
    pieces: tuple[Piece, ...]

    def columns(self, piece: Piece) -> Iterator[Any]:
        if self.format == "text":
            return _lines(piece, self.crlf)
        return _row_groups(piece, str(self.column), self.integers)

    def spread(self, tasks: int) -> list[list[Piece]]:
        """The pieces of each task, about equal: the heaviest first, to the lightest task."""
        parts: list[tuple[int, list[Piece]]] = [(0, []) for _ in range(min(tasks, len(self.pieces)))]
        for piece in sorted(self.pieces, key=lambda p: -p.weight):
            i = min(range(len(parts)), key=lambda k: (parts[k][0], k))
            parts[i][1].append(piece)
            parts[i] = (parts[i][0] + piece.weight, parts[i][1])
        return [pieces for _, pieces in parts]


def _opened(path: str) -> tuple[Any, str]:
    from pyarrow import fs  # type: ignore[import-not-found,import-untyped,unused-ignore]

    if "://" in path:
        found: tuple[Any, str] = fs.FileSystem.from_uri(path)
        return found
    return fs.LocalFileSystem(), os.path.abspath(path)


def _is_hidden(path: str) -> bool:
    """_SUCCESS, .crc: what Spark's readers leave out."""
    return any(part[:1] in ("_", ".") for part in path.split("/"))


def listed(paths: Any) -> list[tuple[str, int]]:
    """(path, bytes) of the files, those in folders and of patterns too; at least one."""
    from pyarrow import fs

    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    found: list[tuple[str, int]] = []
    for given in map(os.fspath, paths):
        if "://" not in given and glob.has_magic(given) and not os.path.exists(given):
            matches = sorted(glob.glob(given))
            if not matches:
                raise FileNotFoundError(errno.ENOENT, "no file has such a name", given)
            found += listed(matches)
            continue
        system, inside = _opened(given)
        before, is_plain, after = given.rpartition(inside) if "://" in given else ("", "", "")
        if "://" in given and not is_plain:
            raise ValueError(f"{given}: write its path without escapes (%..)")
        info = system.get_file_info(inside)
        if info.type == fs.FileType.File:
            found.append((before + info.path + after, info.size))
        elif info.type == fs.FileType.Directory:
            here = system.get_file_info(fs.FileSelector(inside, recursive=True))
            files = [i for i in here if i.type == fs.FileType.File and not _is_hidden(i.path[len(inside) :].strip("/"))]
            if not files:
                raise FileNotFoundError(errno.ENOENT, "no files in this folder", given)
            found += sorted((before + i.path + after, i.size) for i in files)
        else:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), given)
    if not found:
        raise ValueError("no files are given")
    return found


def _format_of(files: list[tuple[str, int]], given: str | None) -> str:
    if given is not None:
        if given not in ("parquet", "text"):
            raise ValueError(f"format {given!r}: 'parquet' or 'text'")
        return given
    formats = set()
    for path, _ in files:
        stem, end = os.path.splitext(path)
        end = os.path.splitext(stem)[1] if end in _COMPRESSED else end
        if end not in _FORMATS:
            raise ValueError(f"{path}: format='parquet' or 'text' is needed, its name does not show it")
        formats.add(_FORMATS[end])
    if len(formats) != 1:
        raise ValueError("files of different formats: build a filter of each, and unite them by |")
    return formats.pop()


def plan(files: list[tuple[str, int]], column: Any, format: str | None, crlf: bool | None, tasks: int) -> Files:
    """Looks at names and, of few files or the first, at headers; nothing else is read here."""
    form = _format_of(files, format)
    if form == "text":
        if column is not None:
            raise ValueError("lines of text have no columns: col is None")
        return Files(form, None, crlf, False, tuple(_text_pieces(files, tasks)))
    if not isinstance(column, str):
        raise TypeError("col: the name of a column of the Parquet files is expected")
    integers = _parquet_sort(files[0][0], column)
    if len(files) >= tasks:
        return Files(form, column, crlf, integers, tuple(Piece(p, 0, -1, n) for p, n in files))
    pieces = [piece for path, _ in files for piece in _group_pieces(path, column)]
    return Files(form, column, crlf, integers, tuple(pieces))


# --- Parquet ---
def _parquet(path: str) -> Any:
    import pyarrow.parquet as pq  # type: ignore[import-not-found,import-untyped,unused-ignore]

    system, inside = _opened(path)
    return pq.ParquetFile(system.open_input_file(inside))


def _parquet_sort(path: str, column: str) -> bool:
    with _parquet(path) as file:
        return _checked(file, path, column)


def _checked(file: Any, path: str, column: str) -> bool:
    schema = file.schema_arrow
    if schema.get_field_index(column) < 0:
        raise ValueError(f"{path}: there is no column {column!r}, or more than one; it has {', '.join(schema.names)}")
    return is_arrow_integers(schema.field(column).type, f"{column} of {path}")


def _group_pieces(path: str, column: str) -> Iterator[Piece]:
    with _parquet(path) as file:
        _checked(file, path, column)
        for i in range(file.num_row_groups):
            yield Piece(path, i, i + 1, max(1, file.metadata.row_group(i).num_rows))


def _row_groups(piece: Piece, column: str, integers: bool) -> Iterator[Any]:
    with _parquet(piece.path) as file:
        if _checked(file, piece.path, column) != integers:
            raise TypeError(f"{piece.path}: the column {column} holds integers in some files and text in others")
        groups = range(piece.first, file.num_row_groups if piece.last < 0 else piece.last)
        for batch in file.iter_batches(_BATCH, row_groups=list(groups), columns=[column], use_threads=False):
            yield batch.column(0)


# --- text ---
def _text_pieces(files: list[tuple[str, int]], tasks: int) -> Iterator[Piece]:
    length = max(_MIN_PIECE, sum(n for _, n in files) // tasks + 1)
    for path, size in files:
        if path.endswith(_COMPRESSED):
            yield Piece(path, 0, -1, size)
            continue
        for at in range(0, max(1, size), length):
            yield Piece(path, at, min(size, at + length), min(length, size - at))


def _line_begin(stream: Any, at: int) -> int:
    """Where the first line begins that begins at `at` or later."""
    if at == 0:
        return 0
    stream.seek(at - 1)
    while block := stream.read(1 << 16):
        newline = block.find(b"\n")
        if newline >= 0:
            return int(stream.tell() - len(block) + newline + 1)
    return int(stream.tell())


def _bytes_of(piece: Piece) -> Iterator[bytes]:
    """The text of the piece; a line belongs to the piece in which it begins."""
    system, inside = _opened(piece.path)
    if piece.last < 0:
        with system.open_input_stream(inside, compression="detect") as stream:
            while block := stream.read(_BLOCK):
                yield block
        return
    with system.open_input_file(inside) as stream:
        end = _line_begin(stream, piece.last)
        at = _line_begin(stream, piece.first)
        stream.seek(at)
        while at < end:
            block = stream.read(min(_BLOCK, end - at))
            if not block:
                raise ValueError(f"{piece.path}: it became shorter while it was read")
            at += len(block)
            yield block


def _lines(piece: Piece, crlf: bool | None) -> Iterator[Any]:
    is_first = piece.first == 0
    rest = b""
    for block in _bytes_of(piece):
        if is_first and block.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
            raise ValueError(f"{piece.path}: it begins with a byte order mark: convert it to UTF-8 without one")
        is_first = False
        lines, newline, last = block.rpartition(b"\n")
        if newline:
            yield _split(rest + lines, piece.path, crlf)
            rest = last
        else:
            rest += last
    if rest:
        yield _split(rest, piece.path, crlf)


def _split(lines: bytes, path: str, crlf: bool | None) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc  # type: ignore[import-not-found,import-untyped,unused-ignore]

    if crlf is not False and (b"\r\n" in lines or lines.endswith(b"\r")):
        if crlf is None:
            raise ValueError(
                f"{path}: lines end in CR LF: crlf=True drops the CR before each newline, "
                f"crlf=False makes it part of the key"
            )
        lines = lines.replace(b"\r\n", b"\n").removesuffix(b"\r")
    return pc.split_pattern(pa.array([lines], pa.large_binary()), b"\n").values
