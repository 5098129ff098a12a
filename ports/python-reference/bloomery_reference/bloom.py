"""spec/filters.md, section 4: the classic filter."""

from .bit_array import BitArray
from .errors import invalid_argument, too_large
from .hash import Hasher
from .kind import BITS, up_to
from .words import U64, mulhi

MULTIPLIER = 0xF1357AEA2E62A9C5
MAX_BITS = 2**48
MAX_HASHES = 64


def positions(h, m, k):
    """x(0) = h or 1, x(i + 1) = x(i) * MULTIPLIER, bit(i) = mulhi(x(i), m) for i = 1 .. k."""
    x = h | 1
    out = []
    for _ in range(k):
        x = (x * MULTIPLIER) & U64
        out.append(mulhi(x, m))
    return out


class ClassicBloom(BitArray):
    """m bits and k hashes, under any hasher that has an id; `xxh3` with seed 0 by default (section 5)."""

    positions_in = staticmethod(positions)

    def __init__(self, m, k, hasher=None, bits=None):
        if m < 1 or k < 1:
            raise invalid_argument("a classic filter has at least one bit and one hash")
        if m > MAX_BITS or k > MAX_HASHES:
            raise too_large("a classic filter has at most 2^48 bits and 64 hashes")
        super().__init__(m, k, Hasher() if hasher is None else hasher, bits)

    @classmethod
    def make(cls, hasher, bits, hashes):
        return cls(bits, hashes, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, hasher, payload)

    def positions(self, h):
        return positions(h, self.m, self.k)


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": ClassicBloom, "units": up_to("bits", MAX_BITS), "payload": BITS}
