"""spec/filters.md, sections 12 and 14: several block filters side by side in one array, of which a lookup asks all."""

import math

from .block import BlockBloom, positions
from .capabilities import Filter
from .model.realised import BLOCK_RATES, Rates, realised_of_any
from .words import count_ones, get_bit


class Part:
    """So many blocks of a profile, from a byte of the array on."""

    def __init__(self, begin, profile, blocks):
        self.begin = begin
        self.profile = profile
        self.blocks = blocks
        self.end = begin + blocks * profile.block_bytes

    def positions(self, h):
        """As bits of the whole array."""
        return [8 * self.begin + position for position in positions(h, self.blocks, self.profile)]

    def filter(self, array):
        """The block filter that it is: a copy."""
        return BlockBloom(self.profile, self.blocks, bits=array[self.begin:self.end])


class Chain(Filter):
    """A subclass has `parts`, an `array` and a `hasher`, and says by `seen` which hash the parts see of a key's."""

    def seen(self, h):
        return h

    def may_contain_hash(self, h):
        return any(all(get_bit(self.array, position) for position in part.positions(self.seen(h))) for part in self.parts)

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def filters(self):
        return [part.filter(self.array) for part in self.parts]

    def payload(self):
        return bytes(self.array)

    def ones(self):
        return count_ones(self.array)

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones()}


def compound(rates):
    """Before they are filled: all are asked, and the chance that one passes does not depend on the others."""
    rate = 0.0
    for one in rates:
        rate += (1 - rate) * one
    return rate


RATES = Rates(lambda chain: math.fsum(map(BLOCK_RATES.keys, chain.filters())),
              lambda chain: realised_of_any(chain.filters()))
