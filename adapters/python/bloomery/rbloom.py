"""The class and the calls of the package rbloom: a program changes one import.

    from bloomery.rbloom import Bloom      # from rbloom import Bloom

    bf = Bloom(200, 0.01)
    bf.add("hello")
    "hello" in bf                          # True

Files are containers of Bloomery, which other languages read; those of rbloom itself cannot be
read.  docs/python.md, section 6, lists what differs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from operator import index
from typing import TYPE_CHECKING, Any, Callable, Union

from ._core import Filter, _ObjectKeys
from ._errors import CorruptError

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

    _Path: TypeAlias = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]

__all__ = ["Bloom"]

# Which files are ours: their keys are the results of a hash_func, 16 bytes each.
_SEED = int.from_bytes(b"rbloom", "big")


def _keys_by(hash_func: Callable[[Any], int]) -> Callable[[Any], bytes]:
    def key_of(obj: Any) -> bytes:
        return index(hash_func(obj)).to_bytes(16, "little", signed=True)

    return key_of


class Bloom(_ObjectKeys):
    """A Bloom filter with the calls of a set, of any hashable objects.

    Objects are hashed by hash(), which is the same within one process only: such a filter cannot
    be saved or pickled.  `hash_func` replaces it: a function that returns an int from -2^127 to
    2^127 - 1, the same in every process.

    >>> from bloomery.rbloom import Bloom
    >>> bf = Bloom(200, 0.01)
    >>> bf.add("hello")
    >>> "hello" in bf, "world" in bf
    (True, False)
    """

    __slots__ = ("_filter", "_hash_func", "_key", "__weakref__")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        expected_items: int,
        false_positive_rate: float,
        hash_func: Callable[[Any], int] | None = None,
    ) -> None:
        if index(expected_items) == 0:
            raise ValueError("expected_items must be greater than 0")
        if not 0 < false_positive_rate < 1:
            raise ValueError("false_positive_rate must be between 0 and 1")
        self._use(hash_func)
        self._fill(
            Filter(
                index(expected_items),
                false_positive_rate,
                source="integers" if self._is_builtin() else "bytes",
                hash="xxh3",
                seed=_SEED,
            )
        )

    def _use(self, hash_func: Callable[[Any], int] | None) -> None:
        if hash_func is not None and not callable(hash_func):
            raise TypeError("hash_func must be callable")
        self._hash_func = hash if hash_func is None else hash_func
        self._key: Callable[[Any], Any] = hash if self._is_builtin() else _keys_by(self._hash_func)

    # Its base class then takes objects one by one, without a function of Python in between.
    def _fill(self, made: Filter) -> None:
        self._filter = made
        self._hold(made, None if self._is_builtin() else self._key)

    def _is_builtin(self) -> bool:
        return self._hash_func is hash

    def _of(self, made: Filter) -> Bloom:
        other = Bloom.__new__(type(self))
        other._hash_func, other._key = self._hash_func, self._key
        other._fill(made)
        return other

    def _theirs(self, other: Bloom) -> Filter:
        if other._hash_func is not self._hash_func:
            raise ValueError("Bloom filters must have the same hash function")
        return other._filter

    def _as_filter(self, other: Iterable[Any] | Bloom) -> Filter:
        if isinstance(other, Bloom):
            return self._theirs(other)
        made = self._filter.empty_like()
        made.update(map(self._key, other))
        return made

    @property
    def filter(self) -> Filter:
        """The filter behind it, for all other calls.

        >>> Bloom(200, 0.01).filter.kind
        'block'
        """
        return self._filter

    @property
    def size_in_bits(self) -> int:
        """Bits of the filter.

        >>> Bloom(200, 0.01).size_in_bits >= 1920
        True
        """
        return 8 * self._filter.size_in_bytes

    @property
    def hash_func(self) -> Callable[[Any], int]:
        """The function that objects are hashed by.

        >>> Bloom(200, 0.01).hash_func is hash
        True
        """
        return self._hash_func

    @property
    def approx_items(self) -> float:
        """How many items are in it, estimated from the bits.

        >>> bf = Bloom(200, 0.01)
        >>> bf.update(range(100))
        >>> 80 < bf.approx_items < 120
        True
        """
        return self._filter.estimated_keys()

    # --- bytes and files ---
    def _checked(self) -> Filter:
        if self._is_builtin():
            raise ValueError(
                "Cannot save a bloom filter that uses the built-in hash function: hash() differs in "
                "every process.  Give it a hash_func, or use bloomery.Filter, for str, bytes and int"
            )
        return self._filter

    @classmethod
    def _loaded(cls, read: Callable[[], Filter], hash_func: Callable[[Any], int]) -> Bloom:
        self = cls.__new__(cls)
        self._use(hash_func)
        if self._is_builtin():
            raise ValueError("Cannot load a bloom filter that uses the built-in hash function")
        try:
            made = read()
        except CorruptError as e:
            e.args = (f"{e}; files of the package rbloom itself cannot be read: build again from the keys",)
            raise
        if made.seed != _SEED or made.source != "bytes":
            raise ValueError(
                "not written by bloomery.rbloom: its keys would not be found.  bloomery.load opens it"
            )
        self._fill(made)
        return self

    def save(self, filepath: _Path) -> None:
        """Writes a file, whole or not at all; the filter needs a `hash_func`.

        >>> from zlib import crc32
        >>> bf = Bloom(200, 0.01, lambda text: crc32(text.encode()))
        >>> bf.add("hello")
        >>> bf.save("words.bloom")
        """
        self._checked().save(filepath)

    @classmethod
    def load(cls, filepath: _Path, hash_func: Callable[[Any], int]) -> Bloom:
        """Reads a file that `save` wrote, of a filter with the same hash_func.

        >>> from zlib import crc32
        >>> hash_func = lambda text: crc32(text.encode())
        >>> bf = Bloom(200, 0.01, hash_func)
        >>> bf.add("hello")
        >>> bf.save("words.bloom")
        >>> "hello" in Bloom.load("words.bloom", hash_func)
        True
        """
        return cls._loaded(lambda: Filter.load(filepath), hash_func)

    def save_bytes(self) -> bytes:
        """The bytes that `save` writes.

        >>> from zlib import crc32
        >>> len(Bloom(200, 0.01, lambda text: crc32(text.encode())).save_bytes()) > 240
        True
        """
        return self._checked().to_bytes()

    @classmethod
    def load_bytes(cls, data: Buffer, hash_func: Callable[[Any], int]) -> Bloom:
        """The filter of such bytes.

        >>> from zlib import crc32
        >>> hash_func = lambda text: crc32(text.encode())
        >>> bf = Bloom(200, 0.01, hash_func)
        >>> Bloom.load_bytes(bf.save_bytes(), hash_func) == bf
        True
        """
        return cls._loaded(lambda: Filter.from_bytes(data), hash_func)

    def __reduce__(self) -> Any:
        return type(self).load_bytes, (self.save_bytes(), self._hash_func)

    # --- the calls of a set ---
    # add, and `in`: those of _ObjectKeys
    def __bool__(self) -> bool:
        return self._filter.fill() > 0

    def __repr__(self) -> str:
        return f"<Bloom size_in_bits={self.size_in_bits} approx_items={self.approx_items:.1f}>"

    def update(self, *others: Iterable[Any] | Bloom) -> None:
        """Inserts the objects of iterables, and those of other filters.

        >>> bf, other = Bloom(200, 0.01), Bloom(200, 0.01)
        >>> other.add("world")
        >>> bf.update(["hello"], other)
        >>> "hello" in bf and "world" in bf
        True
        """
        for other in others:
            if isinstance(other, Bloom):
                self._filter.merge(self._theirs(other))
            else:
                self._filter.update(map(self._key, other))

    def union(self, *others: Iterable[Any] | Bloom) -> Bloom:
        """A new filter with the objects of this one and of the others.

        >>> bf = Bloom(200, 0.01).union(["hello"], ["world"])
        >>> "hello" in bf and "world" in bf
        True
        """
        made = self.copy()
        made.update(*others)
        return made

    def intersection_update(self, *others: Iterable[Any] | Bloom) -> None:
        """Keeps what is in all others, too; and false positives of both.

        >>> bf = Bloom(200, 0.01).union(["hello", "world"])
        >>> bf.intersection_update(["hello"])
        >>> "hello" in bf, "world" in bf
        (True, False)
        """
        for other in others:
            self._filter.intersect(self._as_filter(other))

    def intersection(self, *others: Iterable[Any] | Bloom) -> Bloom:
        """A new filter with what is in this one and in all others.

        >>> bf = Bloom(200, 0.01).union(["hello", "world"]).intersection(["hello"])
        >>> "hello" in bf, "world" in bf
        (True, False)
        """
        made = self.copy()
        made.intersection_update(*others)
        return made

    def __or__(self, other: Bloom) -> Bloom:
        return self.union(other) if isinstance(other, Bloom) else NotImplemented

    def __and__(self, other: Bloom) -> Bloom:
        return self.intersection(other) if isinstance(other, Bloom) else NotImplemented

    def __ior__(self, other: Bloom) -> Bloom:
        if not isinstance(other, Bloom):
            return NotImplemented
        self.update(other)
        return self

    def __iand__(self, other: Bloom) -> Bloom:
        if not isinstance(other, Bloom):
            return NotImplemented
        self.intersection_update(other)
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bloom):
            return NotImplemented
        return other._hash_func is self._hash_func and other._filter == self._filter

    def issubset(self, other: Iterable[Any] | Bloom, /) -> bool:
        """Whether the other has all bits of this one: True if it has all its objects.

        >>> Bloom(200, 0.01).union([1]).issubset(Bloom(200, 0.01).union([1, 2]))
        True
        """
        theirs = self._as_filter(other)
        return (self._filter | theirs) == theirs

    def issuperset(self, other: Iterable[Any] | Bloom, /) -> bool:
        """Whether this one has all bits of the other.

        >>> Bloom(200, 0.01).union([1, 2]).issuperset([1])
        True
        """
        return (self._filter | self._as_filter(other)) == self._filter

    def __le__(self, other: Bloom) -> bool:
        return self.issubset(other) if isinstance(other, Bloom) else NotImplemented

    def __ge__(self, other: Bloom) -> bool:
        return self.issuperset(other) if isinstance(other, Bloom) else NotImplemented

    def __lt__(self, other: Bloom) -> bool:
        return self.issubset(other) and self != other if isinstance(other, Bloom) else NotImplemented

    def __gt__(self, other: Bloom) -> bool:
        return self.issuperset(other) and self != other if isinstance(other, Bloom) else NotImplemented

    def clear(self) -> None:
        """Removes all objects.

        >>> bf = Bloom(200, 0.01).union([1])
        >>> bf.clear()
        >>> bool(bf)
        False
        """
        self._filter.clear()

    def copy(self) -> Bloom:
        """A filter with the same objects, that changes separately.

        >>> bf = Bloom(200, 0.01)
        >>> bf.copy() == bf
        True
        """
        return self._of(self._filter.copy())

    def __copy__(self) -> Bloom:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Bloom:
        return self.copy()
