"""Small filters of every kind and dialect, with the keys that went in: what the laws are tried on."""

from bloomery_reference import container
from bloomery_reference.block import PROFILES, BlockBloom
from bloomery_reference.bloom import ClassicBloom
from bloomery_reference.crc32c import crc32c
from bloomery_reference.dialects import atomicbloom, nori_bloom, parquet_filter
from bloomery_reference.dialects import portable as portable_dialect
from bloomery_reference.hash import SIPHASH13, XXH3, Hasher, xxh64
from bloomery_reference.portable import PortableBloom
from bloomery_reference.split_block import SplitBlockBloom

KEYS = [b"k%d" % i for i in range(10)]
SECRET = bytes(range(16))


def filled(filter, keys=KEYS):
    for key in keys:
        filter.insert(key)
    return filter


def own_filters():
    """(name, filter with KEYS)."""
    yield "portable", filled(PortableBloom(96, 7))
    yield "portable, more hashes than bits", filled(PortableBloom(5, 9))
    for profile in PROFILES:
        yield f"block, {profile.name}", filled(BlockBloom(profile, 3))
    yield "block, keyed", filled(BlockBloom(PROFILES[1], 2, Hasher(SIPHASH13, secret=SECRET)))
    yield "block, seeded", filled(BlockBloom(PROFILES[1], 2, Hasher(XXH3, seed=77)))
    yield "split-block", filled(SplitBlockBloom(3))
    yield "bloom", filled(ClassicBloom(97, 7))


def quotient_image(keys, q, r):
    """spec/dialects/nori.md, "Quotient filter", as its owner fills it."""
    slots = [None] * (1 << q)
    for key in keys:
        h = xxh64(key)
        quotient, remainder = h >> (64 - q), (h >> (64 - q - r)) & ((1 << r) - 1)
        at = quotient
        while slots[at] is not None:
            at = (at + 1) % len(slots)
        slots[at] = (quotient, remainder)
    body = b"".join(b"\0" if slot is None else b"\1" + slot[0].to_bytes(4, "little") + slot[1].to_bytes(2, "little")
                    for slot in slots)
    return bytes([1, q, r]) + len(keys).to_bytes(4, "little") + len(slots).to_bytes(4, "little") + body


def footer(index, bloom, format):
    """spec/dialects/nori.md, "Table": the last 64 bytes. index, bloom: (offset, size)."""
    body = b"".join(number.to_bytes(8, "little") for number in (*index, *bloom))
    body += bytes([0]) + (4096).to_bytes(4, "little") + (10).to_bytes(8, "little") + bytes([format, 8]) + bytes(5)
    body += b"NORISSTL"
    return body + crc32c(body).to_bytes(4, "little")


def bloom_table(keys):
    section = nori_bloom.encode(filled(nori_bloom.make("current", len(keys)), keys))
    data = b"data" * 4
    return data + section + footer((0, len(data)), (len(data), len(section)), 1)


def quotient_table(keys):
    """Two blocks with filters of their own, and one without a filter."""
    ordered = sorted(keys)
    blocks = (ordered[:5], ordered[5:8], ordered[8:])
    data, index = b"", b""
    for number, block in enumerate(blocks):
        filter = quotient_image(block, 3, 8) if number < 2 else b""
        body = b"entries" + filter + len(filter).to_bytes(2, "little")
        index += bytes([len(block[0])]) + block[0] + len(data).to_bytes(8, "little") + len(body).to_bytes(4, "little")
        data += body
    index += len(blocks).to_bytes(4, "little")
    return data + index + footer((len(data), len(index)), (len(data), 0), 2)


def thrift_field(delta, type, value=b""):
    return bytes([delta << 4 | type]) + value


def parquet_file(keys):
    """spec/dialects/parquet.md, "File": one row group, one column of INT32 or so with a filter, one without."""
    filter = parquet_filter.encode(filled(parquet_filter.make("header", len(keys)), keys))
    zigzag = parquet_filter.zigzag_varint
    meta = (thrift_field(1, 5, zigzag(6)) + thrift_field(2, 9, b"\x28\x01a\x01b") + thrift_field(11, 6, zigzag(4))
            + thrift_field(1, 5, zigzag(len(filter))) + b"\0")
    bare = thrift_field(1, 5, zigzag(1)) + b"\0"
    columns = b"".join(thrift_field(3, 12, column) + b"\0" for column in (meta, bare))
    group = thrift_field(1, 9, b"\x2c" + columns) + b"\0"
    meta_data = thrift_field(1, 5, zigzag(1)) + thrift_field(3, 9, b"\x1c" + group) + b"\0"
    return b"PAR1" + filter + meta_data + len(meta_data).to_bytes(4, "little") + b"PAR1"


def images():
    """(dialect, variant that must be named or None, bytes of a file with KEYS)."""
    yield "nori", None, nori_bloom.encode(filled(nori_bloom.make("current", 10)))
    yield "nori", "old-mod", nori_bloom.encode(filled(nori_bloom.make("old-mod", 10)))
    yield "nori", None, bloom_table(KEYS)
    yield "nori", None, quotient_table(KEYS)
    yield "nori", "quotient", quotient_image(KEYS, 4, 8)
    yield "atomicbloom", None, atomicbloom.encode(filled(atomicbloom.make(10)))
    yield "parquet", None, parquet_filter.encode(filled(parquet_filter.make("header", 10)))
    yield "parquet", "bitset", parquet_filter.encode(filled(parquet_filter.make("bitset", 10)))
    yield "parquet", None, parquet_file(KEYS)


def containers():
    """(name, bytes, secret, a function from what was read to whether each key is perhaps present)."""
    for name, filter in own_filters():
        sentinels = [filter.hasher.hash(key) for key in KEYS]
        data = container.write(filter, 0.01, 10, 10, sentinels, notes=((7, b"a note"),))
        yield name, data, filter.hasher.secret, lambda read: [read.filter.may_contain(key) for key in KEYS]
    for dialect, variant, image in images():
        data = container.write_foreign(image, dialect, {"variant": variant}, 10, 10)
        yield f"foreign, {dialect} {variant}", data, None, lambda read: [read.filter.may_contain(key) for key in KEYS]


def packed():
    """A packed set whose members have one key each, but the third, which has no blocks."""
    members = [filled(BlockBloom(PROFILES[0], blocks), [key]) for blocks, key in zip((1, 2, 3), KEYS)]
    members.insert(2, None)
    return container.write_packed(members), [(0, KEYS[0]), (1, KEYS[1]), (3, KEYS[2])]


def portable_image():
    return portable_dialect.encode(filled(PortableBloom(96, 7)))
