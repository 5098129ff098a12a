"""spec/hash.md, section 4: SipHash-1-3, one round a word and three final rounds, 64-bit result."""

from ..words import U64, little, rotl64


def sip_round(v0, v1, v2, v3):
    v0 = (v0 + v1) & U64
    v1 = rotl64(v1, 13) ^ v0
    v0 = rotl64(v0, 32)
    v2 = (v2 + v3) & U64
    v3 = rotl64(v3, 16) ^ v2
    v0 = (v0 + v3) & U64
    v3 = rotl64(v3, 21) ^ v0
    v2 = (v2 + v1) & U64
    v1 = rotl64(v1, 17) ^ v2
    v2 = rotl64(v2, 32)
    return v0, v1, v2, v3


def siphash13(data, secret):
    """k0 is the first 8 bytes of the secret and k1 the last 8."""
    k0, k1 = little(secret, 0, 8), little(secret, 8, 8)
    v = (k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573)
    whole = len(data) // 8 * 8
    words = [little(data, at, 8) for at in range(0, whole, 8)]
    words.append(int.from_bytes(data[whole:], "little") | ((len(data) & 0xFF) << 56))
    for word in words:
        v0, v1, v2, v3 = sip_round(v[0], v[1], v[2], v[3] ^ word)
        v = (v0 ^ word, v1, v2, v3)
    v = (v[0], v[1], v[2] ^ 0xFF, v[3])
    for _ in range(3):
        v = sip_round(*v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]
