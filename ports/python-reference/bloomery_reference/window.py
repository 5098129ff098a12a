"""spec/filters.md, section 14: the window filter, as it is read; rates: spec/model.md, section 14.

It forgets old keys in order: one that it denies was not inserted, or was forgotten.
"""

import struct

from .block import MAX_BYTES, PACKED_PROFILES, profile_named
from .chain import RATES, Chain, Part, compound
from .errors import invalid_argument, too_large
from .hash import Hasher
from .kind import BLOCKS as BYTES_OF_BLOCKS
from .kind import Parameter, Units, blocks_up_to
from .words import little, zeroed

PROFILES = PACKED_PROFILES  # half-line, line and two-lines
GENERATIONS = range(2, 1025)
FIELDS = struct.Struct("<IIQQ")


def generations_of(header):
    return little(header.parameters, 0, 4)


def keys_of(header):
    return little(header.parameters, 8, 8)


BLOCKS = blocks_up_to(MAX_BYTES)
EQUAL_GENERATIONS = Units("blocks", lambda kind, header: header.units % generations_of(header) == 0)
PARAMETERS = (Parameter("generations", 4, lambda value, header: value in GENERATIONS),
              Parameter("current", 4, lambda value, header: value < generations_of(header)),
              Parameter("generation_keys", 8, lambda value, header: True),
              Parameter("count", 8, lambda value, header: value <= keys_of(header) or keys_of(header) == 0))
ORDER = (BLOCKS, PARAMETERS[0], EQUAL_GENERATIONS, *PARAMETERS[1:])


class WindowBloom(Chain):
    """Keys are inserted, and generations emptied, by the program that made it."""

    shape = ("profile", "generations", "blocks", "generation_keys", "current", "count")

    def __init__(self, profile, generations, blocks, generation_keys=0, current=0, count=0, hasher=None, array=None):
        if generations not in GENERATIONS or not 0 <= current < generations or blocks < 1:
            raise invalid_argument("a window filter has 2 to 1024 generations, one of them the current one, of one block at least")
        if generation_keys and count > generation_keys:
            raise invalid_argument("more keys in the current generation than it takes")
        if generations * blocks * profile.block_bytes > MAX_BYTES:
            raise too_large("a window filter has at most 2^48 bytes")
        self.profile = profile
        self.generation_keys = generation_keys
        self.current = current
        self.count_of_current = count
        size = blocks * profile.block_bytes
        self.parts = [Part(size * generation, profile, blocks) for generation in range(generations)]
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(size * generations) if array is None else bytearray(array)

    @classmethod
    def make(cls, hasher, profile, *rest):
        return cls(profile_named(profile), *rest, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        generations, current, keys, count = FIELDS.unpack(header.parameters)
        return cls(kind.profile_of(header), generations, header.units // generations, keys, current, count, hasher, payload)

    def header_fields(self):
        parameters = FIELDS.pack(len(self.parts), self.current, self.generation_keys, self.count_of_current)
        return {"profile": self.profile.number, "hashes": self.profile.bits_a_key,
                "units": len(self.parts) * self.parts[0].blocks, "parameters": parameters}

    def size(self):
        return 8 * len(self.array), self.profile.bits_a_key

    def clear(self):
        """All zero, c = 0 and n = 0 when empty."""
        self.array = bytearray(len(self.array))
        self.current, self.count_of_current = 0, 0


def loads(inserts, generations, generation_keys):
    """spec/model.md, section 14: the keys of each generation that has any, after so many inserts into an empty filter."""
    if generation_keys == 0 or inserts == 0:
        return [inserts]
    full = (inserts - 1) // generation_keys
    return [inserts - full * generation_keys] + [generation_keys] * min(generations - 1, full)


def window_fpr(inserts, generations, generation_keys, of_one):
    """Before it is filled; of_one(keys): the expected rate of one generation."""
    return compound(map(of_one, loads(inserts, generations, generation_keys)))


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": WindowBloom, "profiles": PROFILES, "units": BLOCKS, "payload": BYTES_OF_BLOCKS, "parameters": PARAMETERS,
       "order": ORDER, "rates": RATES}
