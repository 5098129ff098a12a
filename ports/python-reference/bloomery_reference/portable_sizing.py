"""spec/filters.md, section 1.4: bits and hashes for n keys."""

import math

from .errors import invalid_argument, too_large

LN2 = math.log(2.0)
assert LN2.hex() == "0x1.62e42fefa39efp-1"  # 0x3fe62e42fefa39ef

MAX_BITS = 2**63


def round_half_away(x):
    """`round` takes halves away from zero; Python's own takes them to even. x is not negative here."""
    whole = math.floor(x)
    return whole + 1 if x - whole >= 0.5 else whole


def hashes_for(m, n):
    """k = round((m / n) * ln2), at least 1 and at most 30."""
    return max(1, min(30, round_half_away((float(m) / float(n)) * LN2)))


def whole_bits(real):
    """ceil, refused if it is beyond 2^63 or no number."""
    if not real <= MAX_BITS:
        raise too_large("a portable filter has at most 2^63 bits")
    return math.ceil(real)


def check_keys(n):
    if n < 1:
        raise invalid_argument("a filter is sized for at least one key")


def size_by_rate(n, p):
    """m = ceil(((-n) * ln(p)) / (ln2 * ln2)); gives (m, k)."""
    check_keys(n)
    if not 0.0 < p < 1.0:
        raise invalid_argument("a rate lies between 0 and 1, both excluded")
    m = whole_bits((-float(n) * math.log(p)) / (LN2 * LN2))
    return m, hashes_for(m, n)


def size_by_bits_per_key(n, b):
    """m = ceil(n * b); gives (m, k)."""
    check_keys(n)
    if not b > 0.0:
        raise invalid_argument("bits per key are positive")
    m = whole_bits(float(n) * b)
    return m, hashes_for(m, n)


def size_by_memory(n, c):
    """m = 8 * c; gives (m, k)."""
    check_keys(n)
    if c < 1:
        raise invalid_argument("a filter takes at least one byte")
    if 8 * c > MAX_BITS:
        raise too_large("a portable filter has at most 2^63 bits")
    return 8 * c, hashes_for(8 * c, n)
