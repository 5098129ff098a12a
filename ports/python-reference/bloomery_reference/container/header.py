"""spec/container.md, section 8, down to the payload length: what the header alone, and the file's length, tell."""

import struct

from .. import block, bloom, portable_sizing, split_block
from ..crc32c import crc32c
from ..errors import corrupt, unsupported
from ..hash import FNV1A_SPLITMIX, SIPHASH13, XXH3, XXH64
from ..words import bytes_for, little
from . import layout
from .layout import BLOCK, BLOOM, FOREIGN, PACKED, PORTABLE, SPLIT_BLOCK, Header, Layout

FIELDS = struct.Struct("<8sHBBIBBBBIQQQdQQQQQI24sI")
assert FIELDS.size == layout.HEADER


def pack(header):
    """The 128 bytes of section 2."""
    body = FIELDS.pack(
        layout.MAGIC, layout.VERSION, header.kind, header.profile, header.flags, header.hash, header.chunk,
        header.sentinels, header.members, header.hashes, header.units, header.seed, header.check, header.asked,
        header.capacity, header.keys, header.payload_offset, header.payload_length, header.ones,
        header.notes_length, bytes(24), 0)[:-4]
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
    version, reserved = fields[1], fields[20]
    header = Header(*fields[2:20])
    check_known(version, header)
    check_ranges(header, reserved)
    check_lengths(header, len(data))
    check_against_kind(header)
    return header


def check_known(version, header):
    if version != layout.VERSION:
        raise unsupported(8, f"version {version}")
    if header.flags & 0xFFFF:
        raise unsupported(12, f"flags {header.flags & 0xFFFF:04x}")
    if header.kind not in layout.KIND_NAMES:
        raise unsupported(10, f"kind {header.kind}")
    if not XXH3 <= header.hash <= SIPHASH13:
        raise unsupported(16, f"hash {header.hash}")


def check_ranges(header, reserved):
    if header.flags == 0 and any(reserved):
        raise corrupt(100, "reserved bytes are not zero")
    if header.members not in ((BLOCK, SPLIT_BLOCK) if header.kind == PACKED else (0,)):
        raise corrupt(19, f"members of kind {header.members}")
    if header.chunk != layout.LOG2_CHUNK:
        raise corrupt(17, f"chunks of 2^{header.chunk} bytes")
    if header.sentinels > layout.MAX_SENTINELS:
        raise corrupt(18, f"{header.sentinels} sentinels")
    if not 0.0 <= header.asked < 1.0:
        raise corrupt(48, "the rate that was asked for is none")


def check_lengths(header, file_length):
    if header.payload_length > file_length:
        raise corrupt(file_length, "the payload is longer than the file")
    if header.payload_offset != layout.offset_for(header.kind, header.payload_length):
        raise corrupt(72, f"the payload begins at {header.payload_offset}")
    end = Layout(header).end
    if end != file_length:
        raise corrupt(min(end, file_length), f"the parts of the file end at {end}")
    if header.kind != PACKED and header.ones > 8 * header.payload_length:
        raise corrupt(88, "more ones than bits")


def check_against_kind(header):
    """Section 3, and the paragraph under the table of section 8."""
    kind = header.members if header.kind == PACKED else header.kind
    wanted_hash = {PORTABLE: FNV1A_SPLITMIX, SPLIT_BLOCK: XXH64, FOREIGN: XXH3}.get(kind, header.hash)
    if header.hash != wanted_hash:
        raise corrupt(16, f"hash {header.hash} in a filter of kind {kind}")
    if header.seed != 0 and (kind in (SPLIT_BLOCK, FOREIGN) or header.hash in (FNV1A_SPLITMIX, SIPHASH13)):
        raise corrupt(32, f"seed {header.seed}")
    profiles = {BLOCK: (1, 2, 3), SPLIT_BLOCK: (split_block.PROFILE_NUMBER,)}.get(kind, (0,))
    if header.profile not in profiles:
        raise corrupt(11, f"profile {header.profile}")
    if not hashes_fit(header, kind):
        raise corrupt(20, f"{header.hashes} hashes")
    if header.kind == PACKED:
        check_packed(header)
        return
    if not units_fit(header):
        raise corrupt(24, f"{header.units} units")
    if kind != FOREIGN and header.payload_length != payload_for(header):
        raise corrupt(80, f"a payload of {header.payload_length} bytes")


def hashes_fit(header, kind):
    if kind == PORTABLE:
        return header.hashes >= 1
    if kind == BLOOM:
        return 1 <= header.hashes <= bloom.MAX_HASHES
    if kind == FOREIGN:
        return header.hashes == 0
    return header.hashes == layout.profile_of(header.profile)[1]


def units_fit(header):
    if header.kind == FOREIGN:
        return header.units == 0
    if header.kind == BLOCK:
        most = block.MAX_BYTES // layout.profile_of(header.profile)[0]
    else:
        most = {PORTABLE: portable_sizing.MAX_BITS, SPLIT_BLOCK: split_block.MAX_BLOCKS,
                BLOOM: bloom.MAX_BITS}[header.kind]
    return 1 <= header.units <= most


def payload_for(header):
    if header.kind in (PORTABLE, BLOOM):
        return bytes_for(header.units)
    return header.units * layout.profile_of(header.profile)[0]


def check_packed(header):
    directory = 8 * (header.units + 1)
    if header.units < 1 or directory > header.payload_length:
        raise corrupt(24, f"{header.units} members")
    if header.payload_length % 8 != 0 or (header.payload_length - directory) % layout.profile_of(header.profile)[0]:
        raise corrupt(80, f"a payload of {header.payload_length} bytes")
