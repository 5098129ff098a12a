"""spec/filters.md, section 1: the portable Bloom filter."""

from .errors import incompatible, invalid_argument, too_large
from .hash import Hasher, FNV1A_SPLITMIX
from .portable_sizing import MAX_BITS
from .words import U32, bytes_for, count_ones, get_bit, set_bit, zeroed


def positions(h, m, k):
    """Sections 1.1 and 1.2: bit(i) = (h1 + i * h2) mod m; after m steps every further position repeats one."""
    h1 = h & U32
    h2 = h >> 32
    return [(h1 + i * h2) % m for i in range(min(k, m))]


class PortableBloom:
    """An array of m bits and a number of hashes k; keys are hashed with `fnv1a-splitmix`."""

    def __init__(self, m, k, bits=None):
        if m < 1 or k < 1:
            raise invalid_argument("a portable filter has at least one bit and one hash")
        if m > MAX_BITS or k > U32:
            raise too_large("a portable filter has at most 2^63 bits and 2^32 - 1 hashes")
        self.m = m
        self.k = k
        self.bits = zeroed(bytes_for(m)) if bits is None else bytearray(bits)
        if len(self.bits) != bytes_for(m):
            raise invalid_argument("m bits take ceil(m / 8) bytes")
        self.hasher = Hasher(FNV1A_SPLITMIX)

    def insert_hash(self, h):
        for position in positions(h, self.m, self.k):
            set_bit(self.bits, position)

    def may_contain_hash(self, h):
        return all(get_bit(self.bits, position) for position in positions(h, self.m, self.k))

    def insert(self, key):
        self.insert_hash(self.hasher.hash(key))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def ones(self):
        """Bits beyond m - 1 are ignored (spec/dialects.md, section 1.2)."""
        return count_ones(self.bits, self.m)

    def padding_is_clear(self):
        return count_ones(self.bits) == self.ones()

    def clear(self):
        self.bits = bytearray(len(self.bits))

    def merge(self, other):
        """Section 1.6: filters that differ in m or k MUST be refused."""
        if not isinstance(other, PortableBloom) or (self.m, self.k) != (other.m, other.k):
            raise incompatible("portable filters that differ in m or k cannot be combined")
        self.bits = bytearray(a | b for a, b in zip(self.bits, other.bits))
