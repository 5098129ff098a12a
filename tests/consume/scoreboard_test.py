"""The scoreboard: what is lost or fails must show, and never pass for a zero."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import scoreboard  # noqa: E402
import test_results  # noqa: E402

ROWS = """
[flips] a flipped bit
a_test/Bits.*      flips
[kill] a kill
killer/Killed.*    kills
[fuzz] an input
replay             inputs
fuzz:one           inputs
[ports] a test
go/TestSame        tests
rust/*             tests
"""
CTEST = """<testsuite>
<testcase name="a_test" status="run"><system-out></system-out></testcase>
<testcase name="killer" status="run"><system-out></system-out></testcase>
<testcase name="replay" status="run"><system-out>x
cases: inputs 7
</system-out></testcase>
<testcase name="go" status="run"><system-out>=== RUN   TestSame
--- PASS: TestSame (0.00s)
</system-out></testcase>
<testcase name="rust" status="run"><system-out>test a::b ... ok
test a::c ... ok
</system-out></testcase>
</testsuite>"""


def test(name, result="COMPLETED", **facts):
    return {"name": name, "status": "RUN", "result": result, "time": "0s", "classname": "Bits",
            **facts}


class Scoreboard(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.put("dev/ctest.xml", CTEST)
        self.report([test("One", flips="80"), test("Two", flips="20")])
        self.killer([{"name": "Killed.test_it", "result": "passed", "counts": {"kills": 20}}])

    def put(self, name, text):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)

    def report(self, tests, tree="dev"):
        self.put(f"{tree}/a_test.json",
                 json.dumps({"testsuites": [{"name": "Bits", "testsuite": tests}]}))

    def killer(self, tests):
        self.put("dev/killer.json", json.dumps({"tests": tests}))

    def scores(self, full=False):
        rows = scoreboard.rows_of(ROWS)
        tests = test_results.read(self.folder)
        return {name: scoreboard.score(name, row, tests, full) for name, row in rows.items()}

    def cases(self, **options):
        scores = self.scores(**options)
        self.assertEqual(sum(s["failures"] for s in scores.values()), 0)
        return [s["cases"] for s in scores.values()]

    def refused(self, *words):
        with self.assertRaises(scoreboard.Wrong) as wrong:
            self.scores()
        for word in words:
            self.assertIn(word, str(wrong.exception))

    def test_counts_are_added(self):
        self.assertEqual(self.cases(), [100, 20, 7, 3])

    def test_fuzzers_count_in_the_full_run(self):
        with self.assertRaises(scoreboard.Wrong):
            self.scores(full=True)
        self.put("fuzz/one.json", json.dumps(
            {"tests": [{"name": "", "result": "passed", "counts": {"inputs": 1000}}]}))
        self.assertEqual(self.cases(full=True), [100, 20, 1007, 3])
        self.assertEqual(self.cases(), [100, 20, 7, 3])

    def test_a_lost_test_is_an_error(self):
        self.killer([{"name": "Dead.test_it", "result": "passed", "counts": {"kills": 20}}])
        self.refused("row 'kill'", "Killed.*")

    def test_a_lost_program_is_an_error(self):
        self.put("dev/ctest.xml", CTEST.replace('"replay"', '"replays"'))
        self.refused("row 'fuzz'")

    def test_a_test_that_counts_nothing_is_an_error(self):
        self.report([test("One", flips="80"), test("Two")])
        self.refused("row 'flips'", "Bits.Two", "flips")

    def test_skipped_tests_count_nothing_and_alone_are_an_error(self):
        self.report([test("One", flips="80"), test("Two", "SKIPPED")])
        self.assertEqual(self.cases(), [80, 20, 7, 3])
        self.report([test("One", "SKIPPED")])
        self.refused("row 'flips'", "not one case")

    def test_a_failure_is_shown(self):
        self.report([test("One", flips="80", failures=[{"failure": "no"}]),
                     test("Two", flips="20")])
        self.assertEqual(self.scores()["flips"]["failed"], ["dev:a_test/Bits.One"])

    def test_a_failure_under_a_sanitizer_is_shown(self):
        self.report([test("One", flips="80", failures=[{"failure": "no"}])], tree="asan")
        flips = self.scores()["flips"]
        self.assertEqual((flips["cases"], flips["failed"]), (100, ["asan:a_test/Bits.One"]))

    def test_a_crash_is_shown(self):
        self.put("dev/ctest.xml", CTEST.replace('"a_test" status="run"', '"a_test" status="fail"'))
        self.assertEqual(self.scores()["flips"]["failed"], ["dev:a_test"])
        (self.folder / "dev/a_test.json").unlink()
        flips = self.scores()["flips"]
        self.assertEqual((flips["cases"], flips["failed"]), (0, ["dev:a_test"]))

    def test_a_port_that_fails_is_shown(self):
        self.put("dev/ctest.xml", CTEST.replace("--- PASS", "--- FAIL").replace(
            '"go" status="run"', '"go" status="fail"').replace("a::c ... ok", "a::c ... FAILED"))
        self.assertEqual(self.scores()["ports"]["failed"], ["dev:go/TestSame", "dev:rust/a::c"])

    def test_a_row_without_tests_must_say_so(self):
        with self.assertRaises(scoreboard.Wrong):
            scoreboard.rows_of("[a] b\n[c] d\nx y\n")
        rows = scoreboard.rows_of("[a] b\npending\n")
        self.assertIn("| a | b | none yet |", list(scoreboard.table(rows, {"rows": {}}))[2])

    def test_one_run_updates_its_own_column(self):
        rows = scoreboard.rows_of(ROWS)
        kept = {"rows": {"kill": {"full": {"cases": 200, "failures": 0, "date": "2026-01-01",
                                           "commit": "old"}}, "gone": {}}}
        run = {"date": "2026-02-02", "commit": "new"}
        kept = scoreboard.update(kept, rows, test_results.read(self.folder), run, None)
        self.assertNotIn("gone", kept["rows"])
        line = [line for line in scoreboard.table(rows, kept) if line.startswith("| kill ")][0]
        self.assertEqual(line, "| kill | a kill | 20 | 200 | 0 | test: 2026-02-02 `new`; "
                               "full: 2026-01-01 `old` |")

    def test_a_row_of_the_full_column_waits_for_its_parts(self):
        rows = scoreboard.rows_of(ROWS)
        run = {"date": "2026-02-02", "commit": "new"}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            kept = scoreboard.update_full({"rows": {}}, rows, test_results.read(self.folder), run, None)
        self.assertIn("row 'fuzz'", said.getvalue())
        self.assertEqual([name for name, runs in kept["rows"].items() if "full" in runs], ["flips", "kill", "ports"])

    def test_a_program_under_a_sanitizer_bears_its_own_name(self):
        self.put("asan/ctest.xml", CTEST.replace('"a_test" status="run"', '"asan.a_test" status="fail"'))
        self.assertEqual(self.scores()["flips"]["failed"], ["asan:a_test"])


if __name__ == "__main__":
    unittest.main()
