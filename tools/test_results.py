"""The results that make test leaves in build/results, as one table: see read().

A folder per build tree (dev, asan, tsan; of make test-full also fuzz, portable ...), and in it
  ctest*.xml    what ctest ran, JUnit's format, with what each test printed
  NAME.json     of the test NAME of ctest: GoogleTest's report, or {"tests": [{"name": ...,
                "result": "passed", "counts": {"kills": 20}}]} of others (run_unittest.py)
A test without the latter is its lines: those of `go test -v` and of `cargo test` are tests of
their own, and `cases: inputs 118` is a count.
"""
import dataclasses
import json
import re
import xml.etree.ElementTree

COUNT = re.compile(r"\bcases: (\w+) (\d+)$")
GO_RUNS = re.compile(r"^=== (?:RUN|CONT|NAME) +(\S+)$")
GO_ENDED = re.compile(r"^ *--- (PASS|FAIL|SKIP): (\S+) ")
RUST_ENDED = re.compile(r"^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)")
OUTCOMES = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped",
            "ok": "passed", "FAILED": "failed", "ignored": "skipped",
            "run": "passed", "fail": "failed"}


@dataclasses.dataclass
class Test:
    tree: str
    name: str  # ENTRY or ENTRY/TEST, ENTRY as in `ctest -N`
    result: str  # passed, failed, skipped
    counts: dict

    @property
    def entry(self):
        return self.name.partition("/")[0]


def of_googletest(report):
    known = {"name", "file", "line", "status", "result", "timestamp", "time", "classname",
             "failures", "value_param", "type_param", "skipped"}
    for suite in report.get("testsuites", []):
        for test in suite["testsuite"]:
            result = ("failed" if test.get("failures") else
                      "passed" if test["result"] == "COMPLETED" else "skipped")
            counts = {k: int(v) for k, v in test.items() if k not in known and v.isdigit()}
            yield f"{suite['name']}.{test['name']}", result, counts


def of_json(path):
    report = json.loads(path.read_text("utf-8"))
    if "testsuites" in report:
        return list(of_googletest(report))
    return [(t["name"], t["result"], t["counts"]) for t in report["tests"]]


def of_lines(text, result):
    """Tests of Go or Rust, or the whole by the name ''."""
    tests, counts, now = {}, {"": {}}, ""
    for line in text.splitlines():
        if found := GO_RUNS.match(line):
            now = found[1]
        elif found := GO_ENDED.match(line):
            tests[found[2]] = OUTCOMES[found[1]]
            now = ""
        elif found := RUST_ENDED.match(line):
            tests[found[1]] = OUTCOMES[found[2]]
        elif found := COUNT.search(line):
            of = counts.setdefault(now, {})
            of[found[1]] = of.get(found[1], 0) + int(found[2])
    if not tests or (result == "failed" and "failed" not in tests.values()):
        tests[""] = result
    return [(name, outcome, counts.get(name, {})) for name, outcome in tests.items()]


def entry_of(case):
    """The program's name, whichever library it is linked with (make test: asan.NAME)."""
    return case.get("name").removeprefix("asan.")


def of_ctest(path):
    """Test of ctest -> (result, what it printed)."""
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        printed = case.findtext("system-out") or ""
        yield entry_of(case), (OUTCOMES.get(case.get("status"), "skipped"), printed)


def read_tree(folder):
    ran = {}
    for file in sorted(folder.glob("ctest*.xml")):
        ran.update(of_ctest(file))
    reports = {file.stem: of_json(file) for file in folder.glob("*.json")}
    for entry in sorted({*ran, *reports}):
        result, printed = ran.get(entry, ("passed", ""))
        tests = reports.get(entry)
        if tests is None:
            tests = of_lines(printed, result)
        elif result == "failed" and all(t[1] != "failed" for t in tests):
            tests = [*tests, ("", "failed", {})]  # it ended badly, whatever its tests say
        for name, outcome, counts in tests:
            yield Test(folder.name, f"{entry}/{name}" if name else entry, outcome, counts)


def read(folder):
    """Every test of every tree."""
    return [test for tree in sorted(folder.iterdir()) if tree.is_dir() for test in read_tree(tree)]
