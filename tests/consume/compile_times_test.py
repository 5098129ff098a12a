"""The check of what headers cost finds a header that has grown, and one that includes too much."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import compile_times  # noqa: E402


class Lines(unittest.TestCase):
    def test_a_header_within_its_bound_and_one_beyond(self):
        lines = {header: int(1000 * bound) for header, bound in compile_times.MAX_LINES.items()}
        self.assertEqual([], list(compile_times.too_long(lines, 1000)))
        lines["bloomery/block_bloom.hpp"] += 1
        (found,) = compile_times.too_long(lines, 1000)
        self.assertIn("bloomery/block_bloom.hpp: 1,301 lines", found)

    def test_an_include_that_every_file_would_pay_for(self):
        with tempfile.TemporaryDirectory() as name:
            include = pathlib.Path(name)
            (include / "bloomery/detail").mkdir(parents=True)
            (include / "bloomery/detail/a.hpp").write_text("#include <span>\n#include <iterator>\n")
            (found,) = compile_times.dear_includes(include)
            self.assertIn("bloomery/detail/a.hpp:2: <iterator>", found)


if __name__ == "__main__":
    unittest.main()
