"""spec/filters.md, section 6: the partitioned filter; its rates, spec/model.md, sections 6 to 8."""

import math

from .bit_array import BitArray
from .bloom import MULTIPLIER
from .errors import invalid_argument, too_large
from .hash import Hasher
from .kind import Payload, Units
from .model.classic import log1p
from .model.realised import Rates, with_collisions
from .words import U64, bytes_for, mulhi

MAX_BITS = 2**48
MAX_HASHES = 64

SLICE_BITS = Units("slice bits", lambda kind, header: 1 <= header.units <= MAX_BITS // header.hashes, {"max_bits": MAX_BITS})
SLICES = Payload("slices", lambda kind, header: header.payload_length == bytes_for(header.hashes * header.units))


def positions(h, s, k):
    """x(0) = h or 1, x(j + 1) = x(j) * MULTIPLIER, bit(j) = j * s + mulhi(x(j + 1), s) for j = 0 .. k - 1."""
    x = h | 1
    out = []
    for j in range(k):
        x = (x * MULTIPLIER) & U64
        out.append(j * s + mulhi(x, s))
    return out


class PartitionedBloom(BitArray):
    """k slices of s bits, under any hasher that has an id; `xxh3` with seed 0 by default (section 5)."""

    shape = ("slice", "hashes")
    positions_in = staticmethod(positions)

    def __init__(self, s, k, hasher=None, bits=None):
        if s < 1 or k < 1:
            raise invalid_argument("a partitioned filter has at least one slice of one bit")
        if k > MAX_HASHES or k * s > MAX_BITS:
            raise too_large("a partitioned filter has at most 64 slices and 2^48 bits")
        self.s = s
        super().__init__(k * s, k, Hasher() if hasher is None else hasher, bits)

    @classmethod
    def make(cls, hasher, slice, hashes):
        return cls(slice, hashes, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, hasher, payload)

    def header_fields(self):
        return {"hashes": self.k, "units": self.s}

    def positions(self, h):
        return positions(h, self.s, self.k)

    def ones_of_slices(self):
        """X_j of each slice."""
        number = int.from_bytes(self.bits, "little")
        return [((number >> (j * self.s)) & ((1 << self.s) - 1)).bit_count() for j in range(self.k)]


def partitioned_keys(filter):
    """Section 6: X of all slices."""
    ones = filter.ones()
    if ones == 0:
        return 0.0
    if ones >= filter.m:
        return math.inf
    return log1p(-ones / filter.m) / log1p(-1 / filter.s)


def partitioned_realised(filter):
    """Section 7: the product of the fills of the slices, and keys that differ in their lowest bit only."""
    by_chance = math.prod(ones / filter.s for ones in filter.ones_of_slices())
    return with_collisions(by_chance, partitioned_keys(filter), 63)


def partitioned_fpr(s, k, n):
    """Section 8, before it is filled: exact, because the slices are independent."""
    return min(1.0, (-math.expm1(n * log1p(-1 / s)))**k + n / 2**63) if n > 0 else 0.0


RATES = Rates(partitioned_keys, partitioned_realised)


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": PartitionedBloom, "units": SLICE_BITS, "payload": SLICES, "rates": RATES}
