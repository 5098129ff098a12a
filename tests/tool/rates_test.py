"""The rates that build, info, merge and lookups show agree, for every kind and every way of sizing.

As a program it prints them: BLOOMERY=build/dev/bloomery python3 tests/tool/rates_test.py
"""

import json
import math
import re

from tool import FORGETTING, GROWING, KINDS, ToolTest, lines

COUNT, ABSENT = 10_000, 100_000
WAYS = {"rate": ("--fpr", "0.02"), "bits per key": ("--bits-per-key", "12"), "memory": ("--memory", "15K")}
KEYS = [f"k{i}" for i in range(40 * COUNT)]


def options_of(kind):
    """A chain that may grow to four times its keys, so that it can be filled."""
    if kind in GROWING:
        return ("--capacity", str(COUNT), "--growth", "4")
    return ("--gap" if kind in FORGETTING else "--capacity", str(COUNT))


def printed(text):
    """The number of "0.995 %" or "0.000918 (1 in 1.09e+03)"."""
    number, percent = re.match(r"([0-9.e+-]+)( %)?", text).groups()
    return float(number) / (100 if percent else 1)


class Rates(ToolTest):
    def made(self, kind, keys, *options):
        """The rate that build expects, the keys it expects it with if it says so, and info."""
        path = self.path(kind)
        self.run_tool("build", "--kind", kind, *options, "-o", path, stdin=lines(keys))
        self.said = self.err
        word, _, with_keys = re.search(r"expected rate (.*?)( with ([0-9,]+) keys)?$", self.said, re.M).groups()
        facts = json.loads(self.run_tool("info", "--json", path))
        return printed(word), int(with_keys.replace(",", "")) if with_keys else None, facts

    def full(self, kind, way):
        """What build and info say of a filter that is full, and the share of absent keys that pass."""
        options = (*options_of(kind), *WAYS[way])
        keys = KEYS if kind in FORGETTING else KEYS[:COUNT]
        word, room, facts = self.made(kind, keys, *options)
        if room is not None:
            word, _, facts = self.made(kind, KEYS[:room * 99 // 100], *options)
        absent = lines(f"x{i}" for i in range(ABSENT))
        hits = int(self.run_tool("query", "-c", self.path(kind), stdin=absent))
        return word, facts["design_fpr"], facts["realised_fpr"], hits / ABSENT

    def test_build_info_and_lookups_agree(self):
        for kind in KINDS:
            for way in WAYS:
                with self.subTest(kind=kind, way=way):
                    word, design, realised, measured = self.full(kind, way)
                    self.assertAlmostEqual(word, design, delta=0.006 * design)
                    self.assertAlmostEqual(measured, realised, delta=3 * math.sqrt(realised / ABSENT))
                    # One filter scatters about the design too: by up to 4 % at 10,000 keys in blocks.
                    self.assertAlmostEqual(measured, design, delta=3 * math.hypot(math.sqrt(design / ABSENT), 0.04 * design))

    def test_a_chain_is_sized_for_the_rate_of_all_its_levels(self):
        for options in ((), ("--growth", "200"), ("--growth-factor", "4")):
            _, _, facts = self.made("scalable", KEYS[:100_000], "--fpr", "0.01", *options)
            self.assertLess(facts["realised_fpr"], facts["design_fpr"], options)
            self.assertLess(facts["design_fpr"], 0.01, options)
            self.assertGreater(facts["design_fpr"], 0.008, options)

    def test_a_union_of_chains_within_their_rate_is_no_alarm(self):
        parts = [self.make(f"{i}", KEYS[:n], "--kind", "scalable", *policy)
                 for i, (n, *policy) in enumerate([(100_000,), (1500,), (100_000, "--dynamic"), (1500, "--dynamic")])]
        for pair in (parts[:2], parts[2:]):
            self.run_tool("merge", *pair, "-o", self.path("all"))
            self.assertNotIn("warning", self.err)

    def test_a_union_of_chains_beyond_their_rate_is(self):
        parts = [self.make(f"{i}", KEYS[100_000 * i:100_000 * (i + 1)], "--kind", "scalable") for i in range(2)]
        self.run_tool("merge", *parts, "-o", self.path("all"))
        self.assertRegex(self.err, "warning: about 19.* keys are more than its levels hold: it has a rate of 13 %, not 0.896 %")

    def test_a_static_filter_of_no_keys_promises_nothing(self):
        for kind in ("ribbon", "fuse", "xor"):
            word, _, facts = self.made(kind, [], "--capacity", "750M", "--allow-empty")
            self.assertIn(f"{kind} filter of 0 keys, ", self.said)
            self.assertEqual((word, facts["design_fpr"], facts["realised_fpr"]), (0, 0, 0), kind)


def print_table():
    t = Rates("full")
    t.setUp()
    print(f"{'kind':12} {'sized by':13} {'build':>9} {'info':>9} {'realised':>9} {'measured':>9}")
    for kind in KINDS:
        for way in WAYS:
            print(f"{kind:12} {way:13}", *(f"{100 * x:8.4f}%" for x in t.full(kind, way)))
    t.doCleanups()


if __name__ == "__main__":
    print_table()
