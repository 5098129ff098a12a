"""spec/filters.md, section 13: the stable filter, as it is read; rates: spec/model.md, section 13.

It forgets old keys at random: one that it denies was not inserted, or was forgotten.
"""

import struct

from .bloom import positions
from .capabilities import Filter
from .errors import invalid_argument, too_large
from .hash import Hasher, splitmix64
from .kind import Parameter, Payload, Units
from .model.classic import classic_keys
from .model.realised import Rates
from .model.stable import Stable
from .words import U32, U64, bytes_for, count_ones, mulhi, put_little, zeroed

MAX_CELLS = 2**46
MAX_HASHES = 64
WIDTHS = (1, 2, 4)
FIELDS = struct.Struct("<QIIIBB")


def fields_of(header):
    return FIELDS.unpack(header.parameters[:FIELDS.size])


def decrement_fits(cells, decrement, fraction):
    """P <= m."""
    return decrement < cells or (decrement == cells and fraction == 0)


INSERTS = Parameter("inserts", 8, lambda value, header: True)
SEED = Parameter("seed", 4, lambda value, header: True)
FRACTION = Parameter("fraction", 4, lambda value, header: True)
DECREMENT = Parameter("decrement", 4, lambda value, header: decrement_fits(header.units, value, fields_of(header)[2]))
CELL_BITS = Parameter("cell_bits", 1, lambda value, header: value in WIDTHS)
MAX = Parameter("max", 1, lambda value, header: 1 <= value < 2**fields_of(header)[4])
PARAMETERS = (INSERTS, SEED, FRACTION, DECREMENT, CELL_BITS, MAX)
CELLS = Units("cells", lambda kind, header: 1 <= header.units <= MAX_CELLS, {"max_units": MAX_CELLS})
ORDER = (CELLS, CELL_BITS, MAX, DECREMENT)
BYTES_OF_CELLS = Payload("cells", lambda kind, header:
                         header.payload_length == bytes_for(header.units * fields_of(header)[4]))


def decreased_cells(cells, decrement, fraction, seed, inserts):
    """Section 13.1, step 1: (start, steps)."""
    r = splitmix64((seed + inserts * 0x9E3779B97F4A7C15) & U64)
    return mulhi(r, cells), decrement + (r & U32 < fraction)


class StableBloom(Filter):
    """Keys are inserted by the program that made it."""

    shape = ("cells", "hashes", "cell_bits", "max", "decrement", "fraction", "seed")
    shape_of_positions = (*shape, "inserts")

    def __init__(self, cells, k, width, most, decrement, fraction, seed, inserts=0, hasher=None, array=None):
        if cells > MAX_CELLS or k > MAX_HASHES:
            raise too_large("a stable filter has at most 2^46 cells and 64 hashes")
        if cells < 1 or k < 1 or width not in WIDTHS or not 1 <= most < 2**width:
            raise invalid_argument("a stable filter has cells of 1, 2 or 4 bits, one at least, that are set to no more than fits")
        if not decrement_fits(cells, decrement, fraction):
            raise invalid_argument("more cells are decreased than there are")
        self.cells = cells
        self.k = k
        self.width = width
        self.most = most
        self.decrement = decrement
        self.fraction = fraction
        self.seed = seed
        self.inserts = inserts
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(bytes_for(cells * width)) if array is None else bytearray(array)

    @classmethod
    def make(cls, hasher, *shape):
        return cls(*shape, hasher=hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        inserts, seed, fraction, decrement, width, most = fields_of(header)
        return cls(header.units, header.hashes, width, most, decrement, fraction, seed, inserts, hasher, payload)

    @staticmethod
    def positions_in(h, cells, k, width, most, decrement, fraction, seed, inserts):
        """The cells of a key, and those that an insert decreases, by the names of the vectors; t is text there."""
        start, steps = decreased_cells(cells, decrement, fraction, seed, int(inserts, 16))
        return {"positions": positions(h, cells, k), "start": start, "steps": steps}

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones(), "nonzero": self.cells_in_use()}

    def header_fields(self):
        parameters = FIELDS.pack(self.inserts, self.seed, self.fraction, self.decrement, self.width, self.most)
        return {"hashes": self.k, "units": self.cells, "parameters": parameters + put_little(0, 2)}

    def payload(self):
        return bytes(self.array)

    def size(self):
        return self.cells * self.width, self.k

    def ones(self):
        return count_ones(self.array, self.cells * self.width)

    def clear(self):
        self.array = bytearray(len(self.array))
        self.inserts = 0

    def cell(self, i):
        bit = self.width * i
        return (self.array[bit // 8] >> (bit % 8)) & (2**self.width - 1)

    def is_set(self, i):
        """Section 13.4: a damaged cell counts as not 0."""
        return self.damage.touches(self.width * i // 8, 1) or self.cell(i) != 0

    def cells_in_use(self):
        return sum(map(self.is_set, range(self.cells)))

    def may_contain_hash(self, h):
        return all(map(self.is_set, positions(h, self.cells, self.k)))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def model(self):
        """What it will forget, and the rate to which it tends."""
        return Stable(self.cells, self.k, self.most, self.decrement + self.fraction / 2**32)


RATES = Rates(lambda filter: classic_keys(filter.cells, filter.k, filter.cells_in_use()),
              lambda filter: (filter.cells_in_use() / filter.cells)**filter.k)


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": StableBloom, "units": CELLS, "payload": BYTES_OF_CELLS, "parameters": PARAMETERS, "order": ORDER,
       "rates": RATES}
