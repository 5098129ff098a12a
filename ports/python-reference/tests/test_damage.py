"""spec/container.md, section 4: what a damaged chunk means, by the rule of the kind."""

import dataclasses
import unittest
from unittest import mock

from bloomery_reference import container
from bloomery_reference.conformance import script
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.damage import NO_DAMAGE, Damage
from bloomery_reference.kind import ONES
from bloomery_reference.kinds import KINDS, ROWS

from . import samples
from .fingerprints import FINGERPRINTS, Fingerprints, realised

BLOOM = ROWS["bloom"]

CHUNK = 4096


class TestDamage(unittest.TestCase):
    def test_touches_every_range_that_has_a_byte_of_it(self):
        damage = Damage([(4, 8), (12, 14)])
        for offset in range(16):
            for length in range(1, 6):
                wanted = any(at in (4, 5, 6, 7, 12, 13) for at in range(offset, offset + length))
                self.assertEqual(damage.touches(offset, length), wanted, (offset, length))
        self.assertTrue(damage)
        self.assertFalse(NO_DAMAGE)

    def test_ones_are_filled_in_and_nothing_else(self):
        payload = bytearray(16)
        Damage([(4, 8), (12, 14)]).fill_with_ones(payload)
        self.assertEqual(payload.hex(), "00000000ffffffff00000000ffff0000")


class TestPerhaps(unittest.TestCase):
    """Fingerprints in three chunks, whose cells of three bytes cross the borders."""

    def setUp(self):
        self.enterContext(mock.patch.dict(KINDS, {FINGERPRINTS.number: FINGERPRINTS}))
        self.keys = [b"k%d" % i for i in range(200)]
        self.strangers = [b"x%d" % i for i in range(3000)]
        self.filter = samples.filled(Fingerprints(4096, 3), self.keys)
        self.data = container.write(self.filter)

    def damaged(self, *chunks):
        data = bytearray(self.data)
        for chunk in chunks:
            data[128 + chunk * CHUNK + 77] ^= 4
        return container.read(bytes(data))

    def reads(self, key, chunks):
        """Whether a cell of the key has a byte in one of these chunks."""
        places = self.filter.places(self.filter.hasher.hash(key))
        return any(byte // CHUNK in chunks for at in places for byte in range(at, at + 3))

    def test_lookups_that_read_it_say_possibly_present_and_the_others_what_they_said(self):
        for chunks in ((0,), (1,), (2,), (0, 2)):
            read = self.damaged(*chunks)
            self.assertEqual(read.damaged, len(chunks))
            for key in self.keys:
                self.assertTrue(read.filter.may_contain(key))
            for key in self.strangers:
                self.assertEqual(read.filter.may_contain(key), self.reads(key, chunks) or self.filter.may_contain(key))

    def test_some_cells_do_cross_a_border(self):
        crossing = [at for key in self.strangers for at in self.filter.places(self.filter.hasher.hash(key))
                    if at // CHUNK != (at + 2) // CHUNK]
        self.assertTrue(crossing)

    def test_ones_would_deny_keys(self):
        """Why there is this rule: the same file under the other one."""
        with mock.patch.dict(KINDS, {FINGERPRINTS.number: dataclasses.replace(FINGERPRINTS, damage=ONES)}):
            read = self.damaged(1)
        self.assertFalse(all(map(read.filter.may_contain, self.keys)))

    def test_it_is_not_written_again(self):
        read = self.damaged(1)
        self.assertEqual(refusal_of(lambda: container.write(read.filter)), ("corrupt", None))
        self.assertEqual(container.write(container.read(self.data).filter), self.data)

    def test_what_would_change_it_is_refused(self):
        read = self.damaged(1)
        harmed = next(key for key in self.strangers if self.reads(key, (1,)))
        whole = next(key for key in self.strangers if not self.reads(key, (1,)) and not self.filter.may_contain(key))
        before = read.filter.payload()
        self.assertEqual(refusal_of(lambda: read.filter.try_insert(harmed)), ("corrupt", None))
        self.assertEqual(refusal_of(lambda: read.filter.erase(harmed)), ("corrupt", None))
        self.assertEqual(read.filter.payload(), before)
        read.filter.try_insert(whole)
        read.filter.erase(whole)
        self.assertEqual(read.filter.payload(), before)

    def test_the_rate_counts_it(self):
        """One chunk of three, and two cells per key: 1 - (2/3)^2 of all lookups, within three deviations."""
        self.assertLess(realised(self.filter), 1e-3)
        read = self.damaged(1)
        share = sum(map(read.filter.may_contain, self.strangers)) / len(self.strangers)
        self.assertAlmostEqual(FINGERPRINTS.rates.realised(read.filter), 5 / 9, delta=0.001)
        self.assertAlmostEqual(share, 5 / 9, delta=3 * (5 / 9 * 4 / 9 / len(self.strangers))**0.5)


class TestOnes(unittest.TestCase):
    def test_the_rate_counts_them(self):
        """One chunk of three: its bits are set, and the rate follows from the bits."""
        filter = samples.filled(BLOOM.filter(8 * 3 * CHUNK, 1))
        data = bytearray(container.write(filter))
        data[128 + CHUNK] ^= 1
        read = container.read(bytes(data))
        self.assertEqual(read.filter.bits[CHUNK:2 * CHUNK], b"\xff" * CHUNK)
        self.assertAlmostEqual(BLOOM.rates.realised(read.filter), 1 / 3, delta=0.001)

    def test_a_script_does_not_write_it_again(self):
        trace = list(script.run("make f bloom bits=96 hashes=7\nencode b f native\nflip b 1030\ndecode g b native\n"
                                "encode c g native\n"))
        self.assertEqual(trace[3:], ["4 ok kind=bloom damaged=1", "5 error corrupt"])


if __name__ == "__main__":
    unittest.main()
