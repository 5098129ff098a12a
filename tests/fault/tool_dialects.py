"""Other systems' formats, whichever `bloomery formats` lists: built, asked, wrapped."""

import json
import os

from tool import ToolTest, lines

K10 = [f"k{i}" for i in range(10)]
# What a reader of some formats must be told, and a writer of them then is told too.
TOLD = {"--hashes": "5", "--seed": "7", "--bits": "4096"}


class Dialects(ToolTest):
    def setUp(self):
        super().setUp()
        self.keys = self.write("keys", lines(K10))
        self.formats = json.loads(self.run_tool("formats", "--json"))

    def written(self):
        """(dialect, variant, options of a reader) of every form that is written."""
        for d in self.formats[2:]:
            for v in d["variants"]:
                if d["writes"] and v["writes"]:
                    told = [w for n in d["needs"] if n in TOLD for w in (n, TOLD[n])]
                    yield d["name"], v["name"], ["--variant", v["name"], *told]

    def build_in(self, name, dialect, options):
        path = self.path(name)
        self.run_tool("build", "-q", "--dialect", dialect, *options, "-o", path, self.keys)
        return path

    def test_every_form_that_is_written(self):
        for dialect, variant, options in self.written():
            with self.subTest(dialect=dialect, variant=variant):
                read = ("--dialect", dialect, *options)
                path = self.build_in("f", dialect, options)
                self.assertEqual(self.run_tool("query", *read, path, stdin=lines(K10)),
                                 lines(K10))
                self.run_tool("verify", *read, path, "--keys", self.keys)
                facts = json.loads(self.run_tool("info", "--json", *read, path))
                self.assertEqual((facts["kind"], facts["dialect"], facts["variant"]),
                                 ("foreign", dialect, variant))
                self.assertLess(facts["realised_fpr"], 0.5)
                self.assertIsNone(facts["intact"])

    def test_into_a_container_and_back(self):
        for dialect, variant, options in self.written():
            with self.subTest(dialect=dialect, variant=variant):
                path = self.build_in("f", dialect, options)
                safe = self.path("safe")
                self.run_tool("convert", "--from", dialect, *options, path, "-o", safe,
                              "--keys", self.keys)
                facts = json.loads(self.run_tool("info", "--json", safe))
                self.assertEqual(facts["dialect"], f"{dialect} in a container")
                self.assertEqual((facts["variant"], facts["intact"], facts["sentinels"]),
                                 (variant, True, 8))
                self.assertEqual(self.run_tool("query", "-c", safe, stdin=lines(K10)),
                                 b"10\n")
                self.run_tool("verify", safe, "--keys", self.keys)
                self.run_tool("convert", safe, "--to", dialect, "-o", self.path("back"))
                self.assertEqual(self.read("back"), self.read("f"))

    def test_the_same_keys_make_the_same_bytes(self):
        for dialect, variant, options in self.written():
            with self.subTest(dialect=dialect, variant=variant):
                self.build_in("one", dialect, options)
                self.build_in("two", dialect, options)
                self.assertEqual(self.read("one"), self.read("two"))

    def test_merge_of_one_with_itself_changes_nothing(self):
        read = ("--dialect", "atomicbloom")
        path = self.build_in("f", "atomicbloom", ())
        self.run_tool("merge", *read, path, path, "-o", self.path("m"))
        self.assertEqual(self.read("m"), self.read("f"))

    def test_what_is_only_read_is_not_written(self):
        for d in self.formats:
            if not d["writes"]:
                self.refuse("build", "--dialect", d["name"], self.keys, "-o",
                            self.path("x"), says=(d["name"], "read"))
        self.assertFalse(self.exists("x"))

    def test_options_of_ours_are_refused(self):
        for option in (("--hash", "xxh3"), ("--profile", "line"), ("--memory", "1K"),
                       ("--kind", "block")):
            self.refuse("build", "--dialect", "atomicbloom", *option, self.keys, "-o",
                        self.path("x"), says=(option[0], "atomicbloom"))
        self.refuse("build", "--hashes", "3", self.keys, "-o", self.path("x"),
                    says=("--hashes", "dialects"))

    def test_more_keys_than_planned_is_told(self):
        self.run_tool("build", "--dialect", "atomicbloom", "--capacity", "100", "-o",
                      self.path("x"), stdin=lines(range(1000)))
        self.assertIn("raise --capacity", self.err)

    def test_damage_in_a_container_answers_perhaps_and_is_told(self):
        keys = lines(range(50000))
        self.run_tool("build", "-q", "--dialect", "atomicbloom", "-o", self.path("f"),
                      stdin=keys)
        self.run_tool("convert", "-q", "--from", "atomicbloom", self.path("f"), "-o",
                      self.path("safe"))
        bad = bytearray(self.read("safe"))
        bad[30000] ^= 4
        path = self.write("bad", bad)
        self.assertEqual(self.run_tool("query", "-c", path, stdin=keys), b"50000\n")
        self.assertIn("damaged", self.err)
        out = self.run_tool("verify", path, expect=1)
        self.assertIn(b"1 of 15 chunks damaged, first at byte", out)
        self.refuse("convert", path, "--to", "atomicbloom", "-o", self.path("x"),
                    says=("damaged", "not converted"))
        self.refuse("merge", path, path, "-o", self.path("x"), says=("not merged",))

    def test_a_dump_in_a_directory_is_its_files_in_order(self):
        path = self.build_in("f", "atomicbloom", ("--bits", "4096", "--hashes", "4"))
        whole = self.read("f")
        os.mkdir(self.path("dump"))
        for name, part in (("f.0.header", whole[:24]), ("f.1.iter9.chunk", whole[24:100]),
                           ("f.2.iter10.chunk", whole[100:])):
            self.write(f"dump/{name}", part)
        read = ("--dialect", "atomicbloom")
        self.assertEqual(self.run_tool("info", *read, self.path("dump")),
                         self.run_tool("info", *read, path))
        self.write("dump/g.header", b"")
        self.refuse("info", *read, self.path("dump"), says=("is a directory", "header"))


class Numbers(ToolTest):
    """Keys that are numbers, or text of other languages."""

    def asked(self, key_type, keys):
        """The bytes that keys of that type become, by a filter that says so."""
        self.run_tool("build", "-q", "--key-type", key_type, "--capacity", "100", "--fpr",
                      "1e-9", "-o", self.path("f"), stdin=lines(keys))
        return self.path("f")

    def test_numbers_are_bytes_of_their_width_and_order(self):
        for key_type, key, spelt in (
                ("i32", "-2", "feffffff"), ("i32be", "-2", "fffffffe"),
                ("i64", "-2", "feffffffffffffff"), ("i64be", "258", "0000000000000102"),
                ("u32", "4294967295", "ffffffff"), ("u32be", "1", "00000001"),
                ("u64", "18446744073709551615", "ff" * 8), ("u64be", "1", "00" * 7 + "01"),
                ("f32", "1.5", "0000c03f"), ("f64", "-0.5", "000000000000e0bf"),
                ("utf16", "a\u00e9\u20ac\U0001f600", "6100e900ac203dd800de"),
                ("str", "abc", "616263"), ("bytes", "abc", "616263")):
            path = self.asked(key_type, [key])
            self.assertEqual(self.run_tool("query", "--hex", path, spelt),
                             spelt.encode() + b"\n", key_type)
            self.run_tool("query", "--hex", path, "00" + spelt, expect=1)
            self.assertEqual(self.run_tool("query", "--key-type", key_type, path, "--", key),
                             key.encode() + b"\n")

    def test_text_that_is_no_number_names_the_line(self):
        for key_type, bad in (("i32", b"2147483648"), ("u32", b"-1"), ("i64", b"1.5"),
                              ("u64", b""), ("i64", b"12 "), ("f64", b"x"),
                              ("i32", b"0x10"), ("utf16", b"\xff")):
            self.refuse("build", "--key-type", key_type, "-o", self.path("x"),
                        stdin=b"1\n" + bad + b"\n", says=("line 2", key_type))
        path = self.asked("i64", ["5"])
        self.refuse("query", "--key-type", "i64", path, "5", "five", says=("key 2", "five"))
        self.refuse("query", "--key-type", "i65", path, "5", says=("i65", "i64"))
        self.refuse("query", "--key-type", "i64", "--hex", path, "05", says=("--hex",))
