"""Other systems' formats, whichever `bloomery formats` lists: built, asked, wrapped."""

import json
import math
import os
import struct

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
            if not d["writes"] and not d["builds"]:
                self.refuse("build", "--dialect", d["name"], self.keys, "-o",
                            self.path("x"), says=(d["name"], "read"))
        self.assertFalse(self.exists("x"))

    def test_what_is_built_from_all_keys_at_once(self):
        for d in self.formats:
            if not d["builds"]:
                continue
            for variant in d["variants"]:
                read = ("--dialect", d["name"], "--variant", variant["name"])
                path = self.path("built")
                self.run_tool("build", *read, self.keys, "-o", path)
                self.run_tool("verify", *read, path, "--keys", self.keys)
                again = self.path("again")
                self.run_tool("build", *read, self.keys, self.keys, "-o", again)
                self.assertEqual(self.read("again"), self.read("built"))
                self.refuse("insert", *read, path, self.keys, says=(d["name"],))
            for option in (("--capacity", "10"), ("--fpr", "0.1"), ("--bits-per-key", "9")):
                self.refuse("build", "--dialect", d["name"], *option, self.keys, "-o",
                            self.path("x"), says=(d["name"],))
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
        dump, read = self.path("dump"), ("--dialect", "atomicbloom")
        pieces = {"f.0.header": whole[:24], "f.2.iter9.chunk": whole[24:32],
                  "f.1.iter77.chunk": whole[32:100],
                  f"f.2.iter{len(whole) - 23}.chunk": whole[100:], ".hidden": b"x"}
        for name, part in pieces.items():
            self.write(f"dump/{name}", part)
        self.assertEqual(self.run_tool("info", *read, dump),
                         self.run_tool("info", *read, path))

        def refused_with(name, data, *says):
            before = self.read(f"dump/{name}") if self.exists(f"dump/{name}") else None
            self.write(f"dump/{name}", data)
            self.refuse("info", *read, dump, says=says)
            os.remove(self.path(f"dump/{name}"))
            if before is not None:
                self.write(f"dump/{name}", before)

        refused_with("g.header", b"", "is a directory", "header")
        refused_with("readme", b"", "readme", "no number")
        refused_with("g.pos77", b"", "g.pos77", "f.1.iter77.chunk", "same last number")
        refused_with("g.iter78", b"", "g.iter78", "77, not 78")
        refused_with("f.1.iter77.chunk", whole[32:90], "f.1.iter77.chunk", "missing")
        os.remove(self.path("dump/f.2.iter9.chunk"))
        self.refuse("info", *read, dump, says=("f.1.iter77.chunk", "69, not 77"))


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
                ("i64be", "258", "0000000000000102"),
                ("u32", "4294967295", "ffffffff"), ("u32be", "1", "00000001"),
                ("u64be", "1", "00" * 7 + "01"),
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

    def built_by_owner(self, owner, spelt):
        """A filter of keys whose bytes are spelt in hex."""
        self.run_tool("build", "-q", *owner, "--capacity", "100", "--bits", "8192",
                      "--hex", "-o", self.path("f"), stdin=lines(spelt))
        return self.path("f")

    def all_found(self, read, key_type, keys):
        found = self.run_tool("query", *read, "--key-type", key_type, self.path("f"),
                              stdin=lines(keys), expect=0)
        self.assertEqual(found, lines(keys), (read, key_type))

    INTEGERS = {"i32": ("<i", "<q", (0, 1, -500, 2**31 - 1, -2**31)),
                "u32": ("<I", "<Q", (0, 7, 2**31, 2**32 - 1)),
                "i64": ("<q", "<q", (0, -2, 2**40, -2**63)),
                "u64": ("<Q", "<Q", (0, 5, 2**63, 2**64 - 1))}

    def test_integers_are_the_bytes_that_the_owner_hashes(self):
        for key_type, (own, wide, keys) in self.INTEGERS.items():
            for dialect, form in (("guava", own), ("parquet", own), ("spark", wide),
                                  ("datasketches", wide), ("atomicbloom", own)):
                read = ("--dialect", dialect)
                self.built_by_owner(read, [struct.pack(form, k).hex() for k in keys])
                self.all_found(read, key_type, keys)

    def test_a_bare_bitset_of_an_int32_column(self):
        read = ("--dialect", "parquet", "--variant", "bitset")
        self.built_by_owner(read, [struct.pack("<i", k).hex() for k in range(-5, 5)])
        self.all_found(read, "i32", range(-5, 5))
        self.run_tool("query", *read, "--key-type", "i64", self.path("f"), "1", expect=1)

    def test_a_granule_widens_with_zeros(self):
        """Its integer form is not bytes: numbers of 64 bits stand for what it hashes."""
        read = ("--dialect", "clickhouse", "--variant", "granule", "--hashes", "4")

        def check(key_type, keys, words):
            self.run_tool("build", "-q", *read, "--capacity", "100", "--key-type", "u64",
                          "-o", self.path("f"), stdin=lines(words))
            self.all_found(read, key_type, keys)

        check("i32", (-500, 7), (0xfffffe0c, 7))
        check("u32", (2**32 - 1, 7), (2**32 - 1, 7))
        check("i64", (-500, 7), (2**64 - 500, 7))
        reals = (0.5, -1.25, 1e30)
        double = [struct.unpack("<Q", struct.pack("<d", x))[0] for x in reals]
        check("f64", reals, double)
        single = [struct.unpack("<f", struct.pack("<f", x))[0] for x in reals]
        check("f32", reals, [struct.unpack("<Q", struct.pack("<d", x))[0] for x in single])

    def test_reals_of_datasketches_are_doubles_with_one_zero_and_one_nan(self):
        read = ("--dialect", "datasketches")
        self.built_by_owner(read, [struct.pack("<d", x).hex() for x in (0.0, 1.5, math.pi)] +
                            ["000000000000f87f"])
        self.all_found(read, "f64", ("0", "-0.0", "1.5", repr(math.pi), "nan", "-nan"))
        self.all_found(read, "f32", ("0.0", "-0", "1.5", "nan"))
        self.run_tool("query", *read, "--key-type", "f64", self.path("f"), "2.5", expect=1)

    def test_reals_of_others_are_their_bytes(self):
        for dialect in ("parquet", "guava"):
            read = ("--dialect", dialect)
            for key_type, form in (("f32", "<f"), ("f64", "<d")):
                keys = (0.1, -2.5)
                self.built_by_owner(read, [struct.pack(form, k).hex() for k in keys])
                self.all_found(read, key_type, keys)

    def test_integers_of_rust_have_their_own_width(self):
        for dialect in ("rust-bloomfilter", "fastbloom"):
            facts = {d["name"]: d for d in json.loads(self.run_tool("formats", "--json"))}
            if not facts[dialect]["writes"]:
                continue
            told = [w for n in facts[dialect]["needs"] if n in TOLD for w in (n, TOLD[n])]
            read = ("--dialect", dialect, *told)
            for key_type in ("i32", "i64"):
                self.run_tool("build", "-q", *read, "--key-type", key_type, "-o",
                              self.path("f"), stdin=lines(range(10)))
                self.all_found(read, key_type, range(10))

    def test_a_negative_seed(self):
        read = ("--dialect", "spark")
        for seed in ("-7", "4294967289"):
            self.run_tool("build", "-q", *read, "--seed", seed, "-o", self.path(seed),
                          stdin=lines(K10))
            self.assertEqual(json.loads(self.run_tool("info", "--json", *read,
                                                      self.path(seed)))["seed"], -7)
        self.assertEqual(self.read("-7"), self.read("4294967289"))
        self.assertIn(b"seed           -7\n", self.run_tool("info", *read, self.path("-7")))
        out = ("-o", self.path("x"))
        self.refuse("build", *read, "--seed=-2147483649", *out, says=("32 bits",))
        self.refuse("build", "--dialect", "datasketches", "--seed", "-7", *out,
                    says=("--seed", "datasketches"))
        self.refuse("build", "--seed", "-7", *out, says=("--seed",))


def thrift_integer(n):
    n, out = n << 1, b""
    while n >= 0x80:
        out, n = out + bytes((n & 0x7f | 0x80,)), n >> 7
    return out + bytes((n,))


def parquet_file(columns):
    """A file of one row group, with little in it but filters.  columns: (name, physical
    type, header and bitset)."""
    body, metas = b"PAR1", b""
    for name, kind, image in columns:
        metas += (b"\x3c\x15" + thrift_integer(kind) + b"\x29\x18" + bytes((len(name),)) +
                  name + b"\xb6" + thrift_integer(len(body)) + b"\0\0")
        body += image
    footer = (b"\x49\x1c\x19" + bytes((len(columns) << 4 | 12,)) + metas + b"\0\0")
    return body + footer + struct.pack("<I", len(footer)) + b"PAR1"


class Parts(ToolTest):
    """Files of several filters."""

    INT32, INT64, BYTES = 1, 2, 6

    def filter_of(self, dialect, *options, stdin):
        self.run_tool("build", "-q", "--dialect", dialect, *options, "-o", self.path("part"),
                      stdin=stdin)
        return self.read("part")

    def columns(self):
        short, long = range(-9, 0), range(100, 109)
        return self.write("p.parquet", parquet_file((
            (b"name", self.BYTES, self.filter_of("parquet", stdin=lines(K10))),
            (b"short", self.INT32, self.filter_of(
                "parquet", "--hex", stdin=lines(struct.pack("<i", k).hex() for k in short))),
            (b"long", self.INT64, self.filter_of(
                "parquet", "--hex", stdin=lines(struct.pack("<q", k).hex() for k in long))),
        )))

    def test_numbers_have_the_width_of_their_column(self):
        path = self.columns()
        for part, key_types, keys in (("1", ("i32", "i64"), range(-9, 0)),
                                      ("2", ("i32", "u32", "i64", "u64"), range(100, 109))):
            for key_type in key_types:
                for which in ((), ("--part", part)):
                    self.assertEqual(self.run_tool("query", *which, "--key-type", key_type,
                                                   path, stdin=lines(keys)), lines(keys))

    def test_a_part_is_taken_out(self):
        path, out = self.columns(), self.path("out")
        keys = self.write("keys", lines(K10))
        short = self.write("short", lines(range(-9, 0)))
        self.run_tool("convert", path, "--part", "1", "--key-type", "i32", "--keys", short,
                      "--to", "parquet", "--to-variant", "header", "-o", out)
        self.run_tool("verify", "--dialect", "parquet", "--key-type", "i32", out, "--keys",
                      short)
        self.run_tool("convert", path, "--part", "2", "--to", "parquet", "--to-variant",
                      "bitset", "-o", out)
        self.run_tool("query", "--dialect", "parquet", "--variant", "bitset", "--key-type",
                      "i64", out, "100")
        for part, given in (("0", ("--keys", keys)),
                            ("1", ("--key-type", "i32", "--keys", short))):
            self.run_tool("convert", path, "--part", part, "--kind", "split-block", "-o", out,
                          *given)
            self.assertIn(b"kind           split-block", self.run_tool("info", out))
        self.run_tool("query", "--key-type", "i32", out, "--", "-9")
        self.refuse("convert", path, "--kind", "split-block", "-o", out)

    def test_a_part_of_a_container(self):
        path = self.columns()
        self.run_tool("convert", path, "--part", "1", "--key-type", "i32", "-o",
                      self.path("safe"))
        self.run_tool("query", "--key-type", "i32", self.path("safe"), "--", "-9")
        self.run_tool("query", "--key-type", "i32", self.path("safe"), "100", expect=1)

    def test_filters_of_a_leveldb_block(self):
        ours = [self.filter_of("leveldb", "--variant", "filter", stdin=lines([k]))
                for k in K10[:3]]
        starts = [sum(map(len, ours[:i])) for i in range(4)]
        path = self.write("block", b"".join(ours) + struct.pack("<4I", *starts) + b"\x0b")
        read = ("--dialect", "leveldb", "--variant", "block")
        for i, key in enumerate(K10[:3]):
            self.run_tool("convert", *read, path, "--part", str(i), "--to", "leveldb",
                          "--to-variant", "filter", "-o", self.path("one"))
            self.assertEqual(self.read("one"), ours[i])
            self.run_tool("query", *read, "--part", str(i), path, key)

    def test_the_only_part_is_named(self):
        image = self.filter_of("parquet", stdin=lines(K10))
        path = self.write("one.parquet", parquet_file(((b"id", self.BYTES, image),)))
        self.assertIn(b"row group 0, column id", self.run_tool("info", path))
        parts = json.loads(self.run_tool("info", "--json", path))["parts"]
        self.assertEqual([p["name"] for p in parts], ["row group 0, column id"])
        bare = self.write("bare", image)
        self.assertNotIn("parts", json.loads(self.run_tool("info", "--json", "--dialect",
                                                           "parquet", bare)))
