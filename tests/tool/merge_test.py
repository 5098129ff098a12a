"""Unions: exact where the sizes agree, folded and told where they do not."""

import json
import os
import re
import shlex
import subprocess

from tool import KIND_ROWS, ToolTest, lines, payload


class Merge(ToolTest):
    def merged(self, *args):
        self.run_tool("merge", *args, "-o", self.path("m"))
        return self.read("m")

    def test_filters_of_one_size_unite_exactly(self):
        a, b = [f"a{i}" for i in range(500)], [f"b{i}" for i in range(500)]
        for row in (k for k in KIND_ROWS if k["can"] and "build" not in k["can"]):
            kind = row["name"]
            options = ("--kind", kind, "--capacity", "1000")
            one = self.make("a", a, *options)
            two = self.make("b", b, *options)
            if "merge" not in row["can"]:
                self.refuse("merge", one, two, "-o", self.path("m"),
                            says=(f"{kind} filters cannot be merged",))
                continue
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

    def test_a_union_of_quotient_filters_that_is_full_is_doubled(self):
        a, b, c = (self.make(name, range(1000 * i, 1000 * i + 1000), "--kind", "quotient")
                   for i, name in enumerate("abc"))
        self.merged(a, b)
        self.assertIn("doubled to", self.err)
        self.assertIn("above the 1 % it was built for", self.err)
        facts = json.loads(self.run_tool("info", "--json", self.path("m")))
        self.assertEqual((facts["copies"], facts["capacity"]), (2000, 2000))
        # Twice in one run, and again with a part that was not doubled.
        whole = self.merged(a, b, c)
        self.assertEqual(self.err.count("doubled to"), 2)
        self.run_tool("merge", a, b, "-o", self.path("ab"))
        self.assertEqual(payload(self.merged(self.path("ab"), c)), payload(whole))
        out = self.run_tool("query", "-c", self.path("m"), stdin=lines(range(3000)))
        self.assertEqual(int(out), 3000)
        # With itself: each key is in twice.
        self.merged(a, a)
        facts = json.loads(self.run_tool("info", "--json", self.path("m")))
        self.assertEqual((facts["copies"], facts["keys_estimate"]), (2000, 2000))

    def test_a_rate_that_is_named_is_kept(self):
        for kind in ("quotient", "block", "counting"):
            a = self.make("a", range(1000), "--kind", kind, "--capacity", "1000")
            b = self.make("b", range(1000, 2000), "--kind", kind, "--capacity", "1000")
            self.refuse("merge", a, b, "--max-fpr", "1.2%", "-o", self.path("m"),
                        says=("refused", "1.2 %", "nothing is written", "--capacity", "--force"))
            self.assertFalse(self.exists("m"))
            self.merged(a, b, "--max-fpr", "20%")
            self.merged(a, b, "--max-fpr", "1.2%", "--force")
            os.remove(self.path("m"))

    def test_a_union_that_cannot_be_doubled(self):
        self.make("a", range(1000), "--kind", "quotient", "--fpr", "0.2")
        parts = [self.path("a")]
        for i in range(1, 40):
            parts.append(self.make(f"p{i}", range(1000 * i, 1000 * i + 1000), "--kind", "quotient", "--fpr", "0.2"))
        self.refuse("merge", "--force", *parts, "-o", self.path("m"),
                    says=("the union of", "cannot be doubled", "nothing is written", "--capacity"))
        self.assertNotIn("same options", self.err)
        self.assertFalse(self.exists("m"))

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


class Week(ToolTest):
    """A filter per day, and one of the week: by the example in --help, and without it."""

    days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

    def setUp(self):
        super().setUp()
        self.keys = {}
        for i, day in enumerate(self.days):
            self.keys[day] = [f"{day}{n}" for n in range(1000 + 137 * i)] + ["every day"]
            self.write(f"{day}.txt", lines(self.keys[day]))
        self.all = [key for keys in self.keys.values() for key in keys]

    def filters(self, *options):
        for day in self.days:
            self.run_tool("build", "-q", self.path(f"{day}.txt"), *options, "-o",
                          self.path(f"{day}.bloom"))
        return [self.path(f"{day}.bloom") for day in self.days]

    def test_by_the_example_of_the_help(self):
        text = self.run_tool("merge", "--help").decode()
        example = text[text.index("  for day in"):text.index("--dialect portable")]
        example = example[:example.rindex("\n")]
        self.assertIn("week.bloom", example)
        tool = f'bloomery() {{ {shlex.quote(os.environ["BLOOMERY"])} "$@"; }}\n'
        done = subprocess.run(["sh", "-e", "-c", tool + example], cwd=self.folder,
                              capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"warning", done.stderr)
        out = self.run_tool("query", "-c", self.path("week.bloom"), stdin=lines(self.all))
        self.assertEqual(int(out), len(self.all))
        facts = json.loads(self.run_tool("info", "--json", self.path("week.bloom")))
        self.assertLessEqual(facts["realised_fpr"], facts["asked_fpr"])

    def test_sized_by_counting_the_refusal_names_all_and_a_capacity_that_works(self):
        week = self.filters()
        self.refuse("merge", *week, "-o", self.path("week"),
                    says=("mon.bloom (", "tue.bloom (", "wed.bloom (", "4 more",
                          "differ in size", "--capacity", "--force"))
        capacity = re.search(r"--capacity (\d+)", self.err).group(1)
        self.assertGreaterEqual(int(capacity), len(set(self.all)))
        self.run_tool("merge", *self.filters("--capacity", capacity), "-o", self.path("week"))
        self.assertNotIn("warning", self.err)

    def test_one_day_that_differs_is_the_one_to_blame(self):
        week = self.filters("--capacity", "20000", "--fpr", "0.02")
        self.run_tool("build", "-q", self.path("thu.txt"), "--fpr", "0.02", "-o", week[3])
        for order in (week, [week[3]] + week[:3] + week[4:]):
            self.refuse("merge", *order, "-o", self.path("week"),
                        says=(f"{week[3]} (", "the 6 others", f"build {week[3]} with "
                              "--capacity 20000 --fpr 0.02"))
        # The rates of the parts are theirs, not the union's.
        rate = float(re.search(r"the parts have (\S+) %", self.err).group(1))
        facts = json.loads(self.run_tool("info", "--json", week[3]))
        self.assertAlmostEqual(rate, 100 * facts["realised_fpr"], delta=0.01)

    def test_a_union_of_more_keys_than_each_was_made_for(self):
        self.run_tool("merge", *self.filters("--capacity", "2000"), "-o", self.path("week"))
        self.assertIn("warning", self.err)
        self.assertIn("--capacity for the whole union", self.err)
