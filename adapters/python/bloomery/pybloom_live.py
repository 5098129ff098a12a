"""The classes and calls of the package pybloom_live: a program changes one import.

    from bloomery.pybloom_live import BloomFilter, ScalableBloomFilter

    f = BloomFilter(capacity=1000, error_rate=0.001)
    f.add("x")                             # False: it was not in
    f.add("x")                             # True: it was

A key that is no str is hashed as str(key).  Files are containers of Bloomery, which
other languages read; those of pybloom_live itself cannot be read.  docs/python.md, section 5, lists
what differs.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from ._core import Filter, inspect
from ._errors import CorruptError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["BloomFilter", "ScalableBloomFilter"]

# Which files are ours: their keys are str(key).
_SEED = int.from_bytes(b"pybloom", "big")
_UNORDERED = (set, frozenset)


def _text(key: Any) -> str:
    if isinstance(key, str):
        return key
    text = str(key)
    if " at 0x" in text and not isinstance(key, bytes):
        raise TypeError(
            f"{type(key).__qualname__}: str() of it has its address, so that an equal object is not "
            "found: pass the text that identifies it"
        )
    if isinstance(key, _UNORDERED):
        raise TypeError("str() of a set has no fixed order: pass str(sorted(key))")
    return text


class _Counting:
    """What both classes have: a filter, and how many keys were new."""

    _filter: Filter
    _error_rate: float
    count: int

    @property
    def error_rate(self) -> float:
        """The rate of false positives that it was made for.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> BloomFilter(1000).error_rate
        0.001
        """
        return self._error_rate

    @property
    def filter(self) -> Filter:
        """The filter behind it, for all other calls.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> BloomFilter(1000).filter.kind
        'block'
        """
        return self._filter

    def __contains__(self, key: Any) -> bool:
        return _text(key) in self._filter

    def __len__(self) -> int:
        return self.count

    def _of(self, made: Filter, count: int) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._filter, other.count = made, count
        return other

    def _same(self, other: Self) -> bool:
        return type(other) is type(self) and self._shape() == other._shape()

    def _shape(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def _united(self, other: Self) -> Self:
        made = self._filter | other._filter
        return self._of(made, round(made.estimated_keys()))

    def copy(self) -> Self:
        """A filter with the same keys, that changes separately.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> f = BloomFilter(1000)
        >>> f.add("x")
        False
        >>> "x" in f.copy()
        True
        """
        return self._of(self._filter.copy(), self.count)

    # --- files ---
    def __getstate__(self) -> bytes:
        return self._filter.to_bytes(asked_fpr=self._error_rate, distinct_keys=self.count)

    def __setstate__(self, data: bytes) -> None:
        try:
            header = inspect(data)
        except CorruptError as e:
            e.args = (f"{e}; files of pybloom_live itself cannot be read: build again from the keys",)
            raise
        if header["kind"] != self._kind() or header["seed"] != _SEED:
            raise ValueError(
                f"not written by {type(self).__qualname__} of bloomery.pybloom_live: its keys would not "
                "be found.  bloomery.loads opens it"
            )
        self._filter = Filter.from_bytes(data)
        self._error_rate, self.count = header["asked_fpr"], header["keys"]

    def _kind(self) -> str:
        raise NotImplementedError

    def tofile(self, f: IO[bytes]) -> None:
        """Writes the filter to an open file.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> with open("names.bloom", "wb") as out:
        ...     BloomFilter(1000).tofile(out)
        """
        f.write(self.__getstate__())

    @classmethod
    def fromfile(cls, f: IO[bytes], n: int = -1) -> Self:
        """Reads what `tofile` wrote: the rest of the open file, or its next `n` bytes.

        >>> import io
        >>> from bloomery.pybloom_live import BloomFilter
        >>> f, out = BloomFilter(1000), io.BytesIO()
        >>> f.add("x")
        False
        >>> f.tofile(out)
        >>> "x" in BloomFilter.fromfile(io.BytesIO(out.getvalue()))
        True
        """
        made = cls.__new__(cls)
        made.__setstate__(f.read(n if n > 0 else -1))
        return made


class BloomFilter(_Counting):
    """A filter of fixed size.

    >>> from bloomery.pybloom_live import BloomFilter
    >>> f = BloomFilter(capacity=1000, error_rate=0.001)
    >>> [f.add(x) for x in range(10)].count(True)
    0
    >>> all(x in f for x in range(10)), 10 in f
    (True, False)
    """

    def __init__(self, capacity: int, error_rate: float = 0.001) -> None:
        if not 0 < error_rate < 1:
            raise ValueError("Error_Rate must be between 0 and 1.")
        if not capacity > 0:
            raise ValueError("Capacity must be > 0")
        self._error_rate, self.count = error_rate, 0
        self._filter = Filter(capacity, error_rate, hash="xxh3", seed=_SEED)

    def _kind(self) -> str:
        return "block"

    def _shape(self) -> tuple[Any, ...]:
        return self.capacity, self._error_rate

    @property
    def capacity(self) -> int:
        """How many keys it was made for.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> BloomFilter(1000).capacity
        1000
        """
        return self._filter.capacity

    @property
    def num_bits(self) -> int:
        """Bits of the filter.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> BloomFilter(1000).num_bits >= 14_378
        True
        """
        return 8 * self._filter.size_in_bytes

    def add(self, key: Any, skip_check: bool = False) -> bool:
        """Inserts a key.  True: it was in already (or is a false positive).

        >>> from bloomery.pybloom_live import BloomFilter
        >>> f = BloomFilter(1000)
        >>> f.add("x"), f.add("x")
        (False, True)
        """
        text = _text(key)
        if self.count > self.capacity:
            raise IndexError("BloomFilter is at capacity")
        if skip_check:
            self._filter.add(text)
        elif not self._filter.add_if_absent(text):
            return True
        self.count += 1
        return False

    def union(self, other: BloomFilter) -> BloomFilter:
        """A new filter with the keys of both; its count is an estimate.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> f, g = BloomFilter(1000), BloomFilter(1000)
        >>> f.add("x"), g.add("y")
        (False, False)
        >>> "x" in f.union(g) and "y" in f.union(g)
        True
        """
        if not self._same(other):
            raise ValueError(
                "Unioning filters requires both filters to have both the same capacity and error rate"
            )
        return self._united(other)

    def intersection(self, other: BloomFilter) -> BloomFilter:
        """A new filter with what is in both; its count is an estimate.

        >>> from bloomery.pybloom_live import BloomFilter
        >>> f, g = BloomFilter(1000), BloomFilter(1000)
        >>> f.add("x"), f.add("y"), g.add("y")
        (False, False, False)
        >>> "x" in f.intersection(g), "y" in f.intersection(g)
        (False, True)
        """
        if not self._same(other):
            raise ValueError("Intersecting filters requires both filters to have equal capacity and error rate")
        made = self._filter & other._filter
        return self._of(made, round(made.estimated_keys()))

    def __or__(self, other: BloomFilter) -> BloomFilter:
        return self.union(other)

    def __and__(self, other: BloomFilter) -> BloomFilter:
        return self.intersection(other)


class ScalableBloomFilter(_Counting):
    """A filter that grows with its keys, and keeps to its rate.

    >>> from bloomery.pybloom_live import ScalableBloomFilter
    >>> s = ScalableBloomFilter(initial_capacity=100, error_rate=0.001)
    >>> for i in range(10_000):
    ...     _ = s.add(i)
    >>> all(i in s for i in range(10_000)), s.filter.realised_fpr() <= 0.001
    (True, True)
    """

    SMALL_SET_GROWTH = 2
    LARGE_SET_GROWTH = 4

    def __init__(self, initial_capacity: int = 100, error_rate: float = 0.001, mode: int = LARGE_SET_GROWTH) -> None:
        if not error_rate or error_rate < 0:
            raise ValueError("Error_Rate must be a decimal less than 0.")
        self._error_rate, self.count = error_rate, 0
        self.scale, self.initial_capacity = mode, initial_capacity
        self._filter = Filter(
            initial_capacity, error_rate, kind="scalable", growth=mode, hash="xxh3", seed=_SEED
        )

    def _kind(self) -> str:
        return "scalable"

    def _shape(self) -> tuple[Any, ...]:
        return self.initial_capacity, self._error_rate, self.scale

    def __setstate__(self, data: bytes) -> None:
        super().__setstate__(data)
        self.initial_capacity = self._filter.capacity
        self.scale = self._filter.info()["growth"]

    @property
    def capacity(self) -> int:
        """How many keys its levels have room for.

        >>> from bloomery.pybloom_live import ScalableBloomFilter
        >>> ScalableBloomFilter(initial_capacity=100).capacity >= 100
        True
        """
        return sum(level["room"] for level in self._filter.info()["levels"])

    def add(self, key: Any) -> bool:
        """Inserts a key.  True: it was in already (or is a false positive).

        >>> from bloomery.pybloom_live import ScalableBloomFilter
        >>> s = ScalableBloomFilter()
        >>> s.add("x"), s.add("x"), len(s)
        (False, True, 1)
        """
        if not self._filter.add_if_absent(_text(key)):
            return True
        self.count += 1
        return False

    def union(self, other: ScalableBloomFilter) -> ScalableBloomFilter:
        """A new filter with the keys of both; its count is an estimate.

        >>> from bloomery.pybloom_live import ScalableBloomFilter
        >>> s, t = ScalableBloomFilter(), ScalableBloomFilter()
        >>> s.add("x"), t.add("y")
        (False, False)
        >>> "x" in s.union(t) and "y" in s.union(t)
        True
        """
        if not self._same(other):
            raise ValueError(
                "Unioning two scalable bloom filters requires both filters to have both the same mode, "
                "initial capacity and error rate"
            )
        return self._united(other)

    def __or__(self, other: ScalableBloomFilter) -> ScalableBloomFilter:
        return self.union(other)
