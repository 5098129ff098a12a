"""Laws: no false negatives; spoilt bytes are refused or answered "perhaps", and nothing but a Refusal is raised."""

import random
import unittest

from bloomery_reference import container
from bloomery_reference.block import PROFILES, BlockBloom
from bloomery_reference.bloom import ClassicBloom
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container.header import pack
from bloomery_reference.crc32c import crc32c
from bloomery_reference.dialects import READERS, nori_bloom
from bloomery_reference.dialects import portable as portable_dialect
from bloomery_reference.errors import Refusal
from bloomery_reference.portable import PortableBloom
from bloomery_reference.split_block import SplitBlockBloom

from . import samples


def flipped(data, bit):
    out = bytearray(data)
    out[bit // 8] ^= 1 << (bit % 8)
    return bytes(out)


def spoilt(data):
    """Every truncation of the data, every bit flip, and a byte too many."""
    for length in range(len(data)):
        yield data[:length]
    for bit in range(8 * len(data)):
        yield flipped(data, bit)
    yield data + b"\0"


class TestNoFalseNegatives(unittest.TestCase):
    def test_random_keys_in_filters_of_random_shape(self):
        source = random.Random(6)
        for _ in range(60):
            keys = [source.randbytes(source.choice((0, 1, 3, 8, 16, 17, 130, 250))) for _ in range(20)]
            shapes = (PortableBloom(source.randint(1, 400), source.randint(1, 40)),
                      BlockBloom(source.choice(PROFILES), source.randint(1, 6)),
                      SplitBlockBloom(source.randint(1, 6)),
                      ClassicBloom(source.randint(1, 400), source.randint(1, 64)))
            for filter in shapes:
                samples.filled(filter, keys)
                self.assertTrue(all(map(filter.may_contain, keys)))

    def test_every_dialect_finds_its_keys(self):
        for dialect, variant, image in samples.images():
            with self.subTest(dialect, variant=variant):
                filter = READERS[dialect](image, variant)
                self.assertTrue(all(map(filter.may_contain, samples.KEYS)))
                self.assertLess(sum(filter.may_contain(b"k0x%d" % i) for i in range(100)), 100)

    def test_union_has_the_keys_of_both(self):
        for make in (lambda: PortableBloom(300, 5), lambda: BlockBloom(PROFILES[2], 4), lambda: SplitBlockBloom(4),
                     lambda: ClassicBloom(300, 5)):
            a, b, both = make(), make(), make()
            samples.filled(a, samples.KEYS[:5])
            samples.filled(b, samples.KEYS[5:])
            samples.filled(both)
            a.merge(b)
            self.assertEqual(a.bits, both.bits)


    def test_intersection_has_the_keys_of_both(self):
        for make in (lambda: BlockBloom(PROFILES[0], 4), lambda: SplitBlockBloom(4), lambda: ClassicBloom(300, 5)):
            a, b = samples.filled(make(), samples.KEYS[:7]), samples.filled(make(), samples.KEYS[3:])
            a.intersect(b)
            self.assertTrue(all(map(a.may_contain, samples.KEYS[3:7])))

    def test_folding_to_the_common_divisor(self):
        a, b = samples.filled(SplitBlockBloom(6), samples.KEYS[:5]), samples.filled(SplitBlockBloom(4), samples.KEYS[5:])
        self.assertEqual(refusal_of(lambda: a.merge(b)), ("incompatible", None))
        a, b = a.folded_to_common(b)
        a.merge(b)
        self.assertEqual(a.bits, samples.filled(SplitBlockBloom(2)).bits)


class TestSpoiltContainers(unittest.TestCase):
    """A container is refused, or answers "perhaps" for every key that went in."""

    def test_every_kind(self):
        for name, data, secret, answers in samples.containers():
            with self.subTest(name):
                self.assertTrue(all(answers(container.read(data, secret))))
                accepted = 0
                for bad in spoilt(data):
                    try:
                        read = container.read(bad, secret)
                    except Refusal:
                        continue
                    accepted += 1
                    self.assertGreater(read.damaged, 0)
                    self.assertTrue(all(answers(read)))
                if not name.startswith("foreign"):
                    self.assertGreater(accepted, 0)

    def test_verifying_counts_the_ones(self):
        for name, data, secret, _ in samples.containers():
            with self.subTest(name):
                container.verify(data, secret)
                header = container.inspect(data)
                header.ones ^= 1
                lying = pack(header) + data[128:]
                container.read(lying, secret)
                self.assertEqual(refusal_of(lambda: container.verify(lying, secret)), ("corrupt", 88))

    def test_headers_that_lie_under_a_right_checksum(self):
        """Whatever the fields say, the file is refused, or can be asked."""
        source = random.Random(8)
        files = [(data, secret) for _, data, secret, _ in samples.containers()] + [(samples.packed()[0], None)]
        for data, secret in files:
            for _ in range(300):
                bad = bytearray(data)
                for _ in range(source.choice((1, 1, 2, 3))):
                    bad[source.randrange(8, 100)] = source.choice((0, 1, 2, 3, 4, 128, 129, 255))
                bad[124:128] = crc32c(bad[:124]).to_bytes(4, "little")
                try:
                    read = container.read(bytes(bad), secret)
                except Refusal as refusal:
                    self.assertLessEqual(refusal.offset, len(bad))
                    continue
                member = (0,) if read.kind == "packed" else ()
                for key in samples.KEYS:
                    read.filter.may_contain(key, *member)

    def test_packed_sets(self):
        """Every truncation in steps, every bit of the payload: the zeros of the gap are the same law each."""
        data, keys = samples.packed()
        payload = range(8 * 4096, 8 * (4096 + container.inspect(data).payload_length))
        for bad in [data[:length] for length in range(0, len(data), 37)] + [flipped(data, bit) for bit in payload]:
            try:
                read = container.read(bad)
            except Refusal:
                continue
            self.assertEqual(read.damaged, 1)
            for member, key in keys:
                self.assertTrue(read.filter.may_contain(key, member))

    def test_a_member_without_blocks_contains_nothing(self):
        data, keys = samples.packed()
        self.assertFalse(any(container.read(data).filter.may_contain(key, 2) for key in samples.KEYS))

    def test_packed_sets_of_several_chunks(self):
        """Members in the damaged chunk answer "perhaps", as do those whose entries are; the others are as they were."""
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
        filter = samples.filled(nori_bloom.make("current", 9000), keys)
        data = container.write_foreign(nori_bloom.encode(filter), "nori", {"variant": "current"})
        self.assertEqual(refusal_of(lambda: container.read(flipped(data, 8 * 1000))), ("corrupt", 128))
        read = container.read(flipped(data, 8 * (128 + 4096 + 7)))
        self.assertEqual(read.damaged, 1)
        self.assertEqual(read.filter.filter.bits[4084:8180], b"\xff" * 4096)
        self.assertTrue(all(map(read.filter.may_contain, keys[:500])))

    def test_a_quotient_filter_of_several_chunks(self):
        """Fingerprints are no bits that only insertion sets: a lookup that needs a damaged one answers "perhaps"."""
        keys = [b"k%d" % i for i in range(900)]
        image = samples.quotient_image(keys, 10, 8)
        data = container.write_foreign(image, "nori", {"variant": "quotient"})
        accepted = 0
        for at in range(128 + 4096, 128 + len(image), 17):
            try:
                read = container.read(flipped(data, 8 * at + 1))
            except Refusal:
                continue
            accepted += 1
            self.assertTrue(all(map(read.filter.may_contain, keys)))
        self.assertGreater(accepted, 10)

    def test_a_directory_that_lies(self):
        """With checksums that agree: entries that contradict each other make the member answer "perhaps"."""
        data, _ = samples.packed()
        read = container.read(data)
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
                       lambda data: READERS["nori"](data, "quotient"), lambda data: READERS["nori"](data, "sstable"),
                       lambda data: READERS["parquet"](data, "file"), lambda data: READERS["parquet"](data, "bitset")):
            try:
                decode(bad)
            except Refusal as refusal:
                self.assertLessEqual(refusal.offset, len(bad))


if __name__ == "__main__":
    unittest.main()
