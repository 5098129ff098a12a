"""Scalable, stable, window and quotient filters, which are only read: the examples of spec/filters.md 12 to 15, headers, damage, rates."""

import random
import re
import struct
import unittest

from bloomery_reference import container
from bloomery_reference.block import HALF_LINE, LINE, TWO_LINES
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container.header import pack
from bloomery_reference.kinds import KINDS, ROWS
from bloomery_reference.model.stable import Stable, at_least
from bloomery_reference.quotient import UNKNOWN, QuotientFilter, fingerprint, quotient_fpr
from bloomery_reference.quotient_groups import MAX_COPIES, groups, is_run
from bloomery_reference.scalable import ScalableBloom
from bloomery_reference.stable import StableBloom
from bloomery_reference.window import WindowBloom, loads, window_fpr

from . import samples
from .reading import assemble, group_of
from .test_reading import CHUNK, K0, random_hashes, section

QUOTIENT, SCALABLE, STABLE, WINDOW = ROWS["quotient"], ROWS["scalable"], ROWS["stable"], ROWS["window"]


def rows_of_hex(number):
    return [row.replace(" ", "") for row in re.findall(r"^    ((?:[0-9a-f]{16,24} ?)+?)(?:  .*)?$", section(number), re.MULTILINE)]


def spoilt(data, *chunks):
    """A byte of each of these chunks is another."""
    header, out = container.inspect(data), bytearray(data)
    for chunk in chunks:
        out[header.payload_offset + CHUNK * chunk + 5] ^= 0x3C
    return bytes(out)


class TestPages(unittest.TestCase):
    def test_scalable(self):
        self.assertEqual([(part.begin, part.profile, part.blocks) for part in ScalableBloom(1, 3, 0.01, 2, 0, 3, 1, 2).parts],
                         [(0, HALF_LINE, 2), (64, LINE, 2), (192, TWO_LINES, 4)])
        array = bytes.fromhex("00" * 128 + "".join(rows_of_hex(12)) + "00" * 256)
        filter = ScalableBloom(1, 3, 0.01, 2, 0, 3, 1, 2, array=array)
        self.assertTrue(filter.may_contain(b"k0"))
        self.assertFalse(any(filter.may_contain(b"x%d" % i) for i in range(50)))
        self.assertEqual(filter.ones(), 8)
        blocks = [{position // 8 // part.profile.block_bytes * part.profile.block_bytes
                   for position in part.positions(filter.seen(K0))} for part in filter.parts]
        self.assertEqual(blocks, [{32}, {128}, {320, 256}])

    def test_stable(self):
        filter = samples.with_hashes(StableBloom(96, 7, 2, 3, 10, 2**31, 0), [K0])
        self.assertEqual(filter.payload().hex(), "".join(rows_of_hex(13)))
        for t, start, steps in ((0, 84, 11), (1, 41, 10)):
            got = StableBloom.positions_in(K0, 96, 7, 2, 3, 10, 2**31, 0, f"{t:x}")
            self.assertEqual((got["start"], got["steps"]), (start, steps))

    def test_window(self):
        found = []
        for count in range(4):
            filter = samples.filled(WindowBloom(LINE, 2, 3, 1), [b"k%d" % i for i in range(count)])
            found.append("".join("01"[filter.may_contain(b"k%d" % i)] for i in range(4)))
            self.assertEqual((filter.current, filter.count_of_current), ((0, 0), (0, 1), (1, 1), (0, 1))[count])
        self.assertEqual(found, ["0000", "1000", "1100", "0110"])

    def test_quotient(self):
        self.assertEqual(QuotientFilter.positions_in(K0, 60, 7), {"fingerprint": f"{5630:016x}", "quotient": 43, "remainder": 126})
        rows, filter = rows_of_hex(15), QuotientFilter(60, 7, 1)
        for copies, array in ((1, "".join(rows[:4])), (3, "".join(rows[4:]))):
            self.assertTrue(assemble(filter, {5630: copies}))
            self.assertEqual(filter.payload().hex(), array)
            self.assertEqual(filter.count_hash(K0), copies)
            self.assertEqual(list(filter.iterate()), [(5630, copies)])


class TestHeaders(unittest.TestCase):
    def check(self, filter, cases):
        data = container.write(samples.filled(filter))
        for wanted, fields, parameters in cases:
            header = container.inspect(data)
            header.__dict__.update(fields)
            changed = bytearray(header.parameters)
            for at, value in parameters.items():
                changed[at - 100:at - 100 + len(value)] = value
            header.parameters = bytes(changed)
            got = refusal_of(lambda: container.read(pack(header) + data[128:]))
            self.assertEqual(got, wanted and ("corrupt", wanted), (fields, parameters))

    def test_scalable(self):
        nan, one, less = (struct.pack("<d", number) for number in (float("nan"), 1.0, -0.5))
        self.check(ScalableBloom(1, 3, 0.01, 2, 0, 5, 1, 2), (
            (None, {}, {}), (11, {"profile": 1, "hashes": 0}, {}), (20, {"hashes": 0}, {100: nan}), (20, {"hashes": 49}, {}), (80, {"hashes": 4}, {}),
            (100, {}, {100: nan, 108: b"\3"}), (100, {}, {100: one}), (100, {}, {100: less}), (100, {}, {100: bytes(8)}),
            (108, {}, {108: b"\3\3"}), (108, {}, {108: b"\0"}), (108, {}, {108: b"\x20"}), (80, {}, {108: b"\4"}),
            (109, {}, {109: b"\3\x63"}), (110, {}, {109: b"\1"}), (None, {}, {109: b"\2\0"}), (110, {}, {110: b"\2\x63"}), (None, {}, {110: b"\3"}),
            (110, {}, {110: b"\x31"}), (111, {}, {111: b"\x31\x63"}), (112, {"units": 0}, {111: b"\3"}), (112, {"units": 0}, {112: b"\x31"}),
            (None, {}, {112: b"\x30"}), (24, {"units": 0}, {}), (80, {"units": 2}, {}), (100, {}, {113: b"\1"}), (None, {"keys": 1}, {}),
            (80, {"hashes": 42}, {110: b"\x30"}), (24, {"hashes": 43}, {110: b"\x30"}), (24, {"units": 2**64 - 1}, {})))

    def test_stable(self):
        self.check(StableBloom(100, 5, 2, 3, 10, 2**31, 0), (
            (None, {}, {}), (11, {"profile": 2}, {}), (20, {"hashes": 0, "units": 0}, {}), (20, {"hashes": 65}, {}), (24, {"units": 0}, {120: b"\3"}),
            (24, {"units": 2**46 + 1}, {120: b"\3"}), (80, {"units": 2**46}, {}), (120, {}, {120: b"\3\0"}), (120, {}, {120: b"\0"}), (120, {}, {120: b"\x08"}),
            (80, {}, {120: b"\1\1"}), (121, {}, {116: b"\xff", 121: b"\0"}), (121, {}, {121: b"\4"}), (None, {}, {121: b"\1"}), (116, {"units": 90}, {116: b"\x65"}),
            (116, {}, {116: b"\x64"}), (None, {}, {112: bytes(4) + b"\x64"}), (116, {}, {112: bytes(4) + b"\x65"}), (None, {"units": 97}, {}), (80, {"units": 96}, {}),
            (100, {}, {122: b"\1"}), (64, {"keys": 1}, {}), (None, {}, {100: b"\xff" * 12})))

    def test_window(self):
        self.check(WindowBloom(LINE, 3, 2, 4), (
            (None, {}, {}), (11, {"profile": 5}, {}), (11, {"profile": 0}, {}), (20, {"hashes": 4, "units": 0}, {}), (None, {"profile": 3, "hashes": 16}, {}),
            (24, {"units": 0}, {100: b"\0"}), (24, {"units": 2**42 + 1}, {100: b"\1"}), (100, {"units": 5}, {100: b"\1"}), (100, {}, {100: b"\1\4"}),
            (24, {}, {100: b"\4", 104: b"\x09"}), (None, {}, {100: b"\6"}), (104, {"units": 9}, {104: b"\3", 116: b"\x09"}), (116, {"units": 9}, {116: b"\5"}),
            (116, {}, {123: b"\1"}), (None, {}, {108: b"\0", 123: b"\1"}), (80, {"units": 9}, {}), (64, {"keys": 1}, {})))

    def test_quotient(self):
        self.check(QuotientFilter(100, 7, 3), (
            (None, {}, {}), (11, {"profile": 1}, {}), (20, {"hashes": 1, "units": 0}, {}), (20, {"hashes": 33}, {}), (80, {"hashes": 8}, {}), (24, {"units": 0}, {108: b"\0"}),
            (24, {"units": 2**53 + 1}, {108: b"\0"}), (108, {"units": 2**53}, {}), (24, {"hashes": 2, "units": 2**58 + 1}, {}), (108, {}, {108: b"\1"}), (80, {}, {108: b"\4"}),
            (108, {"units": 129}, {108: b"\2"}), (80, {"units": 128}, {108: b"\2"}), (None, {"units": 192}, {}), (108, {"units": 193}, {}), (128, {"units": 1}, {}),
            (108, {}, {115: b"\xff"}), (80, {}, {108: (2**42 // 10).to_bytes(8, "little")}), (108, {}, {108: (2**42 // 10 + 1).to_bytes(8, "little")}),
            (None, {}, {100: b"\xff" * 8}), (100, {}, {116: b"\1"}), (64, {"keys": 1}, {})))


class TestForgetting(unittest.TestCase):
    def test_the_kinds_that_forget_say_so(self):
        self.assertEqual({kind for kind in KINDS.values() if kind.forgets}, {STABLE, WINDOW})

    def test_stable(self):
        """What is predicted is near what a filter does, and the rate near the stable point."""
        filter = StableBloom(2000, 3, 2, 3, 30, 2**31, 5)
        model = filter.model()
        hashes = random_hashes(3, 8000)
        samples.with_hashes(filter, hashes)
        self.assertAlmostEqual(STABLE.rates.realised(filter), model.fpr(), delta=0.15 * model.fpr())
        self.assertAlmostEqual(model.expected(8000), model.fpr(), delta=1e-6)
        for begin in (100, 200, 400, 800):
            ages = range(begin, 2 * begin)
            denied = sum(not filter.may_contain_hash(hashes[-1 - age]) for age in ages) / begin
            self.assertAlmostEqual(denied, sum(map(model.forgetting, ages)) / begin, delta=3 / begin**0.5)
        self.assertEqual(model.forgetting(0), 0)
        self.assertLess(model.forgetting(10**9), 1 - model.fpr() + 1e-9)

    def test_binomial_tails(self):
        self.assertEqual([at_least(n, 4, 0.5) for n in range(1, 6)], [15 / 16, 11 / 16, 5 / 16, 1 / 16, 0.0])
        self.assertAlmostEqual(at_least(3, 1000, 1e-7) / (1000 * 999 * 998 / 6 * 1e-21), 1, delta=1e-4)
        self.assertEqual(at_least(1, 2**63, 1e-3), 1.0)
        self.assertEqual(Stable(1, 3, 15, 1.0).fpr(), 1.0)

    def test_window(self):
        """The last (G - 1) N + n keys are found, whatever came before."""
        keys = [b"k%d" % i for i in range(40)]
        for count in range(41):
            filter = samples.filled(WindowBloom(HALF_LINE, 3, 4, 5), keys[:count])
            promised = 2 * 5 + filter.count_of_current
            self.assertTrue(all(map(filter.may_contain, keys[max(0, count - promised):count])))
        self.assertEqual([loads(g, 3, 5) for g in (0, 1, 5, 6, 11, 16, 30)], [[0], [1], [5], [1, 5], [1, 5, 5], [1, 5, 5], [5, 5, 5]])
        self.assertEqual(loads(77, 3, 0), [77])
        self.assertAlmostEqual(window_fpr(12, 3, 5, lambda keys: keys / 10), 1 - 0.8 * 0.5 * 0.5)


class TestDamage(unittest.TestCase):
    def test_bits_that_only_insertion_sets(self):
        for filter, kind in ((ScalableBloom(30, 3, 0.01, 2, 1, 0, 1, 2), SCALABLE), (WindowBloom(TWO_LINES, 2, 90, 0), WINDOW)):
            hashes = random_hashes(5, 900)
            samples.with_hashes(filter, hashes)
            data = container.write(filter)
            read = container.read(spoilt(data, 1))
            self.assertEqual(read.damaged, 1)
            self.assertEqual(read.filter.array[CHUNK:2 * CHUNK], b"\xff" * CHUNK)
            self.assertTrue(all(map(read.filter.may_contain_hash, hashes)))
            self.assertGreater(kind.rates.realised(read.filter), kind.rates.realised(filter))
            self.assertEqual(container.write(container.read(data).filter), data)

    def test_stable(self):
        """A 0 in an intact chunk is still believed."""
        filter = samples.with_hashes(StableBloom(9000 * 4, 3, 2, 1, 0, 0, 0), random_hashes(1, 2000))
        read = container.read(spoilt(container.write(filter), 1)).filter
        for h in random_hashes(2, 2000):
            cells = StableBloom.positions_in(h, *[getattr(filter, name) for name in ("cells", "k", "width", "most", "decrement",
                                                                                   "fraction", "seed")], "0")["positions"]
            self.assertEqual(read.may_contain_hash(h), all(filter.cell(i) or i // 4 // CHUNK == 1 for i in cells))
        self.assertEqual(refusal_of(lambda: container.write(read)), ("corrupt", None))

    def test_quotient(self):
        """A lookup is what it was, or "possibly present"; none of it is written again."""
        hashes = random_hashes(7, 9000)
        filter = samples.with_hashes(QuotientFilter(11000, 7, 173), hashes)
        data = container.write(filter)
        others = random_hashes(8, 1500)
        for chunk, few, most in ((0, 0.2, 0.5), (1, 0.2, 0.5), (3, 0.4, 1.0)):  # the last has the offsets
            read = container.read(spoilt(data, chunk)).filter
            unknown = 0
            for h in hashes[:1500] + others:
                count = read.count_hash(h)
                self.assertIn(count, (filter.count_hash(h), UNKNOWN))
                unknown += count == UNKNOWN
            self.assertTrue(few < unknown / 3000 < most, unknown)
            self.assertAlmostEqual(QUOTIENT.rates.realised(read), sum(map(read.may_contain_hash, others)) / 1500, delta=0.06)
            if chunk < 3:
                self.assertAlmostEqual(QUOTIENT.rates.keys(read) / 9000, 1, delta=0.1)
            self.assertEqual(refusal_of(lambda: container.write(read)), ("corrupt", None))


class TestRatesOfChains(unittest.TestCase):
    """spec/model.md, sections 12 and 14."""

    SHAPES = ((SCALABLE, ScalableBloom(3, 4, 0.01, 2, 1, 0, 2, 48)), (SCALABLE, ScalableBloom(2, 3, 0.01, 16, 1, 0, 1, 48)),
              (SCALABLE, ScalableBloom(5, 3, 0.01, 4, 1, 0, 1, 2)), (SCALABLE, ScalableBloom(7, 2, 0.01, 2, 1, 0, 0, 0)),
              (WINDOW, WindowBloom(HALF_LINE, 5, 5, 150)), (WINDOW, WindowBloom(LINE, 3, 6, 400)),
              (WINDOW, WindowBloom(TWO_LINES, 2, 10, 450)))

    @staticmethod
    def seen(filter, hashes):
        return sum(map(filter.may_contain_hash, hashes)) / len(hashes)

    def test_damage_that_no_key_meets_twice(self):
        """The last 36 of the 100 blocks of one generation, and the first 28 of the other."""
        read = container.read(spoilt(container.write(WindowBloom(LINE, 2, 100, 1000)), 1))
        self.assertEqual(read.damaged, 1)
        self.assertAlmostEqual(WINDOW.rates.realised(read.filter), 0.64, delta=1e-6)
        self.assertAlmostEqual(self.seen(read.filter, random_hashes(6, 20000)), 0.64, delta=5 * (0.64 * 0.36 / 20000)**0.5)

    def test_it_is_what_absent_keys_see(self):
        """Nothing but chance is between the two."""
        for kind, shape in self.SHAPES:
            filter = container.read(container.write(shape)).filter
            samples.with_hashes(filter, random_hashes(5, 900))
            rate, absent = kind.rates.realised(filter), random_hashes(6, 10000)
            delta = 5 * (rate * (1 - rate) / len(absent))**0.5
            self.assertAlmostEqual(self.seen(filter, absent), rate, delta=delta + 1e-9)

    def test_a_union_of_two_lines_is_no_sum(self):
        """The first 36 of 100 blocks of one generation and the last 64 of the other: both blocks of a key in one of these."""
        filter = WindowBloom(TWO_LINES, 2, 100, 1000)
        for begin, end in ((0, 36), (136, 200)):
            filter.array[64 * begin:64 * end] = b"\xff" * (64 * (end - begin))
        self.assertAlmostEqual(WINDOW.rates.realised(filter), 0.36**2 + 0.64**2, delta=1e-4)
        half = b"\xff" * 64 * 50 + bytes(64 * 50)
        filter.array[:] = half + half
        self.assertAlmostEqual(WINDOW.rates.realised(filter), 0.5**2, delta=1e-6)

    def test_of_no_bits_and_of_all(self):
        """All those of one level or generation are enough."""
        for kind, filter in (*self.SHAPES, (WINDOW, WindowBloom(HALF_LINE, 1024, 1))):
            empty = filter.payload()
            self.assertEqual((kind.rates.realised(filter), kind.rates.keys(filter)), (0.0, 0.0))
            for begin, end in ((0, len(empty)), (0, filter.parts[0].end), (filter.parts[-1].begin, len(empty))):
                filter.array[begin:end] = b"\xff" * (end - begin)
                self.assertEqual((kind.rates.realised(filter), kind.rates.keys(filter)), (1.0, float("inf")))
                filter.array[:] = empty

    def test_blocks_within_blocks(self):
        """Half of level 0, the block of its other half in level 1, and one of level 2 that is in neither."""
        filter = ScalableBloom(1, 3, 0.01, 4, 1, 0, 1, 48)
        self.assertEqual([part.blocks for part in filter.parts], [2, 4, 16])
        for level, block in ((0, 0), (1, 2), (2, 3), (2, 10), (2, 15)):
            begin = filter.parts[level].begin + block * filter.parts[level].profile.block_bytes
            filter.array[begin:begin + filter.parts[level].profile.block_bytes] = b"\xff" * filter.parts[level].profile.block_bytes
        self.assertAlmostEqual(SCALABLE.rates.realised(filter), 1 / 2 + 1 / 4 + 1 / 16, delta=1e-6)


class TestQuotient(unittest.TestCase):
    def multisets(self):
        """(filter, {fingerprint: copies}): crowded in places, with saturated offsets and long counters."""
        source = random.Random(9)
        for quotients, r, blocks in ((300, 7, 6), (1, 5, 9), (500, 2, 12), (90, 32, 4), (640, 12, 11)):
            for form in range(4):
                filter, multiset, most = QuotientFilter(quotients, r, blocks), {}, quotients << r
                for _ in range(40 * blocks):
                    f = source.randrange(most) if form % 2 else most // 3 + source.randrange(most // 40 + 1)
                    before = dict(multiset)
                    multiset[f] = source.choice((1, 1, 1, 2, 3, source.getrandbits(source.randrange(2, 48)) or 1))
                    if not assemble(filter, multiset):
                        multiset = before
                        assemble(filter, multiset)
                        break
                yield filter, multiset

    def test_a_filter_is_its_multiset(self):
        for filter, multiset in self.multisets():
            read = container.verify(container.write(filter)).filter
            self.assertEqual(dict(read.iterate()), multiset)
            self.assertEqual([f for f, _ in read.iterate()], sorted(multiset))
            self.assertEqual(QUOTIENT.rates.realised(read), len(multiset) / (filter.quotients << filter.r))
            self.assertEqual(QUOTIENT.rates.keys(read), sum(multiset.values()))
            for h in random_hashes(4, 100):
                self.assertEqual(read.count_hash(h), multiset.get(fingerprint(h, filter.quotients, filter.r), 0))
            for f, copies in multiset.items():
                self.assertEqual(read.count_hash(-(-(f << 64) // (filter.quotients << filter.r))), copies)

    def test_bytes_that_nothing_makes(self):
        """One multiset has one filter: with a bit flipped it is refused, or is the filter of another."""
        refused, others, source = 0, 0, random.Random(5)
        for filter, _ in self.multisets():
            for bit in source.sample(range(8 * len(filter.array)), 60):
                filter.array[bit // 8] ^= 1 << (bit % 8)
                data = container.write(filter)
                got = refusal_of(lambda: container.read(data))
                if got is None:
                    again = QuotientFilter(filter.quotients, filter.r, filter.blocks)
                    self.assertTrue(assemble(again, dict(filter.iterate())))
                    self.assertEqual(again.array, filter.array)
                    others += 1
                else:
                    self.assertEqual(got, ("corrupt", container.inspect(data).payload_offset))
                    refused += 1
                filter.array[bit // 8] ^= 1 << (bit % 8)
        self.assertGreater(refused, 200)
        self.assertGreater(others, 20)

    def test_groups(self):
        for values, wanted in (([1], [(1, 1)]), ([1, 1], [(1, 2)]), ([1, 1, 1, 0], [(1, 3)]), ([1, 1, 1, 7, 2], [(1, 10), (2, 1)]),
                               ([1, 1, 1, 15, 8, 3], [(1, 3 + 7 + 3 * 64)]), ([0, 0, 0, 0, 1], [(0, 3), (1, 1)]), ([15, 15, 15, 3], [(15, 6)])):
            self.assertTrue(is_run(values, 4), values)
            self.assertEqual(list(groups(values, 4)), wanted)
        for values in ([1, 1, 1], [1, 1, 1, 8], [1, 1, 1, 8, 0], [1, 1, 1, 8, 8, 0], [2, 1], [1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]):
            self.assertFalse(is_run(values, 4), values)
        for r in range(2, 33):
            for copies in (1, 2, 3, 4, 2**r, MAX_COPIES):
                self.assertTrue(is_run(group_of(1, copies, r), r))
                self.assertEqual(list(groups(group_of(1, copies, r), r)), [(1, copies)])
            self.assertFalse(is_run(group_of(1, MAX_COPIES + 1, r), r))

    def test_any_bytes_can_be_asked(self):
        """A damaged file is not checked otherwise: lookups, lists and rates end."""
        source = random.Random(3)
        for _ in range(12):
            filter = QuotientFilter(source.randint(2000, 4000), source.randint(4, 9), 80)
            filter.array[:] = source.randbytes(len(filter.array))
            if source.random() < 0.5:
                filter.array[filter.offsets_at:] = b"\xff" * (len(filter.array) - filter.offsets_at)
            read = container.read(spoilt(container.write(filter), 0)).filter
            for h in random_hashes(1, 50):
                self.assertTrue(0 <= read.count_hash(h) <= UNKNOWN)
            self.assertTrue(0 <= QUOTIENT.rates.realised(read) <= 1)

    def test_a_slot_that_does_not_exist(self):
        filter = QuotientFilter(64 * 130, 2, 130)
        filter.array[32 * 129] = 1  # the first quotient of the last block is occupied, and no run ends
        read = container.read(spoilt(container.write(filter), 0)).filter
        for quotient, wanted in ((64 * 129 - 1, 0), (64 * 129, MAX_COPIES), (64 * 129 + 1, 0), (3, UNKNOWN)):
            h = -(-(quotient << 64) // (64 * 130))
            self.assertEqual((read.count_hash(h), read.may_contain_hash(h)), (wanted, wanted > 0), quotient)

    def test_before_it_is_filled(self):
        self.assertAlmostEqual(quotient_fpr(1000, 1000, 7), 1 - (1 - 1 / 128000)**1000, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
