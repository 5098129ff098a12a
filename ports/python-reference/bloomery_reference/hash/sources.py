"""spec/hash.md, section 6: sources, what keys are before they are hashed."""

BYTES, INTEGERS, HASHES = "bytes", "integers", "hashes"

# Values that the caller has made bytes of.
ENCODED = ("int32", "int32be", "int64be", "float32", "float64", "utf16")

SOURCES = (BYTES, INTEGERS, HASHES, *ENCODED)


def sort_of(source):
    """What a hasher is given: bytes, integers or hashes."""
    return BYTES if source in ENCODED else source
