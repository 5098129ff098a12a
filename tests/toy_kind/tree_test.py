"""The count of what a new kind takes: what is too much is found, and the toy kind's lines have a place."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tree  # noqa: E402

BEFORE = {name: b"" for name in ("a.hpp", "b.hpp", "src/c.cpp", "src/d.cpp", "tests/e.cpp", "README.md",
                                 "cli/tool.cpp", "adapters/c/kinds.h", "ports/go/kinds.go")}
OWN = {"ports/go/toy.go": b"", "ports/rust/src/kinds/toy.rs": b"", "ports/python-reference/toy.py": b""}


def wrong(*changed, **added):
    after = {**BEFORE, **OWN, **added, **{name: b"x" for name in changed}}
    return list(tree.too_much(BEFORE, after))


class Count(unittest.TestCase):
    def test_four_files_and_any_document(self):
        self.assertEqual(wrong("a.hpp", "b.hpp", "src/c.cpp", "src/d.cpp", "README.md"), [])

    def test_a_fifth(self):
        self.assertIn("5 existing C++ files", wrong("a.hpp", "b.hpp", "src/c.cpp", "src/d.cpp", "tests/e.cpp")[0])

    def test_folders_that_know_no_kind(self):
        self.assertEqual(wrong("cli/tool.cpp"), ["cli/tool.cpp must not change"])
        self.assertEqual(wrong("adapters/c/kinds.h"), ["adapters/c/kinds.h must not change"])
        self.assertEqual(wrong(**{"bench/toy.cpp": b""}), ["bench/toy.cpp must not change"])

    def test_one_file_per_port(self):
        self.assertIn("ports/go/ has 2 files", wrong("ports/go/kinds.go")[0])
        self.assertIn("ports/rust/ has 2 files", wrong(**{"ports/rust/src/more.rs": b""})[0])


class Tree(unittest.TestCase):
    def test_the_toy_kind_takes_no_more(self):
        before = tree.read(tree.ROOT)
        after = tree.by_hand(before)
        self.assertEqual(list(tree.too_much(before, after)), [])
        self.assertIn(b"toy_bloom>;", after["include/bloomery/kinds.hpp"])
        self.assertIn(b'"name": "toy"', after["spec/kinds.json"])

    def test_what_lists_all_kinds_compiles_with_it(self):
        """What it or its row lacks shows here; make test-full-toy-kind builds and tries the rest."""
        compiler = shutil.which(os.environ.get("CXX", "c++"))
        xxhash = pathlib.Path("/usr/include/xxhash.h")
        if not compiler or not xxhash.exists():
            self.skipTest("no compiler, or no xxhash.h where it is looked for")
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            tree.write(tree.by_hand(tree.read(tree.ROOT)), copy)
            made = copy / "made"
            (made / "bloomery").mkdir(parents=True)
            text = (copy / "include/bloomery/version.hpp.in").read_text()
            (made / "bloomery/version.hpp").write_text(re.sub(r"@\w+@", "0", text))
            seen = [f"-I{folder}" for folder in (copy / "include", copy / "src", copy / "bench", made)]
            for source in ("src/format/kind/table.cpp", "bench/kit/kinds.cpp"):
                done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *seen, copy / source],
                                      check=False, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr[:4000])

    def test_a_copy_is_exact(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            (copy / "stale").write_text("")
            tree.write({"a/b": b"1", "c": b"2"}, copy)
            self.assertEqual(tree.read(copy, tree.below), {"a/b": b"1", "c": b"2"})


if __name__ == "__main__":
    unittest.main()
