"""spec/hash.md, section 6, and spec/container.md, sections 7 and 8: what keys are is said, recorded and asked for."""

import math
import unittest

from bloomery_reference import container
from bloomery_reference.block import HALF_LINE, BlockBloom
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container import notes
from bloomery_reference.container.layout import Layout
from bloomery_reference.dialects import portable as portable_dialect
from bloomery_reference.hash import BYTES, HASHES, INTEGERS, SIPHASH13, SOURCES, XXH64, Hasher
from bloomery_reference.kinds import FOREIGN, kind_of, kinds_of_one_filter
from bloomery_reference.portable import PortableBloom
from bloomery_reference.split_block import SplitBlockBloom

from . import SPEC, samples

OTHERS = tuple(source for source in SOURCES if source != BYTES)


def table_of_sources():
    with open(f"{SPEC}/hash.md", encoding="utf-8") as file:
        table = file.read().split("| source | keys are |")[1].split("\n\n")[0]
    return [name for line in table.splitlines() if line.startswith("| `") for name in line.split("|")[1].split("`")[1::2]]


def hash_some(hasher, number):
    """A key of the hasher's source."""
    if hasher.source == INTEGERS:
        return hasher.hash_integer(number)
    if hasher.source == HASHES:
        return hasher.from_hash(number)
    return hasher.hash(b"k%d" % number)


def with_keys(filter):
    return samples.with_hashes(filter, [hash_some(filter.hasher, number) for number in range(3)])


def filters_of(source):
    for kind in kinds_of_one_filter():
        for numbers, hasher in samples.shapes_of(kind):
            yield with_keys(kind.filter.make((hasher or Hasher()).of(source), *numbers))


class TestHashers(unittest.TestCase):
    def test_sources_are_those_of_the_page(self):
        self.assertEqual(table_of_sources(), list(SOURCES))

    def test_keys_of_another_source_are_refused(self):
        calls = {BYTES: lambda h: h.hash(b"k"), INTEGERS: lambda h: h.hash_integer(42), HASHES: lambda h: h.from_hash(42)}
        for source in SOURCES:
            for sort, call in calls.items():
                with self.subTest(source=source, sort=sort):
                    if sort == (source if source in calls else BYTES):
                        call(Hasher(source=source))
                    else:
                        self.assertEqual(refusal_of(lambda: call(Hasher(source=source))), ("incompatible", None))
        self.assertEqual(refusal_of(lambda: Hasher(source="any")), ("invalid_argument", None))

    def test_the_source_does_not_enter_the_hash_nor_the_check(self):
        for hasher in (Hasher(), Hasher(XXH64, 7), samples.KEYED):
            self.assertEqual({hasher.of(source).check() for source in SOURCES}, {hasher.check()})
            self.assertEqual(hasher.of("utf16").hash(b"k"), hasher.hash(b"k"))
            self.assertEqual(hasher.of(HASHES).from_hash(7), 7)
            self.assertEqual(len({hasher.of(source) for source in SOURCES}), len(SOURCES))
            self.assertEqual(hasher.of(INTEGERS).of(BYTES), hasher)

    def test_an_integer_is_its_value_modulo_2_to_the_64(self):
        for hasher in (Hasher(source=INTEGERS), Hasher(SIPHASH13, secret=samples.SECRET, source=INTEGERS)):
            self.assertEqual(hasher.hash_integer(-1), hasher.hash_integer(2**64 - 1))
            self.assertEqual(hasher.hash_integer(-2**63), hasher.hash_integer(2**63))
            for beyond in (-2**63 - 1, 2**64):
                self.assertEqual(refusal_of(lambda: hasher.hash_integer(beyond)), ("invalid_argument", None))


class TestFilters(unittest.TestCase):
    def test_mixtures_are_refused(self):
        for filter in filters_of(INTEGERS):
            before = filter.payload()
            for other in (BYTES, HASHES, "utf16"):
                theirs = next(f for f in filters_of(other) if f.size() == filter.size() and type(f) is type(filter)
                              and f.hasher.of(INTEGERS) == filter.hasher)
                wanted = "incompatible" if "merge" in kind_of(filter).can else "unsupported"
                self.assertEqual(refusal_of(lambda: filter.merge(theirs)), (wanted, None))
                self.assertEqual(refusal_of(lambda: theirs.merge(filter)), (wanted, None))
            self.assertEqual(refusal_of(lambda: filter.insert(b"k")), ("incompatible", None))
            self.assertEqual(refusal_of(lambda: filter.may_contain(b"k")), ("incompatible", None))
            self.assertEqual(filter.payload(), before)

    def test_kinds_with_a_fixed_hash_have_sources_too(self):
        for filter in (PortableBloom(96, 7, source=INTEGERS), SplitBlockBloom(4, source=INTEGERS)):
            with_keys(filter)
            self.assertTrue(filter.may_contain_hash(filter.hasher.hash_integer(2)))
        self.assertEqual(filter.fold(2).hasher.source, INTEGERS)

    def test_members_of_a_packed_set_have_one_source(self):
        members = [with_keys(BlockBloom(HALF_LINE, 2, Hasher(source=source))) for source in (INTEGERS, BYTES)]
        self.assertEqual(refusal_of(lambda: container.write_packed(members)), ("incompatible", None))
        data = container.write_packed([members[0], members[0]])
        self.assertEqual(refusal_of(lambda: container.read(data))[0], "incompatible")
        packed = container.read(data, source=INTEGERS).filter
        self.assertTrue(packed.may_contain_hash(packed.hasher.hash_integer(1), 1))
        self.assertEqual(refusal_of(lambda: packed.may_contain(b"k", 0)), ("incompatible", None))


class TestContainers(unittest.TestCase):
    def test_every_source_comes_back_and_only_as_itself(self):
        for source in OTHERS:
            for filter in filters_of(source):
                secret = filter.hasher.secret
                data = container.write(filter)
                at = Layout(container.inspect(data)).notes
                for asked in (source, container.ANY):
                    read = container.read(data, secret, source=asked).filter
                    self.assertEqual((read.hasher, container.write(read)), (filter.hasher, data))
                for asked in SOURCES:
                    if asked != source:
                        got = refusal_of(lambda: container.read(data, secret, source=asked))
                        self.assertEqual(got, ("incompatible", at), (source, asked))
                self.assertEqual(refusal_of(lambda: container.verify(data, secret)), ("incompatible", at))

    def test_files_of_bytes_have_no_record(self):
        for filter in filters_of(BYTES):
            data = container.write(filter)
            self.assertEqual(container.inspect(data).notes_length, 0)
            for source in SOURCES:
                read = container.read(data, filter.hasher.secret, source=source).filter
                self.assertEqual((read.hasher.source, read.payload()), (source, filter.payload()))
            self.assertEqual(container.read(data, filter.hasher.secret, source=container.ANY).filter.hasher.source, BYTES)

    def test_bare_bytes_are_of_bytes(self):
        image = portable_dialect.encode(with_keys(PortableBloom(96, 7)))
        read = portable_dialect.decode(image, INTEGERS)
        self.assertEqual(read.hasher.source, INTEGERS)
        self.assertEqual(refusal_of(lambda: portable_dialect.encode(read)), ("unsupported", None))
        self.assertEqual(portable_dialect.encode(portable_dialect.decode(image)), image)

    def test_records_in_the_order_of_the_table(self):
        def verdict(*records, kind=kinds_of_one_filter()[0]):
            data = notes.pack(records)
            return refusal_of(lambda: notes.unpack(data, 0, len(data), kind))
        tag = notes.SOURCE_TAG
        self.assertIsNone(verdict((tag, b"hashes")))
        for name in (b"", b"bytes", b"Hashes", b"hashes ", b"any", b"\xff"):
            self.assertEqual(verdict((7, b""), (tag, name)), ("unsupported", 8))
            self.assertEqual(verdict((tag, b"hashes"), (tag, name)), ("corrupt", 14))
        self.assertEqual(verdict((tag, b"hashes"), kind=FOREIGN), ("unsupported", 0))
        self.assertEqual(verdict((notes.DIALECT_TAG, b"parquet")), ("unsupported", 0))


class TestWriters(unittest.TestCase):
    """What a reader would refuse is not written."""

    def test_rates(self):
        for filter in filters_of(BYTES):
            for asked in (1.0, 1.5, -0.01, math.nan, math.inf):
                self.assertEqual(refusal_of(lambda: container.write(filter, asked)), ("invalid_argument", None))
            container.read(container.write(filter, 0.999), filter.hasher.secret)

    def test_sentinels(self):
        for source in (BYTES, INTEGERS):
            for filter in filters_of(source):
                if not kind_of(filter).sentinels or filter.ones() == filter.size()[0]:
                    continue  # it has none, or has every key
                own = container.smallest(hash_some(filter.hasher, number) for number in range(3))
                container.read(container.write(filter, sentinels=own), filter.hasher.secret, source=source)
                stranger = next(h for h in range(2**60, 2**61, 2**50) if not filter.may_contain_hash(h))
                for bad in ([stranger], own[::-1], [own[0], own[0]], [*range(9)], sorted([*own, stranger])):
                    got = refusal_of(lambda: container.write(filter, sentinels=bad))
                    self.assertEqual(got, ("invalid_argument", None), (kind_of(filter).name, bad))
        self.assertEqual(refusal_of(lambda: container.write_foreign(b"", "parquet", {}, sentinels=[2, 1])),
                         ("invalid_argument", None))

    def test_notes(self):
        filter = with_keys(PortableBloom(96, 7))
        for bad in ([(notes.SOURCE_TAG, b"integers")], [(7, b""), (7, b"")], [(0x8003, b"")]):
            self.assertEqual(refusal_of(lambda: container.write(filter, notes=bad)), ("invalid_argument", None))


if __name__ == "__main__":
    unittest.main()
