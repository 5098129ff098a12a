"""The conventions of spec/README.md: words that wrap, rotations, little-endian numbers, bits of an array."""

from .errors import OUT_OF_MEMORY, Refusal

U32 = 0xFFFFFFFF
U64 = 0xFFFFFFFFFFFFFFFF


def rotl64(x, r):
    """`rotl(x, r)` rotates left."""
    return ((x << r) | (x >> (64 - r))) & U64


def rotr64(x, r):
    return rotl64(x, 64 - r)


def mulhi(a, b):
    """`mulhi(a, b)` is the upper 64 bits of the 128-bit product."""
    return (a * b) >> 64


def little(data, offset, size):
    """The unsigned little-endian number of `size` bytes at `offset`; the bytes must be there."""
    assert offset + size <= len(data)
    return int.from_bytes(data[offset:offset + size], "little")


def put_little(value, size):
    return value.to_bytes(size, "little")


def bytes_for(bits):
    """ceil(bits / 8), which Python cannot overflow."""
    return (bits + 7) // 8


def zeroed(size):
    """An array of so many bytes, all zero."""
    try:
        return bytearray(size)
    except (MemoryError, OverflowError):
        raise Refusal(OUT_OF_MEMORY, f"no memory for {size} bytes") from None


def get_bit(data, i):
    """Bit i of a bit array is `(byte[i / 8] >> (i mod 8)) & 1`: least significant first."""
    return (data[i // 8] >> (i % 8)) & 1


def set_bit(data, i):
    data[i // 8] |= 1 << (i % 8)


def count_ones(data, bits=None):
    """Ones among the first `bits` bits, or among all of them."""
    number = int.from_bytes(data, "little")
    if bits is not None:
        number &= (1 << bits) - 1
    return number.bit_count()
