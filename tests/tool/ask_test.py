"""Ways of asking: several filters, a filter from a pipe, numbers, JSON, exit status."""

import json
import os
import struct
import subprocess

from tool import PORTABLE, ToolTest, lines, portable

BINARY = b"\xff\xfe\x00\n\x01"  # two keys with -0, no UTF-8
ODD_NAME = "a b'c\n$(d).bloom"


class Query(ToolTest):
    def setUp(self):
        super().setUp()
        self.filter = self.make("f", ["alice", "bob"])

    def rows(self, *args, **how):
        return [json.loads(line) for line in self.run_tool(*args, **how).splitlines()]

    def test_quiet_has_only_an_exit_status(self):
        self.assertEqual(self.run_tool("query", "-q", self.filter, "x", "bob"), b"")
        self.assertEqual(self.run_tool("query", "-q", self.filter, "x", expect=1), b"")
        self.assertEqual(self.run_tool("query", "-qv", self.filter, "bob", expect=1), b"")
        self.assertEqual(self.run_tool("query", "-qc", self.filter, "bob"), b"")
        self.assertEqual(self.run_tool("query", "-q", "--json", self.filter, "bob"), b"")
        # The first selected key settles it: the second file is never opened.
        self.run_tool("query", "-q", self.filter, "bob", "-f", self.path("missing"))
        self.run_tool("query", "-q", self.filter, "x", "-f", self.path("missing"), expect=2)

    def test_line_numbers_are_those_of_each_file(self):
        one, two = self.write("one", b"x\nalice\n"), self.write("two", b"bob\ny\nalice")
        out = self.run_tool("query", "-n", self.filter, "-f", one, "-f", two)
        self.assertEqual(out, b"2:alice\n1:bob\n3:alice\n")
        out = self.run_tool("query", "-vn", self.filter, "-f", one, "-f", two)
        self.assertEqual(out, b"1:x\n2:y\n")
        self.assertEqual(self.run_tool("query", "-n", self.filter, "x", "bob"), b"2:bob\n")

    def test_numbers_go_on_over_many_blocks(self):
        keys = [f"k{i}" for i in range(60_000)]
        out = self.run_tool("query", "-n", self.filter, stdin=lines([*keys, "bob"]))
        self.assertIn(b"60001:bob\n", out)

    def test_json_rows(self):
        keys = self.write("keys", b'x\nalice\n')
        self.assertEqual(self.rows("query", "--json", self.filter, "-f", keys), [
            {"filter": self.filter, "file": keys, "line": 2, "row": "alice",
             "possibly_present": True}])
        self.assertEqual(self.rows("query", "--json", "-v", self.filter, "bob", 'a"\\\n'), [
            {"filter": self.filter, "argument": 2, "row": 'a"\\\n',
             "possibly_present": False}])
        self.assertEqual(self.rows("query", "--json", "-c", self.filter, "bob"), [
            {"filter": self.filter, "count": 1}])
        self.run_tool("query", "--json", self.filter, "x", expect=1)

    def test_json_rows_of_bytes_that_are_not_utf8(self):
        path = self.path("b")
        self.run_tool("build", "-q", "-0", "--as-is", "-o", path, stdin=BINARY)
        rows = self.rows("query", "-0", "--as-is", "--json", path, stdin=BINARY)
        self.assertEqual([row.get("row_hex", row.get("row")) for row in rows],
                         ["fffe", "\n\x01"])
        self.assertNotIn("row", rows[0])
        odd = os.path.join(self.folder.encode(), b"\xff.bloom")
        os.rename(self.filter, odd)
        row, = self.rows("query", "--json", odd, "bob", "x")
        self.assertEqual(bytes.fromhex(row["filter_hex"]), odd)
        self.assertEqual(row["row"], "bob")

    def test_several_filters_say_which(self):
        other = self.make("g", ["bob", "carol"], "--kind", "bloom")
        both = (self.filter, "--also", other)
        f, g = self.filter.encode(), other.encode()
        keys = ("alice", "bob", "carol", "x")
        self.assertEqual(self.run_tool("query", *both, *keys),
                         b"%b:alice\n%b:bob\n%b:bob\n%b:carol\n" % (f, f, g, g))
        self.assertEqual(self.run_tool("query", "-n", *both, stdin=lines(keys)),
                         b"%b:1:alice\n%b:2:bob\n%b:2:bob\n%b:3:carol\n" % (f, f, g, g))
        self.assertEqual(self.run_tool("query", "-v", *both, *keys),
                         b"%b:alice\n%b:carol\n%b:x\n%b:x\n" % (g, f, f, g))
        self.assertEqual(self.run_tool("query", "-c", *both, *keys[:2]),
                         b"%b:2\n%b:1\n" % (f, g))
        self.run_tool("query", *both, "x", expect=1)
        self.run_tool("query", *both, "carol")
        rows = self.rows("query", "--json", *both, "bob")
        self.assertEqual([row["filter"] for row in rows], [self.filter, other])
        self.refuse("query", *both, "--also", self.path("no"), "bob", says=("no: ",))

    def test_filters_that_spell_keys_in_different_ways(self):
        numbers = self.make("n", [7, 8], "--key-type", "u64")
        texts = self.make("t", [7, "x"])
        bare = self.build("p", [8])
        out = self.run_tool("query", numbers, "--also", texts, "--also", bare, *PORTABLE,
                            stdin=b"7\n8\n")
        self.assertEqual(out, f"{numbers}:7\n{texts}:7\n{numbers}:8\n{bare}:8\n".encode())
        self.assertEqual(
            self.run_tool("query", "-c", numbers, "--also", texts, "7", "9"),
            f"{numbers}:1\n{texts}:1\n".encode())
        self.refuse("query", texts, "--also", numbers, stdin=b"\n".join([b"1", b"two"]),
                    says=("standard input, line 2", f"({numbers})", "integers", "two"))

    def test_a_secret_is_for_the_filters_that_have_one(self):
        secret = self.write("secret", bytes(range(16)))
        keyed = self.make("k", ["bob"], "--hash", "siphash13", "--secret-file", secret)
        out = self.run_tool("query", self.filter, "--also", keyed, "--secret-file", secret,
                            "bob")
        self.assertEqual(out, f"{self.filter}:bob\n{keyed}:bob\n".encode())
        self.refuse("query", self.filter, "--also", keyed, "bob", says=("--secret-file",))

    def test_very_long_keys(self):
        key = b"x" * 3_000_000
        path = self.path("long")
        self.run_tool("build", "-q", "-o", path, stdin=key)
        self.assertEqual(self.run_tool("query", "-n", path, stdin=b"a\n" + key + b"\n"),
                         b"2:" + key + b"\n")
        row, = self.rows("query", "--json", path, stdin=key)
        self.assertEqual(row["row"], key.decode())


class FromAPipe(ToolTest):
    def test_a_container(self):
        image = self.make("f", ["alice"], "--capacity", "1000") and self.read("f")
        query = ("query", "-", "alice", "x")
        self.assertEqual(self.run_tool(*query, stdin=image), b"alice\n")
        by_name = self.run_tool("info", "--json", self.path("f"))
        self.assertEqual(self.run_tool("info", "--json", "-", stdin=image), by_name)
        keys = self.write("keys", b"alice\n")
        self.assertIn(b"intact", self.run_tool("verify", "-", "--keys", keys, stdin=image))
        self.run_tool("query", "-", "-f", keys, stdin=image)
        self.run_tool("convert", "-", "--keys", keys, "-o", self.path("c"), stdin=image)
        self.run_tool("merge", self.path("f"), "-", "-q", "-o", self.path("m"), stdin=image)

    def test_one_that_is_large_enough_to_be_mapped(self):
        image = self.make("f", ["alice"], "--capacity", "8000000") and self.read("f")
        self.assertGreater(len(image), 4 << 20)
        self.assertEqual(self.run_tool("query", "-", "alice", "x", stdin=image), b"alice\n")
        path = self.path("p")
        self.run_tool("build", "-q", "--dialect", "guava", "--capacity", "20000000", "-o",
                      path, stdin=b"alice\n")
        image = self.read("p")
        self.assertGreater(len(image), 16 << 20)
        self.assertEqual(self.run_tool("query", "--dialect", "guava", "-", "alice", "x",
                                       stdin=image), b"alice\n")

    def test_a_file_as_standard_input_is_not_copied(self):
        self.make("f", ["alice"])
        with open(self.path("f"), "rb") as file:
            done = subprocess.run([os.environ["BLOOMERY"], "query", "-", "alice"],
                                  stdin=file, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b"alice\n"))

    def test_what_was_read_before_is_not_part_of_it(self):
        image = self.make("f", ["alice"]) and self.read("f")
        self.write("g", b"title\n" + image)
        with open(self.path("g"), "rb") as file:
            os.lseek(file.fileno(), 6, os.SEEK_SET)
            done = subprocess.run([os.environ["BLOOMERY"], "query", "-", "alice"],
                                  stdin=file, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b"alice\n"))

    def test_of_another_system(self):
        self.build("p", ["alice"])
        self.assertEqual(
            self.run_tool("query", *PORTABLE, "-", "alice", stdin=self.read("p")), b"alice\n")
        path = self.path("g")
        self.run_tool("build", "-q", "--dialect", "guava", "-o", path, stdin=b"alice\n")
        self.assertEqual(self.run_tool("query", "--dialect", "guava", "-", "alice",
                                       stdin=self.read("g")), b"alice\n")

    def test_only_as_much_is_read_as_the_header_says(self):
        image = self.make("f", ["alice"]) and self.read("f")
        tool = subprocess.Popen([os.environ["BLOOMERY"], "query", "-", "alice"],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        # The input never ends by itself: the tool must.
        tool.stdin.write(image + b"more")
        tool.stdin.flush()
        self.assertEqual(tool.wait(60), 2)
        self.assertIn(b"trailing bytes", tool.stderr.read())
        for pipe in (tool.stdin, tool.stdout, tool.stderr):
            pipe.close()
        for cut in (5, 127, 128, len(image) - 1):
            self.refuse("query", "-", "alice", stdin=image[:cut])
        self.refuse("query", "-", "alice", stdin=b"")

    def test_it_is_one_thing_only(self):
        image = self.make("f", ["alice"]) and self.read("f")
        f = self.path("f")
        for args in (("query", "-"), ("query", "-", "-f", "-"), ("query", f, "--also", "-"),
                     ("verify", "-", "--keys", "-"), ("verify", f, f, "--keys", "-"),
                     ("query", "-", "--also", "-", "alice"), ("info", "-", "-"),
                     ("merge", "-", "-", "-o", self.path("m")),
                     ("convert", "-", "--keys", "-", "-o", self.path("m"))):
            self.refuse(*args, stdin=image, says=("standard input",))
        self.assertFalse(self.exists("m"))


class SeveralFiles(ToolTest):
    def setUp(self):
        super().setUp()
        self.good = self.make("good", ["alice"])
        self.bad = self.write("bad", b"")
        damaged = bytearray(self.read("good"))
        damaged[130] ^= 1
        self.damaged = self.write("damaged", bytes(damaged))

    def test_info(self):
        other = self.make("other", ["alice"], "--kind", "bloom")
        text = self.run_tool("info", self.good, other).decode()
        first, second = text.split("\n\n")
        self.assertRegex(first, rf"^filter +{self.good}\nkind +block\n")
        self.assertRegex(second, rf"^filter +{other}\nkind +bloom\n")
        out = self.run_tool("info", "--json", self.good, self.bad, other, expect=2)
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([row["filter"] for row in rows], [self.good, self.bad, other])
        self.assertEqual(rows[2]["kind"], "bloom")
        alone = json.loads(self.run_tool("info", "--json", self.good))
        self.assertNotIn("filter", alone)
        self.assertEqual({"filter": self.good, **alone}, rows[0])
        self.run_tool("info", "--json", self.good, self.path("no"), expect=2)

    def test_verify_ends_with_the_worst(self):
        keys = self.write("keys", b"alice\n")
        self.run_tool("verify", self.good, self.good, "--keys", keys)
        self.run_tool("verify", self.good, self.damaged, self.good, expect=1)
        out = self.run_tool("verify", "--json", self.path("no"), self.damaged, self.good,
                            expect=2)
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([row.get("verdict") for row in rows], [None, False, True])
        self.assertIn("No such file", rows[0]["error"])
        self.assertEqual(self.err.count("\n"), 1)

    def test_options_are_for_those_that_need_them(self):
        bare = self.build("p", ["alice"])
        self.run_tool("verify", *PORTABLE, self.good, bare)
        self.run_tool("info", *PORTABLE, bare, self.good)
        self.run_tool("verify", self.good, bare, expect=2)


class Unknown(ToolTest):
    def report(self, path):
        report = json.loads(self.run_tool("info", "--json", path, expect=2))
        self.assertIsNone(report["dialect"])
        return report

    def test_the_likely_format_is_named_with_its_evidence(self):
        path = self.path("g")
        self.run_tool("build", "-q", "--dialect", "guava", "--fpr", "0.01", "-o", path,
                      stdin=lines(range(1000)))
        image = self.read("g")
        longs, = struct.unpack_from(">I", image, 2)
        text = self.run_tool("info", path, expect=2).decode()
        self.assertIn("dialect        unknown", text)
        self.assertRegex(text, rf"likely +guava: .*\({image[:6].hex(' ')}\).*"
                               rf"variant mitz64, 7 hashes, {64 * longs:,} bits; "
                               rf"6 \+ {8 * longs:,} bytes are the whole file")
        self.assertIn(f"bloomery info --dialect guava {path}", text)
        self.assertEqual(self.report(path)["candidates"][0]["dialect"], "guava")
        # Never used to answer.
        self.refuse("query", path, "1", says=("guava", "--dialect"))

    def test_a_single_byte_is_weak_evidence(self):
        # LevelDB's filters end in the number of hashes: many bytes are one.
        path = self.write("f", bytes(range(60)) + b"\x05")
        first, *_ = self.report(path)["candidates"]
        self.assertEqual((first["dialect"], first["likely"]), ("leveldb", False))
        self.assertIn("bytes 60-60 (05) read as its trailer", first["evidence"])

    def test_what_no_filter_is_like_comes_last(self):
        path = self.write("f", portable(3000, 1000))
        first, *_ = self.report(path)["candidates"]
        self.assertFalse(first["likely"])

    def test_files_that_are_no_filters_are_named(self):
        for data, name in ((b"\x1f\x8b\x08" + bytes(30), "gzip data"),
                           (b"\x7fELF\x02\x01\x01" + bytes(60), "an ELF program or library"),
                           (b"alice\nbob\n", "text"),
                           (("x" + "\u00e9" * 5000).encode(), "text")):
            path = self.write(ODD_NAME, data)
            self.assertEqual(self.report(path)["known_as"], name)
        path = self.write(ODD_NAME, b"\x1f\x8b\x08" + bytes(30))
        quoted = subprocess.run(["sh", "-c", "printf %s " + self.advice(path)],
                                capture_output=True, check=True).stdout
        self.assertEqual(os.fsdecode(quoted), path)

    def advice(self, path):
        """The file in the command that is advised."""
        text = self.run_tool("info", path, expect=2).decode()
        return text[text.index("zcat ") + 5:text.index(" | bloomery info -")]

    def test_nothing_that_is_known(self):
        path = self.write("f", b"\x91\x92\x93" * 5)
        report = self.report(path)
        self.assertIsNone(report["known_as"])
        self.assertEqual(report["candidates"], [])
        self.assertTrue(report["first_bytes"].startswith("91 92 93"))
        self.assertEqual(self.report(self.write("empty", b""))["bytes"], 0)


class Names(ToolTest):
    def test_a_name_with_a_newline_stays_on_one_line(self):
        self.refuse("info", self.path("a\nb"), says=("a\\nb",))
        self.refuse("query", self.path("a\x1b[2Jb"), "x", says=("a\\x1b[2Jb",))
        self.assertNotIn("\x1b", self.err)

    def test_reports_of_several_keep_their_lines(self):
        one, two = self.make("a\nb", ["x"]), self.make("c", ["x"])
        text = self.run_tool("info", one, two).decode()
        self.assertRegex(text, r"^filter +.*a\\nb\nkind ")
        self.assertEqual(self.run_tool("verify", one, two).count(b"\n"), 2)
        row, *_ = self.run_tool("query", "--json", one, "--also", two, "x").splitlines()
        self.assertEqual(json.loads(row)["filter"], one)

    def test_advice_is_quoted(self):
        good = self.make("good", ["a"])
        bad = self.write("two words", b"BZh91AY&SY" + bytes(30))
        self.refuse("query", good, "-f", bad, says=(f"'{bad}'",))
