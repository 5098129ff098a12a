"""Keys deleted from a filter file: by receipt, or by key; what a set is, and what is refused."""

import json
import os
import subprocess
import time
import unittest

from tool import ERASABLE, STATIC, KIND_ROWS, KINDS, PORTABLE, ToolTest, lines, remembering
from writers import WriterTest


@unittest.skipUnless(ERASABLE, "no kind erases keys")
class Erase(ToolTest):
    def info(self, name):
        return json.loads(self.run_tool("info", "--json", self.path(name)))

    def count(self, name, keys):
        """How many of them test positive."""
        out = subprocess.run([os.environ["BLOOMERY"], "query", "-c", self.path(name)], input=lines(keys),
                             capture_output=True, timeout=120, check=False)
        self.assertIn(out.returncode, (0, 1), out.stderr)
        return int(out.stdout)

    def make_each(self, keys, *options):
        for kind in ERASABLE:
            self.make("f", keys, "--kind", kind, "--fpr", "1e-4", *options)
            yield kind

    def test_keys_that_are_present_are_erased(self):
        for kind in self.make_each(range(1000)):
            empty = self.make("empty", [], "--kind", kind, "--fpr", "1e-4", "--capacity", "1000", "--allow-empty")
            self.run_tool("erase", self.path("f"), stdin=lines(range(500)))
            self.assertIn("500 keys erased, 0 not present", self.err)
            self.assertEqual(self.count("f", range(500, 1000)), 500, kind)
            self.assertLess(self.count("f", range(500)), 5, kind)
            self.run_tool("verify", self.path("f"), "--keys", self.write("kept", lines(range(500, 1000))))
            self.run_tool("erase", "-q", self.path("f"), self.path("kept"))
            self.assertEqual(self.err, "")
            self.assertEqual(self.read("f")[128:], self.read(os.path.basename(empty))[128:], "nothing is left")

    def test_the_risk_is_stated(self):
        for _ in self.make_each(range(10)):
            self.run_tool("erase", self.path("f"), stdin=b"1\n")
            self.assertIn("never inserted", self.err)
            self.assertIn("--receipts", self.err)
            self.run_tool("erase", "-q", self.path("f"), stdin=b"2\n")
            self.assertEqual(self.err, "")

    def test_absent_keys_change_nothing(self):
        for kind in self.make_each(range(10)):
            before = self.read("f")
            self.run_tool("erase", self.path("f"), stdin=b"nobody\n", expect=1)
            self.assertIn("0 keys erased, 1 not present", self.err)
            self.assertNotIn("never inserted", self.err)
            self.assertEqual(self.read("f"), before, kind)
            self.run_tool("erase", self.path("f"), stdin=b"nobody\n1\n", expect=1)
            self.assertIn("1 key erased, 1 not present", self.err)

    def test_the_report_for_programs(self):
        for _ in self.make_each(range(10)):
            report = json.loads(self.run_tool("erase", "-q", "--json", self.path("f"), stdin=b"nobody\n1\n",
                                              expect=1))
            self.assertEqual([report[f"keys_{n}"] for n in ("read", "erased", "not_present")], [2, 1, 1])
            self.assertGreater(report["realised_fpr"], 0)

    def test_a_set_is_built(self):
        for kind in ERASABLE:
            self.run_tool("build", "--kind", kind, "-o", self.path("f"), stdin=lines([1, 2, 1, 1]))
            self.assertIn("4 keys read, 2 distinct: each is in the filter once", self.err)
            self.make("once", [2, 1], "--kind", kind)
            self.assertEqual(self.read("f"), self.read("once"), kind)
            self.run_tool("erase", "-q", self.path("f"), stdin=b"1\n")
            self.run_tool("erase", "-q", self.path("f"), stdin=b"1\n", expect=1)
            # The same with room for more.
            self.make("f", [1, 2, 1, 1], "--kind", kind, "--capacity", "100")
            self.make("once", [1, 2], "--kind", kind, "--capacity", "100")
            self.assertEqual(self.read("f"), self.read("once"), kind)
            self.assertEqual(self.info("f")["sentinels"], 0)

    def test_copies(self):
        for kind in self.make_each([], "--capacity", "100", "--allow-empty"):
            self.run_tool("insert", self.path("f"), stdin=lines([1, 1, 2]))
            self.assertIn("3 keys read, 2 new", self.err)
            self.run_tool("erase", "-q", self.path("f"), stdin=b"1\n")
            self.assertEqual(self.count("f", [1, 2]), 2, kind)
            self.run_tool("erase", "-q", self.path("f"), stdin=b"1\n")
            self.assertEqual(self.count("f", [1, 2]), 1, kind)

    def test_a_full_filter_refuses_and_stays(self):
        kind = "cuckoo"
        if kind not in KINDS:
            self.skipTest("no such kind")
        self.make("f", range(1000), "--kind", kind, "--capacity", "1000")
        before = self.read("f")
        self.refuse("insert", "--force", self.path("f"), stdin=lines(range(1000, 9000)),
                    says=["it is full", "line", "the file is unchanged", "--capacity"])
        self.assertEqual(self.read("f"), before)
        self.refuse("build", "--kind", kind, "--capacity", "1000", "-o", self.path("g"), stdin=lines(range(1001)),
                    says=["1,001 distinct keys do not fit", "--capacity"])
        self.assertFalse(self.exists("g"))
        # The ninth copy of one key.
        self.make("f", [], "--kind", kind, "--capacity", "1000", "--allow-empty")
        self.run_tool("insert", "-q", self.path("f"), stdin=lines(["a"] * 8))
        self.refuse("insert", self.path("f"), stdin=lines(["a"]), says=["line 1", "the file is unchanged"])


@unittest.skipUnless(ERASABLE, "no kind erases keys")
class Receipts(ToolTest):
    def insert(self, keys, *options, **run):
        self.run_tool("insert", "-q", self.path("f"), "--receipts", self.path("r"), *options, stdin=lines(keys),
                      **run)

    def each_kind(self, *options):
        for kind in ERASABLE:
            self.make("f", range(100), "--kind", kind, "--capacity", "1000", "--fpr", "1e-4", *options)
            if self.exists("r"):
                os.remove(self.path("r"))
            yield kind

    def test_exactly_those_keys_are_erased(self):
        for kind in self.each_kind():
            before = self.read("f")
            self.insert(range(200, 300))
            receipts = self.read("r").decode().splitlines()
            self.assertEqual(len(receipts), 100)
            for row, key in zip(receipts, range(200, 300)):
                self.assertRegex(row, rf"^[0-9a-f]{{48}}\t{key}$")
            self.run_tool("erase", self.path("f"), "--receipts", self.path("r"))
            self.assertIn("100 keys erased, 0 not present", self.err)
            self.assertNotIn("never inserted", self.err)
            cells = self.cells("f")
            self.make("g", range(100), "--kind", kind, "--capacity", "1000", "--fpr", "1e-4")
            self.assertEqual(cells, self.cells("g"), kind)
            self.assertNotEqual(before, self.read("f"), "the identity and the record")

    def cells(self, name):
        """The payload of a container."""
        whole = self.read(name)
        at, length = (int.from_bytes(whole[i:i + 8], "little") for i in (72, 80))
        return whole[at:at + length]

    def verify(self, keys, name="f"):
        self.run_tool("verify", "-q", self.path(name), "--keys", self.write("keys", lines(keys)))

    def test_a_retry_changes_nothing(self):
        """The rate is high: a receipt that is used twice would find other keys' fingerprints."""
        for kind in ERASABLE:
            self.make("f", range(3000), "--kind", kind, "--capacity", "7000", "--fpr", "0.1")
            if self.exists("r"):
                os.remove(self.path("r"))
            self.insert(range(10000, 13000))
            self.run_tool("erase", self.path("f"), "--receipts", self.path("r"))
            self.assertIn("3,000 keys erased, 0 not present", self.err)
            after = self.read("f")
            for _ in range(2):
                self.run_tool("erase", self.path("f"), "--receipts", self.path("r"))
                self.assertIn("this batch of 3,000 receipts has been erased before: nothing is changed", self.err)
                self.assertEqual(self.read("f"), after)
            report = json.loads(self.run_tool("erase", "--json", self.path("f"), "--receipts", self.path("r")))
            self.assertEqual((report["keys_erased"], report["keys_erased_before"], report["keys_not_present"]), (0, 3000, 0))
            self.verify(range(3000))
            # A second batch, some of it line by line, some lines twice in one command.
            os.rename(self.path("r"), self.path("first"))
            self.insert(range(20000, 21000))
            rows = self.read("r").splitlines(keepends=True)
            self.run_tool("erase", "-q", self.path("f"), "--receipts", "-", stdin=rows[500])
            self.run_tool("erase", self.path("f"), "--receipts", "-", stdin=b"".join(rows[499:502] + rows[499:502]))
            self.assertIn("2 keys erased, 0 not present, 4 erased before", self.err)
            self.run_tool("erase", self.path("f"), "--receipts", "-", stdin=self.read("first") + self.read("r"))
            self.assertIn("997 keys erased, 0 not present, 3,003 erased before", self.err)
            self.verify(range(3000))
            # After the file was rewritten by another command.
            self.run_tool("insert", "-q", self.path("f"), stdin=lines(range(30000, 31000)))
            self.run_tool("erase", self.path("f"), "--receipts", self.path("r"))
            self.assertIn("has been erased before", self.err)
            self.verify([*range(3000), *range(30000, 31000)])
            os.remove(self.path("first"))

    def test_receipts_of_another_filter_with_the_same_options(self):
        for kind in ERASABLE:
            for name in ("f", "g", "none"):
                self.make(name, range(1000), "--kind", kind, "--capacity", "3000", "--fpr", "0.1")
            for name in ("f", "g"):
                self.run_tool("insert", "-q", self.path(name), "--receipts", self.path(name + "r"),
                              stdin=lines(range(5000, 6000)))
            mixed = self.read("fr").splitlines(keepends=True)[:10] + self.read("gr").splitlines(keepends=True)[10:]
            for name, text, says in (("g", self.read("fr"), "line 1: the receipt is of another filter"),
                                     ("f", b"".join(mixed), "line 11: the receipt is of another filter"),
                                     ("none", self.read("fr"), "line 1: the filter has issued no receipt")):
                before = self.read(name)
                self.refuse("erase", self.path(name), "--receipts", "-", stdin=text, says=[says, "is unchanged"])
                self.assertEqual(self.read(name), before)
            # An older copy of the filter has not issued the later receipts.
            copy = self.read("f")
            self.run_tool("insert", "-q", self.path("f"), "--receipts", self.path("later"), stdin=b"late\n")
            self.write("old", copy)
            self.refuse("erase", self.path("old"), "--receipts", self.path("later"), says=["newer than this copy"])
            for name in ("fr", "gr", "later"):
                os.remove(self.path(name))

    def test_the_identity_is_drawn_with_the_first_receipt(self):
        for kind in ERASABLE:
            for name in ("f", "g"):
                self.make(name, range(100), "--kind", kind, "--capacity", "1000")
                self.run_tool("insert", "-q", self.path(name), stdin=b"a\n")
            self.assertEqual(self.read("f"), self.read("g"), "no receipts: the same bytes")
            identity = lambda name: json.loads(self.run_tool("info", "--json", self.path(name)))["identity"]
            self.assertEqual(identity("f"), 0)
            self.insert(["b"])
            drawn = identity("f")
            self.assertNotEqual(drawn, 0)
            self.insert(["c"])
            self.assertEqual(identity("f"), drawn)
            self.make("f", range(100), "--kind", kind, "--capacity", "1000", "--identity", "77")
            self.insert(["d"])
            self.assertEqual(identity("f"), 77)
            os.remove(self.path("r"))

    def test_receipts_survive_doubling_and_merging(self):
        if "quotient" not in ERASABLE:
            self.skipTest("no such kind")
        self.make("f", range(1000), "--kind", "quotient")
        self.run_tool("insert", self.path("f"), "--max-fpr", "10%", "--receipts", self.path("r"),
                      stdin=lines(range(5000, 8000)))
        self.assertIn("doubled", self.err)
        self.make("g", range(1000, 1100), "--kind", "quotient", "--capacity", "1000")
        self.run_tool("merge", "-q", self.path("f"), self.path("g"), "-o", self.path("m"))
        for name in ("f", "m"):
            self.run_tool("erase", self.path(name), "--receipts", self.path("r"))
            self.assertIn("3,000 keys erased, 0 not present", self.err)
            self.run_tool("erase", self.path(name), "--receipts", self.path("r"))
            self.assertIn("has been erased before", self.err)
        self.verify(range(1000))
        self.verify(range(1100), "m")

    def test_receipts_that_an_interrupted_run_did_not_write(self):
        for _ in self.each_kind():
            self.insert(["alice"])
            rows = self.read("r")
            self.insert(["bob", "carol"])
            self.write("r", rows)  # as if it had been killed after it replaced the filter
            self.run_tool("insert", self.path("f"), "--receipts", self.path("r"), stdin=b"dave\n")
            for text in ("ends with receipt 1 of", "has issued 3", "their keys are in the filter"):
                self.assertIn(text, self.err)
            self.run_tool("erase", "-q", self.path("f"), "--receipts", self.path("r"))
            self.verify([*range(100), "bob", "carol"])

    def test_receipts_are_appended_and_read_from_a_pipe(self):
        for _ in self.each_kind():
            self.insert(["alice", "bob"])
            self.insert(["carol"])
            rows = self.read("r").splitlines(keepends=True)
            self.assertEqual([row.split(b"\t")[1] for row in rows], [b"alice\n", b"bob\n", b"carol\n"])
            self.run_tool("erase", "-q", self.path("f"), "--receipts", "-", stdin=rows[1])
            self.run_tool("query", "-q", self.path("f"), "alice")
            self.run_tool("query", "-q", self.path("f"), "bob", expect=1)
            # The digits alone are enough.
            self.run_tool("erase", "-q", self.path("f"), "--receipts", "-", stdin=rows[2][:48] + b"\n")
            self.run_tool("query", "-q", self.path("f"), "carol", expect=1)

    def test_rows_and_nul(self):
        for _ in self.each_kind():
            self.run_tool("insert", "-q", self.path("f"), "-d", ",", "-F", "2", "--receipts", self.path("r"),
                          stdin=b"1,alice\n2,bob\n")
            self.assertEqual([row[49:] for row in self.read("r").decode().splitlines()], ["1,alice", "2,bob"])
            self.run_tool("insert", "-q", "-0", self.path("f"), "--receipts", self.path("r0"), stdin=b"two\nlines\0")
            self.assertEqual(self.read("r0")[48:], b"\ttwo\nlines\0")
            self.run_tool("erase", "-q", "-0", self.path("f"), "--receipts", self.path("r0"))
            self.run_tool("erase", "-q", self.path("f"), "--receipts", self.path("r"))
            os.remove(self.path("r0"))

    def test_receipts_of_other_filters_are_refused(self):
        for kind in self.each_kind():
            self.insert(["alice"])
            options = ("--kind", kind, "--capacity", "1000", "--fpr", "1e-4")
            for name, other in (("identity", ("--identity", "7")), ("seed", ("--identity", "7", "--seed", "1"))):
                path = self.make(name, range(100), *options, *other)
                before = self.read(name)
                self.refuse("erase", path, "--receipts", self.path("r"),
                            says=["line 1", "another filter", "is unchanged"])
                self.assertEqual(self.read(name), before)
            self.assertEqual(json.loads(self.run_tool("info", "--json", self.path("identity")))["identity"], 7)

    def test_a_bad_line_changes_nothing(self):
        for _ in self.each_kind():
            self.insert(["alice", "bob"])
            before, row = self.read("f"), self.read("r").splitlines(keepends=True)
            damaged = bytes([row[1][0] ^ 1]) + row[1][1:]
            for text, says in ((row[0] + b"hello\n", "not a receipt"), (row[0] + row[1][:47] + b"\n", "not a receipt"),
                               (row[0] + row[1][:48] + b"0\n", "not a receipt"), (row[0] + damaged, "damaged"),
                               (row[0] + b"0" * 48 + b"\n", "another filter")):
                self.refuse("erase", self.path("f"), "--receipts", "-", stdin=text, says=[says, "line 2", "unchanged"])
                self.assertEqual(self.read("f"), before)
            self.refuse("erase", self.path("f"), "--receipts", "-", says=["standard input"])

    def test_a_refused_insert_leaves_no_receipts(self):
        if "cuckoo" not in KINDS:
            self.skipTest("no such kind")
        self.make("f", range(100), "--kind", "cuckoo", "--capacity", "100")
        before = self.read("f")
        self.refuse("insert", "--force", self.path("f"), "--receipts", self.path("r"), stdin=lines(range(9000)),
                    says=["it is full"])
        self.assertFalse(self.exists("r"))
        self.write("r", b"")
        self.refuse("insert", "--force", self.path("f"), "--receipts", self.path("r"), stdin=lines(range(9000)))
        self.assertEqual((self.read("r"), self.read("f")), (b"", before))
        self.write("r", b"cut")
        self.refuse("insert", self.path("f"), "--receipts", self.path("r"), stdin=b"a\n", says=["incomplete"])
        self.assertEqual((self.read("r"), self.read("f")), (b"cut", before))

    def test_a_row_of_several_lines_is_one_receipt(self):
        for _ in self.each_kind():
            self.run_tool("insert", "-q", self.path("f"), "--csv", "-F", "1", "--receipts", self.path("r"),
                          stdin=b'alice,"1\n2"\nbob,3\n')
            self.assertEqual([row[49:] for row in self.read("r").decode().splitlines()], ['alice,"1 2"', "bob,3"])
            self.run_tool("erase", self.path("f"), "--receipts", self.path("r"))
            self.assertIn("2 keys erased, 0 not present", self.err)

    def test_only_receipts_are_appended_to(self):
        for _ in self.each_kind():
            before = self.read("f")
            for text in (b"alice\n", b"alice" * 20 + b"\n", b"0" * 47 + b"\t\n", b"0" * 49 + b"\n"):
                self.write("list", text)
                self.refuse("insert", self.path("f"), "--receipts", self.path("list"), stdin=b"a\n",
                            says=["not a file of receipts", "--receipts"])
                self.assertEqual((self.read("list"), self.read("f")), (text, before))
            self.write("list", b"0" * 48 + b"\n")
            self.run_tool("insert", "-q", self.path("f"), "--receipts", self.path("list"), stdin=b"a\n")
            self.assertEqual(self.read("list").count(b"\n"), 2)
            os.remove(self.path("list"))

    def test_receipts_need_a_regular_file(self):
        """A pipe whose reader is gone, or a device, would swallow them."""
        os.mkfifo(self.path("pipe"))
        for _ in self.each_kind():
            before = self.read("f")
            for path in (self.path("pipe"), "/dev/null", "/dev/full"):
                self.refuse("insert", self.path("f"), "--receipts", path, stdin=b"a\n", says=["a pipe or a device"])
            self.assertEqual(self.read("f"), before)

    def test_files_are_told_apart(self):
        for _ in self.each_kind():
            f = self.path("f")
            self.refuse("insert", f, "--receipts", f, stdin=b"a\n", says=["the filter", "--receipts"])
            self.refuse("insert", f, "--receipts", "-", stdin=b"a\n", says=["name it"])
            self.refuse("insert", f, "--receipts", self.path("no/such"), stdin=b"a\n", says=["cannot open"])
            keys = self.write("keys", b"a\n")
            self.refuse("insert", f, keys, "--receipts", keys, says=["--receipts"])
            self.refuse("erase", f, "--receipts", f, says=["receipts"])
            self.refuse("erase", f, keys, "--receipts", self.path("r"), says=["--receipts and KEYFILE"])


class Unsupported(ToolTest):
    def test_other_kinds_are_refused_by_name(self):
        for kind in KINDS:
            if kind in ERASABLE:
                continue
            self.make("f", range(10), "--kind", kind, *remembering(kind, 10))
            before = self.read("f")
            for command in (("erase", self.path("f")), ("erase", self.path("f"), "--receipts", "-"),
                            ("insert", self.path("f"), "--receipts", self.path("r"))):
                says = [f"a {kind} filter: it is built"] if kind in STATIC else [f"kind {kind} has no erase", *ERASABLE]
                self.refuse(*command, stdin=b"1\n", says=says)
            self.refuse("build", "--kind", kind, "--identity", "1", "-o", self.path("g"), stdin=b"1\n",
                        says=["--identity", kind, *ERASABLE])
            self.assertEqual(self.read("f"), before)
            self.assertFalse(self.exists("r"))

    def test_other_systems_filters(self):
        self.build("f", range(10))
        self.refuse("erase", *PORTABLE, self.path("f"), stdin=b"1\n", says=["portable"])
        self.run_tool("build", "-q", "--dialect", "guava", "-o", self.path("g"), stdin=lines(range(10)))
        self.refuse("erase", "--dialect", "guava", self.path("g"), stdin=b"1\n", says=["guava"])
        self.refuse("insert", "--dialect", "guava", self.path("g"), "--receipts", self.path("r"), stdin=b"1\n",
                    says=["receipts"])

    def test_the_command_line(self):
        self.refuse("erase", "-", stdin=b"1\n", says=["name it"])
        self.refuse("erase", self.path("missing"), stdin=b"1\n", says=["missing"])

    @unittest.skipUnless(ERASABLE, "no kind erases keys")
    def test_dedup_and_merge(self):
        for kind in ERASABLE:
            for name in ("a", "b"):
                self.make(name, [name], "--kind", kind, "--capacity", "100")
            before = self.read("a")
            self.refuse("dedup", "--filter", self.path("a"), stdin=b"x\n", says=[kind, "insert_if_absent"])
            self.assertEqual(self.read("a"), before)
            can = next(k["can"] for k in KIND_ROWS if k["name"] == kind)
            if "merge" not in can:
                self.refuse("merge", self.path("a"), self.path("b"), "-o", self.path("c"),
                            says=[f"kind {kind} has no merge"])
                continue
            self.run_tool("merge", "-q", self.path("a"), self.path("b"), "-o", self.path("c"))
            self.make("whole", ["a", "b"], "--kind", kind, "--capacity", "100")
            self.assertEqual(self.read("c")[128:], self.read("whole")[128:])


@unittest.skipUnless(ERASABLE, "no kind erases keys")
class Writers(WriterTest):
    def test_a_second_writer_waits(self):
        for kind in ERASABLE:
            self.make("f", range(2000), "--kind", kind, "--capacity", "4000")
            eraser = self.start("erase", "-q", self.path("f"))
            self.wait_for_lock(self.path("f"))
            inserter = self.start("insert", "-q", self.path("f"))
            self.wait_for_lock(self.path("f"), waiting=True)
            self.feed(inserter, lines(range(2000, 3000)))
            self.feed(eraser, lines(range(1000)))
            for tool in (eraser, inserter):
                self.assertEqual(tool.wait(timeout=120), 0)
            self.run_tool("verify", self.path("f"), "--keys", self.write("k", lines(range(1000, 3000))))
            gone = int(subprocess.run([os.environ["BLOOMERY"], "query", "-c", self.path("f")],
                                      input=lines(range(1000)), capture_output=True, check=False).stdout)
            self.assertLess(gone, 60)

    def test_a_file_of_receipts_that_another_run_removes(self):
        """It created the file, and failed: whoever has waited for it makes a new one."""
        for kind in ERASABLE:
            for name in ("f", "g"):
                self.make(name, range(10), "--kind", kind, "--capacity", "1000")
            first = self.start("insert", "-q", self.path("f"), "--receipts", self.path("r"), "--hex")
            while not self.exists("r"):
                self.assertIsNone(first.poll())
                time.sleep(0.005)
            self.wait_for_lock(self.path("r"))
            second = self.start("insert", "-q", self.path("g"), "--receipts", self.path("r"))
            self.wait_for_lock(self.path("r"), waiting=True)
            self.feed(first, b"not hex\n")
            self.assertEqual(first.wait(timeout=120), 2)
            self.feed(second, b"alice\n")
            self.assertEqual(second.wait(timeout=120), 0)
            self.assertRegex(self.read("r"), rb"^[0-9a-f]{48}\talice\n$")
            os.remove(self.path("r"))
