"""Filters and files of Apache Parquet (spec/dialects/parquet.md) with odd headers and footers."""

from . import thrift
from .thrift import BINARY, I32, I64, LIST, STRUCT


def bitset(rng, blocks):
    """Half of the bits are set, or more: lookups are to find something."""
    size = 32 * blocks
    return bytes(a | b for a, b in zip(rng.randbytes(size), rng.randbytes(size)))


def union(rng):
    if rng.random() < 0.94:
        return b"\x1c\0\0"
    members = rng.choice(([], [(2, STRUCT, b"\0")], [(1, STRUCT, b"\0"), (1, STRUCT, b"\0")],
                          [(1, STRUCT, b"\0"), (2, STRUCT, b"\0")], [(1, I32, b"\x02")], [(1, thrift.TRUE, b"")],
                          [thrift.odd_field(rng)], [(65537, STRUCT, b"\0")]))
    return thrift.structure(rng, members)


def header(rng, size, odd):
    fields = [(1, I32, thrift.zigzag(size, rng if odd else None))]
    fields += [(number, STRUCT, union(rng) if odd else b"\x1c\0\0") for number in (2, 3, 4)]
    return thrift.structure(rng, thrift.spoiled(rng, fields) if odd else fields)


def filter_alone(rng, blocks=None, odd=True):
    blocks = rng.choice((1, 1, 2, 3)) if blocks is None else blocks
    size = 32 * blocks
    if odd and rng.random() < 0.15:
        size = rng.choice((0, -32, size + 1, size + 32, 2**31, 2**33 + size))
    return header(rng, size, odd) + bitset(rng, blocks)


class Column:
    def __init__(self, rng, data, odd, blocks):
        self.rng, self.odd = rng, odd
        self.offset = len(data)
        self.filter = filter_alone(rng, blocks, odd and rng.random() < 0.15)

    def meta(self):
        rng = self.rng
        offset, length = self.offset, len(self.filter)
        if self.odd and rng.random() < 0.1:
            offset = rng.choice((0, 3, 4, -1, offset + 1, offset - 1, 2**40, -2**63, 2**63 - 1))
        if self.odd and rng.random() < 0.1:
            length += rng.choice((-1, 1, 2**32))
        names = [thrift.varint(len(name)) + name for name in rng.choice(([b"a"], [b"list", b"e"], []))]
        path = thrift.list_of(rng, BINARY, names)
        if self.odd and rng.random() < 0.1:
            path = thrift.element(rng, LIST)
        fields = [(1, I32, thrift.zigzag(rng.choice((1, 2, 6)))), (3, LIST, path), (14, I64, thrift.zigzag(offset))]
        if rng.random() < 0.7:
            fields.append((15, I32, thrift.zigzag(length)))
        return thrift.structure(rng, thrift.spoiled(rng, fields) if self.odd and rng.random() < 0.3 else fields)

    def chunk(self):
        rng = self.rng
        fields = [(2, I64, thrift.zigzag(8)), (3, STRUCT, self.meta())]
        if self.odd and rng.random() < 0.15:
            fields.insert(0, (1, BINARY, rng.choice((b"\0", b"\x01f"))))
        if self.odd and rng.random() < 0.1:
            type = rng.choice((STRUCT, I32, BINARY, thrift.TRUE))
            fields.append((rng.choice((8, 9)), type, thrift.odd_value(rng, type)))
        if self.odd and rng.random() < 0.1:
            fields.append((3, STRUCT, self.meta()))
        return thrift.structure(rng, thrift.spoiled(rng, fields) if self.odd and rng.random() < 0.2 else fields)


def odd_list(rng, values, odd):
    """A list of structures, or of something that is none."""
    if odd and rng.random() < 0.06:
        type = rng.randrange(16)
        return thrift.list_of(rng, type, [thrift.element(rng, type) for _ in range(rng.randrange(3))])
    return thrift.list_of(rng, STRUCT, values)


def file(rng, odd=True, blocks=None):
    data = b"PAR1" + rng.randbytes(rng.choice((0, 8, 16)))
    groups = []
    for _ in range(rng.choice((1, 1, 2))):
        columns = []
        for _ in range(rng.choice((0, 1, 1, 2)) if odd else 2):
            column = Column(rng, data, odd, blocks or rng.choice((1, 2)))
            if rng.random() < 0.9 or not odd:
                data += column.filter
            columns.append(column.chunk())
        groups.append(thrift.structure(rng, [(1, LIST, odd_list(rng, columns, odd)), (3, I64, b"\x02")]))
    fields = [(1, I32, b"\x02"), (3, I64, b"\x02"), (4, LIST, odd_list(rng, groups, odd)), (6, BINARY, b"\x01m")]
    footer = thrift.structure(rng, thrift.spoiled(rng, fields) if odd and rng.random() < 0.3 else fields)
    if odd and rng.random() < 0.05:
        footer += rng.randbytes(3)
    return data + footer + len(footer).to_bytes(4, "little") + b"PAR1"
