"""spec/dialects/parquet.md, "Header and bitset": the variants `header` and `bitset`."""

import math

from ..errors import corrupt, invalid_argument, too_large, unsupported
from ..hash import xxh64
from ..split_block import positions
from ..words import get_bit, set_bit
from . import thrift
from .foreign_filter import ForeignFilter, set_range

UNIONS = {2: "algorithm", 3: "hash", 4: "compression"}
AFTER_SIZE = bytes.fromhex("1c1c00001c1c00001c1c000000")
MAX_BITS = 2**30
MAX_HEADER = 128
MAX_BITSET = 2**31 - 32


class ParquetFilter(ForeignFilter):
    """header: the bytes before the bitset, kept as they were read; empty for a bare bitset."""

    dialect = "parquet"
    forms = ("bytes", "integer")

    def __init__(self, variant, header, bitset):
        self.variant = variant
        self.header = header
        self.bits = bytearray(bitset)

    def cells(self):
        return 8 * len(self.bits)

    def hashes(self):
        return 8

    def form_ranges(self):
        return [(0, len(self.header))] if self.header else []

    def take_damage(self, ranges):
        set_range(self.bits, len(self.header), ranges)

    def ask(self, key, part, form):
        return all(get_bit(self.bits, position) for position in positions(xxh64(key), len(self.bits) // 32))

    def insert(self, key):
        for position in positions(xxh64(key), len(self.bits) // 32):
            set_bit(self.bits, position)


def zigzag_varint(value):
    value = value << 1 if value >= 0 else (-value << 1) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def make_header(size):
    """`15`, the zigzag varint of the size, `1c1c0000 1c1c0000 1c1c0000 00`."""
    return b"\x15" + zigzag_varint(size) + AFTER_SIZE


def make(variant, n, p=0.01, bits_per_key=None):
    """Sizing is Arrow's: m = -8 n / ln(1 - p^(1/8)), at least 256, truncated, then the next power of two."""
    if bits_per_key is not None:
        m = n * bits_per_key
    elif 0.0 < p < 1.0:
        m = -8.0 * n / math.log(1 - math.pow(p, 1.0 / 8))
    else:
        raise invalid_argument("a rate lies between 0 and 1, both excluded")
    if m > MAX_BITS:
        raise too_large("more than 2^30 bits")
    m = 1 << (int(max(m, 256)) - 1).bit_length()
    header = make_header(m // 8) if variant == "header" else b""
    return ParquetFilter(variant, header, bytes(m // 8))


def encode(filter, variant=None):
    """`header` and `bitset` are two forms of the same bits; a header that was read is kept."""
    if (variant or filter.variant) == "bitset":
        return bytes(filter.bits)
    return (filter.header or make_header(len(filter.bits))) + bytes(filter.bits)


class Header:
    """What the Thrift structure says, from `begin` to `end`."""

    def __init__(self, begin):
        self.begin = begin
        self.end = None
        self.size = None
        self.size_at = None
        self.unions = {}  # field: the members that it has


def read_header(data, begin, end):
    """Fields that are not known are skipped. No bitset is looked at, but it must end before `end`."""
    reader = thrift.Reader(data, begin, min(end, begin + MAX_HEADER))
    header = Header(begin)
    for id, type in reader.fields():
        if id == 1 and type == thrift.I32:
            header.size_at = reader.at
            header.size = reader.zigzag()
        elif id in UNIONS and type == thrift.STRUCT:
            header.unions[id] = read_members(reader)
        else:
            reader.skip(type, 1)
    header.end = reader.at
    if header.size is None or len(header.unions) != len(UNIONS):
        raise corrupt(header.end, "a field of the header is missing")
    if header.size <= 0 or header.size % 32 != 0:
        raise corrupt(header.size_at, f"a bitset of {header.size} bytes")
    if header.size > end - header.end:
        raise corrupt(end, "a bitset shorter than the header says")
    for id, name in UNIONS.items():
        if header.unions[id] != [1]:
            raise unsupported(begin, f"another {name}")
    return header


def read_members(reader):
    members = []
    for id, type in reader.fields():
        members.append(id)
        reader.skip(type, 2)
    return members


def decode_header(data):
    header = read_header(data, 0, len(data))
    if len(data) > header.end + header.size:
        raise corrupt(header.end + header.size, "bytes after the bitset")
    return ParquetFilter("header", bytes(data[:header.end]), data[header.end:])


def decode_bitset(data):
    if len(data) == 0 or len(data) % 32 != 0:
        raise corrupt(len(data) // 32 * 32, "a bare bitset has a positive multiple of 32 bytes")
    if len(data) > MAX_BITSET:
        raise corrupt(MAX_BITSET, "a bitset larger than a header could say")
    return ParquetFilter("bitset", b"", data)
