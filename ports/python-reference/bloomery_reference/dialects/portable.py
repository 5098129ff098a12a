"""spec/dialects.md, section 1: the dialect `portable`, 12 bytes and the bits."""

from ..errors import corrupt, unsupported
from ..hash import BYTES
from ..portable import PortableBloom
from ..words import bytes_for, little, put_little

HEADER = 12


def encode(filter):
    """Padding bits are those that were read (section 1.2), zero in a filter that was made here.

    The bytes cannot say what keys are, and who reads them takes them for bytes (spec/conformance.md, "Sources").
    """
    if filter.hasher.source != BYTES:
        raise unsupported(None, f"these bytes cannot say that keys are {filter.hasher.source}: write a container")
    return put_little(filter.k, 4) + put_little(filter.m, 8) + bytes(filter.bits)


def decode(data, source=BYTES):
    """Section 1.1, in its order. m is believed only once the bytes that it promises are there.

    source: what the caller says that keys are.
    """
    if len(data) < HEADER:
        raise corrupt(len(data), "fewer than 12 bytes")
    k = little(data, 0, 4)
    m = little(data, 4, 8)
    if k == 0:
        raise corrupt(0, "no hashes")
    if m == 0:
        raise corrupt(4, "no bits")
    if len(data) < HEADER + bytes_for(m):
        raise corrupt(len(data), "fewer bytes than m bits take")
    if len(data) > HEADER + bytes_for(m):
        raise corrupt(HEADER + bytes_for(m), "bytes after the bits")
    return PortableBloom(m, k, data[HEADER:], source)
