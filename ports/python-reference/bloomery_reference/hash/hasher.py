"""spec/hash.md: a hasher is a hash function together with its seed or secret, and the source of its keys."""

from ..errors import incompatible, invalid_argument
from ..words import U64, put_little
from .fnv1a_splitmix import fnv1a_splitmix, splitmix64
from .integers import fmix64
from .siphash13 import siphash13
from .sources import BYTES, HASHES, INTEGERS, SOURCES, sort_of
from .xxh3 import xxh3
from .xxh64 import xxh64

XXH3, FNV1A_SPLITMIX, XXH64, SIPHASH13 = 1, 2, 3, 4

NAMES = {XXH3: "xxh3", FNV1A_SPLITMIX: "fnv1a-splitmix", XXH64: "xxh64", SIPHASH13: "siphash13"}

SEEDED = (XXH3, XXH64)


class Hasher:
    """Turns keys of its source into the 64 bits that a filter sees, and refuses others (incompatible)."""

    def __init__(self, id=XXH3, seed=0, secret=None, source=BYTES):
        if id not in NAMES:
            raise invalid_argument(f"no hash function has the id {id}")
        if not 0 <= seed <= U64 or (seed != 0 and id not in SEEDED):
            raise invalid_argument(f"{NAMES[id]} takes no seed {seed}")
        if (secret is not None) != (id == SIPHASH13) or (secret is not None and len(secret) != 16):
            raise invalid_argument("siphash13, and only it, takes a secret of 16 bytes")
        if source not in SOURCES:
            raise invalid_argument(f"no source of keys is called {source}")
        self.id = id
        self.seed = seed
        self.secret = secret
        self.source = source

    def of(self, source):
        """The same hash of other keys."""
        return Hasher(self.id, self.seed, self.secret, source)

    def check_takes(self, sort):
        """Section 6: a key of another source than the hasher's would be a false negative without a warning."""
        if sort_of(self.source) != sort:
            raise incompatible(f"keys of this hasher are {self.source}, not {sort}; of({sort!r}) makes one that takes them")

    def hash(self, data):
        """A key of bytes."""
        self.check_takes(BYTES)
        return self.hash_of_bytes(data)

    def hash_of_bytes(self, data):
        """Sections 1 to 4, whatever the source is."""
        if self.id == XXH3:
            return xxh3(data, self.seed)
        if self.id == FNV1A_SPLITMIX:
            return fnv1a_splitmix(data)
        if self.id == XXH64:
            return xxh64(data, self.seed)
        return siphash13(data, self.secret)

    def hash_integer(self, x):
        """Section 6: under xxh3 `fmix64(x xor splitmix64(seed))`, else the hash of the 8 little-endian bytes of x.

        A negative one is its two's complement.
        """
        self.check_takes(INTEGERS)
        if not -2**63 <= x <= U64:
            raise invalid_argument("an integer key has 64 bits")
        x &= U64
        if self.id == XXH3:
            return fmix64(x ^ splitmix64(self.seed))
        return self.hash_of_bytes(put_little(x, 8))

    def from_hash(self, h):
        """Section 6: a hash of the caller's own is the key, as it is."""
        self.check_takes(HASHES)
        if not 0 <= h <= U64:
            raise invalid_argument("a hash has 64 bits")
        return h

    def check(self):
        """Section 7: the hash of "bloomery" identifies a hasher, but its source, without telling its secret."""
        return self.hash_of_bytes(b"bloomery")

    def __eq__(self, other):
        return (self.id, self.seed, self.secret, self.source) == (other.id, other.seed, other.secret, other.source)

    def __hash__(self):
        return hash((self.id, self.seed, self.source))

    def __repr__(self):
        return NAMES[self.id] + (f" with seed {self.seed}" if self.id in SEEDED else "") + f" of {self.source}"
