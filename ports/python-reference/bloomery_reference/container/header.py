"""spec/container.md, section 8, down to the payload length: what the header alone, and the file's length, tell."""

import struct

from ..crc32c import crc32c
from ..errors import corrupt, unsupported
from ..hash import SIPHASH13, XXH3
from ..hash.hasher import SEEDED
from ..kind import NONE
from ..kinds import KINDS, PACKED, SETS
from ..words import little
from . import layout
from .layout import Header, Layout

FIELDS = struct.Struct("<8sHBBIBBBBIQQQdQQQQQI24sI")
assert FIELDS.size == layout.HEADER


def pack(header):
    """The 128 bytes of section 2."""
    body = FIELDS.pack(
        layout.MAGIC, layout.VERSION, header.kind, header.profile, header.flags, header.hash, header.chunk,
        header.sentinels, header.members, header.hashes, header.units, header.seed, header.check, header.asked,
        header.capacity, header.keys, header.payload_offset, header.payload_length, header.ones,
        header.notes_length, header.parameters, 0)[:-4]
    return body + struct.pack("<I", crc32c(body))


def inspect(data):
    """The header, once all of it is believed."""
    if len(data) < layout.HEADER:
        raise corrupt(len(data), "fewer bytes than a header has")
    if data[:8] != layout.MAGIC:
        raise corrupt(0, "not the magic of a container")
    if crc32c(data[:124]) != little(data, 124, 4):
        raise corrupt(124, "the CRC of the header differs")
    fields = FIELDS.unpack(data[:layout.HEADER])
    header = Header(*fields[2:21])
    check_known(fields[1], header)
    kind = KINDS[header.kind]
    check_ranges(header, kind)
    check_lengths(header, kind, len(data))
    check_against_kind(header, kind)
    return header


def check_known(version, header):
    if version != layout.VERSION:
        raise unsupported(8, f"version {version}")
    if header.flags & 0xFFFF:
        raise unsupported(12, f"flags {header.flags & 0xFFFF:04x}")
    if header.kind not in KINDS:
        raise unsupported(10, f"kind {header.kind}")
    if not XXH3 <= header.hash <= SIPHASH13:
        raise unsupported(16, f"hash {header.hash}")


def check_ranges(header, kind):
    if header.flags == 0 and any(header.parameters[kind.parameters_length():]):
        raise corrupt(layout.PARAMETERS, "bytes for parameters that the kind does not have are not zero")
    if header.members not in ([member.number for member in kind.members] or [0]):
        raise corrupt(19, f"members of kind {header.members}")
    if header.chunk != layout.LOG2_CHUNK:
        raise corrupt(17, f"chunks of 2^{header.chunk} bytes")
    if header.sentinels > layout.MAX_SENTINELS:
        raise corrupt(18, f"{header.sentinels} sentinels")
    if not layout.is_rate(header.asked):
        raise corrupt(48, "the rate that was asked for is none")


def check_lengths(header, kind, file_length):
    if header.payload_length > file_length:
        raise corrupt(file_length, "the payload is longer than the file")
    if header.payload_offset != layout.offset_for(header.kind, header.payload_length):
        raise corrupt(72, f"the payload begins at {header.payload_offset}")
    end = Layout(header).end
    if end != file_length:
        raise corrupt(min(end, file_length), f"the parts of the file end at {end}")
    if kind not in SETS and header.ones > 8 * header.payload_length:
        raise corrupt(88, "more ones than bits")


def check_against_kind(header, kind):
    """Sections 3 and 8. A packed set has hash, seed and profile of its members' kind."""
    if header.sentinels and not kind.sentinels:
        raise corrupt(18, f"sentinels in a filter of kind {kind.name}")
    if header.keys and not kind.keys:
        raise corrupt(64, f"a count of distinct keys in a filter of kind {kind.name}")
    inner = kind.kind_of_members(header) or kind
    if header.hash not in inner.hashes:
        raise corrupt(16, f"hash {header.hash} in a filter of kind {inner.name}")
    if header.seed != 0 and not (inner.seed and header.hash in SEEDED):
        raise corrupt(32, f"seed {header.seed}")
    if not all(header.profile in ([profile.number for profile in row.profiles] or [0]) for row in (kind, inner)):
        raise corrupt(11, f"profile {header.profile}")
    if not hashes_fit(header, inner if kind is PACKED else kind):
        raise corrupt(20, f"{header.hashes} hashes")
    for part, at, fits in kind.checks(header):
        if not fits:
            raise corrupt(24 if at is None else layout.PARAMETERS + at, f"an impossible number of {part.name}")
    if not kind.payload.fits(kind, header):
        raise corrupt(80, f"a payload of {header.payload_length} bytes")


def hashes_fit(header, kind):
    """A profile may decide, of a kind that has a range too."""
    profile = kind.profile_of(header)
    if profile is not None and profile.bits_a_key is not None:
        return header.hashes == profile.bits_a_key
    least, most = (0, 0) if kind.k == NONE else kind.k
    return least <= header.hashes <= most
