"""Structures of Thrift's compact protocol, with what the protocol allows and nobody writes."""

STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID = range(14)
MAX_DEPTH = 32  # spec/dialects/parquet.md


def varint(number, rng=None):
    """Seven bits a byte; now and then longer than need be, or longer than 64 bits."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    if rng is not None and rng.random() < 0.03:
        longer = rng.choice((1, 2, 9 - len(out), 10 - len(out), 11 - len(out)))
        if longer > 0:
            out[-1] |= 0x80
            out += b"\x80" * (longer - 1) + bytes([rng.choice((0, 0, 0, 1, 2, 0x7F))])
    return bytes(out)


def zigzag(number, rng=None):
    return varint(number << 1 if number >= 0 else (-number << 1) - 1, rng)


def field(rng, last, number, type, value):
    """The header of a field, in the short form or the long one, and its value."""
    distance = number - last
    if 1 <= distance <= 15 and rng.random() < 0.9:
        return bytes([distance << 4 | type]) + value
    return bytes([type]) + zigzag(number, rng) + value


def structure(rng, fields):
    """fields: (number, type, value)."""
    out, last = b"", 0
    for number, type, value in fields:
        out += field(rng, last, number, type, value)
        last = number
    return out + b"\0"


def list_of(rng, type, values):
    count = len(values)
    if count < 15 and rng.random() < 0.95:
        return bytes([count << 4 | type]) + b"".join(values)
    return bytes([0xF0 | type]) + varint(count, rng) + b"".join(values)


def nested(rng, levels):
    """(type, value) of so many lists, maps and structures, one inside the other."""
    type, value = rng.choice(((BYTE, b"\x07"), (LIST, bytes([rng.randrange(16)])), (MAP, b"\0"), (STRUCT, b"\0")))
    for _ in range(levels):
        how = rng.randrange(4)
        if how == 0:
            inner = value if type not in (TRUE, FALSE) else b""
            type, value = STRUCT, structure(rng, [(rng.choice((1, 2, 40)), type, inner)])
        elif how == 1:
            type, value = MAP, b"\x01" + bytes([BYTE << 4 | type]) + b"\x01" + value
        else:
            type, value = (LIST, SET)[how - 2], list_of(rng, type, [value])
    return type, value


def odd_value(rng, type, depth=0):
    """A value of a type, in a field."""
    if type in (TRUE, FALSE):
        return b""
    return element(rng, type, depth)


def element(rng, type, depth=0):
    """The same in a list, where a truth value takes a byte."""
    if type in (TRUE, FALSE, BYTE):
        return bytes([rng.randrange(256)])
    if type in (I16, I32, I64):
        return zigzag(rng.choice((0, 1, -1, 32, 64, 2**31, -2**31, 2**62)), rng)
    if type in (DOUBLE, UUID):
        return rng.randbytes(8 if type == DOUBLE else 16)
    if type == BINARY:
        text = rng.randbytes(rng.randrange(6))
        return varint(len(text) if rng.random() < 0.97 else rng.choice((100, 2**63, 2**64 - 1)), rng) + text
    if depth > 2:
        return b"\0"
    inner = rng.choice((TRUE, BYTE, I32, DOUBLE, BINARY, LIST, STRUCT, UUID))
    if type in (LIST, SET):
        if rng.random() < 0.1:
            inner = rng.randrange(16)
        return list_of(rng, inner, [element(rng, inner, depth + 1) for _ in range(rng.choice((0, 0, 1, 2, 16)))])
    if type == MAP:
        size = rng.choice((0, 1, 2))
        pairs = b"".join(element(rng, BYTE) + element(rng, inner, depth + 1) for _ in range(size))
        return varint(size, rng) + (bytes([BYTE << 4 | inner]) if size else b"") + pairs
    if type == STRUCT:
        return structure(rng, [odd_field(rng, depth + 1) for _ in range(rng.choice((0, 1, 2)))])
    return b""


def odd_field(rng, depth=0):
    """A field that no reader knows; or does it?"""
    number = rng.choice((5, 7, 8, 9, 16, 100, 32767, 32768, -1, -32768, -32769, 65537, 65540, 2**31, 2**62,
                         rng.randrange(1, 20)))
    if rng.random() < 0.12:
        type, value = nested(rng, rng.choice((1, 5, MAX_DEPTH - rng.randrange(9), MAX_DEPTH + rng.randrange(3))))
        return number, type, value
    type = rng.randrange(1, 16) if rng.random() < 0.2 else rng.randrange(1, 14)
    return number, type, odd_value(rng, type, depth)


def spoiled(rng, fields):
    """Fields left out, twice, added, of another type or in another order."""
    fields = list(fields)
    for _ in range(rng.choice((0, 1, 1, 2))):
        how, at = rng.randrange(8), rng.randrange(len(fields) + 1)
        if how == 0 and fields:
            del fields[at % len(fields)]
        elif how == 1 and fields:
            fields.insert(at, rng.choice(fields))
        elif how == 2 and fields:
            number, type, value = fields[at % len(fields)]
            fields[at % len(fields)] = number, rng.randrange(1, 14), value
        elif how == 3:
            rng.shuffle(fields)
        else:
            fields.insert(at, odd_field(rng))
    return fields
