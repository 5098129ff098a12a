"""spec/filters.md, sections 2.4 and 2.5: what block and split-block filters have in common: folding and union."""

from math import gcd

from .bit_filter import BitFilter
from .errors import incompatible, invalid_argument
from .words import count_ones, zeroed


class Profile:
    """The shape of a block: its lanes, in each of which a key sets one bit; in two lines, of two blocks."""

    def __init__(self, name, number, lanes, lane_bits, lines):
        self.name = name
        self.number = number
        self.lanes = lanes
        self.lane_bits = lane_bits
        self.lines = lines
        self.block_bytes = lanes * lane_bits // 8
        self.bits_a_key = lanes * lines


class BlockArray(BitFilter):
    """B blocks of one profile. A subclass says which positions a hash has, and which hasher it takes."""

    shape = ("blocks",)

    def __init__(self, profile, blocks, hasher, bits=None):
        self.profile = profile
        self.blocks = blocks
        self.hasher = hasher
        self.bits = zeroed(blocks * profile.block_bytes) if bits is None else bytearray(bits)
        if len(self.bits) != blocks * profile.block_bytes:
            raise invalid_argument("the array is as long as its blocks")

    @staticmethod
    def positions_in_blocks(h, blocks, profile):
        raise NotImplementedError

    def with_blocks(self, blocks, bits):
        raise NotImplementedError

    def positions(self, h):
        return self.positions_in_blocks(h, self.blocks, self.profile)

    def size(self):
        return 8 * len(self.bits), self.profile.bits_a_key

    def header_fields(self):
        return {"profile": self.profile.number, "hashes": self.profile.bits_a_key, "units": self.blocks}

    def ones(self):
        return count_ones(self.bits)

    def fold(self, f):
        """Section 2.4: block i of the result is the or of blocks f * i .. f * i + f - 1."""
        if f < 1 or self.blocks % f != 0:
            raise invalid_argument(f"{f} does not divide {self.blocks} blocks")
        size = self.profile.block_bytes
        out = bytearray(len(self.bits) // f)
        for block in range(self.blocks):
            for byte in range(size):
                out[block // f * size + byte] |= self.bits[block * size + byte]
        return self.with_blocks(self.blocks // f, out)

    def matching(self, other):
        """Section 2.5: those of the other filter, folded to as many blocks, if it has a multiple of them."""
        if type(other) is not type(self) or (self.profile, self.hasher) != (other.profile, other.hasher):
            raise incompatible("filters that differ in kind, profile or hasher cannot be combined")
        if other.blocks % self.blocks != 0:
            raise incompatible(f"{other.blocks} blocks are no multiple of {self.blocks}")
        return other.fold(other.blocks // self.blocks).bits

    def folded_to_common(self, other):
        """Section 2.5: both folded to the greatest common divisor of their blocks; done only when asked to."""
        common = gcd(self.blocks, other.blocks)
        return self.fold(self.blocks // common), other.fold(other.blocks // common)
