"""The partitioned filter: the examples of spec/filters.md 6, its limits, its rates; through scripts and vectors too."""

import json
import math
import os
import random
import re
import tempfile
import unittest

from bloomery_reference import container
from bloomery_reference.conformance import script, vectors
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container.layout import Header
from bloomery_reference.container.writer import assemble
from bloomery_reference.hash import Hasher
from bloomery_reference.kinds import ROWS
from bloomery_reference.partitioned import MAX_BITS, PartitionedBloom, partitioned_fpr, positions

from . import SPEC, samples

PARTITIONED = ROWS["partitioned"]

EXAMPLE = re.compile(r"s = (\d+) and k = (\d+)\s+(?:its bits|they)\s+are\s+([\d,\s]+)[;,].*?`([0-9a-f]+)`", re.DOTALL)


def examples():
    """(s, k, positions of "k0", the array that holds it alone), as the page has them."""
    with open(os.path.join(SPEC, "filters.md"), encoding="utf-8") as file:
        section = file.read().split("## 6. ")[1]
    for s, k, listed, array in EXAMPLE.findall(section):
        yield int(s), int(k), [int(number) for number in listed.split(",") if number.strip()], array


class TestPage(unittest.TestCase):
    def test_examples(self):
        self.assertEqual([(s, k) for s, k, _, _ in examples()], [(16, 6), (13, 7)])
        for s, k, listed, array in examples():
            self.assertEqual(positions(0xBBB08E672F9190B3, s, k), listed)
            self.assertEqual(samples.filled(PartitionedBloom(s, k), [b"k0"]).bits.hex(), array)

    def test_every_slice_has_one_bit_of_a_key(self):
        source = random.Random(9)
        for _ in range(300):
            s, k = source.randint(1, 2**20), source.randint(1, 64)
            found = positions(source.getrandbits(64), s, k)
            self.assertEqual([position // s for position in found], list(range(k)))

    def test_keys_that_differ_in_their_lowest_bit_are_one(self):
        self.assertEqual(positions(0x1234, 1000, 7), positions(0x1235, 1000, 7))


class TestLimits(unittest.TestCase):
    def test_making(self):
        for s, k, code in ((0, 1, "invalid_argument"), (1, 0, "invalid_argument"), (1, 65, "too_large"),
                           (MAX_BITS + 1, 1, "too_large"), (MAX_BITS // 3 + 1, 3, "too_large")):
            self.assertEqual(refusal_of(lambda: PartitionedBloom(s, k)), (code, None), (s, k))

    def test_headers(self):
        """Units beyond 2^48 / k are blamed (24) before the payload that is missing (80) is."""
        for s, k, offset in ((16, 0, 20), (16, 65, 20), (0, 6, 24), (MAX_BITS // 6, 6, 80), (MAX_BITS // 6 + 1, 6, 24),
                             (2**64 - 1, 64, 24), (15, 6, None), (16, 6, None), (17, 6, 80)):
            data = assemble(Header(PARTITIONED.number, hashes=k, units=s), Hasher(), bytes(12), 0.0, 0, 0, (), ())
            wanted = None if offset is None else ("corrupt", offset)
            self.assertEqual(refusal_of(lambda: container.read(data)), wanted, (s, k))


class TestRates(unittest.TestCase):
    def rates(self, filter):
        return PARTITIONED.rates.keys(filter), PARTITIONED.rates.realised(filter)

    def test_empty_and_full(self):
        for s, k in ((1, 1), (1, 64), (13, 7)):
            self.assertEqual(self.rates(PartitionedBloom(s, k)), (0.0, 0.0))
            self.assertEqual(self.rates(PartitionedBloom(s, k, bits=b"\xff" * len(PartitionedBloom(s, k).bits))),
                             (math.inf, 1.0))

    def test_slices_are_multiplied(self):
        """Four slices of four bits with 1, 2, 3 and 4 ones: 24 / 256; their mean would give (10 / 16)^4."""
        self.assertEqual(self.rates(PartitionedBloom(4, 4, bits=bytes([0x31, 0xF7])))[1], 24 / 256)

    def test_keys_and_rates_are_those_that_are_measured(self):
        filter = samples.filled(PartitionedBloom(1500, 7), [b"k%d" % i for i in range(1000)])
        keys, realised = self.rates(filter)
        self.assertAlmostEqual(keys, 1000, delta=30)
        asked = 20000
        share = sum(filter.may_contain(b"x%d" % i) for i in range(asked)) / asked
        deviation = (realised * (1 - realised) / asked)**0.5
        self.assertAlmostEqual(share, realised, delta=4 * deviation)
        self.assertAlmostEqual(realised, partitioned_fpr(1500, 7, 1000), delta=0.15 * realised)

    def test_before_it_is_filled(self):
        """The mean of the exact rate over all ways in which two keys fall into two slices of two bits."""
        fills = (0.5, 0.5, 1.0, 1.0)  # of one slice: the second key falls on the first, or beside it
        wanted = sum(a * b for a in fills for b in fills) / 16
        self.assertAlmostEqual(partitioned_fpr(2, 2, 2), wanted, delta=1e-15)
        self.assertEqual(partitioned_fpr(2, 2, 0), 0.0)
        self.assertEqual(partitioned_fpr(1, 3, 5), 1.0)


class TestConformance(unittest.TestCase):
    def test_script(self):
        trace = list(script.run("make f partitioned slice=16 hashes=6 capacity=3\ninsert f t:k0\nquery f t:k0 t:k1\n"
                                "info f\nencode b f native sentinels=t:k0\ndecode g b native\nequal f g\ninspect b\n"
                                "make h partitioned slice=12 hashes=8\nmerge g h\nfold g 2\n"))
        self.assertEqual([line.split(" ", 1)[1] for line in trace if not line.startswith("5 ")], [
            "ok bits=96 hashes=6", "ok", "10",
            "kind=partitioned bits=96 hashes=6 capacity=3 ones=6 bytes=12 hash=xxh3 check=9946599a7ba5cfe8",
            "ok kind=partitioned damaged=0", "yes",
            "kind=partitioned hashes=6 units=16 payload=128+12 sentinels=1 notes=0 keys=0",
            "ok bits=96 hashes=8", "error incompatible", "error unsupported"])

    def test_vector_files_are_known(self):
        """Files of positions and of whole filters, in the shape of those of the other kinds; a wrong row fails."""
        rows = [{"text": "k0", "hash": "bbb08e672f9190b3", "slice": s, "hashes": k, "positions": listed}
                for s, k, listed, _ in examples()]
        filters = [{"slice": s, "hashes": k, "prefix": "k", "inserted": 1, "ones": k, "hex": array,
                    "maybe": sum(samples.filled(PartitionedBloom(s, k), [b"k0"]).may_contain(b"x%d" % i)
                                 for i in range(1000))} for s, k, _, array in examples()]
        wrong = {**rows[0], "positions": rows[1]["positions"]}
        for name, cases, failed in (("partitioned_positions.json", rows, 0), ("partitioned_filters.json", filters, 0),
                                    ("partitioned_positions.json", [wrong], 1)):
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    json.dump({"cases": cases}, file)
                report = vectors.check_file(folder, name)
                self.assertEqual((report.passed, len(report.failed)), (len(cases) - failed, failed), report.failed)


if __name__ == "__main__":
    unittest.main()
