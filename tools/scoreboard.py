#!/usr/bin/env python3
"""Writes the tables of docs/reliability.md from the results of the last test run.

  tools/scoreboard.py begin     make test says: a run begins, forget the last one
  tools/scoreboard.py end       make test says: it came to its end; prints how old the tables are
  tools/scoreboard.py write     reads build/results, and build/results-full (the parts of
                                make test-full that a row counts) and build/coverage if they are there;
                                writes docs/scoreboard.json and the tables.  Exit status 1 with
                                any failure in a table
          --rows "kill,rates"   these rows only: of a run of some tests, by hand
  tools/scoreboard.py check     the tables are those of docs/scoreboard.json

tests/scoreboard.txt says which tests are which row.  A row of which a test is missing, or did not
count what it should, is an error: nothing is written.
"""
import argparse
import datetime
import fnmatch
import json
import pathlib
import re
import shutil
import subprocess
import sys

import figure_age
import test_results

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "results"
FULL_RESULTS = ROOT / "build" / "results-full"
COVERAGE = ROOT / "build" / "coverage" / "summary.json"
ROWS = ROOT / "tests" / "scoreboard.txt"
KEPT = ROOT / "docs" / "scoreboard.json"
PAGE = ROOT / "docs" / "reliability.md"
TREES_OF_TEST = ("dev", "asan", "tsan")  # others are of make test-full only


class Wrong(Exception):
    """What a person has to look at."""


def rows_of(text):
    """Name -> {"case": what one is, "patterns": [(tree, pattern, counter)]}."""
    rows, row = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if heading := re.fullmatch(r"\[(.+)\] (.+)", line):
            row = rows[heading[1]] = {"case": heading[2], "patterns": []}
            continue
        words = line.split()
        if row is None or (words != ["pending"] and words != ["coverage"] and len(words) != 2):
            raise Wrong(f"line {number}: a row is `[name] what a case is`, then `TEST COUNTER` lines")
        if len(words) == 1:
            row[words[0]] = True
            continue
        tree, colon, pattern = words[0].rpartition(":")
        row["patterns"].append((tree if colon else "dev", pattern, words[1]))
    for name, row in rows.items():
        if not row["patterns"] and "pending" not in row and "coverage" not in row:
            raise Wrong(f"row '{name}' has no tests")
    return rows


def cases_of(name, pattern, tests, full):
    """The cases of one line of a row; and its failures, in any tree."""
    tree, glob, counter = pattern
    same = [t for t in tests if fnmatch.fnmatchcase(t.name, glob)]
    failed = {(t.tree, t.name) for t in same if t.result == "failed"}
    # A program that ended before it could report.
    entry = glob.partition("/")[0]
    failed |= {(t.tree, t.name) for t in tests
               if t.result == "failed" and "/" not in t.name and fnmatch.fnmatchcase(t.name, entry)}
    if not full and tree not in (*TREES_OF_TEST, "*"):
        return 0, failed
    here = [t for t in same if fnmatch.fnmatchcase(t.tree, tree)]
    if not here and not failed:
        raise Wrong(f"row '{name}': no test is '{glob}' in {tree}: renamed, lost, or not run?")
    cases = 0
    for t in here:
        if t.result == "passed" and counter != "tests" and counter not in t.counts:
            raise Wrong(f"row '{name}': {t.tree}:{t.name} did not count its {counter}")
        if t.result != "skipped":
            cases += 1 if counter == "tests" else t.counts.get(counter, 0)
    return cases, failed


def score(name, row, tests, full):
    cases, failed = 0, set()
    for pattern in row["patterns"]:
        some, wrong = cases_of(name, pattern, tests, full)
        cases, failed = cases + some, failed | wrong
    if cases == 0 and not failed:
        raise Wrong(f"row '{name}': not one case was run")
    return {"cases": cases, "failures": len(failed),
            **({"failed": sorted(map(":".join, failed))} if failed else {})}


def current_state():
    def git(*words):
        try:
            done = subprocess.run(["git", "-C", ROOT, *words], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, check=False)
        except FileNotFoundError:
            return ""  # of a tree from an archive, the commit is not known
        return done.stdout.strip()
    # What is in docs/ changes no result.
    changed = git("status", "--porcelain", "-uno", "--", ".", ":!docs")
    commit = git("rev-parse", "--short=8", "HEAD") or "unknown"
    return {"date": datetime.date.today().isoformat(), "commit": commit + ("+" if changed else "")}


def begin():
    shutil.rmtree(RESULTS, ignore_errors=True)
    for tree in TREES_OF_TEST:
        (RESULTS / tree).mkdir(parents=True)
    (RESULTS / "run.json").write_text(json.dumps(current_state()) + "\n")


def end():
    run = json.loads((RESULTS / "run.json").read_text())
    (RESULTS / "run.json").write_text(json.dumps({**run, "ended": True}) + "\n")
    figure_age.print_warnings()


def number(n):
    return f"{n:,}"


def share(part):
    covered, of = part
    return f"{100 * covered / of:.1f} %" if of else "-"


def cell(run):
    return number(run["cases"]) if run else "not run"


def when(runs):
    """One date and commit if all are of the same."""
    stamps = {tier: f"{run['date']} `{run['commit']}`" for tier, run in runs.items()}
    if len(set(stamps.values())) == 1:
        return next(iter(stamps.values()))
    return "; ".join(f"{tier}: {stamp}" for tier, stamp in stamps.items())


def table(rows, kept):
    yield "| row | a case is | `make test` | `make test-full` | failures | date and commit |"
    yield "|---|---|---|---|---|---|"
    for name, row in rows.items():
        runs = {tier: kept["rows"][name][tier] for tier in ("test", "full")
                if tier in kept["rows"].get(name, {})}
        if "coverage" in row:
            c = kept.get("coverage")
            cells = ([f"{share(c['lines'])} of lines, {share(c['branches'])} of branches",
                      "the same", "-", f"{c['date']} `{c['commit']}`"] if c else ["not run"] * 4)
        elif "pending" in row:
            cells = ["none yet", "none yet", "-", "-"]
        else:
            failures = sum(run["failures"] for run in runs.values())
            cells = [cell(runs.get("test")), cell(runs.get("full")),
                     number(failures) if runs else "-", when(runs) if runs else "-"]
        yield f"| {name} | {row['case']} | " + " | ".join(cells) + " |"


def coverage_table(coverage):
    yield "| folder | lines | covered | branches | covered |"
    yield "|---|---|---|---|---|"
    for folder, part in coverage["folders"].items():
        yield (f"| `{folder}` | {number(part['lines'][1])} | {share(part['lines'])} | "
               f"{number(part['branches'][1])} | {share(part['branches'])} |")


def parts_table(parts):
    """The parts of make test-full, each with the commit it was run at."""
    import test_full  # which imports this
    yield "| part | what | result | minutes | date and commit | CPU |"
    yield "|---|---|---|---|---|---|"
    for part, (what, _) in test_full.PARTS.items():
        run = parts.get(part)
        cells = ([run["result"], f"{run['minutes']:.0f}", f"{run['date']} `{run['commit']}`", run["cpu"]]
                 if run else ["not run", "-", "-", "-"])
        yield f"| `{part}` | {what} | " + " | ".join(cells) + " |"


def between(text, name, lines):
    mark = f"<!-- {name}: %s -->"
    first, last = mark % "begin", mark % "end"
    if first not in text or last not in text:
        raise Wrong(f"{PAGE.name}: no {first} ... {last}")
    head, rest = text.split(first, 1)
    return head + first + "\n" + "\n".join(lines) + "\n" + last + rest.split(last, 1)[1]


def page(text, rows, kept):
    text = between(text, "scoreboard", table(rows, kept))
    text = between(text, "parts", parts_table(kept.get("parts", {})))
    return between(text, "coverage", coverage_table(kept["coverage"])) if "coverage" in kept else text


def update(kept, rows, tests, run, only, tier="test"):
    """The rows of this run into what is kept; rows that are no more are forgotten."""
    stamp = {key: run[key] for key in ("date", "commit")}
    kept["rows"] = {name: kept["rows"][name] for name in rows if name in kept["rows"]}
    for name, row in rows.items():
        if row["patterns"] and (only is None or name in only):
            kept["rows"].setdefault(name, {})[tier] = {**score(name, row, tests, tier == "full"), **stamp}
    return kept


def update_full(kept, rows, tests, run, only):
    """Row by row: the parts of make test-full are run on different days, and a row waits for those it counts."""
    for name in rows if only is None else only:
        try:
            kept = update(kept, rows, tests, run, [name], "full")
        except Wrong as why:
            print(f"scoreboard: make test-full: {why}; this row stays as it is")
    return kept


def failures_in(kept):
    return [f"{name}: {test}" for name, runs in kept["rows"].items() for run in runs.values()
            for test in run.get("failed", [])]


def last_run(only):
    """The tests of the last make test, and when it was."""
    run = json.loads((RESULTS / "run.json").read_text())
    tests = test_results.read(RESULTS)
    if only is None and "ended" not in run and all(t.result != "failed" for t in tests):
        raise Wrong("the last run did not come to its end: run `make test` again")
    return tests, run


def write(only):
    rows = rows_of(ROWS.read_text())
    if only is not None and (unknown := set(only) - set(rows)):
        raise Wrong(f"no such row: {', '.join(sorted(unknown))}")
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"rows": {}}
    if COVERAGE.exists():
        kept["coverage"] = json.loads(COVERAGE.read_text())
    if only != []:
        import test_full  # which imports this
        kept["parts"] = {**kept.get("parts", {}), **dict(test_full.rows())}
        dev = test_full.record_of("dev")
        if dev and dev["result"] == "passed":
            kept = update_full(kept, rows, test_results.read(FULL_RESULTS), dev, only)
        if (RESULTS / "run.json").exists():
            kept = update(kept, rows, *last_run(only), only)
        elif not kept["parts"]:
            raise Wrong("no results: run `make test` first")
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    PAGE.write_text(page(PAGE.read_text(), rows, kept))
    print("\n".join(table(rows, kept)))
    wrong = failures_in(kept)
    print("\n".join(f"scoreboard: FAILED: {line}" for line in wrong))
    return 1 if wrong else 0


def check():
    rows, kept = rows_of(ROWS.read_text()), json.loads(KEPT.read_text())
    text = PAGE.read_text()
    if page(text, rows, kept) != text:
        raise Wrong("docs/reliability.md is not what docs/scoreboard.json says: run "
                    "`tools/scoreboard.py write --rows ''`")
    print(f"scoreboard: {len(rows)} rows, as they were written")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["begin", "end", "write", "check"])
    parser.add_argument("--rows", metavar="NAMES", help="only these, with commas between")
    args = parser.parse_args()
    only = None if args.rows is None else [name for name in args.rows.split(",") if name]
    try:
        return {"begin": begin, "end": end, "write": lambda: write(only), "check": check}[args.what]()
    except Wrong as wrong:
        print(f"scoreboard: {wrong}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
