"""spec/filters.md, section 7: the cuckoo filter, as it is read; its rates, spec/model.md, section 9."""

import math

from .capabilities import Filter
from .errors import invalid_argument, too_large
from .hash import Hasher
from .kind import Parameter, Payload, Units
from .model.realised import Rates
from .words import U64, count_ones, little, mulhi, put_little, zeroed

SLOTS = 4
TAG_BITS = (6, 32)
MAX_BITS = 2**48

BUCKETS = Units("buckets", lambda kind, header: header.units >= 2 and header.units % 2 == 0 and
                SLOTS * header.hashes * header.units <= MAX_BITS, {"max_bits": MAX_BITS})
BYTES_OF_BUCKETS = Payload("buckets", lambda kind, header: header.payload_length == header.hashes * header.units // 2)
IDENTITY = Parameter("identity", 8, lambda value, header: True)


def other(bucket, tag, buckets):
    """Section 7.2: (d - i) mod B, with d odd, from the tag alone."""
    x = (tag * 0xF1357AEA2E62A9C5) & U64
    x = ((x ^ (x >> 32)) * 0x9E3779B97F4A7C15) & U64
    d = 2 * mulhi(x, buckets // 2) + 1
    return (d - bucket) % buckets


def places(h, buckets, tag_bits):
    """Section 7.2: (tag, first bucket, second bucket)."""
    tag = 1 + mulhi((h * 0x9E3779B97F4A7C15) & U64, 2**tag_bits - 1)
    first = mulhi(h, buckets)
    return tag, first, other(first, tag, buckets)


class CuckooFilter(Filter):
    """Keys are inserted and erased by the program that made it; which slot they go to is not part of the contract."""

    shape = ("buckets", "tag_bits")

    def __init__(self, buckets, tag_bits, hasher=None, array=None, identity=0):
        if buckets < 2 or buckets % 2 != 0 or not TAG_BITS[0] <= tag_bits <= TAG_BITS[1]:
            raise invalid_argument("a cuckoo filter has an even number of buckets, and tags of 6 to 32 bits")
        if SLOTS * tag_bits * buckets > MAX_BITS:
            raise too_large("a cuckoo filter has at most 2^48 bits")
        self.buckets = buckets
        self.tag_bits = tag_bits
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(buckets * tag_bits // 2) if array is None else bytearray(array)
        self.identity = identity

    @classmethod
    def make(cls, hasher, buckets, tag_bits):
        return cls(buckets, tag_bits, hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, hasher, payload, little(header.parameters, 0, 8))

    @staticmethod
    def positions_in(h, buckets, tag_bits):
        return places(h, buckets, tag_bits)

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones(), "occupied": cuckoo_keys(self), "classes": round(cuckoo_realised(self) * self.buckets * self.tags())}

    def header_fields(self):
        return {"hashes": self.tag_bits, "units": self.buckets, "parameters": put_little(self.identity, 8)}

    def payload(self):
        return bytes(self.array)

    def size(self):
        return 8 * len(self.array), self.tag_bits

    def ones(self):
        return count_ones(self.array)

    def clear(self):
        self.array = bytearray(len(self.array))
        self.identity, self.receipts = 0, None  # those issued before are for keys that are gone

    def tags(self):
        """How many different tags there are: T of spec/model.md, section 9."""
        return 2**self.tag_bits - 1

    def bytes_of(self, bucket):
        """(offset, length) of the bytes that the bits of a bucket lie in."""
        begin, end = SLOTS * self.tag_bits * bucket, SLOTS * self.tag_bits * (bucket + 1)
        return begin // 8, (end + 7) // 8 - begin // 8

    def slots(self, bucket):
        """The tags of a bucket; 0: empty."""
        offset, length = self.bytes_of(bucket)
        bits = little(self.array, offset, length) >> (SLOTS * self.tag_bits * bucket - 8 * offset)
        return [(bits >> (self.tag_bits * slot)) & self.tags() for slot in range(SLOTS)]

    def is_damaged(self, bucket):
        return self.damage.touches(*self.bytes_of(bucket))

    def count_hash(self, h):
        """Section 7.3: the slots that hold the tag; all 8 if a byte of them is damaged."""
        tag, *buckets = places(h, self.buckets, self.tag_bits)
        if any(map(self.is_damaged, buckets)):
            return 2 * SLOTS
        return sum(self.slots(bucket).count(tag) for bucket in buckets)

    def may_contain_hash(self, h):
        return self.count_hash(h) > 0

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))


def damaged_share(filter):
    """x: the share of the buckets that have a byte in a damaged chunk."""
    return sum(map(filter.is_damaged, range(filter.buckets))) / filter.buckets


def cuckoo_keys(filter):
    """Occupied slots, copies included; damaged buckets count as filled like the others."""
    intact = 1 - damaged_share(filter)
    taken = sum(SLOTS - filter.slots(bucket).count(0) for bucket in range(filter.buckets) if not filter.is_damaged(bucket))
    return taken / intact if intact > 0 else math.inf


def cuckoo_realised(filter):
    """(2 D - C) / (B T), and the lookups of damaged buckets."""
    pairs, in_both = 0, 0
    for bucket in range(filter.buckets):
        if filter.is_damaged(bucket):
            continue
        for tag in set(filter.slots(bucket)) - {0}:
            second = other(bucket, tag, filter.buckets)
            if not filter.is_damaged(second):
                pairs += 1
                in_both += tag in filter.slots(second)
    found = (2 * pairs - in_both) / (filter.buckets * filter.tags())
    return min(1.0, 1 - (1 - damaged_share(filter))**2 + found)


def cuckoo_fpr(n, buckets, tag_bits):
    """Before it is filled: exact."""
    return -math.expm1(n * math.log1p(-2 / (buckets * (2**tag_bits - 1))))


RATES = Rates(cuckoo_keys, cuckoo_realised)


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": CuckooFilter, "units": BUCKETS, "payload": BYTES_OF_BUCKETS, "parameters": (IDENTITY,), "rates": RATES}
