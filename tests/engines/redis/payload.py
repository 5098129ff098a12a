"""What DUMP returns, taken apart: a mutated payload is given a checksum that is right, as an attacker would."""
import random
import struct


def table():
    """CRC-64 of Redis: Jones, 0xad93d23594c935a9, reflected."""
    polynomial = int(f"{0xad93d23594c935a9:064b}"[::-1], 2)
    entries = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (polynomial if n & 1 else 0)
        entries.append(n)
    return entries


TABLE = table()


def crc64(data):
    crc = 0
    for b in data:
        crc = TABLE[(crc ^ b) & 255] ^ crc >> 8
    return crc


assert crc64(b"123456789") == 0xe9c6d914c4b8d9ca  # the check value of this CRC


def sealed(body, version):
    """A payload for RESTORE."""
    data = body + struct.pack("<H", version)
    return data + struct.pack("<Q", crc64(data))


def parts(payload):
    """(body, version of RDB)"""
    return payload[:-10], struct.unpack("<H", payload[-10:-8])[0]


VALUES = [0, 1, 2, 0x7f, 0x80, 0xff, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**48, 2**56, 2**63 - 1, 2**63,
          2**64 - 1]


def mutated(body, rng):
    """Some bytes turned, a number put somewhere, a piece cut out, doubled or moved."""
    b = bytearray(body)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(max(1, len(b)))
        what = rng.randrange(8)
        if what < 3 and b:
            b[at] ^= 1 << rng.randrange(8)
        elif what == 3 and b:
            b[at] = rng.randrange(256)
        elif what == 4:
            width = rng.choice((1, 2, 4, 8))
            b[at:at + width] = (rng.choice(VALUES) % 2**(8 * width)).to_bytes(width, rng.choice(("little", "big")))
        elif what == 5:
            del b[at:at + rng.choice((1, 2, 8, 53, 500))]
        elif what == 6:
            b[at:at] = b[at:at + rng.choice((1, 8, 53))]
        else:
            b[at:at] = rng.randbytes(rng.choice((1, 2, 8, 100)))
    return bytes(b)


def generator(seed):
    return random.Random(seed)
