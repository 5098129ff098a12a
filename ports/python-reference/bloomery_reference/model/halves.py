"""spec/model.md, section 4: 32-bit halves over many bits, for m >= 2^31."""

import math
from functools import cache

CELLS = 8192
MAX_PROBES = 4096
NEGLIGIBLE = 1e-30


def density(i, y, r):
    """The density of probe i at y, in units of 2^32 bits, folded modulo r."""
    total, t = 0.0, y
    if i == 0:
        while t < 1:
            total += 1
            t += r
        return total
    while t < i + 1:
        total += min(t, 1.0, i + 1 - t)
        t += r
    return total / i


class Halves:
    """The loads of the cells for one m and k."""

    def __init__(self, m, k):
        self.r = m / 2**32
        self.probes = min(k, MAX_PROBES)
        self.reach = min(self.r, float(self.probes))
        rest = (k - self.probes) / self.r
        self.loads = [(sum(density(i, (c + 0.5) / CELLS * self.reach, self.r) for i in range(self.probes)) + rest)
                      / 2**32 for c in range(CELLS)]

    def filled(self, n):
        """For each cell the chance that a bit of it is set."""
        return [-math.expm1(-n * load) for load in self.loads]

    def fill(self, n):
        """halves_fill."""
        return sum(self.filled(n)) / CELLS * (self.reach / self.r)

    def fpr(self, n):
        """halves_fpr: the mean over a grid of u and v."""
        filled = self.filled(n)
        filled.append(filled[-1])  # "at most 8191": y may be rounded up to reach itself
        grid = 1024
        below = 64
        while below < self.probes:
            grid //= 2
            below *= 4
        points = [((a + 0.5) / grid) % self.r for a in range(grid)]
        total = sum(sum(self.passing(filled, points, v)) for v in points)
        return total / (grid * grid)

    def passing(self, filled, points, v):
        """For each u of the points, the product over i of the chance that probe i meets a set bit."""
        r, scale = self.r, CELLS / self.reach
        products, step = [1.0] * len(points), 0.0
        for _ in range(self.probes):
            products = [product * filled[int(scale * (y if (y := u + step) < r else y - r))]
                        for product, u in zip(products, points)]
            if max(products) < NEGLIGIBLE:
                break
            step += v
            if step >= r:
                step -= r
        return products

    def keys(self, fill):
        """Section 6: the n for which halves_fill(n) is this, by bisection; fill is below 1."""
        low, high = 0.0, 1.0
        while self.fill(high) < fill and high < 1e300:
            low, high = high, high * 2
        for _ in range(200):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if self.fill(middle) < fill else (low, middle)
        return high


@cache
def halves(m, k):
    return Halves(m, k)
