"""spec/hash.md, section 2: XXH3, 64-bit result, default secret, with seed.

After xxHash's `doc/xxhash_spec.md`, section "XXH3". The input's length chooses one of five cases; the step that
scrambles the accumulators is first needed beyond 1024 bytes.
"""

from ..words import U32, U64, little, put_little, rotl64
from .xxh64 import PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME64_5, avalanche64

PRIME32_1 = 0x9E3779B1
PRIME32_2 = 0x85EBCA77
PRIME32_3 = 0xC2B2AE3D
PRIME_MX1 = 0x165667919E3779F9
PRIME_MX2 = 0x9FB21C651E98DF25

DEFAULT_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")

STRIPE = 64
SECRET_STEP = 8


def secret64(at):
    return little(DEFAULT_SECRET, at, 8)


def byteswap(x, size):
    return int.from_bytes(put_little(x, size), "big")


def mul128_fold64(a, b):
    product = a * b
    return (product & U64) ^ (product >> 64)


def avalanche(h):
    h = ((h ^ (h >> 37)) * PRIME_MX1) & U64
    return h ^ (h >> 32)


def xxh3(data, seed=0):
    length = len(data)
    if length == 0:
        return avalanche64(seed ^ secret64(56) ^ secret64(64))
    if length <= 3:
        return hash_1_to_3(data, seed)
    if length <= 8:
        return hash_4_to_8(data, seed)
    if length <= 16:
        return hash_9_to_16(data, seed)
    if length <= 128:
        return hash_17_to_128(data, seed)
    if length <= 240:
        return hash_129_to_240(data, seed)
    return hash_long(data, seed)


def hash_1_to_3(data, seed):
    length = len(data)
    combined = data[-1] | (length << 8) | (data[0] << 16) | (data[length >> 1] << 24)
    secret = little(DEFAULT_SECRET, 0, 4) ^ little(DEFAULT_SECRET, 4, 4)
    return avalanche64(combined ^ ((secret + seed) & U64))


def hash_4_to_8(data, seed):
    length = len(data)
    first, last = little(data, 0, 4), little(data, length - 4, 4)
    modified_seed = seed ^ (byteswap(seed & U32, 4) << 32)
    h = (last | (first << 32)) ^ (((secret64(8) ^ secret64(16)) - modified_seed) & U64)
    h ^= rotl64(h, 49) ^ rotl64(h, 24)
    h = (h * PRIME_MX2) & U64
    h ^= (h >> 35) + length
    h = (h * PRIME_MX2) & U64
    return h ^ (h >> 28)


def hash_9_to_16(data, seed):
    length = len(data)
    low = (((secret64(24) ^ secret64(32)) + seed) & U64) ^ little(data, 0, 8)
    high = (((secret64(40) ^ secret64(48)) - seed) & U64) ^ little(data, length - 8, 8)
    return avalanche((length + byteswap(low, 8) + high + mul128_fold64(low, high)) & U64)


def mix16(data, at, secret_at, seed):
    low = little(data, at, 8) ^ ((secret64(secret_at) + seed) & U64)
    high = little(data, at + 8, 8) ^ ((secret64(secret_at + 8) - seed) & U64)
    return mul128_fold64(low, high)


def hash_17_to_128(data, seed):
    length = len(data)
    h = length * PRIME64_1
    for i in range((length - 1) // 32 + 1):
        h += mix16(data, 16 * i, 32 * i, seed)
        h += mix16(data, length - 16 * (i + 1), 32 * i + 16, seed)
    return avalanche(h & U64)


def hash_129_to_240(data, seed):
    length = len(data)
    h = length * PRIME64_1
    for i in range(8):
        h += mix16(data, 16 * i, 16 * i, seed)
    h = avalanche(h & U64)
    for i in range(8, length // 16):
        h += mix16(data, 16 * i, 16 * (i - 8) + 3, seed)
    h += mix16(data, length - 16, 136 - 17, seed)
    return avalanche(h & U64)


def seeded_secret(seed):
    if seed == 0:
        return DEFAULT_SECRET
    out = bytearray()
    for at in range(0, len(DEFAULT_SECRET), 16):
        out += put_little((secret64(at) + seed) & U64, 8)
        out += put_little((secret64(at + 8) - seed) & U64, 8)
    return bytes(out)


def accumulate(acc, data, at, secret, secret_at):
    """One stripe of 64 bytes into the eight accumulators."""
    for lane in range(8):
        value = little(data, at + 8 * lane, 8)
        keyed = value ^ little(secret, secret_at + 8 * lane, 8)
        acc[lane ^ 1] = (acc[lane ^ 1] + value) & U64
        acc[lane] = (acc[lane] + (keyed & U32) * (keyed >> 32)) & U64


def scramble(acc, secret):
    for lane in range(8):
        a = acc[lane]
        a ^= a >> 47
        a ^= little(secret, len(secret) - STRIPE + 8 * lane, 8)
        acc[lane] = (a * PRIME32_1) & U64


def hash_long(data, seed):
    length = len(data)
    secret = seeded_secret(seed)
    acc = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    stripes_a_block = (len(secret) - STRIPE) // SECRET_STEP
    stripes = (length - 1) // STRIPE  # the last, possibly overlapping one comes after them
    for i in range(stripes):
        within = i % stripes_a_block
        accumulate(acc, data, STRIPE * i, secret, SECRET_STEP * within)
        if within == stripes_a_block - 1:
            scramble(acc, secret)
    accumulate(acc, data, length - STRIPE, secret, len(secret) - STRIPE - 7)
    h = length * PRIME64_1
    for i in range(4):
        h += mul128_fold64(acc[2 * i] ^ little(secret, 11 + 16 * i, 8),
                           acc[2 * i + 1] ^ little(secret, 11 + 16 * i + 8, 8))
    return avalanche(h & U64)
