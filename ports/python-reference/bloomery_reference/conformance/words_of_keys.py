"""spec/conformance.md, section 3: keys and hashers as scripts write them."""

import re

from ..container import ANY
from ..hash import BYTES, FNV1A_SPLITMIX, HASHES, INTEGERS, SIPHASH13, SOURCES, XXH3, XXH64, Hasher
from ..words import U64


class NotAScript(Exception):
    """The script does not parse, or a file is missing: the program cannot run (exit status 2)."""


class Key:
    """Bytes, or a 64-bit integer, or a hash that was made already."""

    def __init__(self, bytes=None, integer=None, hash=None):
        self.bytes = bytes
        self.integer = integer
        self.hash = hash

    def hashed(self, hasher):
        """A hasher of bytes takes all sorts, so that a script may mix them; any other only its own."""
        mixed = hasher.source == BYTES
        if self.hash is not None:
            return (hasher.of(HASHES) if mixed else hasher).from_hash(self.hash)
        if self.integer is not None:
            return (hasher.of(INTEGERS) if mixed else hasher).hash_integer(self.integer)
        return hasher.hash(self.bytes)

    def as_bytes(self):
        if self.bytes is None:
            raise NotAScript("only keys of bytes may stand here")
        return self.bytes


RANGE = re.compile(r"([A-Za-z]*)\[([0-9]+)\.\.([0-9]+)\]")


def hex_bytes(text):
    if len(text) % 2 or not re.fullmatch("[0-9a-f]*", text):
        raise NotAScript(f"{text} is no hexadecimal")
    return bytes.fromhex(text)


def whole_number(text):
    if not re.fullmatch("[0-9]+", text):
        raise NotAScript(f"{text} is no number")
    return int(text)


def keys_of(word):
    """The keys that one word stands for."""
    kind, colon, rest = word.partition(":")
    if colon and kind == "t":
        return [Key(bytes=rest.encode("ascii"))]
    if colon and kind == "x":
        return [Key(bytes=hex_bytes(rest))]
    if colon and kind == "p":
        return [Key(bytes=bytes(i % 251 for i in range(whole_number(rest))))]
    if colon and kind == "u":
        integer = whole_number(rest)
        if integer > U64:
            raise NotAScript(f"{rest} has more than 64 bits")
        return [Key(integer=integer)]
    if colon and kind == "h" and len(rest) == 16:
        return [Key(hash=int.from_bytes(hex_bytes(rest), "big"))]
    found = RANGE.fullmatch(word)
    if not found:
        raise NotAScript(f"{word} is no key")
    prefix, first, last = found[1], int(found[2]), int(found[3])
    return [Key(bytes=f"{prefix}{i}".encode("ascii")) for i in range(first, last + 1)]


def source_of(options):
    """A name of hash.md, section 6."""
    return source_named(options.get("source", BYTES))


def source_to_read(options):
    """Or `any`, to follow the record."""
    return ANY if options.get("source") == ANY else source_of(options)


def source_named(name):
    if name not in SOURCES:
        raise NotAScript(f"{name} is no source")
    return name


def hasher_of(word):
    name, colon, rest = word.partition(":")
    if name in ("xxh3", "xxh64") and (not colon or len(rest) == 16):
        seed = int.from_bytes(hex_bytes(rest), "big")
        return Hasher(XXH3 if name == "xxh3" else XXH64, seed)
    if word == "fnv1a-splitmix":
        return Hasher(FNV1A_SPLITMIX)
    if name == "siphash13" and len(rest) == 32:
        return Hasher(SIPHASH13, secret=hex_bytes(rest))
    raise NotAScript(f"{word} is no hasher")
