"""spec/filters.md, section 9: the ribbon filter, as it is read; its rates, spec/model.md, section 10."""

import struct
from collections import namedtuple

from .capabilities import Filter
from .errors import invalid_argument, too_large
from .hash import Hasher, splitmix64
from .kind import Parameter, Payload, Units
from .model.ribbon import RATES
from .residue import Residue
from .ribbon_equations import described, equation, place, place_in_last
from .ribbon_layers import WIDTHS, Layout, segments
from .words import U32, count_ones, get_bit, little, zeroed

COLUMNS = (1, 32)
MAX_LAST_SLOTS = 8192

Parameters = namedtuple("Parameters", "width seed kept buckets_1 buckets_2 buckets_3 narrow rest")
FIELDS = struct.Struct("<BBHIIIII")


def parameters_in(header):
    return Parameters(*FIELDS.unpack(header.parameters))


def layout_of(columns, buckets_0, given):
    return Layout(given.width, columns, (buckets_0, given.buckets_1, given.buckets_2, given.buckets_3), given.narrow,
                  given.rest, given.kept)


def given_as(buckets, columns, width, seed, kept, narrow, rest):
    """(buckets of layer 0, columns, parameters); buckets: of layer 0 alone, or of all four."""
    first, *later = buckets if isinstance(buckets, (list, tuple)) else (buckets, 0, 0, 0)
    return first, columns, Parameters(width, seed, kept, *later, narrow, rest)


def is_whole(buckets, width):
    """Whether the segments of a layer have equally many buckets."""
    return buckets % segments(buckets, width) == 0


def after(earlier):
    """Buckets of the layer after that: whole segments, and none if that has none."""
    return lambda value, header: is_whole(value, parameters_in(header).width) and (value == 0 or earlier(header) > 0)


WIDTH = Parameter("width", 1, lambda value, header: value in WIDTHS)
SEED = Parameter("seed", 1, lambda value, header:
                 value == 0 or (parameters_in(header).rest > 0 and parameters_in(header).kept != 1))
KEPT = Parameter("kept", 2, lambda value, header: value == 0 or (value == 1 and parameters_in(header).rest > 0))
LATER = (Parameter("buckets_1", 4, after(lambda header: header.units)),
         Parameter("buckets_2", 4, after(lambda header: parameters_in(header).buckets_1)),
         Parameter("buckets_3", 4, after(lambda header: parameters_in(header).buckets_2)))
NARROW = Parameter("narrow", 4, lambda value, header: value == 0 or header.hashes > 1)
REST = Parameter("rest", 4, lambda value, header: value <= MAX_LAST_SLOTS or parameters_in(header).kept == 1)

BUCKETS = Units("buckets", lambda kind, header: header.units <= U32, {"max_units": U32})
WHOLE_SEGMENTS = Units("buckets", lambda kind, header: is_whole(header.units, parameters_in(header).width))
PARAMETERS = (WIDTH, SEED, KEPT, *LATER, NARROW, REST)
ORDER = (BUCKETS, WIDTH, SEED, KEPT, WHOLE_SEGMENTS, *LATER, NARROW, REST)  # container.md, section 8
BYTES_OF_LAYERS = Payload("ribbon", lambda kind, header: header.payload_length ==
                          layout_of(header.hashes, header.units, parameters_in(header)).length)


class RibbonFilter(Filter):
    """All keys were built in by the program that made it."""

    shape = ("buckets", "columns", "width", "seed", "kept", "narrow", "rest")

    def __init__(self, buckets, columns, given, hasher=None, array=None):
        layers = (buckets, *given[3:6])
        if max(layers) > U32 or (given.rest > MAX_LAST_SLOTS and not given.kept):
            raise too_large("a ribbon filter has at most 2^32 - 1 buckets in a layer, and 8192 slots in the last")
        if not COLUMNS[0] <= columns <= COLUMNS[1] or given.width not in WIDTHS or given.kept not in (0, 1):
            raise invalid_argument("a ribbon filter has 1 to 32 columns, and windows of 64 or 128")
        if not all(is_whole(count, given.width) for count in layers) or any(b and not a for a, b in zip(layers, layers[1:])):
            raise invalid_argument("layers have whole segments, and none comes after one without buckets")
        if (given.seed and (given.kept or not given.rest)) or (given.kept and not given.rest) or (given.narrow and columns == 1):
            raise invalid_argument("a number of what is not there")
        self.buckets = buckets
        self.columns = columns
        self.given = given
        self.layout = layout_of(columns, buckets, given)
        self.residue = Residue(self.layout.rest_at, given.rest if given.kept else 0)
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(self.layout.length) if array is None else bytearray(array)

    @classmethod
    def make(cls, hasher, *shape):
        return cls(*given_as(*shape), hasher)

    @staticmethod
    def positions_in(h, *shape):
        """The equations of a key, by the names of the vectors."""
        buckets, columns, given = given_as(*shape)
        return described(h, layout_of(columns, buckets, given), given.seed)

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones()}

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, parameters_in(header), hasher, payload)

    def header_fields(self):
        return {"hashes": self.columns, "units": self.buckets, "parameters": FIELDS.pack(*self.given)}

    def payload(self):
        return bytes(self.array)

    def size(self):
        return 8 * len(self.array), self.columns

    def ones(self):
        return count_ones(self.array)

    def clear(self):
        """What is left is the filter of no keys, section 9.2."""
        self.__init__(0, self.columns, Parameters(self.given.width, *[0] * 7), self.hasher)
        self.damage = Filter.damage

    def threshold(self, layer, bucket):
        """0 .. 3, or None if its byte is damaged."""
        bit = 2 * (layer.earlier + bucket)
        at = self.layout.thresholds_at + bit // 8
        return None if self.damage.touches(at, 1) else (self.array[at] >> (bit % 8)) & 3

    def may_contain_hash(self, h):
        for layer in self.layout.layers:
            slot = place(h, layer)
            threshold = self.threshold(layer, slot // layer.bucket)
            if threshold is None:
                return True
            if slot % layer.bucket >= layer.limits[threshold]:
                return self.holds(layer, slot, *equation(h, layer.width, self.columns))
            h = splitmix64(h)
        if self.given.kept:
            return self.residue.may_contain(self.array, self.damage, h)
        last = self.layout.last
        return last.slots > 0 and self.holds_in_last(last, *place_in_last(h, last, self.given.seed, self.columns))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def reads_damage(self, layer, slot):
        """Section 9.4: n columns of the block of the window, and of the next if it reaches into that."""
        block = slot // layer.width
        length = layer.columns_of(block) * layer.width // 8
        return any(self.damage.touches(layer.at + layer.offset_of(block + next), length)
                   for next in range(1 + (slot % layer.width != 0)))

    def window(self, layer, slot, column):
        """The slots from this one on in a column, as an integer."""
        block, shift = divmod(slot, layer.width)
        bits = self.word(layer, block, column) >> shift
        if shift:
            bits |= self.word(layer, block + 1, column) << (layer.width - shift)
        return bits % 2**layer.width

    def word(self, layer, block, column):
        return little(self.array, layer.at + layer.offset_of(block) + column * layer.width // 8, layer.width // 8)

    def holds(self, layer, slot, coefficients, fingerprint):
        """Whether all equations hold, or a byte that they need is damaged."""
        columns = range(layer.columns_of(slot // layer.width))
        return self.reads_damage(layer, slot) or all(
            (coefficients & self.window(layer, slot, j)).bit_count() % 2 == (fingerprint >> j) & 1 for j in columns)

    def holds_in_last(self, last, start, coefficients, fingerprint):
        for j in range(last.columns_of(start)):
            first = 8 * last.at + last.first_bit(start, j)
            end = first + last.window
            if self.damage.touches(first // 8, (end + 7) // 8 - first // 8):
                return True
        return all(self.parity_in_last(last, start, j, coefficients) == (fingerprint >> j) & 1
                   for j in range(last.columns_of(start)))

    def parity_in_last(self, last, start, column, coefficients):
        first = 8 * last.at + last.first_bit(start, column)
        return sum(get_bit(self.array, first + k) for k in range(last.window) if (coefficients >> k) & 1) % 2


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": RibbonFilter, "units": BUCKETS, "payload": BYTES_OF_LAYERS, "parameters": PARAMETERS, "order": ORDER,
       "rates": RATES}
