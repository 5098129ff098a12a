"""spec/model.md, sections 2 and 3: what double hashing adds, and the exact rate of given bits."""

from functools import cache

MAX_DIVISOR = 2**20


@cache
def divisors_below(m, limit):
    return tuple(d for d in range(1, min(limit, m + 1)) if m % d == 0)


@cache
def phi(d):
    """Euler's totient."""
    result, rest, prime = d, d, 2
    while prime * prime <= rest:
        if rest % prime == 0:
            result -= result // prime
            while rest % prime == 0:
                rest //= prime
        prime += 1
    return result - result // rest if rest > 1 else result


def excess(m, k, n, rho):
    """Section 2: keys whose positions collapse onto a divisor's, and keys whose progressions overlap."""
    if rho >= 1:
        return 0.0
    overlapping = 2 * n / m * (1 + 2 * rho * (1 - rho**(k - 1)) / (1 - rho))
    divisors = divisors_below(m, min(k, MAX_DIVISOR))
    collapsed = 0.0
    for d in divisors:
        met = min(1.0, n / (m * m) * sum(phi(D) * D for D in divisors if D % d == 0))
        collapsed += phi(d) * (rho**d + met * (1 - rho**d))
    return (collapsed + overlapping) / m


def double_hashing_exact(bits, m, k):
    """Section 3. bits: the array; k: at most m. Rotate and and, log2 k times, for every step s up to m / 2."""
    everywhere = (1 << m) - 1
    filter = int.from_bytes(bits, "little") & everywhere

    def rotated(array, r):
        """Bit x of the result is bit (x + r) mod m of the array."""
        return (array >> r) | ((array << (m - r)) & everywhere) if r else array

    def passing(s):
        """How many x have all k bits (x + i s) mod m set."""
        array, length = filter, 1
        for digit in bin(k)[3:]:
            array &= rotated(array, length * s % m)
            length *= 2
            if digit == "1":
                array &= rotated(filter, length * s % m)
                length += 1
            if not array:
                return 0
        return array.bit_count()

    pairs = passing(0)
    for s in range(1, (m + 1) // 2):
        pairs += 2 * passing(s)
    if m % 2 == 0:
        pairs += passing(m // 2)
    return pairs / (m * m)
