"""What every task of a build makes: filters of the same parameters, which can be united."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .. import Filter, ForeignFilter, InvalidArgumentError, UnsupportedError, kinds
from .keys import check_source, widen_integers

SPARK = "spark"
# Spark keeps a record in one array of Java.
MAX_PART_BYTES = 2**31 - 2**20


@dataclass(frozen=True)
class Recipe:
    kind: str
    capacity: int
    fpr: float | None
    integers: bool
    options: dict[str, Any] = field(default_factory=dict)
    hashed: bool = False

    def empty(self) -> Any:
        if self.kind == SPARK:
            return ForeignFilter(SPARK, capacity=self.capacity, fpr=self.fpr, **self.options)
        source = "integers" if self.integers else "bytes"
        return Filter(self.capacity, self.fpr, kind=self.kind, **{"source": source, **self.options})

    def take(self, f: Any, column: Any) -> None:
        """Nulls are skipped."""
        if self.hashed:
            f.update_hashes(column)
        else:
            f.update(widen_integers(column) if self.kind == SPARK else column)

    def parts(self, columns: Iterator[Any]) -> Iterator[Any]:
        """One filter of all keys in these columns; none, if there are no columns."""
        part = None
        for column in columns:
            part = self.empty() if part is None else part
            self.take(part, column)
        if part is not None:
            yield part


def recipe_of(
    kind: str, capacity: int, fpr: float | None, integers: bool, options: dict[str, Any], hashed: bool = False
) -> Recipe:
    """Refuses what cannot be made, before a job begins."""
    recipe = Recipe(kind, capacity, fpr, integers, options, hashed)
    check_source(recipe.empty(), integers, "of the keys")
    return recipe


def part_size(kind: str, capacity: int, fpr: float | None, options: dict[str, Any]) -> int:
    """The bytes of a part; refuses what Spark cannot move."""
    refuse_secret(options)
    size = int(Recipe(kind, capacity, fpr, False, options).empty().size_in_bytes)
    if size > MAX_PART_BYTES:
        raise UnsupportedError(
            f"a filter of {size:,} bytes: Spark moves a part as one array of less than 2 GiB; "
            f"a static kind (ribbon, fuse, xor) is built in shards"
        )
    return size


def refuse_secret(options: dict[str, Any]) -> None:
    if options.get("secret") is not None:
        raise InvalidArgumentError("secret: it would be sent to every executor with the code of the job, in clear")


def is_static(kind: str) -> bool:
    """Made from all keys at once."""
    return any(k["name"] == kind and "build" in k["calls"] for k in kinds())


def check_united(kind: str) -> None:
    """Only bits that are ORed: a task that Spark runs twice then changes nothing."""
    known = {k["name"]: set(k["calls"]) for k in kinds()}
    can = [SPARK] + [name for name, calls in known.items() if {"merge", "intersect"} <= calls]
    if kind in can:
        return
    if kind not in known:
        raise InvalidArgumentError(f"there is no kind {kind!r}; here are {', '.join(can)}, and the static kinds")
    raise UnsupportedError(
        f"a filter of the kind {kind} cannot be united from parts: a task that Spark runs twice would be "
        f"counted twice, or the order of tasks would change the result; these kinds can: {', '.join(can)}"
    )
