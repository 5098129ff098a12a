"""spec/filters.md, section 10: the fuse filter, whose slots lie in adjacent segments."""

from .slots import DENSE, Layout, RATES, SlotFilter, facts
from .words import mulhi


def segments(count):
    """Layouts 3 and 4: a key has a slot in each of so many adjacent segments of 2^L slots."""
    def slots(x, M, L):
        a = mulhi(x, M - (count - 1) * 2**L)
        return [a, *((a + j * 2**L) ^ ((x >> 16 * (j - 1)) % 2**L) for j in range(1, count))]

    def parts(M, L):
        segments = M >> L
        return segments, [range(i, i + count) for i in range(segments - count + 1)]

    return Layout(count, range(17), lambda M, L: M % 2**L == 0 and M >= count * 2**L, slots, parts)


LAYOUTS = {layout.number: layout for layout in (DENSE, segments(3), segments(4))}


class FuseFilter(SlotFilter):
    layouts = LAYOUTS


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": FuseFilter, "rates": RATES, **facts(LAYOUTS)}
