"""The commands that refusals advise: each is typed in, and works.

KEYS, OUT and F in them are the user's: the keys of a part, a file to write, the secret.
"""

import json
import os
import re
import shlex

from tool import FORGETTING, GROWING, KIND_ROWS, KINDS, STATIC, ToolTest, lines, remembering

MERGING = tuple(k["name"] for k in KIND_ROWS if "merge" in k["can"])


class Advice(ToolTest):
    def setUp(self):
        super().setUp()
        self.secret = self.write("secret", bytes(range(16)))
        self.keys = {}

    def part(self, name, keys, *options):
        self.keys[self.path(name)] = self.write(name + ".keys", lines(keys))
        return self.make(name, keys, *options)

    def typed(self, command, keys, out):
        """Types it in as it is printed."""
        words = shlex.split(command)
        self.assertEqual(words[0], "bloomery")
        given = {"KEYS": keys, "OUT": [out], "F": [self.secret]}
        self.run_tool(*[w for word in words[1:] for w in given.get(word, [word])])

    def merge(self, *parts, options=(), **run):
        return self.run_tool("merge", *parts, "-o", self.path("union"), *options, **run)

    def refused(self, *parts, options=(), names=()):
        """Why, with the file; its commands."""
        self.refuse("merge", *parts, "-o", self.path("union"), *options, says=names or parts[-1:])
        self.assertFalse(self.exists("union"))
        commands = re.findall(r"bloomery (?:build|convert) .*? -o OUT", self.err)
        self.assertTrue(commands or "--force" in self.err, self.err)
        return commands

    def check_union(self, *parts, options=()):
        for path in parts:
            self.run_tool("query", "-v", *options, self.path("union"), "-f", self.keys[path], expect=1)
        os.remove(self.path("union"))

    def mend(self, *parts, options=(), names=()):
        """Each part is built again as the refusal says; then they merge."""
        before = {path: self.read(path) for path in parts}
        [command] = self.refused(*parts, options=options, names=names)
        if ", or --force" in self.err or "; or --force" in self.err:
            self.merge(*parts, options=(*options, "--force"))
            os.remove(self.path("union"))
        for path in parts:
            self.typed(command, [self.keys[path]], path)
        self.merge(*parts, options=options)
        self.assertNotIn("warning", self.err)
        self.check_union(*parts, options=[o for o in options if "fpr" not in o and not re.match(r"[\d.]+%", o)])
        for path, whole in before.items():
            self.write(path, whole)

    def test_kinds(self):
        a = {kind: self.part(f"a-{kind}", range(1000), "--kind", kind, *remembering(kind, 1000)) for kind in KINDS}
        b = {kind: self.part(f"b-{kind}", range(1000, 4000), "--kind", kind, *remembering(kind, 3000))
             for kind in KINDS}
        for kind in MERGING:
            other = MERGING[MERGING.index(kind) - 1]
            self.mend(a[kind], b[other])
            if kind in GROWING or "fold" in next(k for k in KIND_ROWS if k["name"] == kind)["can"]:
                continue  # parts of any size have a union
            self.mend(a[kind], b[kind])
        for kind in set(KINDS) - set(MERGING):
            commands = self.refused(a[kind], b[kind], names=[a[kind], "cannot be merged", *MERGING])
            self.typed(commands[0], [self.keys[a[kind]], self.keys[b[kind]]], self.path("union"))
            facts = json.loads(self.run_tool("info", "--json", self.path("union")))
            self.assertEqual(facts["kind"], kind)
            if kind in FORGETTING:
                os.remove(self.path("union"))
            else:
                self.check_union(a[kind], b[kind])
        self.assertGreater(len(STATIC), 0)

    def test_options(self):
        a = self.part("a", range(1000), "--fpr", "0.1%")
        for name, *options in (("seed", "--seed", "4"), ("hash", "--hash", "xxh64"), ("profile", "--profile", "half-line"),
                               ("keys", "--key-type", "u64"), ("types", "--key-type", "f32")):
            b = self.part(name, range(1000, 2000), *options)
            self.mend(a, b)
            self.mend(b, a)
        b = self.part("keyed", range(1000, 2000), "--hash", "siphash13", "--secret-file", self.secret)
        self.refuse("merge", b, a, "-o", self.path("u"), says=[b, "--secret-file"])
        self.mend(b, a, options=("--secret-file", self.secret))

    def test_sizes(self):
        big, tiny = self.part("big", range(100_000)), self.part("tiny", range(100_000, 100_020))
        self.mend(big, tiny, names=[big, tiny])
        days = [self.part(f"day{i}", range(100 * i, 100 * i + 100), "--capacity", "1000", "--fpr", "2%") for i in range(4)]
        days.append(self.part("odd", range(500), "--capacity", "500000"))
        commands = self.refused(*days, names=[days[-1], "--capacity 1000 --fpr 0.02"])
        self.typed(commands[0], [self.keys[days[-1]]], days[-1])
        self.merge(*days)
        self.check_union(*days)
        for kind in ("bloom", "partitioned", "counting"):
            one, two = self.part("one", range(50), "--kind", kind), self.part("two", range(50, 900), "--kind", kind)
            self.mend(one, two)
            self.mend(two, one)

    def test_limits(self):
        a, b = self.part("a", range(1000)), self.part("b", range(1000, 2000), "--capacity", "1000")
        self.mend(a, b, options=("--max-fpr", "0.1%"), names=[self.path("union")])
        for fpr in ("1%", "20%"):
            a = self.part("qa", range(1000), "--kind", "quotient", "--fpr", fpr)
            b = self.part("qb", range(1000, 1900), "--kind", "quotient", "--fpr", fpr, "--capacity", "1000")
            c = self.part("qc", range(1900, 2900), "--kind", "quotient", "--fpr", fpr, "--capacity", "1000")
            limits = ("--max-fpr", "0.5%") if fpr == "1%" else ()
            self.mend(a, b, options=limits)
            self.mend(a, b, c, options=limits, names=[a])

    def test_forms(self):
        native, bare = self.part("n", range(1000), "--kind", "portable"), self.part("p", range(1000, 2000), "--dialect",
                                                                                     "portable")
        reading = ("--dialect", "portable")
        for parts in ((native, bare), (bare, native)):
            [command] = self.refused(*parts, options=reading, names=[bare, "into a container"])
            self.typed(command, [], self.path("packed"))
        block = self.part("k", range(2000, 3000))
        self.mend(bare, block, options=reading)
        guava = self.part("g", range(500), "--dialect", "guava")
        more = self.part("h", range(500, 900), "--dialect", "guava", "--capacity", "9000")
        reading = ("--dialect", "guava")
        self.mend(guava, block, options=reading)
        self.mend(guava, more, options=reading)

    def test_an_unknown_file_and_too_few(self):
        a = self.part("a", range(10))
        for path in (self.path("none"), self.write("text", b"some text\n" * 50), self.write("empty", b"")):
            self.refuse("merge", a, path, "-o", self.path("u"), says=[path])
        self.refuse("merge", a, "-o", self.path("u"), says=["two filters"])
        self.assertFalse(self.exists("u"))


class Formats(ToolTest):
    """What `info` and the refusals of other commands advise for the files of each dialect."""

    def test_each_dialect(self):
        keys, asked = lines(range(500)), 0
        for d in json.loads(self.run_tool("formats", "--json")):
            if not d["writes"] or d["name"] == "native":
                continue
            for variant in [v["name"] for v in d["variants"] if v["writes"]] or [""]:
                path = self.path(f"{d['name']}-{variant}")
                options = ["--seed", "7"] if "--seed" in d["needs"] else []
                self.run_tool("build", "--dialect", d["name"], *(("--variant", variant) if variant else ()), *options,
                              "--force", "-q", "-o", path, stdin=keys, expect=None)
                if not os.path.exists(path):
                    self.assertIn("read, not written", self.err)  # a form of it
                    continue
                self.type_in_advice(path, d, variant)
                asked += 1
        self.assertGreater(asked, 20)

    def type_in_advice(self, path, dialect, variant):
        out = self.run_tool("info", path, expect=None).decode()
        for advised in re.findall(r"to read it +bloomery (.*)", out):
            report = self.run_tool(*shlex.split(advised)).decode()
            self.assertIn("realised_fpr", report)
        found = json.loads(self.run_tool("info", "--json", path, expect=None))
        for candidate in found.get("candidates", ()):
            if " N" not in candidate["options"]:
                self.run_tool("info", *shlex.split(candidate["options"]), path, expect=None)
                self.assertNotIn("needs --", self.err)
        likely = [c["dialect"] for c in found.get("candidates", ())]
        if dialect["needs"] or "bitset" in variant or not likely:
            return
        self.assertIn(dialect["name"], likely, (path, found))
        self.run_tool("query", path, "1", expect=2)
        example = re.search(r"for example (--dialect .*?); bloomery (info .*?) shows", self.err)
        self.run_tool("query", path, "1", *shlex.split(example[1]), expect=None)
        self.assertNotIn("needs --", self.err)
        self.run_tool(*shlex.split(example[2]), expect=2)
        self.assertIn("cannot be determined", self.err)
