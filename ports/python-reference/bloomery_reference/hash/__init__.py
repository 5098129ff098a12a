"""spec/hash.md: from bytes to 64 bits. `Hasher` is the door to all of it."""

from .hasher import Hasher, XXH3, FNV1A_SPLITMIX, XXH64, SIPHASH13
from .sources import BYTES, HASHES, INTEGERS, SOURCES
from .fnv1a_splitmix import fnv1a64, splitmix64, fnv1a_splitmix
from .xxh3 import xxh3
from .xxh64 import xxh64
from .siphash13 import siphash13
from .receipts import receipt, receipt_check, receipt_scope
