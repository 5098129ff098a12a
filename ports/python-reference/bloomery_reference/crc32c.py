"""spec/container.md: CRC-32C (Castagnoli), reflected polynomial 0x82f63b78, all ones at both ends."""

from .words import U32

POLYNOMIAL = 0x82F63B78


def table():
    out = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (POLYNOMIAL if byte & 1 else 0)
        out.append(byte)
    return tuple(out)


TABLE = table()


def crc32c(data):
    state = U32
    for byte in data:
        state = (state >> 8) ^ TABLE[(state ^ byte) & 0xFF]
    return state ^ U32
