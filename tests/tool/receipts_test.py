"""Receipts: keys erased by the proof that they were inserted, once, in their own filter."""

import json
import os
import signal
import subprocess
import unittest

from tool import ERASABLE, KINDS, ToolTest, lines
from writers import WriterTest


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
        self.run_tool("verify", self.path(name), "--keys", self.write("keys", lines(keys)))

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
            os.remove(self.path("r"))
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
            # A file of two filters' receipts would be refused as a whole.
            self.write("list", b"0" * 48 + b"\n")
            self.refuse("insert", self.path("f"), "--receipts", self.path("list"), stdin=b"a\n",
                        says=["last receipt is of another filter", "--receipts"])
            self.assertEqual((self.read("list"), self.read("f")), (b"0" * 48 + b"\n", before))
            self.run_tool("insert", "-q", self.path("f"), "--receipts", self.path("mine"), stdin=b"a\n")
            older = self.read("f")
            self.run_tool("insert", "-q", self.path("f"), "--receipts", self.path("mine"), stdin=b"b\n")
            self.assertEqual(self.read("mine").count(b"\n"), 2)
            self.write("f", older)
            self.refuse("insert", self.path("f"), "--receipts", self.path("mine"), stdin=b"c\n", says=["newer than"])
            self.assertEqual(self.read("f"), older)
            os.remove(self.path("mine"))

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


@unittest.skipUnless(ERASABLE, "no kind erases keys")
class Killed(WriterTest):
    """kill -9 at any time: the file is the one before or the one after, and a retry ends the work."""

    def kill_at(self, seconds, *args):
        tool = self.start(*args)
        try:
            tool.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            tool.send_signal(signal.SIGKILL)
        return tool.wait(timeout=120)

    def test_erase_is_all_or_nothing_and_a_retry_ends_it(self):
        killed = 0
        for kind in ERASABLE:
            self.make("f", range(3000), "--kind", kind, "--capacity", "40000", "--fpr", "0.1")
            self.run_tool("insert", "-q", self.path("f"), "--receipts", self.path("r"),
                          stdin=lines(range(3000, 33000)))
            states = {self.read("f")}
            whole = self.read("f")
            keys = self.write("keys", lines(range(3000)))
            for step in range(12):
                self.write("f", whole)
                killed += self.kill_at(0.004 * step, "erase", "-q", self.path("f"), "--receipts", self.path("r")) != 0
                states.add(self.read("f"))
                self.run_tool("erase", "-q", self.path("f"), "--receipts", self.path("r"))
                states.add(self.read("f"))
                self.run_tool("verify", self.path("f"), "--keys", keys)
            self.assertEqual(len(states), 2, kind)
            os.remove(self.path("r"))
        self.assertGreater(killed, 0)

    def test_insert_keeps_what_its_receipts_say(self):
        """A key whose receipt is in the file can be erased by it, or was never inserted: no other key is."""
        for kind in ERASABLE:
            for step in range(8):
                self.make("f", range(3000), "--kind", kind, "--capacity", "40000", "--fpr", "0.1")
                more = self.write("more", lines(range(3000, 33000)))
                self.kill_at(0.006 * step, "insert", "-q", self.path("f"), more, "--receipts", self.path("r"))
                rows = self.read("r").decode().splitlines() if self.exists("r") else []
                whole = [row for row in rows if len(row.split("\t")[0]) == 48 and "\t" in row]
                if whole:
                    some = self.write("whole", lines(whole))
                    # 2: all are refused if the filter did not get its new name.
                    done = subprocess.run([os.environ["BLOOMERY"], "erase", "-q", self.path("f"), "--receipts", some],
                                          capture_output=True, timeout=120, check=False)
                    self.assertIn(done.returncode, (0, 2), done.stderr)
                keys = self.write("keys", lines(range(3000)))
                self.run_tool("verify", self.path("f"), "--keys", keys)
                if self.exists("r"):
                    os.remove(self.path("r"))
