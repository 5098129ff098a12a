"""spec/hash.md, section 8: receipts, which filters issue for keys that may be erased."""

from ..words import U64, put_little
from .fnv1a_splitmix import splitmix64
from .hasher import SIPHASH13
from .siphash13 import siphash13


def receipt_scope(kind, units, shape, identity):
    """Tells filters with one hasher apart."""
    scope = splitmix64(kind)
    for number in (units, shape, identity):
        scope = splitmix64(scope ^ number)
    return scope


def receipt_check(hasher, hash, scope, number=0):
    """What makes 24 bytes a receipt of a filter with this hasher and scope; never 0."""
    if number:
        scope = splitmix64(scope ^ number)
    if hasher.id == SIPHASH13:
        a, b = (int.from_bytes(half, "little") for half in (hasher.secret[:8], hasher.secret[8:]))
    else:
        a, b = hasher.seed, 0
    k0 = a ^ 0x72656D6F6F6C622E
    k1 = (b ^ 0x7470696563657279 ^ hasher.id) & U64
    return siphash13(put_little(hash, 8) + put_little(scope, 8), put_little(k0, 8) + put_little(k1, 8)) or 1


def receipt(hasher, hash, scope, number=0):
    """The 24 bytes."""
    return put_little(hash, 8) + put_little(receipt_check(hasher, hash, scope, number), 8) + put_little(number, 8)
