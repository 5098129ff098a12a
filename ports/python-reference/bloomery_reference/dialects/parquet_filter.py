"""spec/dialects/parquet.md, "Header and bitset": the variants `header` and `bitset`."""

import math

from ..errors import corrupt, invalid_argument, too_large, unsupported
from ..hash import xxh64
from ..split_block import MAX_BLOCKS, positions
from ..words import get_bit, set_bit
from . import thrift
from .foreign_filter import ForeignFilter, set_range

UNIONS = {2: "algorithm", 3: "hash", 4: "compression"}
AFTER_SIZE = bytes.fromhex("1c1c00001c1c00001c1c000000")
MAX_BITS = 2**30


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


def read_header(data, at, end):
    """(where the bitset begins, its size). Fields that are not known are skipped."""
    reader = thrift.Reader(data, at, end)
    size = None
    seen = set()
    for id, type in reader.fields(1):
        if id == 1 and type == thrift.I32:
            place = reader.at
            size = reader.zigzag()
            if size <= 0 or size % 32 != 0:
                raise corrupt(place, f"a bitset of {size} bytes")
        elif id in UNIONS and type == thrift.STRUCT:
            read_union(reader, UNIONS[id])
            seen.add(id)
        else:
            reader.skip(type, 1)
    if size is None or len(seen) != len(UNIONS):
        raise corrupt(reader.at, "a field of the header is missing")
    return reader.at, size


def read_union(reader, name):
    """Member 1, an empty structure, is the only one in use."""
    begin = reader.at
    members = []
    for id, type in reader.fields(2):
        members.append(id)
        reader.skip(type, 2)
    if members != [1]:
        raise unsupported(begin, f"another {name}")


def decode_header(data):
    begin, size = read_header(data, 0, len(data))
    if len(data) - begin < size:
        raise corrupt(len(data), "a bitset shorter than the header says")
    if len(data) - begin > size:
        raise corrupt(begin + size, "bytes after the bitset")
    check_blocks(size, 0)
    return ParquetFilter("header", bytes(data[:begin]), data[begin:])


def decode_bitset(data):
    if len(data) == 0 or len(data) % 32 != 0:
        raise corrupt(len(data), "a bare bitset has a positive multiple of 32 bytes")
    check_blocks(len(data), 0)
    return ParquetFilter("bitset", b"", data)


def check_blocks(size, offset):
    if size // 32 > MAX_BLOCKS:
        raise corrupt(offset, "a split-block filter has fewer than 2^26 blocks")
