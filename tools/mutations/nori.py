"""Sections, quotient filters and tables of nori-sstable (spec/dialects/nori.md), and the words of atomicbloom."""

from . import spoil, thrift
from .container import crc32c

FIRST_KEYS = (b"", b"a", b"k", b"k2", b"k5", b"k5\0", b"k9", b"x", b"x1", b"x13", b"x2", b"y")
FOOTER = ((0, 8), (8, 8), (16, 8), (24, 8), (32, 1), (45, 1), (52, 8))


def dense(rng, size):
    return bytes(a | b for a, b in zip(rng.randbytes(size), rng.randbytes(size)))


def section(rng, size=None):
    m = rng.choice((0, 1, 7, 8, 9, 63, 64, 100, 128, 256)) if size is None else 8 * size
    k = rng.choice((1, 1, 2, 3, 7, 0 if m == 0 else 4))
    if rng.random() < 0.02:
        k = rng.choice((0, 4095, 4096, 4097, 2**32 - 1))
    return k.to_bytes(4, "little") + m.to_bytes(8, "little") + dense(rng, (m + 7) // 8)


def words(rng, count=None):
    count = rng.choice((1, 1, 2, 3)) if count is None else count
    m = 64 * count - rng.choice((0, 0, 1, 37, 63))
    k = rng.choice((1, 2, 3, 7)) if rng.random() < 0.98 else rng.choice((0, 4096, 4097, 2**32 - 1, 2**32))
    return b"".join(n.to_bytes(8, "little") for n in (m, k, count)) + dense(rng, 8 * count)


def quotient(rng, q=None, odd=True):
    """Fingerprints of few bits, in their places or in others: a lookup finds one now and then."""
    q = rng.choice((0, 1, 2, 3, 4)) if q is None else q
    r = rng.choice((0, 1, 2, 3, 7, 16))
    count = 1 << q if q else 0
    slots = [None] * count
    for _ in range(rng.choice((0, count // 2, count // 2, count - 1, count)) if count else 0):
        home = rng.randrange(count)
        at = rng.randrange(count) if odd and rng.random() < 0.2 else home
        while slots[at % count] is not None:
            at += 1
        slots[at % count] = home.to_bytes(4, "little") + rng.randrange(1 << r).to_bytes(2, "little")
    taken = sum(slot is not None for slot in slots)
    if odd and rng.random() < 0.05:
        taken += rng.choice((1, 2**32 - 1))
    head = bytes([1, q, r]) + (taken % 2**32).to_bytes(4, "little") + count.to_bytes(4, "little")
    return head + b"".join(b"\0" if slot is None else b"\1" + slot for slot in slots)


def footer(rng, fields, format, odd):
    """fields: index and Bloom section, offset and size each."""
    foot = b"".join(number.to_bytes(8, "little") for number in fields) + bytes([0]) + bytes(12) + bytes([format, 7])
    foot += bytes(5) + b"NORISSTL"
    if odd and rng.random() < 0.25:
        foot = spoil.change_number(rng, foot, FOOTER)
    sum = crc32c(foot)
    if odd and rng.random() < 0.03:
        sum ^= 1
    return foot + sum.to_bytes(4, "little")


def bloom_table(rng, odd=True, size=None, data=40):
    """Formats 0 and 1."""
    bloom, format = section(rng, size), rng.randrange(2)
    if odd and rng.random() < 0.1:
        format = rng.choice((2, 3, 255))
    body = rng.randbytes(data) + bytes(4)
    between = rng.randbytes(rng.choice((0, 9)))
    return body + bloom + between + footer(rng, (0, 4, len(body), len(bloom)), format, odd)


def block(rng, odd, q):
    filter = quotient(rng, q, odd) if rng.random() < 0.85 else b""
    size = len(filter)
    if odd and rng.random() < 0.03:
        size += rng.choice((1, -1, 200))
    return rng.randbytes(rng.choice((4, 4, 12))) + filter + (size % 65536).to_bytes(2, "little")


def index_entry(rng, key, at, size, odd):
    length = len(key)
    if odd and rng.random() < 0.03:
        length = rng.choice((length + 1, 100, 2**63, 2**64 - 1))
    if odd and rng.random() < 0.04:
        at, size = rng.choice(((at + 1, size), (at, size + 1), (at, 5), (2**63, size), (2**64 - 1, size), (0, size)))
    return (thrift.varint(length, rng if odd else None) + key + (at % 2**64).to_bytes(8, "little")
            + (size % 2**32).to_bytes(4, "little"))


def block_table(rng, odd=True, q=None, blocks=None):
    """Format 2."""
    count = rng.choice((0, 1, 2, 3, 4)) if blocks is None else blocks
    keys = sorted(rng.sample(FIRST_KEYS, count))
    if odd and rng.random() < 0.05:
        rng.shuffle(keys)
    body, index = b"", b""
    for key in keys:
        made = block(rng, odd, q)
        index += index_entry(rng, key, len(body), len(made), odd)
        body += made
    if odd and rng.random() < 0.04:
        index = index[:rng.randrange(len(index) + 1)]
    if odd and rng.random() < 0.04:
        count += rng.choice((1, -1)) if count else 1
    index += count.to_bytes(4, "little")
    return body + index + footer(rng, (len(body), len(index), 0, 0), 2, odd)
