"""What all filters of bits share: a key has some positions; inserting sets those bits, a lookup tests them."""

from .words import get_bit, set_bit


class BitFilter:
    """A subclass has `bits` and `hasher`, and says which positions a hash has."""

    def positions(self, h):
        raise NotImplementedError

    def insert_hash(self, h):
        for position in self.positions(h):
            set_bit(self.bits, position)

    def may_contain_hash(self, h):
        return all(get_bit(self.bits, position) for position in self.positions(h))

    def insert(self, key):
        self.insert_hash(self.hasher.hash(key))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def clear(self):
        self.bits = bytearray(len(self.bits))
