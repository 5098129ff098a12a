"""spec/dialects/atomicbloom.md: words of 64 bits behind m and k."""

import math

from ..errors import corrupt, invalid_argument
from ..hash import xxh64
from ..portable_sizing import LN2, round_half_away
from ..words import U32, U64, get_bit, little, put_little, rotr64, set_bit, zeroed
from .foreign_filter import MAX_STEPS, ForeignFilter, check_takes_keys, set_range

HEADER = 24
VARIANT = "words"


def positions(key, m, k):
    """h2 is h1 rotated right by 33, or 1 if that is 0; bit i is (h1 + i h2 mod 2^64) mod m."""
    h1 = xxh64(key)
    h2 = rotr64(h1, 33) or 1
    return [((h1 + i * h2) & U64) % m for i in range(min(k, MAX_STEPS))]


def words_for(m):
    return (m + 63) // 64


class AtomicBloom(ForeignFilter):
    dialect = "atomicbloom"
    variant = VARIANT

    def __init__(self, m, k, bits=None):
        self.m = m
        self.k = k
        self.bits = zeroed(8 * words_for(m)) if bits is None else bytearray(bits)

    def cells(self):
        return self.m

    def hashes(self):
        return self.k

    def form_ranges(self):
        return [(0, HEADER)]

    def take_damage(self, ranges):
        set_range(self.bits, HEADER, ranges)

    def ask(self, key, part, form):
        return all(get_bit(self.bits, position) for position in positions(key, self.m, self.k))

    def insert(self, key):
        check_takes_keys(self.k)
        for position in positions(key, self.m, self.k):
            set_bit(self.bits, position)


def make(n, p=0.01):
    """Sizing: m = ceil(-n ln p / (ln 2 ln 2)), k = round(m / n ln 2), at least 1."""
    if n < 1 or not 0.0 < p < 1.0:
        raise invalid_argument("a filter is sized for at least one key and a rate between 0 and 1")
    m = math.ceil((-float(n) * math.log(p)) / (LN2 * LN2))
    k = max(1, round_half_away(m / n * LN2))
    check_takes_keys(k)
    return AtomicBloom(m, k)


def encode(filter):
    return put_little(filter.m, 8) + put_little(filter.k, 8) + put_little(words_for(filter.m), 8) + bytes(filter.bits)


def decode(data, variant=None):
    """Refused: in the order of the page."""
    if variant not in (None, VARIANT):
        raise invalid_argument(f"no variant {variant} of atomicbloom")
    if len(data) < HEADER:
        raise corrupt(len(data), "fewer than 24 bytes")
    m, k, words = little(data, 0, 8), little(data, 8, 8), little(data, 16, 8)
    if m == 0:
        raise corrupt(0, "no bits")
    if not 1 <= k <= U32:
        raise corrupt(8, f"{k} hashes")
    if words != words_for(m):
        raise corrupt(16, f"{words} words for {m} bits")
    if len(data) < HEADER + 8 * words:
        raise corrupt(len(data), "fewer words than the header says")
    if len(data) > HEADER + 8 * words:
        raise corrupt(HEADER + 8 * words, "bytes after the words")
    return AtomicBloom(m, k, data[HEADER:])
