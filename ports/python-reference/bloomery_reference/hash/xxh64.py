"""spec/hash.md, section 3: XXH64 with seed, after xxHash's `doc/xxhash_spec.md`, section "XXH64"."""

from ..words import U64, little, rotl64

PRIME64_1 = 0x9E3779B185EBCA87
PRIME64_2 = 0xC2B2AE3D27D4EB4F
PRIME64_3 = 0x165667B19E3779F9
PRIME64_4 = 0x85EBCA77C2B2AE63
PRIME64_5 = 0x27D4EB2F165667C5


def round64(accumulator, lane):
    accumulator = (accumulator + lane * PRIME64_2) & U64
    return (rotl64(accumulator, 31) * PRIME64_1) & U64


def merge_accumulator(h, accumulator):
    return ((h ^ round64(0, accumulator)) * PRIME64_1 + PRIME64_4) & U64


def avalanche64(h):
    h = ((h ^ (h >> 33)) * PRIME64_2) & U64
    h = ((h ^ (h >> 29)) * PRIME64_3) & U64
    return h ^ (h >> 32)


def xxh64(data, seed=0):
    length = len(data)
    at = 0
    if length < 32:
        h = (seed + PRIME64_5) & U64
    else:
        acc = [(seed + PRIME64_1 + PRIME64_2) & U64, (seed + PRIME64_2) & U64, seed, (seed - PRIME64_1) & U64]
        while at + 32 <= length:
            for lane in range(4):
                acc[lane] = round64(acc[lane], little(data, at + 8 * lane, 8))
            at += 32
        h = (rotl64(acc[0], 1) + rotl64(acc[1], 7) + rotl64(acc[2], 12) + rotl64(acc[3], 18)) & U64
        for accumulator in acc:
            h = merge_accumulator(h, accumulator)
    h = (h + length) & U64
    while at + 8 <= length:
        h = (rotl64(h ^ round64(0, little(data, at, 8)), 27) * PRIME64_1 + PRIME64_4) & U64
        at += 8
    if at + 4 <= length:
        h = (rotl64(h ^ (little(data, at, 4) * PRIME64_1 & U64), 23) * PRIME64_2 + PRIME64_3) & U64
        at += 4
    while at < length:
        h = (rotl64(h ^ (data[at] * PRIME64_5 & U64), 11) * PRIME64_1) & U64
        at += 1
    return avalanche64(h)
