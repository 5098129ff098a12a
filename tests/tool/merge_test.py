"""Unions: exact where the sizes agree, folded and told where they do not."""

import json

from tool import KINDS, ToolTest, payload


class Merge(ToolTest):
    def merged(self, *args):
        self.run_tool("merge", *args, "-o", self.path("m"))
        return self.read("m")

    def test_filters_of_one_size_unite_exactly(self):
        a, b = [f"a{i}" for i in range(500)], [f"b{i}" for i in range(500)]
        for kind in KINDS:
            options = ("--kind", kind, "--capacity", "1000")
            one = self.make("a", a, *options)
            two = self.make("b", b, *options)
            self.make("whole", a + b, *options)
            self.assertEqual(payload(self.merged(one, two)), payload(self.read("whole")))
            self.assertNotIn("warning", self.err)

    def test_block_filters_of_different_sizes_are_folded_and_the_rates_told(self):
        for kind in ("--profile=line", "--profile=half-line", "--kind=split-block"):
            small = self.make("small", range(500), kind, "--memory", "4K")
            large = self.make("large", range(500, 1000), kind, "--memory", "12K")
            other = self.make("other", range(1000, 1500), kind, "--memory", "6K")
            for pair, size in (((small, large), 4096), ((large, small), 4096),
                               ((small, other), 2048), ((small, large, other), 2048)):
                self.merged(*pair)
                self.assertIn("warning", self.err)
                self.assertIn("the rate goes from", self.err)
                facts = json.loads(self.run_tool("info", "--json", self.path("m")))
                self.assertEqual(facts["bytes"], size)
                keys = 500 * len(pair)
                self.assertAlmostEqual(facts["keys_estimate"], keys, delta=0.06 * keys)

    def test_folding_is_refused_where_nothing_would_be_left(self):
        options = ("--profile", "line")
        a = self.make("a", range(2000), *options, "--memory", str(64 * 50))
        b = self.make("b", range(2000), *options, "--memory", str(64 * 51))
        self.refuse("merge", a, b, "-o", self.path("m"),
                    says=("refused", "64 bytes", "100 %", "--force"))
        self.assertFalse(self.exists("m"))
        self.merged("--force", a, b)
        self.assertIn("warning", self.err)

    def test_other_sizes_of_kinds_that_cannot_fold(self):
        for kind in ("bloom", "portable"):
            a = self.make("a", range(100), "--kind", kind)
            b = self.make("b", range(200), "--kind", kind)
            self.refuse("merge", a, b, "-o", self.path("m"),
                        says=("bits", "same options"))

    def test_what_differs_is_named(self):
        def refused(one, two, *says):
            a = self.make("a", range(100), "--capacity", "1000", *one)
            b = self.make("b", range(100), "--capacity", "1000", *two)
            self.refuse("merge", a, b, "-o", self.path("m"), says=says)
            self.assertFalse(self.exists("m"))
        refused((), ("--seed", "7"), "seed 7", "seed 0")
        refused((), ("--hash", "xxh64"), "hash xxh64", "hash xxh3")
        refused(("--profile", "line"), ("--profile", "two-lines"), "line", "two-lines")
        refused((), ("--kind", "bloom"), "bloom filter", "block filter")
        refused(("--kind", "split-block"), (), "split-block", "block")
