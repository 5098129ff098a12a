"""What all filters of bits share: a key has some positions; inserting sets those bits, a lookup tests them."""

from .capabilities import Filter
from .errors import incompatible
from .words import get_bit, set_bit


class BitFilter(Filter):
    """A subclass has `bits` and `hasher`, and says which positions a hash has, and which filters fit it."""

    shape = ()  # the names that scripts and vectors have for the numbers that a filter is made from

    @classmethod
    def make(cls, hasher, *numbers):
        """An empty filter of this shape."""
        raise NotImplementedError

    @classmethod
    def open(cls, kind, header, hasher, payload):
        """The filter that a container holds, once its header is believed."""
        raise NotImplementedError

    @staticmethod
    def positions_in(h, *numbers):
        """The positions of a hash in a filter of this shape, which need not exist."""
        raise NotImplementedError

    def positions(self, h):
        raise NotImplementedError

    def size(self):
        """(all bits, bits per key)."""
        raise NotImplementedError

    def header_fields(self):
        """What the header of a container says of it (spec/container.md, section 3)."""
        raise NotImplementedError

    def ones(self):
        raise NotImplementedError

    def matching(self, other):
        """The bits of the other filter, as long as these, or a refusal (incompatible)."""
        raise NotImplementedError

    def insert_hash(self, h):
        for position in self.positions(h):
            set_bit(self.bits, position)

    def insert_if_absent_hash(self, h):
        absent = not self.may_contain_hash(h)
        if absent:
            self.insert_hash(h)
        return absent

    def may_contain_hash(self, h):
        return all(get_bit(self.bits, position) for position in self.positions(h))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def merge(self, other):
        """The bitwise or: to the bit, the filter of both sets of keys."""
        self.bits = bytearray(a | b for a, b in zip(self.bits, self.matching(other), strict=True))

    def intersect(self, other):
        """The bitwise and: possibly present for every key of both sets. Nothing is folded for it."""
        bits = self.matching(other)
        if len(other.bits) != len(self.bits):
            raise incompatible("an intersection takes filters of one size")
        self.bits = bytearray(a & b for a, b in zip(self.bits, bits, strict=True))

    def clear(self):
        self.bits = bytearray(len(self.bits))

    def payload(self):
        """The bytes of a container."""
        return bytes(self.bits)
