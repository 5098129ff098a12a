"""The toy filter, a kind of the tests: a classic one that uses every stride-th number of its generator."""

from .bloom import MAX_BITS, MAX_HASHES, positions
from .capabilities import Filter
from .errors import invalid_argument, too_large
from .hash import Hasher
from .kind import BITS, Parameter, up_to
from .model.realised import CLASSIC_RATES
from .words import bytes_for, count_ones, get_bit, put_little, zeroed

MAX_STRIDE = 16
STRIDE = Parameter("stride", 1, lambda value, header: 1 <= value <= MAX_STRIDE)


class ToyBloom(Filter):
    """Keys are inserted by the program that made it."""

    shape = ("bits", "hashes", "stride")

    def __init__(self, m, k, stride, hasher=None, bits=None):
        if m < 1 or k < 1 or not 1 <= stride <= MAX_STRIDE:
            raise invalid_argument("a toy filter has a bit, a hash and a stride of 1 to 16 at least")
        if m > MAX_BITS or k > MAX_HASHES:
            raise too_large("a toy filter has at most 2^48 bits and 64 hashes")
        self.m = m
        self.k = k
        self.stride = stride
        self.hasher = Hasher() if hasher is None else hasher
        self.bits = zeroed(bytes_for(m)) if bits is None else bytearray(bits)

    @classmethod
    def make(cls, hasher, bits, hashes, stride):
        return cls(bits, hashes, stride, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, header.parameters[0], hasher, payload)

    @staticmethod
    def positions_in(h, m, k, stride):
        return positions(h, m, k * stride)[stride - 1::stride]

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones()}

    def header_fields(self):
        return {"hashes": self.k, "units": self.m, "parameters": put_little(self.stride, 1)}

    def payload(self):
        return bytes(self.bits)

    def size(self):
        return self.m, self.k

    def ones(self):
        return count_ones(self.bits, self.m)

    def clear(self):
        self.bits = bytearray(len(self.bits))

    def may_contain_hash(self, h):
        return all(get_bit(self.bits, bit) for bit in self.positions_in(h, self.m, self.k, self.stride))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": ToyBloom, "units": up_to("bits", MAX_BITS), "payload": BITS, "parameters": (STRIDE,), "rates": CLASSIC_RATES}
