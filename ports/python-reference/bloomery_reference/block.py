"""spec/filters.md, section 2: the block filter."""

from .block_array import BlockArray
from .errors import invalid_argument, too_large
from .hash import Hasher, splitmix64
from .words import U32, mulhi

C = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)

MAX_BYTES = 2**48


class Profile:
    """A row of the table in section 2: a profile names the shape of a block."""

    def __init__(self, name, number, lanes, lines):
        self.name = name
        self.number = number
        self.lanes = lanes
        self.lines = lines
        self.block_bytes = 8 * lanes
        self.bits_a_key = lanes * lines


HALF_LINE = Profile("half-line", 1, lanes=4, lines=1)
LINE = Profile("line", 2, lanes=8, lines=1)
TWO_LINES = Profile("two-lines", 3, lanes=8, lines=2)
PROFILES = (HALF_LINE, LINE, TWO_LINES)


def profile_numbered(number):
    for profile in PROFILES:
        if profile.number == number:
            return profile
    return None


def profile_named(name):
    for profile in PROFILES:
        if profile.name == name:
            return profile
    raise invalid_argument(f"no profile is called {name}")


def profile_for(p):
    """Section 2.6: where a writer is given a rate p and no profile."""
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


def positions(h, blocks, profile):
    """Sections 2.1 and 2.2: the first line, then with two-lines the line of splitmix64(h)."""
    out = line_positions(h, blocks, profile.lanes)
    if profile.lines == 2:
        out += line_positions(splitmix64(h), blocks, profile.lanes)
    return out


class BlockBloom(BlockArray):
    """B blocks of one profile, under any hasher that has an id; `xxh3` with seed 0 by default (section 5)."""

    def __init__(self, profile, blocks, hasher=None, bits=None):
        if blocks < 1:
            raise invalid_argument("a block filter has at least one block")
        if blocks * profile.block_bytes > MAX_BYTES:
            raise too_large("a block filter has at most 2^48 bytes")
        self.profile = profile
        self.block_bytes = profile.block_bytes
        super().__init__(blocks, Hasher() if hasher is None else hasher, bits)

    def positions(self, h):
        return positions(h, self.blocks, self.profile)

    def same_shape(self, other):
        return self.profile is other.profile and self.hasher == other.hasher

    def with_blocks(self, blocks, bits):
        return BlockBloom(self.profile, blocks, self.hasher, bits)
