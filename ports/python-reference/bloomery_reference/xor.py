"""spec/filters.md, section 11: the xor filter, whose slots lie in three blocks."""

from .slots import DENSE, Layout, RATES, SlotFilter, facts
from .words import U32, rotl64


def block_slots(x, M, L):
    B = M // 3
    return [j * B + (((rotl64(x, 21 * j) & U32) * B) >> 32) for j in range(3)]


BLOCKS = Layout(3, range(1), lambda M, L: M % 3 == 0 and 1 <= M // 3 <= U32, block_slots, lambda M, L: (3, [(0, 1, 2)]))

LAYOUTS = {layout.number: layout for layout in (DENSE, BLOCKS)}


class XorFilter(SlotFilter):
    layouts = LAYOUTS


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": XorFilter, "rates": RATES, **facts(LAYOUTS)}
