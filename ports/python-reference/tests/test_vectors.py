"""Every file of spec/vectors, each a test of its own."""

import json
import os
import unittest

from bloomery_reference.conformance import vectors
from bloomery_reference.dialects import READERS

from . import SPEC

FOLDER = os.path.join(SPEC, "vectors")


def cases_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return vectors.count_cases(json.load(file))


class TestVectors(unittest.TestCase):
    def test_every_file(self):
        names = vectors.names(FOLDER)
        self.assertGreater(len(names), 15)
        for name in names:
            with self.subTest(name):
                report = vectors.check_file(FOLDER, name)
                self.assertEqual(report.failed, [])
                self.assertEqual(report.passed + len(report.skipped), cases_of(name))
                for skipped in report.skipped:
                    self.assertNotIn(skipped.split()[0].rstrip(","), READERS)


if __name__ == "__main__":
    unittest.main()
