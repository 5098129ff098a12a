"""What the portable and the classic filter (spec/filters.md, sections 1 and 4) share: m bits, of which a key has k."""

from .errors import invalid_argument
from .words import bytes_for, count_ones, get_bit, set_bit, zeroed


class BitArray:
    def __init__(self, m, k, hasher, bits):
        self.m = m
        self.k = k
        self.hasher = hasher
        self.bits = zeroed(bytes_for(m)) if bits is None else bytearray(bits)
        if len(self.bits) != bytes_for(m):
            raise invalid_argument("m bits take ceil(m / 8) bytes")

    def positions(self, h):
        raise NotImplementedError("the bits of a key, by the kind")

    def insert_hash(self, h):
        for position in self.positions(h):
            set_bit(self.bits, position)

    def may_contain_hash(self, h):
        return all(get_bit(self.bits, position) for position in self.positions(h))

    def insert(self, key):
        self.insert_hash(self.hasher.hash(key))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def ones(self):
        """Bits beyond m - 1 are ignored (spec/dialects.md, section 1.2)."""
        return count_ones(self.bits, self.m)

    def clear(self):
        self.bits = bytearray(len(self.bits))
