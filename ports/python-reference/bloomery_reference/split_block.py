"""spec/filters.md, section 3: the split-block filter, Apache Parquet's."""

from .block import C
from .block_array import BlockArray, Profile
from .errors import invalid_argument, too_large
from .hash import BYTES, XXH64, Hasher
from .kind import BLOCKS, up_to
from .words import U32

PROFILE = Profile("split", 4, lanes=8, lane_bits=32, lines=1)
MAX_BLOCKS = 2**26 - 1


def positions(h, z):
    """Word j of block(h), bit(j) of it; as bits of the whole array."""
    block = ((h >> 32) * z) >> 32
    return [block * 256 + 32 * j + ((((h & U32) * C[j]) & U32) >> 27) for j in range(8)]


class SplitBlockBloom(BlockArray):
    """z blocks of 32 bytes; always `xxh64` with seed 0 (section 5)."""

    positions_in = staticmethod(positions)

    def __init__(self, blocks, bits=None, source=BYTES):
        if blocks < 1:
            raise invalid_argument("a split-block filter has at least one block")
        if blocks > MAX_BLOCKS:
            raise too_large("a split-block filter has fewer than 2^26 blocks")
        super().__init__(PROFILE, blocks, Hasher(XXH64, source=source), bits)

    @classmethod
    def make(cls, hasher, blocks):
        """As scripts and vectors do. The hasher of this kind is fixed, but for its source."""
        return cls(blocks, source=hasher.source)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, payload, hasher.source)

    @staticmethod
    def positions_in_blocks(h, blocks, profile):
        return positions(h, blocks)

    def with_blocks(self, blocks, bits):
        return SplitBlockBloom(blocks, bits, self.hasher.source)


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": SplitBlockBloom, "profiles": (PROFILE,), "units": up_to("blocks", MAX_BLOCKS), "payload": BLOCKS}
