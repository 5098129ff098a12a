"""Every file of spec/vectors, each a test of its own."""

import json
import os
import tempfile
import unittest

from bloomery_reference.conformance import vectors

from . import SPEC, not_twice

FOLDER = os.path.join(SPEC, "vectors")
# Rows about dialects that are not offered are skipped, and no others.
ABOVE_LEVEL_3 = {"container_hostile.json": 80, "containers.json": 1, "dialect_files.json": 15, "dialect_hostile.json": 70,
                 "dialects.json": 60}


def cases_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return vectors.count_cases(json.load(file))


class TestVectors(unittest.TestCase):
    @not_twice
    def test_every_file(self):
        names = vectors.names(FOLDER)
        self.assertGreater(len(names), 15)
        for name in names:
            with self.subTest(name):
                report = vectors.check_file(FOLDER, name)
                self.assertEqual(report.failed, [])
                self.assertEqual(report.passed + len(report.skipped), cases_of(name))
                self.assertEqual(len(report.skipped), ABOVE_LEVEL_3.get(name, 0))

    def test_what_is_new_is_not_overlooked(self):
        """A file that is not known, a section that is not, a row that is wrong: each is a failure."""
        with tempfile.TemporaryDirectory() as folder:
            for name, contents in (("new.json", {"cases": []}),
                                   ("portable_sizing.json", {"by_rate": [], "by_bits_per_key": [], "by_memory": [],
                                                             "by_moon": [{"keys": 1}]}),
                                   ("bloom_positions.json", {"cases": [{"hash": "00", "bits": 2, "hashes": 1}]}),
                                   ("bloom_positions.json", {"cases": [{"hash": "00", "bits": 2, "hashes": 1,
                                                                        "positions": [0]}]})):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    json.dump(contents, file)
                self.assertEqual(len(vectors.check_file(folder, name).failed), 1, contents)


if __name__ == "__main__":
    unittest.main()
