"""A kind for the tests alone: fingerprints, of which every key has one in either of two cells.

It has what the kinds of bits have not: a parameter in the header, the damage rule `possibly-present`, room that ends, keys that
can be erased and therefore neither sentinels nor a count of distinct keys.
"""

from bloomery_reference.capabilities import Filter
from bloomery_reference.errors import full, not_present, too_many_copies
from bloomery_reference.hash import Hasher, splitmix64
from bloomery_reference.kind import POSSIBLY_PRESENT, Kind, Parameter, Payload, up_to
from bloomery_reference.model.realised import Rates
from bloomery_reference.words import little, mulhi, put_little

WIDTHS = (1, 2, 3)  # bytes; cells of three cross the borders of chunks


class Fingerprints(Filter):
    """A cell that is 0 is empty."""

    shape = ("slots", "width")

    def __init__(self, slots, width, hasher=None, cells=None):
        self.slots = slots
        self.width = width
        self.hasher = Hasher() if hasher is None else hasher
        self.cells = bytearray(slots * width) if cells is None else bytearray(cells)

    @classmethod
    def make(cls, hasher, slots, width):
        return cls(slots, width, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.parameters[0], hasher, payload)

    def header_fields(self):
        return {"hashes": 2, "units": self.slots, "parameters": bytes([self.width])}

    def payload(self):
        return bytes(self.cells)

    def size(self):
        return 8 * len(self.cells), 2

    def places(self, h):
        """Offsets of the two cells, or of one where they are the same."""
        return sorted({mulhi(h, self.slots) * self.width, mulhi(splitmix64(h), self.slots) * self.width})

    def fingerprint(self, h):
        return 1 + h % (256**self.width - 1)

    def cell(self, at):
        return little(self.cells, at, self.width)

    def put(self, at, fingerprint):
        self.cells[at:at + self.width] = put_little(fingerprint, self.width)

    def may_contain_hash(self, h):
        return any(self.damage.touches(at, self.width) or self.cell(at) == self.fingerprint(h) for at in self.places(h))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def count_hash(self, h):
        return sum(self.damage.touches(at, self.width) or self.cell(at) == self.fingerprint(h) for at in self.places(h))

    def changeable_places(self, h):
        for at in self.places(h):
            self.damage.check_unharmed(at, self.width)
        return self.places(h)

    def try_insert_hash(self, h):
        places = self.changeable_places(h)
        for at in places:
            if self.cell(at) == 0:
                self.put(at, self.fingerprint(h))
                return
        if self.count_hash(h) == len(places):
            raise too_many_copies("both cells of the key are its own")
        raise full("both cells of the key are taken")

    def erase_hash(self, h):
        for at in self.changeable_places(h):
            if self.cell(at) == self.fingerprint(h):
                self.put(at, 0)
                return
        raise not_present("neither cell has the fingerprint of the key")

    def iterate(self):
        return (self.cell(at) for at in range(0, len(self.cells), self.width) if self.cell(at) != 0)


def realised(filter):
    """The chance that one of two random cells is damaged, or holds the fingerprint of a random key."""
    offsets = range(0, len(filter.cells), filter.width)
    chances = [1.0 if filter.damage.touches(at, filter.width) else (filter.cell(at) != 0) / (256**filter.width - 1)
               for at in offsets]
    return 1 - (1 - sum(chances) / filter.slots)**2


FINGERPRINTS = Kind(
    77, "fingerprints", Fingerprints, hashes=(1, 2, 3, 4), seed=True, k=(2, 2), units=up_to("slots", 2**32),
    payload=Payload("slots", lambda kind, header: header.payload_length == header.units * header.parameters[0]),
    parameters=(Parameter("width", 1, lambda value, header: value in WIDTHS),),
    damage=POSSIBLY_PRESENT, sentinels=False, keys=False, rates=Rates(lambda filter: sum(1 for _ in filter.iterate()), realised))
