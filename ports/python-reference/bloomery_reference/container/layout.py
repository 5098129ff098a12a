"""spec/container.md, sections 1 to 3: numbers that are fixed, and where the parts of a file lie."""

from dataclasses import dataclass

from ..kind import PARAMETERS_LENGTH
from ..kinds import SETS

MAGIC = bytes.fromhex("89424c4d0d0a1a0a")
VERSION = 1
HEADER = 128
LOG2_CHUNK = 12
CHUNK = 1 << LOG2_CHUNK
LINE = 64
MAX_SENTINELS = 8
LARGE_PAYLOAD = 65536
PAGE = 4096
PARAMETERS = 100


@dataclass
class Header:
    """The fields of section 2, in the order of their offsets; magic, version and CRC are implied."""

    kind: int
    profile: int = 0
    flags: int = 0
    hash: int = 0
    chunk: int = LOG2_CHUNK
    sentinels: int = 0
    members: int = 0
    hashes: int = 0
    units: int = 0
    seed: int = 0
    check: int = 0
    asked: float = 0.0
    capacity: int = 0
    keys: int = 0
    payload_offset: int = HEADER
    payload_length: int = 0
    ones: int = 0
    notes_length: int = 0
    parameters: bytes = bytes(PARAMETERS_LENGTH)


def offset_for(kind, payload_length):
    """Section 1: 4096 if the payload is 65536 bytes or longer, and in a packed set."""
    return PAGE if kind in [row.number for row in SETS] or payload_length >= LARGE_PAYLOAD else HEADER


def is_rate(asked):
    """Section 2: what byte 48 may hold; NaN is none."""
    return 0.0 <= asked < 1.0


def padded(length):
    """Payload and padding: a multiple of 64 bytes."""
    return (length + LINE - 1) // LINE * LINE


class Layout:
    """Where the parts of section 1 begin."""

    def __init__(self, header):
        self.payload = header.payload_offset
        self.padding = self.payload + header.payload_length
        self.sentinels = self.payload + padded(header.payload_length)
        self.checksums = self.sentinels + 8 * header.sentinels
        chunks = (padded(header.payload_length) + CHUNK - 1) // CHUNK
        self.notes = self.checksums + 4 * chunks
        self.tail_crc = self.notes + header.notes_length
        self.end = self.tail_crc + 4

    def chunks(self):
        """(begin, end) of each chunk, as offsets of the file."""
        return [(at, min(at + CHUNK, self.sentinels)) for at in range(self.payload, self.sentinels, CHUNK)]
