"""spec/hash.md, section 5: MurmurHash3 x64_128 and MurmurHash64A, for other systems' filters."""

from ..words import U64, little, rotl64
from .integers import fmix64

C1 = 0x87C37B91114253D5
C2 = 0x4CF5AD432745937F
M = 0xC6A4A7935BD1E995


def mix_k1(k1):
    return rotl64(k1 * C1 & U64, 31) * C2 & U64


def mix_k2(k2):
    return rotl64(k2 * C2 & U64, 33) * C1 & U64


def murmur3_x64_128(data, seed=0):
    """The pair (h1, h2)."""
    h1 = h2 = seed
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        h1 ^= mix_k1(little(data, at, 8))
        h1 = ((rotl64(h1, 27) + h2) * 5 + 0x52DCE729) & U64
        h2 ^= mix_k2(little(data, at + 8, 8))
        h2 = ((rotl64(h2, 31) + h1) * 5 + 0x38495AB5) & U64
    tail = data[whole:]
    h1 ^= mix_k1(int.from_bytes(tail[:8], "little"))
    h2 ^= mix_k2(int.from_bytes(tail[8:], "little"))
    h1, h2 = h1 ^ len(data), h2 ^ len(data)
    h1 = (h1 + h2) & U64
    h2 = (h2 + h1) & U64
    h1, h2 = fmix64(h1), fmix64(h2)
    h1 = (h1 + h2) & U64
    return h1, (h2 + h1) & U64


def murmur64a(data, seed):
    h = seed ^ (len(data) * M & U64)
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        k = little(data, at, 8) * M & U64
        k = (k ^ (k >> 47)) * M & U64
        h = (h ^ k) * M & U64
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * M & U64
    h = (h ^ (h >> 47)) * M & U64
    return h ^ (h >> 47)
