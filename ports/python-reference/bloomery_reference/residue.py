"""Hashes that are stored as they are, ascending: the residue of spec/filters.md 10.3, and the last part of 9.3."""

from .words import little


class Residue:
    """count integers of 64 bits, from the byte `at` of a payload on."""

    def __init__(self, at, count):
        self.at = at
        self.count = count

    def hash(self, payload, i):
        return little(payload, self.at + 8 * i, 8)

    def contains(self, payload, h):
        """For any bytes, ascending or not."""
        low, high = 0, self.count
        while low < high:
            mid = (low + high) // 2
            if self.hash(payload, mid) < h:
                low = mid + 1
            else:
                high = mid
        return low < self.count and self.hash(payload, low) == h

    def is_damaged(self, damage):
        """A lookup counts as reading all of them."""
        return self.count > 0 and damage.touches(self.at, 8 * self.count)

    def may_contain(self, payload, damage, h):
        return self.is_damaged(damage) or self.contains(payload, h)
