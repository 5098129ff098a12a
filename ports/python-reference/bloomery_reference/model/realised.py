"""spec/model.md, sections 6 and 7: the keys a filter seems to hold and the rate it has, from its bits."""

import math

from ..block import BlockBloom
from ..bloom import ClassicBloom
from ..hash import splitmix64
from ..portable import PortableBloom
from ..words import U32, get_bit, little
from .before import HALVES_FROM
from .classic import classic_keys, log1p
from .double_hashing import double_hashing_exact, excess
from .halves import halves

EXACT_UP_TO = 65536
MANY_HASHES = 256
ASKED = 2**17
PROBES = 2**28
ENOUGH = 200


def estimated_keys(filter):
    """Section 6."""
    ones = filter.ones()
    if isinstance(filter, PortableBloom):
        m, k = filter.m, min(filter.k, filter.m)
        if m < HALVES_FROM or ones in (0, m):
            return classic_keys(m, k, ones)
        return halves(m, k).keys(ones / m)
    if isinstance(filter, ClassicBloom):
        return classic_keys(filter.m, filter.k, ones)
    return block_keys(filter, ones)


def block_keys(filter, ones):
    m = 8 * len(filter.bits)
    if ones == 0:
        return 0.0
    if ones == m:
        return math.inf
    keys = log1p(-ones / m) / log1p(-1 / (lane_bits(filter) * filter.blocks))
    return keys / lines(filter)


def lane_bits(filter):
    return 64 if isinstance(filter, BlockBloom) else 32


def lines(filter):
    return filter.profile.lines if isinstance(filter, BlockBloom) else 1


def realised_fpr(filter):
    """Section 7."""
    if isinstance(filter, PortableBloom):
        return portable_realised(filter)
    if isinstance(filter, ClassicBloom):
        return (filter.ones() / filter.m)**filter.k
    return block_realised(filter)


def portable_realised(filter):
    m, k, ones = filter.m, min(filter.k, filter.m), filter.ones()
    if m <= EXACT_UP_TO:
        return double_hashing_exact(filter.bits, m, k)
    if ones == 0:
        return 0.0
    if ones == m:
        return 1.0
    if k > MANY_HASHES:
        share = sampled(filter, k)
        if share is not None:
            return share
    n = estimated_keys(filter)
    rho = ones / m
    independent = halves(m, k).fpr(n) if m >= HALVES_FROM else rho**k
    return min(rho, independent + excess(m, k, n, rho))


def sampled(filter, k):
    """The share of "perhaps" among random keys, or None if too few were answered so."""
    asked, perhaps, left = 0, 0, PROBES
    while asked < ASKED and left >= k:
        h = splitmix64(asked)
        met, h1, h2 = 0, h & U32, h >> 32
        while met < k and get_bit(filter.bits, (h1 + met * h2) % filter.m):
            met += 1
        left -= min(met + 1, k)
        asked += 1
        perhaps += met == k
    return perhaps / asked if perhaps >= ENOUGH else None


def lane_ones(filter, block):
    """The ones of each lane: words j and L + j of a block, or word j of a split block."""
    size = filter.block_bytes
    words = [little(filter.bits, block * size + at, 4).bit_count() for at in range(0, size, 4)]
    if isinstance(filter, BlockBloom):
        lanes = filter.profile.lanes
        return [words[j] + words[lanes + j] for j in range(lanes)]
    return words


def block_realised(filter):
    """The mean over the blocks of the chance that a random key passes, squared for two-lines."""
    width = lane_bits(filter)
    mean = sum(math.prod(ones / width for ones in lane_ones(filter, block))
               for block in range(filter.blocks)) / filter.blocks
    return mean**lines(filter)
