#!/usr/bin/env python3
"""Runs tests of Python's unittest in the current folder, and keeps their results.

  run_unittest.py [MODULE...]      without names: those that unittest discovers

With BLOOMERY_RESULTS and BLOOMERY_TEST_NAME set, as by make test, the results go to
BLOOMERY_RESULTS/BLOOMERY_TEST_NAME.json, for tools/scoreboard.py.  A test counts what it tried
by printing a line: `cases: kills 20`.
"""
import io
import json
import os
import re
import sys
import unittest

COUNT = re.compile(r"^cases: (\w+) (\d+)$", re.M)


class Kept(unittest.TextTestResult):
    """Every test with its outcome and what it printed; subtests fail their test."""

    def __init__(self, *args):
        super().__init__(*args)
        self.kept = {}

    def startTest(self, test):
        super().startTest(test)
        self.kept[name_of(test)] = {"result": "passed", "printed": io.StringIO()}
        self.terminal, sys.stdout = sys.stdout, Tee(sys.stdout, self.kept[name_of(test)]["printed"])

    def stopTest(self, test):
        sys.stdout = self.terminal
        super().stopTest(test)

    def became(self, test, outcome):
        self.kept.setdefault(name_of(test), {"printed": io.StringIO()})["result"] = outcome

    def addError(self, test, err):
        super().addError(test, err)
        self.became(test, "failed")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.became(test, "failed")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.became(test, "failed")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.became(test, "failed")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if not hasattr(test, "test_case"):  # of a subtest: the test itself has run
            self.became(test, "skipped")


class Tee:
    def __init__(self, *files):
        self.files = files

    def write(self, text):
        for file in self.files:
            file.write(text)

    def flush(self):
        for file in self.files:
            file.flush()


def name_of(test):
    """Class.method, as in a failure's heading; what fails outside of a test by its own name."""
    return ".".join(test.id().split(".")[-2:])


def keep(result):
    folder, name = os.environ.get("BLOOMERY_RESULTS"), os.environ.get("BLOOMERY_TEST_NAME")
    if not folder or not name:
        return
    tests = [{"name": test, "result": its["result"],
              "counts": {what: int(n) for what, n in COUNT.findall(its["printed"].getvalue())}}
             for test, its in result.kept.items()]
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        json.dump({"tests": tests}, file, indent=1)


def main():
    sys.path.insert(0, os.getcwd())
    runner = unittest.TextTestRunner(resultclass=Kept, verbosity=2)
    program = unittest.main(module=None, argv=["run_unittest.py", *(sys.argv[1:] or ["discover"])],
                            testRunner=runner, exit=False)
    keep(program.result)
    return 0 if program.result.wasSuccessful() and program.result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
