"""spec/hash.md, section 6: the bijection that makes integer keys under `xxh3`."""

from ..words import U64


def fmix64(x):
    x = ((x ^ (x >> 33)) * 0xFF51AFD7ED558CCD) & U64
    x = ((x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53) & U64
    return x ^ (x >> 33)
