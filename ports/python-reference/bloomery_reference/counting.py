"""spec/filters.md, section 8: the counting filter, as it is read; its rates are those of filters of bits (spec/model.md)."""

from types import SimpleNamespace

from .block import LANES16, BlockBloom, lane_positions
from .bloom import ClassicBloom
from .bloom import positions as classic_positions
from .capabilities import Filter
from .errors import corrupt, invalid_argument, too_large
from .hash import Hasher
from .kind import Parameter, Payload, Units
from .model.realised import BLOCK_RATES, CLASSIC_RATES, Rates
from .words import U64, bytes_for, count_ones, little, put_little, set_bit, zeroed

MAX_CELLS = 2**46
MAX_HASHES = 64
BLOCK_CELLS = 128
WIDTHS = (4, 8, 32)
UNKNOWN = U64  # the count of a key all of whose cells have lost count

FLAT = SimpleNamespace(name="flat", number=0, bits_a_key=None)
LINE = SimpleNamespace(name="line", number=5, bits_a_key=8)
PROFILES = (FLAT, LINE)

CELLS = Units("cells", lambda kind, header: 1 <= header.units <= MAX_CELLS and
              (header.profile != LINE.number or header.units % BLOCK_CELLS == 0), {"max_units": MAX_CELLS})
BYTES_OF_CELLS = Payload("cells", lambda kind, header:
                         header.payload_length == bytes_for(header.units * header.parameters[8]))
PARAMETERS = (Parameter("identity", 8, lambda value, header: True),
              Parameter("cell_bits", 1, lambda value, header: value in WIDTHS))


def profile_named(name):
    for profile in PROFILES:
        if profile.name == name:
            return profile
    raise invalid_argument(f"no layout is called {name}")


def positions(h, cells, k, profile):
    """Section 8.1: the distinct cells of a key, those of layout line in the order of its lanes."""
    found = lane_positions(h, cells // BLOCK_CELLS) if profile is LINE else classic_positions(h, cells, k)
    return list(dict.fromkeys(found))


class CountingFilter(Filter):
    """Keys are inserted and erased by the program that made it."""

    shape = ("cells", "hashes", "cell_bits", "profile")

    def __init__(self, cells, k, width, profile, hasher=None, array=None, identity=0):
        if cells > MAX_CELLS or k > MAX_HASHES:
            raise too_large("a counting filter has at most 2^46 cells and 64 hashes")
        if cells < 1 or k < 1 or width not in WIDTHS:
            raise invalid_argument("a counting filter has cells of 4, 8 or 32 bits, one at least, and one hash at least")
        if profile is LINE and (k != LINE.bits_a_key or cells % BLOCK_CELLS != 0):
            raise invalid_argument("in the layout line a key has 8 cells, and a block 128")
        self.cells = cells
        self.k = k
        self.width = width
        self.profile = profile
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(bytes_for(cells * width)) if array is None else bytearray(array)
        self.identity = identity

    @classmethod
    def make(cls, hasher, cells, hashes, cell_bits, profile):
        return cls(cells, hashes, cell_bits, profile_named(profile), hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        identity, width = (value for _, _, value in kind.parameters_of(header))
        return cls(header.units, header.hashes, width, kind.profile_of(header), hasher, payload, identity)

    @staticmethod
    def positions_in(h, cells, hashes, cell_bits, profile):
        return positions(h, cells, hashes, profile_named(profile))

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones(), "nonzero": sum(map(self.is_set, range(self.cells))), "stuck": self.stuck_cells(),
                "bits": self.to_bloom().bits.hex()}

    def header_fields(self):
        return {"profile": self.profile.number, "hashes": self.k, "units": self.cells,
                "parameters": put_little(self.identity, 8) + put_little(self.width, 1)}

    def payload(self):
        return bytes(self.array)

    def size(self):
        return self.cells * self.width, self.k

    def ones(self):
        return count_ones(self.array, self.cells * self.width)

    def clear(self):
        self.array = bytearray(len(self.array))
        self.identity, self.receipts = 0, None  # those issued before are for keys that are gone

    def sticky(self):
        """S of section 8.2: from here on a cell has lost count."""
        return 2**(self.width - 1)

    def positions(self, h):
        return positions(h, self.cells, self.k, self.profile)

    def cell(self, i):
        bit = self.width * i
        return (little(self.array, bit // 8, bytes_for(self.width)) >> (bit % 8)) & (2**self.width - 1)

    def is_damaged(self, i):
        return self.damage.touches(self.width * i // 8, bytes_for(self.width))

    def is_set(self, i):
        """Section 8.4: a damaged cell counts as not 0."""
        return self.is_damaged(i) or self.cell(i) != 0

    def may_contain_hash(self, h):
        return all(map(self.is_set, self.positions(h)))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def count_hash(self, h):
        """Section 8.2: the least of the cells; damaged ones count as stuck."""
        least = min(self.sticky() if self.is_damaged(i) else self.cell(i) for i in self.positions(h))
        return least if least < self.sticky() else UNKNOWN

    def stuck_cells(self):
        return sum(not self.is_damaged(i) and self.cell(i) >= self.sticky() for i in range(self.cells))

    def to_bloom(self):
        """Section 8.6: bit i is set if cell i is not 0."""
        if self.damage:
            raise corrupt(None, "a damaged filter does not become another as if it were whole")
        return self.with_bits()

    def with_bits(self):
        """The same with damaged cells as not 0: what the rates are computed from."""
        bits = zeroed(bytes_for(self.cells))
        for i in filter(self.is_set, range(self.cells)):
            set_bit(bits, i)
        if self.profile is LINE:
            return BlockBloom(LANES16, self.cells // BLOCK_CELLS, self.hasher, bits)
        return ClassicBloom(self.cells, self.k, self.hasher, bits)


def rates_of_bits(filter):
    return BLOCK_RATES if filter.profile is LINE else CLASSIC_RATES


RATES = Rates(lambda filter: rates_of_bits(filter).keys(filter.with_bits()),
              lambda filter: rates_of_bits(filter).realised(filter.with_bits()))


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": CountingFilter, "profiles": PROFILES, "units": CELLS, "payload": BYTES_OF_CELLS, "parameters": PARAMETERS,
       "rates": RATES}
