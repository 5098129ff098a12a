"""spec/filters.md, section 1: the portable Bloom filter."""

from .bit_array import BitArray
from .errors import invalid_argument, too_large
from .hash import BYTES, FNV1A_SPLITMIX, Hasher
from .kind import BITS, up_to
from .portable_sizing import MAX_BITS
from .words import U32, count_ones


def positions(h, m, k):
    """Sections 1.1 and 1.2: bit(i) = (h1 + i * h2) mod m; after m steps every further position repeats one."""
    h1 = h & U32
    h2 = h >> 32
    return [(h1 + i * h2) % m for i in range(min(k, m))]


class PortableBloom(BitArray):
    """An array of m bits and a number of hashes k; keys are hashed with `fnv1a-splitmix`."""

    positions_in = staticmethod(positions)

    def __init__(self, m, k, bits=None, source=BYTES):
        if m < 1 or k < 1:
            raise invalid_argument("a portable filter has at least one bit and one hash")
        if m > MAX_BITS or k > U32:
            raise too_large("a portable filter has at most 2^63 bits and 2^32 - 1 hashes")
        super().__init__(m, k, Hasher(FNV1A_SPLITMIX, source=source), bits)

    @classmethod
    def make(cls, hasher, bits, hashes):
        """As scripts and vectors do. The hasher of this kind is fixed, but for its source."""
        return cls(bits, hashes, source=hasher.source)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, payload, hasher.source)

    def positions(self, h):
        return positions(h, self.m, self.k)

    def padding_is_clear(self):
        return count_ones(self.bits) == self.ones()


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": PortableBloom, "units": up_to("bits", MAX_BITS), "payload": BITS}
