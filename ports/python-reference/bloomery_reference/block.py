"""spec/filters.md, section 2: the block filter."""

from .block_array import BlockArray, Profile
from .errors import invalid_argument, too_large
from .hash import Hasher, splitmix64
from .kind import BLOCKS, blocks_up_to
from .words import U32, mulhi

C = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)

MAX_BYTES = 2**48


HALF_LINE = Profile("half-line", 1, lanes=4, lane_bits=64, lines=1)
LINE = Profile("line", 2, lanes=8, lane_bits=64, lines=1)
TWO_LINES = Profile("two-lines", 3, lanes=8, lane_bits=64, lines=2)
LANES16 = Profile("lanes16", 5, lanes=8, lane_bits=16, lines=1)
PROFILES = (HALF_LINE, LINE, TWO_LINES, LANES16)
PACKED_PROFILES = (HALF_LINE, LINE, TWO_LINES)  # of members of a packed set (spec/container.md, section 6)


def profile_named(name):
    for profile in PROFILES:
        if profile.name == name:
            return profile
    raise invalid_argument(f"no profile is called {name}")


def profile_for(p):
    """Section 2.6: where a writer is given a rate p and no profile. It is never LANES16."""
    if p >= 0.03:
        return HALF_LINE
    return LINE if p >= 0.0005 else TWO_LINES


def line_positions(h, blocks, lanes):
    """Section 2.1: position(j) = block(h) * 64L + 32w + bit(j) mod 32."""
    block = mulhi(h, blocks)
    out = []
    for j in range(lanes):
        x = ((h & U32) * C[j]) & U32
        bit = x >> 26
        word = j if bit < 32 else lanes + j
        out.append(block * 64 * lanes + 32 * word + bit % 32)
    return out


def lane_positions(h, blocks):
    """Section 2.7: position(j) = block(h) * 128 + 16j + bit(j)."""
    return [mulhi(h, blocks) * 128 + 16 * j + ((((h & U32) * C[j]) & U32) >> 28) for j in range(8)]


def positions(h, blocks, profile):
    """Sections 2.1 and 2.2: the first line, then with two-lines the line of splitmix64(h); 2.7 for lanes of 16 bits."""
    if profile is LANES16:
        return lane_positions(h, blocks)
    out = line_positions(h, blocks, profile.lanes)
    if profile.lines == 2:
        out += line_positions(splitmix64(h), blocks, profile.lanes)
    return out


class BlockBloom(BlockArray):
    """B blocks of one profile, under any hasher that has an id; `xxh3` with seed 0 by default (section 5)."""

    shape = ("profile", "blocks")
    positions_in_blocks = staticmethod(positions)

    def __init__(self, profile, blocks, hasher=None, bits=None):
        if blocks < 1:
            raise invalid_argument("a block filter has at least one block")
        if blocks * profile.block_bytes > MAX_BYTES:
            raise too_large("a block filter has at most 2^48 bytes")
        super().__init__(profile, blocks, Hasher() if hasher is None else hasher, bits)

    @classmethod
    def make(cls, hasher, profile, blocks):
        return cls(profile_named(profile), blocks, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(kind.profile_of(header), header.units, hasher, payload)

    @staticmethod
    def positions_in(h, profile, blocks):
        return positions(h, blocks, profile_named(profile))

    def with_blocks(self, blocks, bits):
        return BlockBloom(self.profile, blocks, self.hasher, bits)


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": BlockBloom, "profiles": PROFILES, "units": blocks_up_to(MAX_BYTES), "payload": BLOCKS}
