"""What the portable and the classic filter (spec/filters.md, sections 1 and 4) share: m bits, of which a key has k."""

from .bit_filter import BitFilter
from .errors import incompatible, invalid_argument
from .words import bytes_for, count_ones, zeroed


class BitArray(BitFilter):
    shape = ("bits", "hashes")

    def __init__(self, m, k, hasher, bits):
        self.m = m
        self.k = k
        self.hasher = hasher
        self.bits = zeroed(bytes_for(m)) if bits is None else bytearray(bits)
        if len(self.bits) != bytes_for(m):
            raise invalid_argument("m bits take ceil(m / 8) bytes")

    def size(self):
        return self.m, self.k

    def header_fields(self):
        return {"hashes": self.k, "units": self.m}

    def ones(self):
        """Bits beyond m - 1 are ignored (spec/dialects.md, section 1.2)."""
        return count_ones(self.bits, self.m)

    def matching(self, other):
        """Sections 1.6 and 4: filters that differ in m, k or hasher MUST be refused."""
        if type(other) is not type(self) or (self.m, self.k, self.hasher) != (other.m, other.k, other.hasher):
            raise incompatible("filters that differ in kind, m, k or hasher cannot be combined")
        return other.bits
