"""spec/model.md, section 5: the rate of a portable filter, before it is filled."""

from functools import cache

from ..hash import splitmix64
from ..portable import positions
from ..words import U64, bytes_for, set_bit
from .classic import classic_fpr, set_chance
from .double_hashing import double_hashing_exact, excess
from .halves import halves

SIMULATED_UP_TO = 2048
HALVES_FROM = 2**31
GAMMA = 0x9E3779B97F4A7C15


@cache
def portable_fpr(m, k, n):
    """The rate once it holds n keys."""
    k = min(k, m)
    if n == 0:
        return 0.0
    if m <= SIMULATED_UP_TO:
        return simulated(m, k, n)
    if m < HALVES_FROM:
        return min(1.0, classic_fpr(m, k, n) + excess(m, k, n, set_chance(m, k, n)))
    model = halves(m, k)
    return min(1.0, model.fpr(n) + excess(m, k, n, model.fill(n)))


def simulated(m, k, n):
    """The mean of the exact rate over F filters, of keys from one sequence that begins at the state m."""
    if n * k > 50 * m:
        return 1.0
    filters = min(1024, max(32, int(1.3e8 / (m * m))))
    state, total = m, 0.0
    for _ in range(filters):
        bits = bytearray(bytes_for(m))
        for _ in range(n):
            for position in positions(splitmix64(state), m, k):  # its first step adds GAMMA to the state
                set_bit(bits, position)
            state = (state + GAMMA) & U64
        total += double_hashing_exact(bits, m, k)
    return total / filters
