"""Every script of spec/scripts gives the trace that lies beside it; the exchange's files are read again."""

import glob
import os
import tempfile
import unittest

from bloomery_reference.conformance import script
from bloomery_reference.conformance.words_of_keys import NotAScript

from . import SPEC, not_twice

FOLDER = os.path.join(SPEC, "scripts")


def text_of(path):
    with open(path, encoding="ascii") as file:
        return file.read()


class TestScripts(unittest.TestCase):
    def check(self, path, folder):
        wanted = text_of(path.removesuffix(".script") + ".trace").splitlines()
        got = list(script.run(text_of(path), folder))
        for number, (got_line, wanted_line) in enumerate(zip(got, wanted)):
            self.assertEqual(got_line, wanted_line, f"{os.path.basename(path)}, line {number + 1} of its trace")
        self.assertEqual(len(got), len(wanted))

    @not_twice
    def test_every_script(self):
        """But those that begin with `# All`: they are above level 3 (conformance.md)."""
        paths = [path for path in sorted(glob.glob(os.path.join(FOLDER, "*.script")))
                 if not text_of(path).startswith("# All: ")]
        self.assertGreater(len(paths), 15)
        for path in paths:
            with self.subTest(os.path.basename(path)), tempfile.TemporaryDirectory() as folder:
                self.check(path, folder)

    @not_twice
    def test_exchange(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("write.script", "read.script"):
                path = os.path.join(FOLDER, "exchange", name)
                if os.path.exists(path):
                    self.check(path, folder)

    def test_what_does_not_parse(self):
        for text in ("fly F", "query F k[0..1]", "make F block blocks=1", "bytes B 0", "bytes B 00\nquery B t:a",
                     "hash xxh4 t:a", "hash xxh3 k", "size fpr=0.01", "size keys=x fpr=0.01", "read B nothing"):
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                self.assertRaises(NotAScript, lambda: list(script.run(text, folder)))

    def test_lines_are_numbered_as_in_the_script(self):
        self.assertEqual(list(script.run("# one\n\ncheck xxh3\n")), ["3 9946599a7ba5cfe8"])


if __name__ == "__main__":
    unittest.main()
