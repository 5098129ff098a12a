"""spec/filters.md, sections 2.4 and 2.5: what block and split-block filters have in common: folding and union."""

from math import gcd

from .bit_filter import BitFilter
from .errors import incompatible, invalid_argument
from .words import count_ones, zeroed


class BlockArray(BitFilter):
    """B blocks of `block_bytes` bytes. A subclass says which positions a hash has, and which hasher it takes."""

    block_bytes = None

    def __init__(self, blocks, hasher, bits=None):
        self.blocks = blocks
        self.hasher = hasher
        self.bits = zeroed(blocks * self.block_bytes) if bits is None else bytearray(bits)
        if len(self.bits) != blocks * self.block_bytes:
            raise invalid_argument("the array is as long as its blocks")

    def same_shape(self, other):
        raise NotImplementedError

    def with_blocks(self, blocks, bits):
        raise NotImplementedError

    def ones(self):
        return count_ones(self.bits)

    def fold(self, f):
        """Section 2.4: block i of the result is the or of blocks f * i .. f * i + f - 1."""
        if f < 1 or self.blocks % f != 0:
            raise invalid_argument(f"{f} does not divide {self.blocks} blocks")
        size = self.block_bytes
        out = bytearray(len(self.bits) // f)
        for block in range(self.blocks):
            for byte in range(size):
                out[block // f * size + byte] |= self.bits[block * size + byte]
        return self.with_blocks(self.blocks // f, out)

    def folded_to_match(self, other):
        """Section 2.5: the other filter with as many blocks as this one, if it has a multiple of them."""
        if not isinstance(other, type(self)) or not self.same_shape(other):
            raise incompatible("filters that differ in kind, profile or hasher cannot be combined")
        if other.blocks % self.blocks != 0:
            raise incompatible(f"{other.blocks} blocks are no multiple of {self.blocks}")
        return other.fold(other.blocks // self.blocks)

    def folded_to_common(self, other):
        """Section 2.5: both folded to the greatest common divisor of their blocks; done only when asked to."""
        common = gcd(self.blocks, other.blocks)
        return self.fold(self.blocks // common), other.fold(other.blocks // common)

    def merge(self, other):
        """Section 2.5, the bitwise or."""
        other = self.folded_to_match(other)
        self.bits = bytearray(a | b for a, b in zip(self.bits, other.bits))

    def intersect(self, other):
        """Section 2.5, the bitwise and: perhaps for every key of both sets."""
        if self.blocks != other.blocks:
            raise incompatible("an intersection takes filters with equally many blocks")
        other = self.folded_to_match(other)
        self.bits = bytearray(a & b for a, b in zip(self.bits, other.bits))
