"""spec/hash.md: a hasher is a hash function together with its seed or secret."""

from ..errors import invalid_argument
from ..words import U64, put_little
from .fnv1a_splitmix import fnv1a_splitmix, splitmix64
from .integers import fmix64
from .siphash13 import siphash13
from .xxh3 import xxh3
from .xxh64 import xxh64

XXH3, FNV1A_SPLITMIX, XXH64, SIPHASH13 = 1, 2, 3, 4

NAMES = {XXH3: "xxh3", FNV1A_SPLITMIX: "fnv1a-splitmix", XXH64: "xxh64", SIPHASH13: "siphash13"}

SEEDED = (XXH3, XXH64)


class Hasher:
    """Turns a byte string, or a 64-bit integer given as such, into the 64 bits that a filter sees."""

    def __init__(self, id=XXH3, seed=0, secret=None):
        if id not in NAMES:
            raise invalid_argument(f"no hash function has the id {id}")
        if not 0 <= seed <= U64 or (seed != 0 and id not in SEEDED):
            raise invalid_argument(f"{NAMES[id]} takes no seed {seed}")
        if (secret is not None) != (id == SIPHASH13) or (secret is not None and len(secret) != 16):
            raise invalid_argument("siphash13, and only it, takes a secret of 16 bytes")
        self.id = id
        self.seed = seed
        self.secret = secret

    def hash(self, data):
        """Sections 1 to 4."""
        if self.id == XXH3:
            return xxh3(data, self.seed)
        if self.id == FNV1A_SPLITMIX:
            return fnv1a_splitmix(data)
        if self.id == XXH64:
            return xxh64(data, self.seed)
        return siphash13(data, self.secret)

    def hash_integer(self, x):
        """Section 6: under xxh3 `fmix64(x xor splitmix64(seed))`, else the hash of the 8 little-endian bytes."""
        if not 0 <= x <= U64:
            raise invalid_argument("an integer key has 64 bits")
        if self.id == XXH3:
            return fmix64(x ^ splitmix64(self.seed))
        return self.hash(put_little(x, 8))

    def check(self):
        """Section 7: the hash of "bloomery" identifies a hasher without telling its secret."""
        return self.hash(b"bloomery")

    def __eq__(self, other):
        return (self.id, self.seed, self.secret) == (other.id, other.seed, other.secret)

    def __hash__(self):
        return hash((self.id, self.seed))

    def __repr__(self):
        return NAMES[self.id] + (f" with seed {self.seed}" if self.id in SEEDED else "")
