"""Ribbon, fuse and xor filters, which are only read: the examples of spec/filters.md 9 to 11, headers, damage, rates."""

import math
import random
import re
import struct
import unittest

from bloomery_reference import container, fuse, slots, xor
from bloomery_reference.conformance import script
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container.header import pack
from bloomery_reference.container.layout import Layout
from bloomery_reference.crc32c import crc32c
from bloomery_reference.fuse import FuseFilter
from bloomery_reference.hash import Hasher, splitmix64
from bloomery_reference.kinds import ROWS, kind_of
from bloomery_reference.ribbon import Parameters, RibbonFilter
from bloomery_reference.ribbon_equations import equation, place
from bloomery_reference.ribbon_layers import Layer
from bloomery_reference.xor import XorFilter

from . import samples
from .test_pages import table_with
from .test_reading import CHUNK, K0, random_hashes, section

FUSE, RIBBON, XOR = ROWS["fuse"], ROWS["ribbon"], ROWS["xor"]

NOTHING = dict.fromkeys(Parameters._fields, 0)


def ribbon_of(buckets, columns, width=64, **given):
    return RibbonFilter(buckets, columns, Parameters(**{**NOTHING, "width": width, **given}))


class TestPages(unittest.TestCase):
    def test_ribbon(self):
        text = section(9)
        for width, buckets, wanted in ((64, 1024, (2, 512, 65473, 96067, 750, 67, 1501, 3, "7c46b53b3498ecef", "26")),
                                       (128, 512, (2, 256, 130945, 192135, 375, 135, 1501, 7,
                                                   "02c27a5d97457c267c46b53b3498ecef", "11"))):
            layer = Layer(buckets, width, 8, 0, 0, 0)
            slot = place(K0, layer)
            c, f = equation(K0, width, 8)
            got = (layer.segments, layer.segment_slots // layer.bucket, layer.places, slot, slot // layer.bucket,
                   slot % layer.bucket, slot // width, slot % width, f"{c:0{width // 4}x}", f"{f:02x}")
            self.assertEqual(got, wanted)
            self.assertIn(f"slot {slot}, bucket", text)
            self.assertIn(wanted[8], text)
        self.assertIn(f"{splitmix64(K0):016x}", text)
        alone = ribbon_of(0, 8, rest=1)
        alone.array[:] = b"\x43"
        self.assertTrue(alone.may_contain(b"k0"))
        self.assertEqual(samples.filled(ribbon_of(0, 8, rest=1), [b"k0"]).payload(), b"\x43")

    def test_fuse_and_xor(self):
        """The table of 10.6, the filters of one key below it, and the example of 11."""
        rows = table_with(section(10), "layout", "S", "M", "L", "round", "slots")
        self.assertEqual(len(rows), 6)
        for layout, S, M, L, q, wanted in rows:
            filter = FuseFilter(int(S) * int(M), 8, int(S), int(layout), int(L or 0))
            fingerprint, got = filter.places(K0, int(q))
            self.assertEqual((fingerprint, got), ((0x02, 0xFE)[int(q)], [int(slot) for slot in wanted.split(", ")]))
        payloads = re.findall(r"`([0-9a-f]{16})`", section(10))
        self.assertEqual(len(payloads), 2)
        for payload in payloads:
            filter = FuseFilter(7, 8, 1, 0, array=bytes.fromhex(payload))
            self.assertTrue(filter.may_contain(b"k0"))
        for S, wanted in ((1, [2, 16, 21]), (2, [32, 46, 51])):
            self.assertEqual(XorFilter(30 * S, 8, S, 3).places(K0, 0), (2, wanted))
        self.assertEqual([f"{number:016x}" for q in (0, 1) for number in slots.mixed(K0, q)],
                         ["02edccb909c592af", "7c46b53b3498ecee", "fe229172e2a165e8", "227ddade5cf8e482"])

    def test_filters_of_no_keys(self):
        for filter, payload in ((ribbon_of(0, 8), b""), (FuseFilter(0, 8, 1, 0), b"\0"), (XorFilter(0, 8, 1, 0), b"\0")):
            data = container.write(filter)
            read = container.verify(data).filter
            self.assertEqual((read.payload(), container.write(read)), (payload, data))
            self.assertFalse(any(map(read.may_contain_hash, random_hashes(1, 1000))))
            rates = kind_of(read).rates
            self.assertEqual((rates.keys(read), rates.realised(read)), (0, 0))


class TestLayouts(unittest.TestCase):
    def test_slots_lie_in_the_shard_and_in_segments_of_their_own(self):
        for h in random_hashes(2, 300):
            for L in (0, 1, 5, 16):
                for count in (3, 4):
                    M = (count + h % 5) * 2**L
                    found = fuse.LAYOUTS[count].slots(slots.mixed(h, 7)[1], M, L)
                    first = found[0] >> L
                    self.assertEqual([slot >> L for slot in found], list(range(first, first + count)))
                    self.assertLess(found[-1], M)
            found = xor.BLOCKS.slots(h, 3 * 77, 0)
            self.assertEqual([slot // 77 for slot in found], [0, 1, 2])
            self.assertTrue(all(0 <= slot < 13 for slot in slots.DENSE.slots(h, 13, 0)))

    def test_a_window_stays_in_its_segment(self):
        for h in random_hashes(3, 300):
            for width, buckets in ((64, 1), (64, 1024), (64, 1539), (128, 1), (128, 771)):
                layer = Layer(buckets, width, 8, 2**31, 0, 0)
                slot = place(h, layer)
                self.assertEqual(slot // layer.segment_slots, (slot + width - 1) // layer.segment_slots)
                self.assertLess(slot, layer.slots)

    def test_blocks_of_a_layer_follow_each_other(self):
        for narrow in (0, 1, 2**30, 2**32 - 1):
            layer = Layer(6, 64, 5, narrow, 100, 0)
            at = 0
            for block in range(layer.slots // 64):
                self.assertEqual(layer.offset_of(block), at)
                at += 8 * layer.columns_of(block)
            self.assertEqual(layer.end, 100 + at)


class TestHeaders(unittest.TestCase):
    def check(self, filter, wanted, **fields):
        data = container.write(filter)
        header = container.inspect(data)
        header.__dict__.update(fields)
        got = refusal_of(lambda: container.inspect(pack(header) + data[128:]))
        self.assertEqual(got, wanted and ("corrupt", wanted), fields)

    def ribbon(self, **given):
        fields = {**NOTHING, "width": 64, "rest": 20, **given}
        return struct.pack("<BBHIIIII", *fields.values())

    def test_ribbon(self):
        """Parameters in the order of their offsets; units that are no multiple before those at 104."""
        filter = samples.filled(ribbon_of(1, 3, rest=20))
        for offset, units, given in (
                (None, 1, {}), (24, 2**32, {"width": 9}), (100, 1, {"width": 9}), (100, 1025, {"width": 0, "seed": 1}),
                (101, 1025, {"rest": 0, "seed": 1}), (101, 1, {"kept": 1, "seed": 1}), (102, 1, {"kept": 2, "seed": 1}),
                (102, 1025, {"kept": 1, "rest": 0}), (102, 1, {"kept": 256}), (24, 1025, {"buckets_1": 1025}),
                (24, 513, {"width": 128, "buckets_1": 513}), (80, 513, {}), (80, 1536, {"buckets_1": 1026}),
                (104, 0, {"buckets_1": 1}), (104, 1, {"buckets_1": 1025, "buckets_2": 1025}),
                (108, 1, {"buckets_2": 1}), (108, 1, {"buckets_1": 1, "buckets_2": 1025, "narrow": 1}),
                (112, 1, {"buckets_3": 1}), (112, 1, {"buckets_1": 1, "buckets_2": 1, "buckets_3": 1025}),
                (120, 1, {"rest": 8193}), (80, 1, {"rest": 8192}), (80, 1, {"rest": 8193, "kept": 1}), (80, 2**32 - 1024, {}),
                (80, 1, {"rest": 2**32 - 1, "kept": 1}), (80, 2, {"narrow": 2**31}), (None, 1, {"narrow": 2**31}),
                (80, 1, {"narrow": 2**32 - 1, "rest": 64}), (None, 1, {"seed": 255})):
            self.check(filter, offset, units=units, parameters=self.ribbon(**given))
        for hashes, offset in ((0, 20), (33, 20), (2**32 - 1, 20), (2, 80), (1, 80), (32, 80)):
            self.check(filter, offset, hashes=hashes)
        self.check(filter, 116, hashes=1, parameters=self.ribbon(narrow=1, rest=8193))
        self.check(filter, 24, units=2**64 - 1)

    def slots(self, S=1, R=0, layout=0, L=0):
        return struct.pack("<IQBB", S, R, layout, L).ljust(24, b"\0")

    def test_fuse_and_xor(self):
        for filter in (FuseFilter(48, 8, 1, 0), XorFilter(48, 8, 1, 0)):
            segmented = isinstance(filter, FuseFilter)
            for offset, units, parameters in (
                    (None, 48, self.slots()), (20, 48, None), (100, 2**64 - 1, self.slots(S=0, layout=9, L=9, R=2**41)),
                    (112, 2**64 - 1, self.slots(layout=1, L=9, R=2**41)), (112, 48, self.slots(layout=255)),
                    (113, 2**64 - 1, self.slots(L=1, R=2**41)), (24, 2**64 - 1, self.slots(R=2**41)),
                    (24, 2**45 + 1, self.slots(layout=3)), (24, 49, self.slots(S=2, R=2**41)), (104, 48, self.slots(R=2**40 + 1)),
                    (80, 48, self.slots(R=2**40)), (80, 48, self.slots(S=2)), (24, 65537, self.slots()),
                    (80, 65536, self.slots()), (80, 0, self.slots(S=2**32 - 1)), (24, 0, self.slots(layout=3)),
                    (113, 48, self.slots(layout=3, L=17)), (113 if not segmented else None, 48, self.slots(layout=3, L=4)),
                    (113 if not segmented else 24, 32, self.slots(layout=3, L=4)), (24, 2, self.slots(layout=3)),
                    (None, 48, self.slots(layout=3)), (None if segmented else 112, 48, self.slots(layout=4, L=2)),
                    (24 if segmented else 112, 48, self.slots(layout=4, L=4)),
                    (80 if segmented else 24, 2**45 - 2, self.slots(layout=3, S=3)),
                    (24 if not segmented else 80, 49, self.slots(layout=3)),
                    (24 if not segmented else 80, 3 * 2**32, self.slots(layout=3)), (80, 3 * (2**32 - 1), self.slots(layout=3))):
                fields = {"hashes": 33} if parameters is None else {"parameters": parameters}
                self.check(filter, offset, units=units, **fields)
            self.check(filter, 100, parameters=self.slots()[:14] + b"\1" + bytes(9))
            self.check(filter, 80, hashes=9)

    def test_sentinels_and_counts(self):
        """They are carried, and looked for."""
        for filter in (ribbon_of(1, 8, rest=40), FuseFilter(30, 8, 1, 0), XorFilter(60, 8, 1, 3)):
            samples.filled(filter)
            data = samples.own_container(filter)
            self.assertEqual((container.inspect(data).keys, container.inspect(data).sentinels), (10, 8))
            self.assertEqual(samples.own_container(container.verify(data).filter), data)
            stranger = next(h for h in random_hashes(5, 99) if not filter.may_contain_hash(h))
            self.assertEqual(refusal_of(lambda: container.write(filter, sentinels=(stranger,))), ("invalid_argument", None))
            at = Layout(container.inspect(data)).sentinels
            self.assertEqual(refusal_of(lambda: container.read(with_sentinel(data, at, stranger))), ("corrupt", at))


def with_sentinel(data, place, h):
    """The first sentinel replaced, under a checksum that agrees."""
    data = bytearray(data)
    data[place:place + 8] = h.to_bytes(8, "little")
    data[-4:] = crc32c(data[place:-4]).to_bytes(4, "little")
    return bytes(data)


def bits_read(filter, slot):
    return range(filter.slot_bits * slot, filter.slot_bits * (slot + 1))


def bytes_of_slots(filter, h):
    """Section 10.5, by the formulas of 10.1: the bytes that a lookup reads."""
    slots_end = (filter.slot_bits * filter.m + 7) // 8
    if filter.m:
        round_at = slots_end + (h * filter.shards >> 64)
        yield round_at
        for slot in filter.places(h, filter.array[round_at])[1]:
            yield from (bit // 8 for bit in bits_read(filter, slot))
    yield from range(slots_end + filter.shards, slots_end + filter.shards + 8 * filter.residue.count)


def bytes_of_ribbon(filter, h):
    """Section 9.4, by the formulas of 9.1 and 9.2."""
    w, r, given = filter.given.width, filter.columns, filter.given
    B, limits = (128, (0, 16, 40, 128)) if w == 64 else (512, (0, 40, 96, 512))
    buckets = (filter.buckets, *given[3:6])
    shapes, at = [], 0
    for b in filter_none(buckets):
        S = max(1, b // (512 if w == 64 else 256))
        A = b // S * B - w + 1
        X = S * A * given.narrow // 2**32 // w
        shapes.append((b, S, A, X, at))
        at += w // 8 * (b * B // w * r - min(b * B // w, X))
    thresholds, before = at, 0
    for b, S, A, X, begin in shapes:
        slot = (h * S >> 64) * (b // S * B) + ((h * S % 2**64) * A >> 64)
        bit = 2 * (before + slot // B)
        yield thresholds + bit // 8
        t = filter.array[thresholds + bit // 8] >> bit % 8 & 3
        if slot % B >= limits[t]:
            k = slot // w
            n = r - 1 if k < X else r
            for block in (k, k + 1)[:1 + (slot % w > 0)]:
                first = begin + w // 8 * (block * r - min(block, X))
                yield from range(first, first + n * w // 8)
            return
        before += b
        h = splitmix64(h)
    rest_at = thresholds + (sum(buckets) + 3) // 4
    if given.kept:
        yield from range(rest_at, rest_at + 8 * given.rest)
        return
    m = given.rest
    A = m - 63 if m >= 64 else 1
    X = A * given.narrow // 2**32
    start = splitmix64((h + given.seed) % 2**64) * A >> 64
    for j in range(0 if m == 0 else r - 1 if start < X else r):
        for s in range(start, start + min(m, 64)):
            yield rest_at + (j * m + s - (X if j == r - 1 else 0)) // 8


def filter_none(numbers):
    return [number for number in numbers if number]


def shapes():
    """Filters of several chunks: (filter, how many keys)."""
    yield FuseFilter(12000, 8, 1, 3, 5), 900
    yield FuseFilter(3 * 3000, 13, 3, 0), 900
    yield FuseFilter(4096 * 3, 9, 3, 4, 6, residue=600), 1200
    yield FuseFilter(24000, 4, 1, 0), 900
    yield FuseFilter(30000, 4, 6000, 0), 200
    yield XorFilter(4500, 29, 1, 3), 900
    yield XorFilter(3 * 4000, 7, 4, 3, residue=20), 700
    yield ribbon_of(90, 9, narrow=2**31, buckets_1=5, rest=200), 900
    yield ribbon_of(514, 2, narrow=2**30, buckets_1=20, buckets_2=1, buckets_3=1, rest=300), 2500
    yield ribbon_of(2, 3, kept=1, rest=1500), 300
    yield ribbon_of(18, 12, width=128, narrow=2**31, rest=1000), 1200
    yield ribbon_of(0, 30, rest=4000, narrow=2**30), 1000


class TestDamage(unittest.TestCase):
    def test_every_lookup_is_as_the_page_says(self):
        """Each chunk in turn: no false negative; others are denied, unless they read the chunk or pass in the whole filter; the rate agrees."""
        for filter, count in shapes():
            hashes = random_hashes(count, count)
            samples.with_hashes(filter, hashes)
            data = container.write(filter)
            filter = container.verify(data).filter
            self.assertTrue(all(map(filter.may_contain_hash, hashes)))
            reads = bytes_of_ribbon if isinstance(filter, RibbonFilter) else bytes_of_slots
            strangers = random_hashes(99, 700)
            chunks = (len(filter.array) + CHUNK - 1) // CHUNK
            self.assertGreater(chunks, 1)
            passing = [filter.may_contain_hash(h) for h in strangers]
            touched = [{at // CHUNK for at in reads(filter, h)} for h in strangers]
            self.check_rate(filter, sum(passing), len(strangers))
            for chunk in range(chunks):
                hurt = bytearray(data)
                hurt[container.inspect(data).payload_offset + chunk * CHUNK + 11] ^= 4
                read = container.read(bytes(hurt)).filter
                self.assertTrue(all(map(read.may_contain_hash, hashes)))
                answers = [read.may_contain_hash(h) for h in strangers]
                self.assertEqual(answers, [a or chunk in t for a, t in zip(passing, touched)])
                self.check_rate(read, sum(answers), len(strangers))
                self.assertEqual(refusal_of(lambda: container.write(read)), ("corrupt", None))

    def check_rate(self, filter, passed, asked):
        rate = kind_of(filter).rates.realised(filter)
        self.assertTrue(0 <= rate <= 1)
        self.assertLess(abs(passed - rate * asked), 5 * math.sqrt(asked * rate * (1 - rate)) + 0.03 * rate * asked + 2,
                        (filter.header_fields(), rate, passed))


class TestRates(unittest.TestCase):
    def test_slots(self):
        filter = FuseFilter(1504, 8, 1, 3, 5)
        samples.with_hashes(filter, random_hashes(7, 1000))
        self.assertAlmostEqual(slots.keys(filter), 1000, delta=25)
        self.assertAlmostEqual(slots.realised(filter), slots.fuse_fpr(1000, 8), delta=1e-12)
        self.assertEqual(slots.realised(FuseFilter(30, 2, 1, 0)), 0.25)
        only_hashes = FuseFilter(0, 8, 1, 0, residue=5)
        self.assertEqual((slots.keys(only_hashes), slots.realised(only_hashes)), (5, 5 / 2**64))
        self.assertEqual(slots.fuse_fpr(0, 8), 0)

    def test_ribbon(self):
        rates = RIBBON.rates
        filter = ribbon_of(1, 4, rest=20)
        self.assertEqual(rates.keys(filter), 148)
        self.assertAlmostEqual(rates.realised(filter), 1 / 16)
        filter.array[filter.layout.thresholds_at] = 1
        self.assertAlmostEqual(rates.realised(filter), 1 / 16)
        filter = ribbon_of(1, 4, rest=20, kept=1)
        filter.array[filter.layout.thresholds_at] = 1
        self.assertAlmostEqual(rates.realised(filter), (65 - 16) / 65 / 16)
        filter.array[filter.layout.thresholds_at] = 3
        self.assertEqual(rates.realised(filter), 148 / 2**64)
        self.assertAlmostEqual(rates.realised(ribbon_of(0, 3, rest=100, narrow=2**31)), (18 / 4 + 19 / 8) / 37)
        half = ribbon_of(10, 3, narrow=2**31)
        self.assertAlmostEqual(rates.realised(half), (9 * 64 / 4 + (1280 - 63 - 9 * 64) / 8) / (1280 - 63))


class TestAnyBytes(unittest.TestCase):
    def test_they_are_a_filter(self):
        """Hashes that do not ascend, thresholds of any value, rounds of any: answers, and rates that are rates."""
        source = random.Random(9)
        for kind in (RIBBON, FUSE, XOR):
            for _ in range(60):
                filter = kind.filter.make(Hasher(), *samples.random_shape(kind, source))
                filter.array[:] = source.randbytes(len(filter.array))
                data = container.write(filter)
                read = container.verify(data).filter
                self.assertEqual(container.write(read), data)
                for h in (0, 2**64 - 1, K0, *random_hashes(1, 20)):
                    self.assertEqual(read.may_contain_hash(h), filter.may_contain_hash(h))
                self.assertTrue(0 <= kind.rates.realised(read) <= 1)

    def test_hashes_are_searched_as_the_page_says(self):
        filter = FuseFilter(0, 8, 1, 0, residue=5)
        for numbers, found in (((1, 2, 3, 4, 5), (1, 2, 3, 4, 5)), ((5, 4, 3, 2, 1), ()), ((9, 1, 1, 1, 9), (9,)),
                               ((7, 7, 7, 7, 7), (7,)), ((3, 1, 2, 9, 4), (2,))):
            filter.array[1:] = struct.pack("<5Q", *numbers)
            self.assertEqual(tuple(h for h in range(12) if filter.may_contain_hash(h)), found, numbers)


class TestShapes(unittest.TestCase):
    def test_those_that_there_are_not(self):
        for make, code in ((lambda: FuseFilter(2**46, 8, 1, 3), "too_large"), (lambda: FuseFilter(7, 8, 0, 0), "invalid_argument"),
                           (lambda: FuseFilter(7, 8, 1, 1), "invalid_argument"), (lambda: XorFilter(60, 8, 1, 4), "invalid_argument"),
                           (lambda: FuseFilter(7, 33, 1, 0), "invalid_argument"), (lambda: FuseFilter(7, 8, 2, 0), "invalid_argument"),
                           (lambda: FuseFilter(7, 8, 1, 0, residue=2**40 + 1), "too_large"),
                           (lambda: XorFilter(48, 8, 1, 3, 2), "invalid_argument"), (lambda: ribbon_of(1, 33), "invalid_argument"),
                           (lambda: ribbon_of(2**32, 8), "too_large"), (lambda: ribbon_of(1, 8, rest=8193), "too_large"),
                           (lambda: ribbon_of(1025, 8), "invalid_argument"), (lambda: ribbon_of(0, 8, buckets_1=1), "invalid_argument"),
                           (lambda: ribbon_of(1, 1, narrow=1), "invalid_argument"), (lambda: ribbon_of(1, 8, seed=1), "invalid_argument"),
                           (lambda: ribbon_of(1, 8, kept=1), "invalid_argument"), (lambda: ribbon_of(1, 8, width=32), "invalid_argument")):
            self.assertEqual(refusal_of(make), (code, None))

    def test_cleared(self):
        for filter in (ribbon_of(1, 8, rest=40), FuseFilter(30, 8, 1, 0), XorFilter(60, 8, 1, 3)):
            samples.filled(filter).clear()
            self.assertFalse(any(map(filter.may_contain_hash, random_hashes(4, 1000))))
            container.verify(container.write(filter))


class TestScripts(unittest.TestCase):
    def test_a_filter_that_was_read(self):
        for filter, name in ((ribbon_of(1, 8, rest=40), "ribbon"), (FuseFilter(30, 8, 1, 0), "fuse"), (XorFilter(60, 8, 1, 3), "xor")):
            data = samples.own_container(samples.filled(filter)).hex()
            trace = list(script.run(f"bytes b {data}\ndecode f b native\nquery f k[0..9]\ninsert f t:a\nencode c f native\n"
                                    "flip c 1100\ndecode g c native\nquery g k[0..9]\nencode d g native\nmerge f f\n"))
            self.assertEqual(trace[1:4], [f"2 ok kind={name} damaged=0", "3 1111111111", "4 error unsupported"])
            self.assertEqual(trace[6:], [f"7 ok kind={name} damaged=1", "8 1111111111", "9 error corrupt",
                                         "10 error unsupported"])


if __name__ == "__main__":
    unittest.main()
