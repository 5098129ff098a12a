"""spec/hash.md, section 1: FNV-1a64, then SplitMix64."""

from ..words import U64


def fnv1a64(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = ((h ^ b) * 0x00000100000001B3) & U64
    return h


def splitmix64(x):
    """One step of the generator with state x, the addition included."""
    x = (x + 0x9E3779B97F4A7C15) & U64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & U64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & U64
    return x ^ (x >> 31)


def fnv1a_splitmix(data):
    return splitmix64(fnv1a64(data))
