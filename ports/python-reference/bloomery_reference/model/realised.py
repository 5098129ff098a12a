"""spec/model.md, sections 6 and 7: the keys a filter seems to hold and the rate it has, from its bits."""

import math

from ..hash import splitmix64
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
MAX_CELLS = 64


class Rates:
    """How the filters of a kind report: keys(filter) of section 6, realised(filter) of section 7."""

    def __init__(self, keys, realised):
        self.keys = keys
        self.realised = realised


def portable_keys(filter):
    m, k, ones = filter.m, min(filter.k, filter.m), filter.ones()
    if m < HALVES_FROM or ones in (0, m):
        return classic_keys(m, k, ones)
    return halves(m, k).keys(ones / m)


def block_keys(filter):
    """m: all bits of the array; w B of them are where one lane of a key may fall."""
    m, ones, profile = 8 * len(filter.bits), filter.ones(), filter.profile
    if ones == 0:
        return 0.0
    if ones == m:
        return math.inf
    return log1p(-ones / m) / log1p(-1 / (profile.lane_bits * filter.blocks)) / profile.lines


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
    n = portable_keys(filter)
    rho = ones / m
    independent = halves(m, k).fpr(n) if m >= HALVES_FROM else rho**k
    return min(rho, independent + excess(m, k, n, rho))


def sampled(filter, k):
    """The share of random keys that are possibly present, or None if too few are."""
    tested, hits, left = 0, 0, PROBES
    while tested < ASKED and left >= k:
        h = splitmix64(tested)
        met, h1, h2 = 0, h & U32, h >> 32
        while met < k and get_bit(filter.bits, (h1 + met * h2) % filter.m):
            met += 1
        left -= min(met + 1, k)
        tested += 1
        hits += met == k
    return hits / tested if hits >= ENOUGH else None


def lane_ones(filter, block):
    """The ones of each lane: words j and L + j of a block where a lane has 64 bits, word j where it has 32 or 16."""
    size, lanes = filter.profile.block_bytes, filter.profile.lanes
    word = min(4, filter.profile.lane_bits // 8)
    words = [little(filter.bits, block * size + at, word).bit_count() for at in range(0, size, word)]
    return [sum(words[j::lanes]) for j in range(lanes)]


def with_collisions(by_chance, n, bits):
    """Keys that are one of n in so many bits pass too; infinitely many, when every bit is set, add nothing to 1."""
    return by_chance + (1 - by_chance) * min(1.0, n / 2**bits)


def block_chances(filter):
    """The chance that a random key finds its bits in each block: P_b."""
    width = filter.profile.lane_bits
    return [math.prod(ones / width for ones in lane_ones(filter, block)) for block in range(filter.blocks)]


def block_realised(filter):
    """P: the mean over the blocks of the chance that a random key passes. Equal low 32 bits are equal bits of a block."""
    lines, n = filter.profile.lines, block_keys(filter)
    mean = sum(block_chances(filter)) / filter.blocks
    one = with_collisions(mean, lines * n / filter.blocks, 32)
    return one if lines == 1 else with_collisions(one * one, n, 64)


def means_over_cells(chances, cells):
    """Blocks and cells are intervals of hashes; len(chances) units of which a block has `cells` are a cell."""
    blocks, means = len(chances), [0.0] * cells
    for block, chance in enumerate(chances):
        at, end = block * cells, (block + 1) * cells
        while at < end:
            cell = at // blocks
            to = min(end, (cell + 1) * blocks)
            means[cell] += chance * ((to - at) / blocks)
            at = to
    return means


def realised_of_any(filters):
    """Sections 12 and 14: block filters that are all asked for one hash, each with as many blocks as the one before or a multiple of them.

    Blocks are intervals of hashes: chances[b] is the chance that a filter of one line up to this one passes a key in its block b.
    """
    chances, load = [0.0], 0.0
    two_lines = [filter for filter in filters if filter.profile.lines == 2]
    for filter in filters:
        if filter.profile.lines == 2:
            continue
        within = filter.blocks // len(chances)
        before = [chances[block // within] for block in range(filter.blocks)]
        chances = [passed + (1 - passed) * own for passed, own in zip(before, block_chances(filter))]
        load += block_keys(filter) / filter.blocks
    cells = min(MAX_CELLS, two_lines[-1].blocks) if two_lines else 1
    of_one = means_over_cells(chances, cells)
    halves_that_pass = [means_over_cells([with_collisions(own, 2 * block_keys(filter) / filter.blocks, 32)
                                          for own in block_chances(filter)], cells) for filter in two_lines]
    passed = []
    for first in range(cells):
        for second in range(cells):
            any_passes = of_one[first]
            for half in halves_that_pass:
                any_passes += (1 - any_passes) * half[first] * half[second]
            passed.append(any_passes)
    rate = with_collisions(math.fsum(passed) / len(passed), load, 32)
    return with_collisions(rate, math.fsum(map(block_keys, two_lines)), 64)


def classic_realised(filter):
    keys = classic_keys(filter.m, filter.k, filter.ones())
    return with_collisions((filter.ones() / filter.m)**filter.k, keys, 63)


PORTABLE_RATES = Rates(portable_keys, portable_realised)
BLOCK_RATES = Rates(block_keys, block_realised)
CLASSIC_RATES = Rates(lambda filter: classic_keys(filter.m, filter.k, filter.ones()), classic_realised)
