"""Cuckoo and counting filters, which are only read: the examples of spec/filters.md 7 and 8, headers, damage, rates."""

import math
import os
import random
import re
import unittest

from bloomery_reference import container, counting, cuckoo
from bloomery_reference.block import LANES16, BlockBloom
from bloomery_reference.bloom import ClassicBloom
from bloomery_reference.conformance import script
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container.header import pack
from bloomery_reference.counting import FLAT, LINE, UNKNOWN, CountingFilter
from bloomery_reference.cuckoo import CuckooFilter
from bloomery_reference.hash import Hasher
from bloomery_reference.kinds import ROWS

from . import SPEC, samples
from .reading import set_cell

BLOCK, BLOOM, COUNTING, CUCKOO = ROWS["block"], ROWS["bloom"], ROWS["counting"], ROWS["cuckoo"]

K0 = 0xBBB08E672F9190B3
CHUNK = 4096


def section(number):
    with open(os.path.join(SPEC, "filters.md"), encoding="utf-8") as file:
        return file.read().split(f"\n## {number}. ")[1].split("\n## ")[0]


def random_hashes(seed, count):
    source = random.Random(seed)
    return [source.getrandbits(64) for _ in range(count)]


class TestPages(unittest.TestCase):
    def test_cuckoo(self):
        arrays = re.findall(r"`((?:[0-9a-f]{2}){20,})`", section(7))
        for array, (tag_bits, tag, first, second) in zip(arrays, ((12, 47, 4, 5), (9, 6, 4, 1)), strict=True):
            self.assertEqual(cuckoo.places(K0, 6, tag_bits), (tag, first, second))
            self.assertEqual(samples.with_hashes(CuckooFilter(6, tag_bits), [K0]).payload().hex(), array)

    def test_counting(self):
        groups = re.findall(r"^    ((?:[0-9a-f]{16} ?)+)$", section(8), re.MULTILINE)
        arrays = ["00" * 128 + "".join(groups[:2]).replace(" ", ""), "".join(groups[2:]).replace(" ", "")]
        for filter, array in zip((CountingFilter(384, 8, 4, LINE), CountingFilter(96, 7, 4, FLAT)), arrays, strict=True):
            self.assertEqual(samples.with_hashes(filter, [K0]).payload().hex(), array)
        self.assertEqual([p % 16 for p in counting.positions(K0, 384, 8, LINE)], [2, 9, 11, 10, 7, 2, 9, 10])
        self.assertEqual(counting.positions(K0, 96, 7, FLAT), [34, 52, 57, 10, 76, 6, 94])

    def test_a_key_has_each_cell_once(self):
        self.assertEqual(counting.positions(K0, 1, 64, FLAT), [0])
        filter = samples.with_hashes(CountingFilter(1, 64, 8, FLAT), [K0])
        self.assertEqual(filter.payload(), b"\1")


class TestPlaces(unittest.TestCase):
    def test_the_two_buckets_differ_and_are_each_others_other(self):
        for h in random_hashes(1, 300):
            for buckets in (2, 4, 6, 1000, 2**41):
                for tag_bits in (6, 13, 32):
                    tag, first, second = cuckoo.places(h, buckets, tag_bits)
                    self.assertTrue(1 <= tag < 2**tag_bits and 0 <= second < buckets)
                    self.assertEqual((first + second) % 2, 1)
                    self.assertEqual(cuckoo.other(second, tag, buckets), first)


class TestCounts(unittest.TestCase):
    def test_copies_of_a_key(self):
        for tag_bits in range(6, 33):
            filter = CuckooFilter(6, tag_bits)
            for copies in range(9):
                self.assertEqual(filter.count_hash(K0), copies)
                if copies < 8:
                    samples.with_hashes(filter, [K0])

    def test_cells_that_lost_count(self):
        for width, value, wanted in ((4, 7, 7), (4, 8, UNKNOWN), (4, 15, UNKNOWN), (8, 127, 127), (8, 128, UNKNOWN),
                                     (32, 2**31 - 1, 2**31 - 1), (32, 2**31, UNKNOWN), (32, 2**32 - 1, UNKNOWN), (32, 0, 0)):
            for filter in (CountingFilter(256, 8, width, LINE), CountingFilter(255, 5, width, FLAT)):
                for i in filter.positions(K0):
                    set_cell(filter, i, value)
                self.assertEqual(filter.count_hash(K0), wanted)
                self.assertEqual(filter.stuck_cells(), len(filter.positions(K0)) if wanted == UNKNOWN else 0)
                self.assertEqual(filter.may_contain_hash(K0), value != 0)


class TestHeaders(unittest.TestCase):
    def check(self, filter, wanted, **fields):
        data = container.write(samples.filled(filter))
        header = container.inspect(data)
        header.__dict__.update(fields)
        got = refusal_of(lambda: container.read(pack(header) + data[128:]))
        self.assertEqual(got, wanted and ("corrupt", wanted), fields)

    def test_cuckoo(self):
        for offset, fields in ((20, {"hashes": 5}), (20, {"hashes": 33}), (80, {"hashes": 14}), (24, {"units": 0}),
                               (24, {"units": 9}), (80, {"units": 12}), (24, {"units": 2**46 // 12 // 2 * 2 + 2}),
                               (80, {"units": 2**46 // 12 // 2 * 2}), (64, {"keys": 1}), (11, {"profile": 1}),
                               (100, {"parameters": bytes(8) + b"\1" + bytes(15)}),
                               (None, {"parameters": b"\xff" * 8 + bytes(16)})):
            self.check(CuckooFilter(10, 12), offset, **fields)

    def test_counting(self):
        width = [bytes(8) + bytes([w]) + bytes(15) for w in range(40)]
        for offset, fields in ((20, {"hashes": 7}), (11, {"profile": 2}), (24, {"units": 129}), (108, {"parameters": width[0]}),
                               (108, {"parameters": width[5]}), (80, {"parameters": width[8]}), (24, {"units": 2**46 + 128}),
                               (80, {"units": 2**46}), (24, {"units": 129, "parameters": width[5]}), (64, {"keys": 1}),
                               (100, {"parameters": width[4][:9] + b"\1" + bytes(14)}), (None, {"profile": 0, "hashes": 64})):
            self.check(CountingFilter(256, 8, 4, LINE), offset, **fields)
        for offset, fields in ((20, {"hashes": 0}), (20, {"hashes": 65}), (None, {"hashes": 64}), (None, {"units": 99}),
                               (80, {"units": 98}), (20, {"profile": 5}), (24, {"profile": 5, "hashes": 8})):
            self.check(CountingFilter(100, 5, 4, FLAT), offset, **fields)

    def test_identity_and_layout_come_back(self):
        for filter in (CuckooFilter(10, 12, identity=2**63 + 5), CountingFilter(128, 8, 32, LINE, identity=2**63 + 5)):
            data = container.write(samples.filled(filter), capacity=77)
            read = container.read(data).filter
            self.assertEqual((read.identity, read.size()), (2**63 + 5, filter.size()))
            self.assertEqual(container.write(read, capacity=77), data)


def shapes():
    """Filters of several chunks: (filter with keys, their hashes)."""
    for filter, count in ((CuckooFilter(1366, 12), 1500), (CuckooFilter(1214, 27), 1500), (CuckooFilter(2730, 6), 3000),
                          (CountingFilter(128 * 200, 8, 4, LINE), 1500), (CountingFilter(128 * 24, 8, 32, LINE), 300),
                          (CountingFilter(12301, 3, 8, FLAT), 2000), (CountingFilter(24601, 4, 4, FLAT), 2000)):
        yield filter, random_hashes(count, count)


def filled_fast(filter, hashes):
    """As samples.with_hashes, without a number as long as the array for every cell."""
    if isinstance(filter, CuckooFilter):
        return samples.with_hashes(filter, hashes)
    cells = [0] * filter.cells
    for h in hashes:
        for i in filter.positions(h):
            cells[i] = min(cells[i] + 1, filter.sticky())
    number = b"".join(value.to_bytes(4, "little") for value in cells)
    if filter.width == 8:
        number = bytes(cells)
    if filter.width == 4:
        number = bytes(low | high << 4 for low, high in zip(cells[::2], (*cells[1::2], 0)))
    filter.array[:] = number[:len(filter.array)]
    return filter


class TestDamage(unittest.TestCase):
    def read_damaged(self, filter):
        """The second chunk of three or four."""
        data = bytearray(container.write(filter))
        data[128 + CHUNK + 77] ^= 4
        read = container.read(bytes(data))
        self.assertEqual(read.damaged, 1)
        return read.filter

    def wanted(self, filter, h):
        """What the pages say of a key, byte by byte."""
        if isinstance(filter, CountingFilter):
            return all(filter.cell(i) != 0 or filter.width * i // 8 // CHUNK == 1 for i in filter.positions(h))
        _, *buckets = cuckoo.places(h, filter.buckets, filter.tag_bits)
        bits = 4 * filter.tag_bits
        touched = any(bit // 8 // CHUNK == 1 for bucket in buckets for bit in range(bits * bucket, bits * (bucket + 1)))
        return touched or filter.may_contain_hash(h)

    def test_no_key_is_denied_and_the_rates_count_it(self):
        for filter, hashes in shapes():
            filled_fast(filter, hashes)
            read = self.read_damaged(filter)
            rates = (CUCKOO if isinstance(filter, CuckooFilter) else COUNTING).rates
            self.assertTrue(all(map(read.may_contain_hash, hashes)))
            self.assertTrue(all(map(read.count_hash, hashes)))
            strangers = random_hashes(99, 4000)
            for h in strangers:
                self.assertEqual(read.may_contain_hash(h), self.wanted(filter, h))
            for asked in (filter, read):
                rate = rates.realised(asked)
                passed = sum(map(asked.may_contain_hash, strangers))
                self.assertLess(abs(passed - rate * 4000), 6 * math.sqrt(4000 * rate * (1 - rate)) + 0.02 * rate * 4000 + 2)
            self.assertGreater(rates.keys(read), 0.9 * len(hashes))
            self.assertEqual(refusal_of(lambda: container.write(read)), ("corrupt", None))
            if isinstance(read, CountingFilter):
                self.assertEqual(refusal_of(read.to_bloom), ("corrupt", None))

    def test_counts(self):
        for filter, hashes in shapes():
            filled_fast(filter, hashes)
            read = self.read_damaged(filter)
            for h in hashes[:300]:
                self.assertGreaterEqual(read.count_hash(h), filter.count_hash(h))


class TestRates(unittest.TestCase):
    def test_cuckoo(self):
        filter = samples.with_hashes(CuckooFilter(1000, 8), random_hashes(5, 1000))
        self.assertEqual(cuckoo.cuckoo_keys(filter), 1000)
        self.assertAlmostEqual(cuckoo.cuckoo_realised(filter) / cuckoo.cuckoo_fpr(1000, 1000, 8), 1, delta=0.02)
        self.assertEqual(cuckoo.cuckoo_realised(CuckooFilter(2, 6)), 0)
        one = samples.with_hashes(CuckooFilter(2, 6), [K0] * 8)
        self.assertEqual(cuckoo.cuckoo_realised(one), 2 / (2 * 63))
        self.assertEqual(cuckoo.cuckoo_keys(one), 8)

    def test_counting_filters_have_the_rates_of_their_bits(self):
        hashes = random_hashes(6, 60)
        for width in (4, 8, 32):
            for filter, bits, kind in ((CountingFilter(1280, 8, width, LINE), BlockBloom(LANES16, 10), BLOCK),
                                       (CountingFilter(1001, 6, width, FLAT), ClassicBloom(1001, 6), BLOOM)):
                filled_fast(filter, hashes)
                for h in hashes:
                    bits.insert_hash(h)
                self.assertEqual(filter.to_bloom().bits, bits.bits)
                self.assertEqual(COUNTING.rates.realised(filter), kind.rates.realised(bits))
                self.assertEqual(COUNTING.rates.keys(filter), kind.rates.keys(bits))


class TestScripts(unittest.TestCase):
    def test_a_filter_that_was_read(self):
        data = container.write(samples.filled(CuckooFilter(10, 12))).hex()
        trace = list(script.run(f"bytes b {data}\ndecode f b native\nquery f k[0..9]\ninsert f t:a\nencode c f native\n"
                                "flip c 1100\ndecode g c native\nquery g k[0..9]\nencode d g native\nmerge f f\n"))
        self.assertEqual(trace[1:4], ["2 ok kind=cuckoo damaged=0", "3 1111111111", "4 error unsupported"])
        self.assertEqual(trace[0].split()[1:], trace[4].split()[1:])
        self.assertEqual(trace[6:], ["7 ok kind=cuckoo damaged=1", "8 1111111111", "9 error corrupt", "10 error unsupported"])


if __name__ == "__main__":
    unittest.main()
