"""spec/container.md, section 8, "Writers": what a builder says of its filter is checked as readers will check it."""

from ..errors import invalid_argument
from .layout import MAX_SENTINELS, is_rate


def smallest(hashes):
    """Section 4: the sentinels of a filter, from the hashes of all its keys."""
    return sorted(set(hashes))[:MAX_SENTINELS]


def first_missing(filter, sentinels):
    """The number of the first sentinel that is not found, or None."""
    return next((i for i, h in enumerate(sentinels) if not filter.may_contain_hash(h)), None)


def check(kind, asked, keys, sentinels):
    """What needs no filter."""
    if not is_rate(asked):
        raise invalid_argument(f"the rate that was asked for, {asked}, is not in [0, 1)")
    if (keys and not kind.keys) or (sentinels and not kind.sentinels):
        raise invalid_argument(f"a container of kind {kind.name} carries no sentinels, or no count of distinct keys")
    if len(sentinels) > MAX_SENTINELS:
        raise invalid_argument(f"{len(sentinels)} sentinels; there are at most {MAX_SENTINELS}")
    if any(a >= b for a, b in zip(sentinels, sentinels[1:])):
        raise invalid_argument("sentinels ascend, and none comes twice")


def check_found(filter, sentinels):
    missing = first_missing(filter, sentinels)
    if missing is not None:
        raise invalid_argument(f"sentinel {missing} is not in the filter")
