"""Laws: no false negatives; spoilt bytes are refused or answered "possibly present", and nothing but a Refusal is raised."""

import os
import random
import unittest
from unittest import mock

from bloomery_reference import container
from bloomery_reference.block import PROFILES, BlockBloom
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container.header import pack
from bloomery_reference.crc32c import crc32c
from bloomery_reference.dialects import READERS, parquet_filter
from bloomery_reference.dialects import portable as portable_dialect
from bloomery_reference.errors import Refusal
from bloomery_reference.hash import Hasher
from bloomery_reference.kinds import FOREIGN, KINDS, SETS, kind_of, kinds_of_one_filter
from bloomery_reference.split_block import SplitBlockBloom

from . import samples
from .fingerprints import FINGERPRINTS


def flipped(data, bit):
    out = bytearray(data)
    out[bit // 8] ^= 1 << (bit % 8)
    return bytes(out)


# Every bit takes a quarter of a minute; without BLOOMERY_TEST_FULL=1 it is one bit of every byte.
FLIPS_PER_BYTE = 8 if os.environ.get("BLOOMERY_TEST_FULL") == "1" else 1


def spoilt(data):
    """Every truncation of the data, FLIPS_PER_BYTE flips of bits in every byte, and a byte too many."""
    for length in range(len(data)):
        yield data[:length]
    for byte in range(len(data)):
        for bit in range(FLIPS_PER_BYTE):
            yield flipped(data, 8 * byte + (byte + bit) % 8)
    yield data + b"\0"


class TestNoFalseNegatives(unittest.TestCase):
    def test_random_keys_in_filters_of_random_shape(self):
        source = random.Random(6)
        for kind in kinds_of_one_filter():
            for _ in range(60):
                keys = [source.randbytes(source.choice((0, 1, 3, 8, 16, 17, 130, 250))) for _ in range(20)]
                numbers = samples.random_shape(kind, source)
                filter = samples.filled(kind.filter.make(Hasher(), *numbers), keys)
                self.assertTrue(all(map(filter.may_contain, keys)), (kind.name, numbers))

    def test_every_dialect_finds_its_keys(self):
        for dialect, variant, image in samples.images():
            with self.subTest(dialect, variant=variant):
                filter = READERS[dialect](image, variant)
                self.assertTrue(all(map(filter.may_contain, samples.KEYS)))
                self.assertLess(sum(filter.may_contain(b"k0x%d" % i) for i in range(100)), 100)

    def kinds_that_can(self, call):
        found = [kind for kind in kinds_of_one_filter() if call in kind.can]
        self.assertTrue(found)
        return found

    def test_union_has_the_keys_of_both(self):
        for kind in self.kinds_that_can("merge"):
            a, b, both = (samples.empty(kind) for _ in range(3))
            samples.filled(a, samples.KEYS[:5])
            samples.filled(b, samples.KEYS[5:])
            samples.filled(both)
            a.merge(b)
            self.assertEqual(a.payload(), both.payload(), kind.name)

    def test_intersection_has_the_keys_of_both(self):
        for kind in self.kinds_that_can("intersect"):
            a, b = samples.filled(samples.empty(kind), samples.KEYS[:7]), samples.filled(samples.empty(kind), samples.KEYS[3:])
            before = a.ones()
            a.intersect(b)
            self.assertTrue(all(map(a.may_contain, samples.KEYS[3:7])), kind.name)
            self.assertLess(a.ones(), before, kind.name)

    def test_what_does_not_fit_is_not_combined(self):
        """Not with any filter of another kind, shape or hasher, unless it can be folded; and nothing has changed."""
        filters = [filter for _, filter in samples.own_filters() if {"merge", "intersect"} <= set(kind_of(filter).can)]
        self.assertGreater(len(filters), 4)
        for a in filters:
            for b in filters:
                if a is b:
                    continue
                before = a.payload()
                self.assertEqual(refusal_of(lambda: a.merge(b)), ("incompatible", None))
                self.assertEqual(refusal_of(lambda: a.intersect(b)), ("incompatible", None))
                self.assertEqual(a.payload(), before)

    def test_blocks_are_folded_for_a_union_only(self):
        a, b = samples.filled(SplitBlockBloom(2), samples.KEYS[:5]), samples.filled(SplitBlockBloom(4), samples.KEYS[5:])
        self.assertEqual(refusal_of(lambda: a.intersect(b)), ("incompatible", None))
        a.merge(b)
        self.assertEqual(a.bits, samples.filled(SplitBlockBloom(2)).bits)

    def test_inserting_if_absent(self):
        """The first time it goes in, unless it is a false positive; the second time it does not."""
        for kind in self.kinds_that_can("insert_if_absent"):
            filter, plain = samples.empty(kind), samples.empty(kind)
            inserted = 0
            for key in samples.KEYS:
                present = plain.may_contain(key)
                self.assertEqual(filter.insert_if_absent(key), not present, kind.name)
                inserted += not present
                plain.insert(key)
                self.assertEqual(filter.payload(), plain.payload(), kind.name)
                self.assertFalse(filter.insert_if_absent(key), kind.name)
            self.assertGreater(inserted, 5, kind.name)

    def test_folding_to_the_common_divisor(self):
        a, b = samples.filled(SplitBlockBloom(6), samples.KEYS[:5]), samples.filled(SplitBlockBloom(4), samples.KEYS[5:])
        self.assertEqual(refusal_of(lambda: a.merge(b)), ("incompatible", None))
        a, b = a.folded_to_common(b)
        a.merge(b)
        self.assertEqual(a.bits, samples.filled(SplitBlockBloom(2)).bits)


class TestSpoiltContainers(unittest.TestCase):
    """Containers of every kind in the table, and of one that is no bits: refused, or "possibly present" for every key that went in."""

    def setUp(self):
        self.enterContext(mock.patch.dict(KINDS, {FINGERPRINTS.number: FINGERPRINTS}))

    def test_there_is_one_of_every_kind(self):
        self.assertEqual({sample.kind for sample in samples.containers()}, set(KINDS.values()))

    def test_every_truncation_and_every_bit(self):
        """Each is refused, or damage is reported and no key denied."""
        for sample in samples.containers():
            with self.subTest(sample.name):
                self.assertTrue(all(sample.answers(container.read(sample.data, sample.secret))))
                accepted = 0
                for bad in spoilt(sample.data):
                    try:
                        read = container.read(bad, sample.secret)
                    except Refusal:
                        continue
                    accepted += 1
                    self.assertEqual(len(bad), len(sample.data))
                    self.assertEqual(read.damaged, 1)
                    self.assertTrue(all(sample.answers(read)))
                self.assert_payload_accepted(sample, accepted)

    def assert_payload_accepted(self, sample, accepted):
        """In native kinds, the bits of the payload and its padding, and no others: checksums lie in the tail."""
        if sample.kind is not FOREIGN:
            length = container.inspect(sample.data).payload_length
            self.assertEqual(accepted, FLIPS_PER_BYTE * ((length + 63) // 64 * 64))

    def test_verifying_counts_the_ones(self):
        for sample in samples.containers():
            with self.subTest(sample.name):
                container.verify(sample.data, sample.secret)
                header = container.inspect(sample.data)
                header.ones ^= 1
                lying = pack(header) + sample.data[128:]
                container.read(lying, sample.secret)
                self.assertEqual(refusal_of(lambda: container.verify(lying, sample.secret)), ("corrupt", 88))

    def test_headers_that_lie_under_a_right_checksum(self):
        """Whatever the fields say, the file is refused, or can be asked."""
        source = random.Random(8)
        numbers = sorted({0, 1, 2, 3, 4, 255, *KINDS})
        for sample in samples.containers():
            for _ in range(300):
                bad = bytearray(sample.data)
                for _ in range(source.choice((1, 1, 2, 3))):
                    bad[source.randrange(8, 124)] = source.choice(numbers)
                bad[124:128] = crc32c(bad[:124]).to_bytes(4, "little")
                try:
                    read = container.read(bytes(bad), sample.secret)
                except Refusal as refusal:
                    self.assertLessEqual(refusal.offset, len(bad))
                    continue
                member = (0,) if read.kind in SETS else ()
                for key in samples.KEYS:
                    read.filter.may_contain(key, *member)

    def test_a_member_without_blocks_contains_nothing(self):
        data = samples.packed().data
        self.assertFalse(any(container.read(data).filter.may_contain(key, 2) for key in samples.KEYS))

    def test_packed_sets_of_several_chunks(self):
        """Members in the damaged chunk answer "possibly present", as do those whose entries are; the others are as they were."""
        members = [samples.filled(BlockBloom(PROFILES[0], 32), [b"k%d" % i]) for i in range(10)]
        data = container.write_packed(members)
        self.assertEqual(container.inspect(data).payload_length, 10240 + 88)
        strangers = [b"x%d" % i for i in range(100)]
        for chunk, spoilt_members in ((0, range(0, 4)), (1, range(4, 8)), (2, range(0, 10))):
            read = container.read(flipped(data, 8 * (4096 + 4096 * chunk + 5)))
            self.assertEqual(read.damaged, 1)
            for number, member in enumerate(members):
                self.assertTrue(read.filter.may_contain(b"k%d" % number, number))
                wanted = [number in spoilt_members or member.may_contain(key) for key in strangers]
                self.assertEqual([read.filter.may_contain(key, number) for key in strangers], wanted)

    def test_foreign_bytes_of_several_chunks(self):
        """Damage in the chunk with the header is refused; in another, its bits count as set."""
        keys = [b"k%d" % i for i in range(9000)]
        filter = samples.filled(parquet_filter.make("header", 9000, 0.01), keys)
        image = parquet_filter.encode(filter)
        data = container.write_foreign(image, "parquet", {"variant": "header"})
        self.assertEqual(refusal_of(lambda: container.read(flipped(data, 8 * 1000))), ("corrupt", 128))
        read = container.read(flipped(data, 8 * (128 + 4096 + 7)))
        self.assertEqual(read.damaged, 1)
        header = len(image) % 32
        self.assertEqual(read.filter.filter.bits[4096 - header:8192 - header], b"\xff" * 4096)
        self.assertTrue(all(map(read.filter.may_contain, keys[:500])))

    def test_a_directory_that_lies(self):
        """With checksums that agree: entries that contradict each other make the member answer "possibly present"."""
        read = container.read(samples.packed().data)
        for entries in ([0, 9, 9, 9, 6], [1, 1, 3, 3, 6], [0, 3, 1, 1, 6], [0, 2**64 - 1, 3, 3, 6]):
            filter = read.filter
            filter.payload[filter.directory:] = b"".join(entry.to_bytes(8, "little") for entry in entries)
            for member in range(4):
                first, last = entries[member], entries[member + 1]
                if first > last or last > 6 or (member == 0 and first != 0):
                    self.assertTrue(all(filter.may_contain(b"x%d" % i, member) for i in range(50)))

    def test_damage_of_one_chunk_leaves_the_others(self):
        filter = samples.filled(BlockBloom(PROFILES[1], 200), [b"k%d" % i for i in range(1000)])
        data = bytearray(container.write(filter))
        data[128 + 5000] ^= 1
        read = container.read(bytes(data))
        self.assertEqual(read.damaged, 1)
        self.assertTrue(all(read.filter.may_contain(b"k%d" % i) for i in range(1000)))
        self.assertEqual(read.filter.bits[:4096], filter.bits[:4096])
        self.assertEqual(read.filter.bits[4096:8192], b"\xff" * 4096)
        self.assertEqual(read.filter.bits[8192:], filter.bits[8192:])


class TestSpoiltBareFiles(unittest.TestCase):
    """Bare files have no checksum, so a flipped bit may lose a key (dialects.md 1.3); but nothing else is raised."""

    def ask_spoilt(self, image, decode):
        for bad in spoilt(image):
            try:
                filter = decode(bad)
                for key in samples.KEYS:
                    filter.may_contain(key)
            except Refusal as refusal:
                self.assertLessEqual(refusal.offset, len(bad))

    def test_portable(self):
        self.ask_spoilt(samples.portable_image(), portable_dialect.decode)

    def test_dialects(self):
        for dialect, variant, image in samples.images():
            with self.subTest(dialect, variant=variant):
                self.ask_spoilt(image, lambda bad: READERS[dialect](bad, variant))

    def test_random_bytes(self):
        source = random.Random(7)
        for _ in range(500):
            bad = source.randbytes(source.randint(0, 200))
            self.ask_once(bad)
            self.ask_once(b"PAR1" + bad + b"PAR1")
            self.ask_once(bytes.fromhex("89424c4d0d0a1a0a") + bad)

    def ask_once(self, bad):
        for decode in (portable_dialect.decode, container.read, *READERS.values(),
                       lambda data: READERS["parquet"](data, "file"), lambda data: READERS["parquet"](data, "bitset")):
            try:
                decode(bad)
            except Refusal as refusal:
                self.assertLessEqual(refusal.offset, len(bad))


if __name__ == "__main__":
    unittest.main()
