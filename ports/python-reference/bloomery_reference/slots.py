"""spec/filters.md, sections 10 and 11: what fuse and xor filters share, as they are read; rates: spec/model.md, section 11."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .capabilities import Filter
from .errors import invalid_argument, too_large
from .hash import Hasher
from .kind import Parameter, Payload, Units
from .model.realised import Rates
from .residue import Residue
from .words import U64, bytes_for, count_ones, little, mulhi, put_little, zeroed

SLOT_BITS = (1, 32)
MAX_BITS = 2**48
MAX_SHARDS = 2**32 - 1
MAX_RESIDUE = 2**40
MAX_DENSE = 2**16


@dataclass(frozen=True)
class Layout:
    """Which slots of its shard a key has: slots(x, M, L). fits(M, L): whether a shard may have so many.

    parts(M, L): how many parts of a shard there are, and combinations of them in which keys have one slot each, all equally likely.
    """

    number: int
    logs: range
    fits: Callable
    slots: Callable
    parts: Callable


DENSE = Layout(0, range(1), lambda M, L: M <= MAX_DENSE,
               lambda x, M, L: [(((x >> 16 * j) % 2**16) * M) >> 16 for j in range(4)],
               lambda M, L: (1, [(0, 0, 0, 0)]))


def fits(layout, slots, slot_bits, shards, segment_log):
    """Whether there may be so many slots, of so many shards."""
    return slot_bits * slots <= MAX_BITS and slots % shards == 0 and layout.fits(slots // shards, segment_log)


def length(slots, slot_bits, shards, residue):
    """Section 10.1: the bytes of the payload."""
    return bytes_for(slot_bits * slots) + shards + 8 * residue


def facts(layouts):
    """What the rows of both kinds say alike; layouts: those of the kind, by their numbers."""
    shards = Parameter("shards", 4, lambda value, header: value >= 1)
    residue = Parameter("residue", 8, lambda value, header: value <= MAX_RESIDUE)
    layout = Parameter("layout", 1, lambda value, header: value in layouts)
    log = Parameter("segment_log", 1, lambda value, header: value in layouts[header.parameters[12]].logs)

    def shape(header):
        return little(header.parameters, 0, 4), little(header.parameters, 4, 8), *header.parameters[12:14]

    def units_fit(kind, header):
        shards, _, layout, log = shape(header)
        return fits(layouts[layout], header.units, header.hashes, shards, log)

    def payload_fits(kind, header):
        shards, residue, _, _ = shape(header)
        return header.payload_length == length(header.units, header.hashes, shards, residue)

    units = Units("slots", units_fit, {"max_bits": MAX_BITS})
    return {"units": units, "payload": Payload("slots", payload_fits),
            "parameters": (shards, residue, layout, log), "order": (shards, layout, log, units, residue)}


def mixed(h, q):
    """Section 10.2: (y, x) of a key in round q of its shard."""
    y = ((h + q * 0xD1342543DE82EF95) * 0x9E3779B97F4A7C15) & U64
    return y, ((y ^ (y >> 32)) * 0xF1357AEA2E62A9C5) & U64


def places(h, q, m, slot_bits, shards, layout, segment_log):
    """Section 10.2: the fingerprint of a key in round q, and its slots, as numbers of the whole array."""
    y, x = mixed(h, q)
    M = m // shards
    return y >> (64 - slot_bits), [mulhi(h, shards) * M + slot for slot in layout.slots(x, M, segment_log)]


class SlotFilter(Filter):
    """All keys were built in by the program that made it. A subclass has the layouts of its kind."""

    layouts = {}
    shape = ("slots", "width", "shards", "layout", "segment_log", "residue")
    shape_of_positions = ("slots", "shards", "layout", "segment_log", "round")

    def __init__(self, slots, slot_bits, shards, layout, segment_log=0, residue=0, hasher=None, array=None):
        if slot_bits * slots > MAX_BITS or shards > MAX_SHARDS or residue > MAX_RESIDUE:
            raise too_large("a filter has at most 2^48 bits in slots, 2^32 - 1 shards and 2^40 hashes in the residue")
        if not SLOT_BITS[0] <= slot_bits <= SLOT_BITS[1] or shards < 1 or residue < 0:
            raise invalid_argument("slots have 1 to 32 bits, and lie in one shard at least")
        if layout not in self.layouts or segment_log not in self.layouts[layout].logs:
            raise invalid_argument(f"there is no layout {layout} with segments of 2^{segment_log} slots")
        if not fits(self.layouts[layout], slots, slot_bits, shards, segment_log):
            raise invalid_argument(f"the layout has no {slots} slots in {shards} shards")
        self.m = slots
        self.slot_bits = slot_bits
        self.shards = shards
        self.layout = self.layouts[layout]
        self.segment_log = segment_log
        self.rounds_at = bytes_for(slot_bits * slots)
        self.residue = Residue(self.rounds_at + shards, residue)
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(length(slots, slot_bits, shards, residue)) if array is None else bytearray(array)

    @classmethod
    def positions_in(cls, h, slots, shards, layout, segment_log, q):
        """The fingerprint, all 32 bits of it, and the slots of a key, by the names of the vectors."""
        fingerprint, found = places(h, q, slots, SLOT_BITS[1], shards, cls.layouts[layout], segment_log)
        return {"fingerprint": fingerprint, "positions": found}

    @classmethod
    def make(cls, hasher, slots, slot_bits, shards, layout, segment_log, residue):
        return cls(slots, slot_bits, shards, layout, segment_log, residue, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        shards, residue, layout, log = (value for _, _, value in kind.parameters_of(header))
        return cls(header.units, header.hashes, shards, layout, log, residue, hasher, payload)

    def header_fields(self):
        parameters = (put_little(self.shards, 4) + put_little(self.residue.count, 8) + put_little(self.layout.number, 1)
                      + put_little(self.segment_log, 1))
        return {"hashes": self.slot_bits, "units": self.m, "parameters": parameters.ljust(24, b"\0")}

    def payload(self):
        return bytes(self.array)

    def size(self):
        return 8 * len(self.array), self.slot_bits

    def ones(self):
        return count_ones(self.array)

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones()}

    def shard_of(self, h):
        return mulhi(h, self.shards)

    def places(self, h, q):
        return places(h, q, self.m, self.slot_bits, self.shards, self.layout, self.segment_log)

    def bytes_of(self, slot):
        """(offset, length) of the bytes that the bits of a slot lie in."""
        begin, end = self.slot_bits * slot, self.slot_bits * (slot + 1)
        return begin // 8, bytes_for(end) - begin // 8

    def slot(self, i):
        offset, length = self.bytes_of(i)
        return (little(self.array, offset, length) >> (self.slot_bits * i - 8 * offset)) % 2**self.slot_bits

    def is_damaged(self, slot):
        return self.damage.touches(*self.bytes_of(slot))

    def in_slots(self, h):
        """Sections 10.3 and 10.5. A round that is not known gives no slots."""
        round_at = self.rounds_at + self.shard_of(h)
        if self.damage.touches(round_at, 1):
            return True
        fingerprint, slots = self.places(h, self.array[round_at])
        found = 0
        for slot in slots:
            found ^= self.slot(slot)
        return found == fingerprint or any(map(self.is_damaged, slots))

    def may_contain_hash(self, h):
        return (self.m > 0 and self.in_slots(h)) or self.residue.may_contain(self.array, self.damage, h)

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def clear(self):
        """What is left is the filter of no keys, section 10.4."""
        self.__init__(0, self.slot_bits, 1, DENSE.number, hasher=self.hasher)
        self.damage = Filter.damage


def fuse_fpr(n, slot_bits):
    """Before it is built."""
    return 2.0**-slot_bits + n / 2**64 if n else 0.0


def nonzero_slots(filter):
    """D: those without damaged bytes."""
    return sum(filter.slot(i) != 0 and not filter.is_damaged(i) for i in range(filter.m))


def damaged_slots(filter):
    """d: the share of the slots that have a byte in a damaged chunk."""
    return sum(map(filter.is_damaged, range(filter.m))) / filter.m if filter.m else 0.0


def keys(filter):
    """Each determines one slot, whose value is uniform; the others are 0."""
    intact = 1 - damaged_slots(filter)
    if intact == 0:
        return math.inf
    return nonzero_slots(filter) / ((1 - 2.0**-filter.slot_bits) * intact) + filter.residue.count


def trusted(filter, shard):
    """g: the share of lookups that read no damaged byte, of those in a shard."""
    if filter.damage.touches(filter.rounds_at + shard, 1):
        return 0.0
    M = filter.m // filter.shards
    count, combinations = filter.layout.parts(M, filter.segment_log)
    size = M // count
    begins = [shard * M + part * size for part in range(count)]
    intact = [1 - sum(map(filter.is_damaged, range(begin, begin + size))) / size for begin in begins]
    return sum(math.prod(intact[part] for part in parts) for parts in combinations) / len(combinations)


def realised(filter):
    if filter.residue.is_damaged(filter.damage):
        return 1.0
    alike = keys(filter) / 2**64
    if filter.m == 0:
        return min(1.0, alike)
    intact = sum(trusted(filter, shard) for shard in range(filter.shards)) / filter.shards
    return 1 - intact * (1 - min(1.0, 2.0**-filter.slot_bits + alike))


RATES = Rates(keys, realised)
