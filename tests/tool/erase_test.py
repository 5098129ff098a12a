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


class Unsupported(ToolTest):
    def test_other_kinds_are_refused_by_name(self):
        for kind in KINDS:
            if kind in ERASABLE:
                continue
            self.make("f", range(10), "--kind", kind, *remembering(kind, 10))
            before = self.read("f")
            for command in (("erase", self.path("f")), ("erase", self.path("f"), "--receipts", "-"),
                            ("insert", self.path("f"), "--receipts", self.path("r"))):
                says = [f"a {kind} filter: it is built"] if kind in STATIC else [f"a {kind} filter", *ERASABLE]
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
            # A line that is there adds no copy.
            self.assertEqual(self.run_tool("dedup", "--filter", self.path("a"), stdin=b"a\n"), b"")
            self.assertEqual(self.read("a"), before)
            can = next(k["can"] for k in KIND_ROWS if k["name"] == kind)
            if "merge" not in can:
                self.refuse("merge", self.path("a"), self.path("b"), "-o", self.path("c"),
                            says=[f"{kind} filters cannot be merged"])
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
