"""kill -9 at every system call of the commands that change a filter: what is on disk, and what the next run says.

The program kill_at (tests/fault) is in KILL_AT.  Calls before the filter is opened are those of the loader.
"""

import os
import subprocess

from tool import ERASABLE, ToolTest, lines

OLD, NEW = range(2000), range(5000, 5200)
FULL = os.environ.get("BLOOMERY_TEST_FULL") == "1"
# A high rate: an erase of a key that was not inserted would find the fingerprint of another.
OPTIONS = ("--capacity", "4000", "--fpr", "0.1", "--identity", "77")


class KilledAtEveryCall(ToolTest):
    def setUp(self):
        super().setUp()
        self.f, self.r = self.path("f"), self.path("r")
        self.new = self.write("new", lines(NEW))

    def kill_at(self, call, *args, first=None):
        """Its exit status; that of the calls if `call` is 0."""
        environment = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
        done = subprocess.run([os.environ["KILL_AT"], first or self.f, str(call), os.environ["BLOOMERY"], *args],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False, env=environment)
        if done.returncode in (125, 126):
            self.skipTest("no program may be traced here")
        if call == 0:
            self.assertEqual(done.returncode, 0, done.stderr)
            return int(done.stderr.splitlines()[-1])
        self.assertIn(done.returncode, (0, 137), done.stderr)
        self.out = done.stdout
        return done.returncode

    def calls(self, command):
        """The command, killed at each call, in its folder as it was; then its check, for each state of the files."""
        before = {name: self.read(name) for name in os.listdir(self.folder)}
        # Two threads: the number may differ by a few.
        count, killed = self.kill_at(0, *command["args"], first=command.get("first")), 0
        self.assertGreater(count, 30)
        after = {name: self.read(name) for name in os.listdir(self.folder)}
        seen = set()
        for call in range(1, count + 10):
            for name in set(os.listdir(self.folder)) - set(before):
                os.remove(self.path(name))
            for name, data in before.items():
                self.write(name, data)
            status = self.kill_at(call, *command["args"], first=command.get("first"))
            killed += status == 137
            for name in set(os.listdir(self.folder)) - set(before) - set(after):
                # Whole, and documented: between linkat and rename a file has two names.
                self.assertRegex(name, r"^\.bloomery-\d+-\d+\.tmp$")
                os.remove(self.path(name))
            # Most calls change nothing: what follows from the same files is the same.
            state = (self.out, *((name, self.read(name)) for name in sorted(os.listdir(self.folder))))
            if state not in seen:
                seen.add(state)
                command["check"](call, before, after)
        self.assertGreater(killed, count - 10)
        print(f"cases: kills {killed}", flush=True)

    def verify(self, keys):
        self.run_tool("query", "-v", "-c", self.f, stdin=lines(keys), expect=1)

    def test_erase(self):
        for kind in ERASABLE:
            self.make("f", OLD, "--kind", kind, *OPTIONS)
            self.run_tool("insert", "-q", self.f, self.new, "--receipts", self.r)
            states = {}

            def check(call, before, after):
                whole = self.read("f")
                self.assertIn(whole, (before["f"], after["f"]), call)
                self.assertEqual(self.read("r"), before["r"])
                self.run_tool("erase", self.f, "--receipts", self.r)
                says = "200 keys erased, 0 not present" if whole == before["f"] else "has been erased before"
                states[says] = call
                self.assertIn(says, self.err)
                self.assertEqual(self.read("f"), after["f"])
                self.verify(OLD)

            self.calls({"args": ("erase", "-q", self.f, "--receipts", self.r), "check": check})
            self.assertEqual(len(states), 2, states)
            for name in ("f", "r"):
                os.remove(self.path(name))

    def test_erase_by_name(self):
        kind = ERASABLE[0]
        self.make("f", [*OLD, *NEW], "--kind", kind, *OPTIONS)

        def check(call, before, after):
            self.assertIn(self.read("f"), (before["f"], after["f"]), call)

        self.calls({"args": ("erase", "-q", self.f, self.new), "check": check})

    def rows(self):
        return self.read("r").decode().splitlines(keepends=True) if self.exists("r") else []

    def after_a_kill(self, issued, had):
        """What the next insert says, and that no receipt deletes another's key."""
        rows = self.rows()
        if rows and not rows[-1].endswith("\n"):
            before = self.read("f")
            self.refuse("insert", self.f, "-k", "next", "--receipts", self.r, says=["last line is incomplete"])
            self.assertEqual(self.read("f"), before)
            self.write("r", "".join(rows[:-1]).encode())
            rows.pop()
        created = self.exists("r")
        self.run_tool("insert", self.f, "-k", "next", "--receipts", self.r)
        if len(rows) == issued or (not created and issued == 0):
            self.assertNotIn("warning", self.err)
            said = "nothing"
        else:
            self.assertRegex(self.err, f"(ends with receipt {len(rows)} of|is empty, and).*has issued {issued} receipts?:|"
                                       f"has issued {issued}:")
            said = "receipts are missing"
        self.assertEqual(len(self.rows()), len(rows) + 1)
        self.run_tool("erase", self.f, "--receipts", self.r)
        self.assertRegex(self.err, f"{len(rows) + 1} keys? erased, 0 not present")
        self.verify(OLD)
        # Keys without receipts are there.
        self.verify([*NEW][len(rows) - had:(issued or len(rows)) - had])
        return said

    def test_insert_with_receipts(self):
        for kind in ERASABLE:
            for had in (0, 3):
                self.make("f", OLD, "--kind", kind, *OPTIONS)
                for i in range(had):
                    self.run_tool("insert", "-q", self.f, "-k", f"early{i}", "--receipts", self.r)
                said = set()

                def check(call, before, after):
                    whole = self.read("f")
                    self.assertIn(whole, (before["f"], after["f"]), call)
                    if whole == before["f"]:
                        self.assertEqual(len(self.rows()), had, "never receipts without keys")
                    issued = had if whole == before["f"] else had + 200
                    said.add(self.after_a_kill(issued, had))

                self.calls({"args": ("insert", "-q", self.f, self.new, "--receipts", self.r), "check": check})
                self.assertEqual(said, {"nothing", "receipts are missing"})
                for name in ("f", "r"):
                    os.remove(self.path(name))
                if not FULL:
                    break

    def test_build_with_receipts(self):
        for kind in ERASABLE[:None if FULL else 1]:
            keys = self.write("keys", lines(NEW))
            said = set()

            def check(call, before, after):
                if not self.exists("f"):
                    self.assertEqual(self.rows(), [], "never receipts without keys")
                    said.add("no filter")
                    # The same command again.
                    self.run_tool("build", "-q", keys, "--kind", kind, *OPTIONS, "--receipts", self.r, "-o", self.f)
                self.assertEqual(self.read("f"), after["f"])
                rows = self.rows()
                if rows and not rows[-1].endswith("\n"):
                    self.refuse("insert", self.f, "-k", "a", "--receipts", self.r, says=["last line is incomplete"])
                    return
                self.run_tool("insert", self.f, "-k", "a", "--receipts", self.r)
                missing = len(rows) < 200 and "warning" in self.err
                self.assertEqual(len(rows) == 200, not missing, (call, self.err))
                said.add(missing)
                self.run_tool("erase", self.f, "--receipts", self.r)
                self.assertRegex(self.err, f"{len(rows) + 1} keys? erased, 0 not present")
                self.verify([*NEW][len(rows):])

            self.calls({"args": ("build", "-q", keys, "--kind", kind, *OPTIONS, "--receipts", self.r, "-o", self.f),
                        "check": check, "first": keys})
            self.assertEqual(said, {"no filter", True, False})
            for name in ("f", "r"):
                os.remove(self.path(name))

    def test_dedup(self):
        """The state is that of the last save, and has no line that was not printed."""
        self.run_tool("dedup", "-q", "--filter", self.f, "--capacity", "4000", stdin=lines(OLD))
        saved = set()

        def check(call, before, after):
            whole = self.read("f")
            self.assertIn(whole, (before["f"], after["f"]), call)
            saved.add(whole == after["f"])
            if whole == after["f"]:
                self.assertEqual(self.out, lines(NEW))
            again = self.run_tool("dedup", "-q", "--filter", self.f, self.new)
            self.assertEqual(again, b"" if whole == after["f"] else lines(NEW), "nothing is lost")

        self.calls({"args": ("dedup", "-q", "--filter", self.f, self.new), "check": check})
        self.assertEqual(saved, {True, False})


if __name__ == "__main__":
    import unittest
    unittest.main()
