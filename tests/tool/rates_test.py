"""The rates that build, info, merge and lookups show agree, for every kind and every way of sizing.

As a program it prints them; --write puts them into docs/model.md, section 20, where a test compares them:
BLOOMERY=build/dev/bloomery python3 tests/tool/rates_test.py [--write]
"""

import json
import math
import pathlib
import re
import sys

from tool import FORGETTING, GROWING, KINDS, ToolTest, lines

COUNT, ABSENT = 10_000, 100_000
WAYS = {"rate": ("--fpr", "0.02"), "bits per key": ("--bits-per-key", "12"), "memory": ("--memory", "15K")}
KEYS = [f"k{i}" for i in range(40 * COUNT)]


MODEL = pathlib.Path(__file__).resolve().parents[2] / "docs" / "model.md"
BEGIN, END = "<!-- rates: begin -->\n", "<!-- rates: end -->\n"


def in_document():
    """The rows of the table in docs/model.md."""
    return set(MODEL.read_text().partition(BEGIN)[2].partition(END)[0].splitlines())


def row(kind, way, rates):
    return f"| {kind} | {way} | " + " | ".join(f"{100 * x:.4f} %" for x in rates) + " |"


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
        shown = in_document()
        for kind in KINDS:
            for way in WAYS:
                with self.subTest(kind=kind, way=way):
                    word, design, realised, measured = self.full(kind, way)
                    self.assertIn(row(kind, way, (word, design, realised, measured)), shown, "docs/model.md is not current: --write")
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

    def test_a_union_of_chains_beyond_their_rate_is_refused(self):
        parts = [self.make(f"{i}", KEYS[100_000 * i:100_000 * (i + 1)], "--kind", "scalable") for i in range(2)]
        told = "about 19.* keys are more than its levels hold: it has a rate of 13 %, not 0.896 %"
        self.run_tool("merge", *parts, "-o", self.path("all"), expect=2)
        self.assertRegex(self.err, f"refused: in the union {told}; nothing is written")
        self.assertFalse(pathlib.Path(self.path("all")).exists())
        for allowed in (["--max-fpr", "20%"], ["--force"]):
            self.run_tool("merge", *allowed, *parts, "-o", self.path("all"))
            self.assertRegex(self.err, f"warning: {told}")

    def test_a_static_filter_of_no_keys_promises_nothing(self):
        for kind in ("ribbon", "fuse", "xor"):
            word, _, facts = self.made(kind, [], "--capacity", "750M", "--allow-empty")
            self.assertIn(f"{kind} filter of 0 keys, ", self.said)
            self.assertEqual((word, facts["design_fpr"], facts["realised_fpr"]), (0, 0, 0), kind)


def table():
    t = Rates("full")
    t.setUp()
    yield "| kind | sized by | `build` | `info`: design | realised | measured |"
    yield "|---|---|---|---|---|---|"
    for kind in KINDS:
        for way in WAYS:
            yield row(kind, way, t.full(kind, way))
    t.doCleanups()


def write(text):
    before, _, rest = MODEL.read_text().partition(BEGIN)
    MODEL.write_text(before + BEGIN + text + END + rest.partition(END)[2])


if __name__ == "__main__":
    made = "".join(line + "\n" for line in table())
    if "--write" in sys.argv[1:]:
        write(made)
    else:
        print(made, end="")
