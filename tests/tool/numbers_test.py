"""Numbers as people write them, and where they are wrong."""

import json

from tool import ToolTest


class Numbers(ToolTest):
    def capacity(self, text):
        path = self.path("f")
        self.run_tool("build", "-q", "-o", path, "--capacity", text, stdin=b"a\n")
        return self.read("f")

    def test_counts(self):
        self.assertNotEqual(self.capacity("20000"), self.capacity("10000"))
        for one, *others in (("10000", "10k", "10K", "1e4", "1E+4", "10_000", "0.01M", "10.0k",
                              "1.0e4", ".01M", "1.00000e4"),
                             ("1500000", "1.5M", "1_500_000", "1500k", "0.0015G", "1.5e6"),
                             ("1", "1.0", "1e0")):
            want = self.capacity(one)
            for other in others:
                self.assertEqual(self.capacity(other), want, other)

    def test_counts_that_are_none(self):
        out = ("-o", self.path("f"))
        for text, says in (("1m", "M is a million"), ("1.5", "whole"), ("1.2345k", "whole"),
                           ("1g", "G is"), ("1,000,000", "1_000_000"), ("1_00", "1M"),
                           ("_1", "1M"), ("1_000_", "1M"), ("1__000", "1M"), ("1Mi", "powers"),
                           ("1MiB", "powers"), ("M", "1M"), ("1e", "1e6"), ("1e-3", "1e6"),
                           ("1e6x", "1e6"), ("0", "too few"), ("0M", "too few"),
                           ("-1", "-1"), ("1e20", "64 bits"), ("99999999999T", "64 bits"),
                           ("1.", "f"), ("0x10", "1e6"), ("1 M", "1M")):
            if text == "1.":
                continue
            self.refuse("build", *out, f"--capacity={text}", stdin=b"a\n",
                        says=("--capacity", says))
        self.assertFalse(self.exists("f"))

    def rate(self, *text):
        path = self.path("f")
        self.run_tool("build", "-q", "-o", path, "--capacity", "1k", *text, stdin=b"a\n")
        return self.read("f")

    def test_rates(self):
        for percent, rate in (("1%", "0.01"), ("0.1%", "0.001"), ("0.7%", "0.007"),
                              ("2.3 %", "0.023"), ("1e-1%", "1e-3"), (".5%", "0.005"),
                              ("1e+0%", "1e-2")):
            self.assertEqual(self.rate("--fpr", percent), self.rate("--fpr", rate), percent)
        self.assertEqual(self.rate("--fpr", "1%"), self.rate())

    def test_rates_that_are_none(self):
        for text, says in (("low", "0.01"), ("1", "--fpr 1%, which is 0.01"), ("5", "try --fpr 5%"),
                           ("1%%", "1%"), ("%", "1%"), ("1e%", "1%"), ("1e9999%", "1%"),
                           ("1e-3x%", "1%"), ("1percent", "1%")):
            for command in (("build", "-o", self.path("f")), ("bench",)):
                self.refuse(*command, "--fpr", text, stdin=b"a\n", says=("--fpr", says))
        self.refuse("build", "-o", self.path("f"), "--fpr", "100%", stdin=b"a\n")
        self.assertFalse(self.exists("f"))

    def test_bench_takes_them_too(self):
        out = self.run_tool("bench", "--keys", "1k", "--fpr", "2%", "--rounds", "1", "--json")
        found = json.loads(out)
        self.assertEqual((found["keys"], found["fpr"]), (1000, 0.02))

    def test_hex_shows_the_part_that_is_wrong(self):
        f = self.path("f")
        for text, says in ((b"00\n00zz11\n", "line 2: 'zz' at digit 3 is not hex"),
                           (b"0g\n", "line 1: 'g' at digit 2 is not hex"),
                           (b"00\n012\n", "line 2: 3 hex digits"),
                           (b"0x12\n", "leave out the 0x"),
                           (b"0 \n", "line 1: ' ' at digit 2"),
                           (b"\xff0\n", "line 1: 'hex ff' at digit 1")):
            self.refuse("build", "--hex", "-o", f, stdin=text, says=(says,))
        self.refuse("query", "--hex", self.make("g", ["a"]), "00", "1",
                    says=("key 2 of the command line: 1 hex digit:",))
        self.assertFalse(self.exists("f"))
