"""The same bits in another file; whatever would lose something is refused."""

import os

from tool import FORGETTING, KIND_ROWS, KINDS, ToolTest, lines

KEYS = [f"k{i}" for i in range(1000)]


class Convert(ToolTest):
    def setUp(self):
        super().setUp()
        self.keys = self.write("keys", lines(KEYS))

    def refuse_conversion(self, *args, says=()):
        self.refuse("convert", *args, "-o", self.path("x"), says=says)
        self.assertFalse(self.exists("x"))

    def test_portable_goes_in_and_comes_out(self):
        path = self.build("bare", KEYS)
        safe, back = self.path("safe"), self.path("back")
        self.run_tool("convert", "--from", "portable", path, "-o", safe, "--keys",
                      self.keys)
        self.assertIn("8 sentinels", self.err)
        self.run_tool("verify", safe, "--keys", self.keys)
        self.assertIn(b"kind           portable\ndialect        native",
                      self.run_tool("info", safe))
        self.run_tool("convert", safe, "--to", "portable", "-o", back)
        self.assertEqual(self.read("back"), self.read("bare"))

    def test_a_built_container_of_a_portable_filter_holds_the_same_bits(self):
        self.make("native", KEYS, "--kind", "portable")
        self.build("bare", KEYS)
        self.run_tool("convert", self.path("native"), "--to", "portable", "-o", "-")
        self.assertEqual(self.run_tool("convert", "-q", self.path("native"), "--to",
                                       "portable", "-o", "-"), self.read("bare"))

    def test_other_hashes_are_refused_and_named(self):
        block = self.make("block", KEYS)
        native = self.make("portable", KEYS, "--kind", "portable")
        bare = self.build("bare", KEYS)
        self.run_tool("build", "-q", "--dialect", "atomicbloom", self.keys, "-o",
                      self.path("a"))
        self.refuse_conversion(block, "--to", "portable",
                               says=("xxh3", "fnv1a-splitmix", "rebuild"))
        self.refuse_conversion(native, "--to", "atomicbloom",
                               says=("fnv1a-splitmix", "xxh64", "rebuild"))
        self.refuse_conversion("--from", "portable", bare, "--to", "atomicbloom",
                               says=("xxh64",))
        self.refuse_conversion("--from", "atomicbloom", self.path("a"), "--to", "portable",
                               says=("xxh64", "fnv1a-splitmix"))
        self.refuse_conversion("--from", "portable", bare, "--kind", "block",
                               says=("portable", "block", "rebuild"))
        self.refuse_conversion("--from", "atomicbloom", self.path("a"), "--kind",
                               "split-block", says=("atomicbloom", "split-block"))

    def test_what_is_native_already(self):
        block = self.make("block", KEYS)
        self.refuse_conversion(block, says=("native already", "--keys F"))
        # No advice that would be refused: their files have no sentinels.
        without = {k["name"] for k in KIND_ROWS if not k["sentinels"]}
        for kind in KINDS:
            if kind in without:
                gap = ("--gap", "100") if kind in FORGETTING else ()
                self.refuse_conversion(self.make(kind, KEYS, "--kind", kind, *gap), says=("native already",))
                self.assertNotIn("--keys", self.err, kind)
            if kind in FORGETTING:
                self.refuse_conversion(self.path(kind), "--key-type", "u64", "--to", "portable")
                self.assertNotIn("--keys", self.err, kind)

    def test_sentinels_can_be_added(self):
        parts = [self.make(name, KEYS, "--capacity", "1000") for name in "ab"]
        self.run_tool("merge", *parts, "-o", self.path("m"))
        self.assertIn(b"0 sentinels", self.run_tool("verify", self.path("m")))
        self.run_tool("convert", self.path("m"), "--keys", self.keys, "-o", self.path("n"))
        self.assertEqual(self.read("n"), self.read("a"))

    def test_keys_that_are_not_all_there(self):
        bare = self.build("bare", KEYS)
        more = self.write("more", lines(KEYS) + b"another\n")
        self.refuse_conversion("--from", "portable", bare, "--keys", more,
                               says=("1 of 1,001", "line 1001: another"))

    def test_damaged_filters_are_refused(self):
        path = self.make("block", KEYS)
        bad = bytearray(self.read("block"))
        bad[200] ^= 1
        path = self.write("bad", bad)
        self.refuse_conversion(path, "--keys", self.keys, says=("damaged", "not converted"))

    def test_ambiguous_bytes_and_unknown_names(self):
        bare = self.build("bare", KEYS)
        self.refuse_conversion(bare, says=("could be portable", "--dialect"))
        self.refuse_conversion("--from", "klingon", bare, says=("klingon", "portable"))
        self.refuse_conversion("--from", "portable", bare, "--to", "klingon",
                               says=("klingon", "portable"))
        self.refuse_conversion("--from", "portable", bare, "--to-variant", "old",
                               says=("--to-variant",))

    def test_the_old_output_stays(self):
        block = self.make("block", KEYS)
        self.write("out", b"old")
        self.refuse("convert", block, "--to", "portable", "-o", self.path("out"))
        self.assertEqual(self.read("out"), b"old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["block", "keys", "out"])

    def test_parquet_and_split_block_have_the_same_bits(self):
        if b'"parquet"' not in self.run_tool("formats", "--json"):
            self.skipTest("no parquet here")
        ours = self.make("ours", KEYS, "--kind", "split-block")
        theirs, back = self.path("theirs"), self.path("back")
        self.run_tool("convert", ours, "--to", "parquet", "-o", theirs)
        read = ("--dialect", "parquet")
        self.run_tool("verify", *read, theirs, "--keys", self.keys)
        self.run_tool("convert", "--from", "parquet", theirs, "--kind", "split-block",
                      "-o", back)
        self.assertIn(b"kind           split-block", self.run_tool("info", back))
        self.run_tool("verify", back, "--keys", self.keys)
        self.run_tool("convert", "--from", "parquet", theirs, "-o", back)
        self.assertIn(b"parquet in a container", self.run_tool("info", back))
