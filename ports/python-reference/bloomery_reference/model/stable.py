"""spec/model.md, section 13: what a stable filter will forget, and the rate to which it tends."""

import math
from dataclasses import dataclass


def at_least(n, g, p):
    """Pr[Binomial(g, p) >= n], n >= 1. The smaller tail is summed: a small chance is exact too."""
    if g < n:
        return 0.0
    if p >= 1:
        return 1.0
    term, below = math.exp(g * math.log1p(-p)), 0.0  # of 0
    j = 0
    while j < n:
        below += term
        term *= (g - j) / (j + 1) * p / (1 - p)
        j += 1
    if g * p >= n / 2:
        return max(0.0, 1 - below)
    above = 0.0
    while j <= g and term > above * 1e-17:
        above += term
        term *= (g - j) / (j + 1) * p / (1 - p)
        j += 1
    return above


@dataclass(frozen=True)
class Stable:
    """m cells, k of them a key's, which an insert sets to `most`, after it decreased so many on average."""

    m: int
    k: int
    most: int
    decreased: float

    @property
    def set(self):
        """q: one insert of another key sets a cell."""
        return 1.0 if self.m == 1 else -math.expm1(self.k * math.log1p(-1 / self.m))

    @property
    def decrease(self):
        """a: it decreases the cell, and does not set it."""
        return self.decreased / self.m * (1 - self.set)

    @property
    def event(self):
        return self.decrease + self.set

    @property
    def share(self):
        """a / (a + q)."""
        return self.decrease / self.event

    def fpr(self):
        return (1 - self.share**self.most)**self.k

    def forgetting(self, g):
        """A key of age g is not found."""
        zero = self.share**self.most * at_least(self.most, g, self.event)
        return -math.expm1(self.k * math.log1p(-zero))

    def expected(self, g):
        """The rate after g distinct keys, from an empty filter."""
        return sum(at_least(j + 1, g, self.event) * self.share**j * (1 - self.share) for j in range(self.most))**self.k
