"""spec/dialects/nori.md, "Bloom section": the variants `current` and `old-mod`."""

import math

from ..errors import corrupt, invalid_argument
from ..hash import xxh64
from ..portable_sizing import LN2
from ..words import U64, bytes_for, get_bit, little, put_little, set_bit, zeroed
from .foreign_filter import MAX_STEPS, ForeignFilter, check_takes_keys, set_range

HEADER = 12
CURRENT, OLD_MOD = "current", "old-mod"


def positions(key, m, k):
    """h1 = XXH64(key, seed 0), h2 = XXH64(key, seed 1); bit i is (h1 + i h2 mod 2^64) mod m."""
    h1, h2 = xxh64(key, 0), xxh64(key, 1)
    return [((h1 + i * h2) & U64) % m for i in range(min(k, MAX_STEPS))]


def is_power_of_two(m):
    """0 counts: it is what `current` makes of no keys."""
    return m & (m - 1) == 0


class NoriBloom(ForeignFilter):
    dialect = "nori"

    def __init__(self, variant, m, k, bits=None):
        self.variant = variant
        self.m = m
        self.k = k
        self.bits = zeroed(bytes_for(m)) if bits is None else bytearray(bits)

    def cells(self):
        return self.m

    def hashes(self):
        return self.k

    def form_ranges(self):
        return [(0, HEADER)]

    def take_damage(self, ranges):
        set_range(self.bits, HEADER, ranges)

    def ask(self, key, part, form):
        """A filter of no bits matches nothing."""
        if self.m == 0:
            return False
        return all(get_bit(self.bits, position) for position in positions(key, self.m, self.k))

    def insert(self, key):
        if self.m == 0:
            raise invalid_argument("a filter of no bits takes no keys")
        check_takes_keys(self.k)
        for position in positions(key, self.m, self.k):
            set_bit(self.bits, position)


def make(variant, n, p=None, bits_per_key=None):
    """Sizing: b is given (rounded up), or ceil(-ln p / (ln 2)^2), or 10; k = max(1, ceil(0.693 b))."""
    if bits_per_key is not None:
        b = math.ceil(bits_per_key)
    elif p is not None:
        b = math.ceil(-math.log(p) / (LN2 * LN2))
    else:
        b = 10
    m = n * b
    if variant == CURRENT and m > 0:
        m = 1 << (m - 1).bit_length()
    return NoriBloom(variant, m, max(1, math.ceil(0.693 * b)))


def encode(filter):
    return put_little(filter.k, 4) + put_little(filter.m, 8) + bytes(filter.bits)


def decode(data, variant=None):
    """Refused: in the order of the page; offsets of missing and surplus bytes as in the dialect `portable`."""
    if len(data) < HEADER:
        raise corrupt(len(data), "fewer than 12 bytes")
    k, m = little(data, 0, 4), little(data, 4, 8)
    if k == 0 and m > 0:
        raise corrupt(0, "no hashes")
    if variant == CURRENT and not is_power_of_two(m):
        raise corrupt(4, f"{m} bits are no power of two")
    if len(data) < HEADER + bytes_for(m):
        raise corrupt(len(data), "fewer bytes than m bits take")
    if len(data) > HEADER + bytes_for(m):
        raise corrupt(HEADER + bytes_for(m), "bytes after the bits")
    if variant is None:
        variant = CURRENT if is_power_of_two(m) else OLD_MOD
    return NoriBloom(variant, m, k, data[HEADER:])
