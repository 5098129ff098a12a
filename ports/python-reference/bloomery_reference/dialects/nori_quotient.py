"""spec/dialects/nori.md, "Quotient filter": the variant `quotient`, and the filters inside a table of format 2."""

from ..errors import corrupt, unsupported
from ..hash import xxh64
from ..words import little
from .foreign_filter import ForeignFilter, touch

HEADER = 11
MAX_QUOTIENT_BITS = 31
MAX_REMAINDER_BITS = 16


class NoriQuotient(ForeignFilter):
    """slots: for each None, or (quotient, remainder)."""

    dialect = "nori"
    variant = "quotient"

    def __init__(self, q, r, slots, end):
        self.q = q
        self.r = r
        self.slots = slots
        self.end = end
        # With all slots taken nothing is denied.
        self.denies_nothing = bool(slots) and None not in slots

    def cells(self):
        return len(self.slots)

    def hashes(self):
        return 1

    def form_ranges(self):
        return [(0, HEADER)]

    def take_damage(self, ranges):
        """A slot's first byte gives its length, and a fingerprint may lie in any slot: one damaged byte, and nothing is denied."""
        self.denies_nothing = self.denies_nothing or touch(ranges, HEADER, self.end)

    def ask(self, key, part, form):
        """A key is found in whichever slot its fingerprint is."""
        if self.denies_nothing or not self.slots:
            return self.denies_nothing
        h = xxh64(key)
        quotient = h >> (64 - self.q)
        remainder = (h >> (64 - self.q - self.r)) & ((1 << self.r) - 1)
        return (quotient, remainder) in self.slots


def decode(data, base=0, end=None):
    """A filter that takes all bytes from `base` to `end`; refused in the order of the table, at offsets of `data`."""
    end = len(data) if end is None else end
    if end - base < HEADER:
        raise corrupt(end, "fewer bytes than a quotient filter's header has")
    if data[base] == 2:
        raise unsupported(base, "a quotient filter in the compact form")
    if data[base] != 1:
        raise corrupt(base, f"version {data[base]} of a quotient filter")
    q, r = data[base + 1], data[base + 2]
    fingerprints, count = little(data, base + 3, 4), little(data, base + 7, 4)
    if q > MAX_QUOTIENT_BITS:
        raise corrupt(base + 1, f"quotients of {q} bits")
    if r > MAX_REMAINDER_BITS:
        raise corrupt(base + 2, f"remainders of {r} bits")
    if count != (1 << q if q > 0 else 0):
        raise corrupt(base + 7, f"{count} slots for quotients of {q} bits")
    slots, at = read_slots(data, base + HEADER, end, count, r)
    if at != end:
        raise corrupt(at, "bytes after the slots")
    taken = sum(slot is not None for slot in slots)
    if taken != fingerprints:
        raise corrupt(base + 3, f"{fingerprints} fingerprints in {taken} slots")
    return NoriQuotient(q, r, slots, end - base)


def read_slots(data, at, end, count, r):
    """A slot takes one byte at least: more slots than bytes are refused before any is read."""
    if count > end - at:
        raise corrupt(end, "fewer bytes than slots")
    slots = []
    for _ in range(count):
        begin = at
        if at >= end:
            raise corrupt(end, "bytes of the slots are missing")
        if data[at] not in (0, 1):
            raise corrupt(at, "a slot that is neither empty nor taken")
        at += 1
        if data[begin] == 0:
            slots.append(None)
        else:
            if end - at < 6:
                raise corrupt(end, "bytes of the slots are missing")
            quotient, remainder = little(data, at, 4), little(data, at + 4, 2)
            if quotient >= count or remainder >> r:
                raise corrupt(at, "a fingerprint of more bits than q and r")
            slots.append((quotient, remainder))
            at += 6
    return slots, at
