"""spec/filters.md, section 4: the classic filter."""

from .errors import incompatible, invalid_argument, too_large
from .hash import Hasher
from .words import U64, bytes_for, count_ones, get_bit, mulhi, set_bit, zeroed

MULTIPLIER = 0xF1357AEA2E62A9C5
MAX_BITS = 2**48
MAX_HASHES = 64


def positions(h, m, k):
    """x(0) = h or 1, x(i + 1) = x(i) * MULTIPLIER, bit(i) = mulhi(x(i), m) for i = 1 .. k."""
    x = h | 1
    out = []
    for _ in range(k):
        x = (x * MULTIPLIER) & U64
        out.append(mulhi(x, m))
    return out


class ClassicBloom:
    """m bits and k hashes, under any hasher that has an id; `xxh3` with seed 0 by default (section 5)."""

    def __init__(self, m, k, hasher=None, bits=None):
        if m < 1 or k < 1:
            raise invalid_argument("a classic filter has at least one bit and one hash")
        if m > MAX_BITS or k > MAX_HASHES:
            raise too_large("a classic filter has at most 2^48 bits and 64 hashes")
        self.m = m
        self.k = k
        self.hasher = Hasher() if hasher is None else hasher
        self.bits = zeroed(bytes_for(m)) if bits is None else bytearray(bits)
        if len(self.bits) != bytes_for(m):
            raise invalid_argument("m bits take ceil(m / 8) bytes")

    def insert_hash(self, h):
        for position in positions(h, self.m, self.k):
            set_bit(self.bits, position)

    def may_contain_hash(self, h):
        return all(get_bit(self.bits, position) for position in positions(h, self.m, self.k))

    def insert(self, key):
        self.insert_hash(self.hasher.hash(key))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def ones(self):
        return count_ones(self.bits, self.m)

    def clear(self):
        self.bits = bytearray(len(self.bits))

    def check_mergeable(self, other):
        if not isinstance(other, ClassicBloom) or (self.m, self.k, self.hasher) != (other.m, other.k, other.hasher):
            raise incompatible("classic filters that differ in m, k or hasher cannot be combined")

    def merge(self, other):
        self.check_mergeable(other)
        self.bits = bytearray(a | b for a, b in zip(self.bits, other.bits))

    def intersect(self, other):
        self.check_mergeable(other)
        self.bits = bytearray(a & b for a, b in zip(self.bits, other.bits))
