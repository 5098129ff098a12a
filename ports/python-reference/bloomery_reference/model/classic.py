"""spec/model.md, sections 1 and 6: independent probes."""

import math


def log1p(x):
    """ln(1 + x), which is minus infinity at x = -1."""
    return -math.inf if x <= -1.0 else math.log1p(x)


def set_chance(m, k, n):
    """s of section 1, the chance that a bit is set."""
    return -math.expm1(k * n * log1p(-1 / m))


def classic_fpr(m, k, n):
    """Section 1: s^k, corrected for the variance of the fill."""
    if n == 0:
        return 0.0
    if m == 1:
        return 1.0
    q = math.exp(k * n * log1p(-1 / m))
    s = set_chance(m, k, n)
    v = q * s / m + q * q * (1 - 1 / m) * math.expm1(k * n * log1p(-1 / (float(m - 1) * float(m - 1))))
    return min(1.0, s**k * (1 + k * (k - 1) / 2 * v / (s * s)))


def classic_keys(m, k, ones):
    """Section 6: the keys that set so many bits."""
    if ones == 0:
        return 0.0
    if ones >= m:
        return math.inf
    return log1p(-ones / m) / (k * log1p(-1 / m))
