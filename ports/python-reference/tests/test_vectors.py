"""Every file of spec/vectors, each a test of its own."""

import os
import unittest

from bloomery_reference.conformance import vectors
from bloomery_reference.dialects import READERS

from . import SPEC

FOLDER = os.path.join(SPEC, "vectors")


class TestVectors(unittest.TestCase):
    def test_every_file(self):
        names = vectors.names(FOLDER)
        self.assertGreater(len(names), 15)
        for name in names:
            with self.subTest(name):
                report = vectors.check_file(FOLDER, name)
                self.assertEqual(report.failed, [])
                self.assertGreater(report.passed + len(report.skipped), 0)
                for skipped in report.skipped:
                    self.assertFalse(skipped.split()[0] in READERS, f"{skipped} must not be skipped")


if __name__ == "__main__":
    unittest.main()
