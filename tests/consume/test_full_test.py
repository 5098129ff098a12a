"""The parts of make test-full, and the table of seconds: what did not pass is run again."""

import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import test_full  # noqa: E402
import test_times  # noqa: E402

JUNIT = """<testsuite>
<testcase name="long_test" status="run" time="12.5"/>
<testcase name="quick_test" status="run" time="0.25"/>
<testcase name="other_test" status="run" time="0.5"/>
<testcase name="absent_test" status="notrun" time="0"/>
</testsuite>"""


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Parts(InAFolder):
    def setUp(self):
        super().setUp()
        self.changed = False
        for name, value in (("STATE", self.folder / "full"), ("RESULTS", self.folder / "results"),
                            ("is_current", lambda r: bool(r) and r["result"] == "passed" and not self.changed),
                            ("make", self.make)):
            self.addCleanup(setattr, test_full, name, getattr(test_full, name))
            setattr(test_full, name, value)
        self.fails, self.skips, self.made = set(), set(), []

    def make(self, part, log, skipped):
        self.made.append(part)
        if part in self.skips:
            skipped.write_text("not here")
        return 2 if part in self.fails else 0

    def run_parts(self, *names):
        self.made = []
        with contextlib.redirect_stdout(io.StringIO()) as said:
            status = test_full.run(list(names))
        return status, said.getvalue()

    def test_those_that_passed_are_not_run_again(self):
        self.fails = {"clang"}
        self.assertEqual(self.run_parts()[0], 1)
        self.assertEqual(self.made, list(test_full.PARTS))
        self.fails = set()
        self.assertEqual(self.run_parts()[0], 0)
        self.assertEqual(self.made, ["clang"])
        self.changed = True
        self.run_parts()
        self.assertEqual(self.made, list(test_full.PARTS))

    def test_one_part_by_its_name(self):
        status, said = self.run_parts("tsan")
        self.assertEqual((status, self.made), (0, ["tsan"]))
        self.assertRegex(said, r"tsan +passed, .* minutes, \d{4}-")

    def test_a_part_that_was_skipped_did_not_pass(self):
        self.skips = {"spark"}
        self.assertEqual(self.run_parts("spark")[0], 0)
        self.assertEqual(test_full.record_of("spark")["result"], "skipped")
        self.run_parts("spark")
        self.assertEqual(self.made, ["spark"])

    def test_the_old_results_of_a_part_go(self):
        for name in ("fuzz/fuzz_a.json", "fuzz/go_b.json"):
            (self.folder / "results" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "results" / name).write_text("{}")
        self.run_parts("fuzz")
        self.assertEqual([p.name for p in (self.folder / "results/fuzz").iterdir()], ["go_b.json"])

    def test_the_makefile_has_the_same_parts(self):
        listed = re.search(r"^full_parts := (.+)$", (ROOT / "Makefile").read_text(), re.M)[1].split()
        self.assertEqual(listed, list(test_full.PARTS))


class Times(InAFolder):
    def test_the_table(self):
        (self.folder / "dev").mkdir()
        (self.folder / "dev/ctest.xml").write_text(JUNIT)
        (self.folder / "run.json").write_text(json.dumps({"date": "2026-01-02", "commit": "abcdef12"}))
        with self.assertRaises(SystemExit):
            list(test_times.table(self.folder))
        (self.folder / "steps.jsonl").write_text(
            json.dumps({"step": "dev: build", "wall": 10, "cpu": 19, "status": 0}) + "\n")
        lines = list(test_times.table(self.folder))
        self.assertRegex(lines[0], r"cores; 2026-01-02 `abcdef12`; 1.90 cores busy")
        self.assertIn("| all | 10 | 19 |", lines)
        self.assertIn("| `long_test` | 12.5 |  |  |", lines)
        self.assertEqual(lines[-1].split(" | ")[:2], ["| 2 programs below 1 s each", "0.8"])


if __name__ == "__main__":
    unittest.main()
