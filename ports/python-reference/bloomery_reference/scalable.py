"""spec/filters.md, section 12: the scalable filter, as it is read; rates: spec/model.md, section 12."""

import struct

from .block import HALF_LINE, LINE, TWO_LINES
from .chain import RATES, Chain, Part
from .errors import invalid_argument, too_large
from .hash import Hasher, splitmix64
from .kind import Parameter, Payload, Units
from .words import zeroed

LINE_BYTES = 64
MAX_BYTES = 2**48
MAX_LEVELS = 48
LEVELS = (1, MAX_LEVELS)
GROWTHS = (2, 4, 8, 16)
POLICIES = ("equal", "geometric", "dynamic")
EQUAL = 0
FIELDS = struct.Struct("<dBBBBB")


def length(lines, levels, growth):
    """Section 12.1: the bytes of all levels."""
    return LINE_BYTES * lines * sum(growth**level for level in range(levels))


def max_levels_fit(most, policy, levels):
    return levels <= most <= MAX_LEVELS if policy == EQUAL else most == 0


def fields_of(header):
    return FIELDS.unpack(header.parameters[:FIELDS.size])


def rate_of(bits):
    return struct.unpack("<d", bits.to_bytes(8, "little"))[0]


RATE = Parameter("rate", 8, lambda value, header: 0 < rate_of(value) < 1)
GROWTH = Parameter("growth", 1, lambda value, header: value in GROWTHS)
POLICY = Parameter("policy", 1, lambda value, header: value < len(POLICIES))
LEVEL_LIMIT = Parameter("max_levels", 1, lambda value, header: max_levels_fit(value, fields_of(header)[2], header.hashes))
LINE_FROM = Parameter("line_from", 1, lambda value, header: value <= MAX_LEVELS)
TWO_LINES_FROM = Parameter("two_lines_from", 1, lambda value, header: fields_of(header)[4] <= value <= MAX_LEVELS)
PARAMETERS = (RATE, GROWTH, POLICY, LEVEL_LIMIT, LINE_FROM, TWO_LINES_FROM)
LINES = Units("lines", lambda kind, header: header.units >= 1 and
              length(header.units, header.hashes, fields_of(header)[1]) <= MAX_BYTES, {"max_payload": MAX_BYTES})
ORDER = (*PARAMETERS, LINES)
BYTES_OF_LEVELS = Payload("levels", lambda kind, header: header.payload_length ==
                          length(header.units, header.hashes, fields_of(header)[1]))


def levels_of(lines, levels, growth, line_from, two_lines_from):
    """Section 12.1."""
    parts, begin = [], 0
    for level in range(levels):
        profile = HALF_LINE if level < line_from else LINE if level < two_lines_from else TWO_LINES
        part = Part(begin, profile, lines * growth**level * LINE_BYTES // profile.block_bytes)
        parts.append(part)
        begin = part.end
    return parts


class ScalableBloom(Chain):
    """Levels are added, and keys inserted, by the program that made it."""

    shape = ("lines", "levels", "fpr", "growth", "policy", "max_levels", "line_from", "two_lines_from")
    shape_of_positions = ("lines", "levels", "growth", "line_from", "two_lines_from")

    def __init__(self, lines, levels, fpr, growth, policy, max_levels, line_from, two_lines_from, hasher=None, array=None):
        if not 1 <= levels <= MAX_LEVELS or growth not in GROWTHS or not 0 < fpr < 1 or lines < 1:
            raise invalid_argument("a scalable filter has 1 to 48 levels, which grow by 2, 4, 8 or 16, and a rate")
        if not max_levels_fit(max_levels, policy, levels) or not 0 <= line_from <= two_lines_from <= MAX_LEVELS:
            raise invalid_argument("a limit of levels, or first levels of a profile, that cannot be")
        if length(lines, levels, growth) > MAX_BYTES:
            raise too_large("a scalable filter has at most 2^48 bytes")
        self.lines = lines
        self.fields = (fpr, growth, policy, max_levels, line_from, two_lines_from)
        self.parts = levels_of(lines, levels, growth, line_from, two_lines_from)
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(self.parts[-1].end) if array is None else bytearray(array)

    def seen(self, h):
        """Section 12.2: g, which has no order where the hashes of keys have one."""
        return splitmix64(h)

    @classmethod
    def make(cls, hasher, lines, levels, fpr, growth, policy, *rest):
        if policy not in POLICIES:
            raise invalid_argument(f"no policy is called {policy}")
        return cls(lines, levels, fpr, growth, POLICIES.index(policy), *rest, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, *fields_of(header), hasher, payload)

    @staticmethod
    def positions_in(h, *shape):
        """The bits of a key in every level, by the names of the vectors."""
        return {"positions": [part.positions(splitmix64(h)) for part in levels_of(*shape)]}

    def header_fields(self):
        return {"hashes": len(self.parts), "units": self.lines, "parameters": FIELDS.pack(*self.fields).ljust(24, b"\0")}

    def size(self):
        return 8 * len(self.array), len(self.parts)

    def clear(self):
        self.array = bytearray(len(self.array))


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": ScalableBloom, "units": LINES, "payload": BYTES_OF_LEVELS, "parameters": PARAMETERS, "order": ORDER,
       "rates": RATES}
