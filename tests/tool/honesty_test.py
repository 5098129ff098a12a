"""The tool tells the rate a filter has, and refuses what its format cannot deliver."""

import json

from tool import PORTABLE, ToolTest, lines


class Honesty(ToolTest):
    def realised(self, path):
        return json.loads(self.run_tool("info", *PORTABLE, "--json", path))["realised_fpr"]

    def test_a_rate_below_the_floor_is_refused_with_the_truth(self):
        keys = lines(range(1000))
        for capacity in (("--capacity", "1000"), ()):
            self.refuse("build", *PORTABLE, "--fpr", "1e-9", *capacity, "-o",
                        self.path("x"), stdin=keys, says=("1e-09", "1.49e-05", "double hashing", "--force"))

    def test_forced_it_builds_and_info_tells_the_truth(self):
        path = self.path("x")
        self.run_tool("build", *PORTABLE, "--fpr", "1e-9", "--capacity", "1000", "--force",
                      "-o", path, stdin=lines(range(1000)))
        self.assertIn("warning", self.err)
        self.assertAlmostEqual(self.realised(path), 1.49e-5, delta=0.05e-5)

    def test_between_1_1_and_4_times_it_warns(self):
        self.run_tool("build", *PORTABLE, "--fpr", "1e-4", "--capacity", "1000",
                      "-o", self.path("x"), stdin=b"a\n")
        self.assertIn("warning", self.err)
        self.run_tool("build", *PORTABLE, "--fpr", "0.001", "--capacity", "1000",
                      "-o", self.path("x"), stdin=b"a\n")
        self.assertNotIn("warning", self.err)

    def test_three_keys_always_build(self):
        for fpr in ("0.01", "1e-9"):
            self.run_tool("build", *PORTABLE, "--fpr", fpr, "-o", self.path("x"),
                          stdin=b"a\nb\nc\n")
            self.assertIn("warning", self.err)

    def test_more_bits_than_the_halves_reach(self):
        self.refuse("build", *PORTABLE, "--fpr", "0.01", "--capacity", "4000000000",
                    "-o", self.path("x"), stdin=b"a\n", says=("32-bit", "times as much"))

    def test_more_keys_than_planned_is_told(self):
        self.run_tool("build", *PORTABLE, "--capacity", "1000", "-o", self.path("x"),
                      stdin=lines(range(3000)))
        self.assertIn("warning", self.err)
        self.assertIn("--capacity", self.err)

    def test_absurd_sizes_are_refused(self):
        out = ("-o", self.path("x"))
        for bad in ("0", "1", "-0.5", "nan", "inf", "2"):
            self.refuse("build", *PORTABLE, f"--fpr={bad}", *out, stdin=b"a\n")
        for bad in ("0", "-1", "nan", "1e300"):
            self.refuse("build", *PORTABLE, f"--bits-per-key={bad}", *out, stdin=b"a\n")
        for bad in ("0", "x", "1.5.5", "9999999999G"):
            self.refuse("build", *PORTABLE, f"--memory={bad}", *out, stdin=b"a\n")
        for bad in ("0", "-3", "many", str(2**64), "-18446744073709551000", "0x10", "1e-3"):
            self.refuse("build", *PORTABLE, f"--capacity={bad}", *out, stdin=b"a\n")
        self.refuse("build", *PORTABLE, "--capacity", str(2**60), *out, stdin=b"a\n")
        self.refuse("build", *PORTABLE, "--capacity", str(2**60), "--force", *out,
                    stdin=b"a\n")

    def test_a_leading_zero_is_not_octal(self):
        self.build("a", ["x"], "--capacity", "01000")
        self.build("b", ["x"], "--capacity", "1000")
        self.assertEqual(self.read("a"), self.read("b"))

    def test_a_small_overfull_filter_is_told_too(self):
        self.run_tool("build", *PORTABLE, "--capacity", "10", "--fpr", "0.1",
                      "-o", self.path("x"), stdin=lines(range(19)))
        self.assertIn("raise --capacity", self.err)
        self.run_tool("build", *PORTABLE, "--capacity", "1", "-o", self.path("x"),
                      stdin=lines(range(500)))
        self.assertIn("every bit is set", self.err)
        self.assertNotIn("inf", self.err)

    def test_sizes_by_memory_and_bits(self):
        for size, expected in (("1K", 1024), ("16KiB", 16384), ("100", 100)):
            self.build("m", ["a", "b"], "--memory", size)
            self.assertEqual(len(self.read("m")), 12 + expected)
        self.build("b", range(1000), "--bits-per-key", "10")
        self.assertEqual(len(self.read("b")), 12 + 1250)
