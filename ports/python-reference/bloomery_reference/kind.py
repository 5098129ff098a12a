"""What a row of the table of kinds says: spec/container.md, sections 3 and 4, by the names of spec/kinds.json."""

from collections.abc import Callable
from dataclasses import dataclass, field

from .capabilities import calls_of
from .words import bytes_for, little

ONES, POSSIBLY_PRESENT, DIALECT = "ones", "possibly-present", "dialect"  # what a damaged chunk means
PROFILE, NONE = "profile", "none"  # k: the profile decides; 0
PARAMETERS_LENGTH = 24  # what does not fit lies in a note that must be understood, never in the payload


@dataclass(frozen=True)
class Units:
    """What byte 24 counts, and whether there may be so many: fit(kind, header)."""

    name: str
    fit: Callable
    limit: dict = field(default_factory=dict)  # what kinds.json says of it: the name of the limit, the number


@dataclass(frozen=True)
class Payload:
    """How the length of the payload follows from the header: fits(kind, header)."""

    name: str
    fits: Callable


@dataclass(frozen=True)
class Parameter:
    """What lies in bytes 100 .. 123, one after the other, little-endian: fits(value, header)."""

    name: str
    size: int
    fits: Callable


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind: its facts, the type of its filters, and how these report their rates."""

    number: int
    name: str
    filter: type
    hashes: tuple
    seed: bool
    k: object
    units: Units
    payload: Payload
    damage: str
    sentinels: bool
    keys: bool
    rates: object = None
    profiles: tuple = ()
    parameters: tuple = ()
    members: tuple = ()  # of a packed set: the kinds that its members may have
    built: bool = False  # of all keys at once
    forgets: bool = False  # it keeps recent keys only: one that it denies may have been inserted
    order: tuple = ()  # units and parameters as they are checked, where that is not units first

    def __post_init__(self):
        assert self.parameters_length() <= PARAMETERS_LENGTH

    @property
    def can(self):
        return calls_of(self.filter)

    @property
    def is_one_filter(self):
        """Not a packed set, and not a file of another system: these are only queried."""
        return self.payload not in (MEMBERS, ENTRIES, FILE)

    def open(self, header, hasher, payload):
        return self.filter.open(self, header, hasher, payload)

    def profile_of(self, header):
        """The profile that the header names, if the kind has it."""
        return next((profile for profile in self.profiles if profile.number == header.profile), None)

    def kind_of_members(self, header):
        return next((kind for kind in self.members if kind.number == header.members), None)

    def parameters_length(self):
        return sum(parameter.size for parameter in self.parameters)

    def parameters_of(self, header):
        """(parameter, its offset among the 24 bytes, its value) of each."""
        at = 0
        for parameter in self.parameters:
            yield parameter, at, little(header.parameters, at, parameter.size)
            at += parameter.size

    def checks(self, header):
        """(part, its offset among the 24 bytes or None of units, whether it may be so), in the order of the checks."""
        places = {parameter: (at, value) for parameter, at, value in self.parameters_of(header)}
        for part in self.order or (self.units, *self.parameters):
            if isinstance(part, Units):
                yield part, None, part.fit(self, header)
            else:
                at, value = places[part]
                yield part, at, part.fits(value, header)


def up_to(name, most):
    """Units of which there is one at least."""
    return Units(name, lambda kind, header: 1 <= header.units <= most, {"max_units": most})


def blocks_up_to(most):
    """So many bytes in all."""
    return Units("blocks", lambda kind, header: 1 <= header.units <= most // kind.profile_of(header).block_bytes,
                 {"max_payload": most})


def directory(header):
    """Section 6: the bytes of the directory of a packed set."""
    return 8 * (header.units + 1)


BITS = Payload("bits", lambda kind, header: header.payload_length == bytes_for(header.units))
BLOCKS = Payload("blocks", lambda kind, header:
                 header.payload_length == header.units * kind.profile_of(header).block_bytes)

MEMBER_UNITS = Units("members", lambda kind, header: header.units >= 1 and directory(header) <= header.payload_length)
MEMBERS = Payload("members", lambda kind, header: header.payload_length % 8 == 0 and
                  (header.payload_length - directory(header)) % kind.profile_of(header).block_bytes == 0)

ENTRY_UNITS = Units("members", lambda kind, header: header.units >= 1 and 48 * header.units <= header.payload_length)
ENTRIES = Payload("members", lambda kind, header: header.payload_length % 8 == 0)

NO_UNITS = Units("none", lambda kind, header: header.units == 0)
FILE = Payload("file", lambda kind, header: True)
