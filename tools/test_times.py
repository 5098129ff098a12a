#!/usr/bin/env python3
"""How long make test takes: its steps, and each test program.

  tools/test_times.py step NAME -- COMMAND...   runs it; its wall and CPU seconds go to build/results
  tools/test_times.py table [--write]           the table of the last run; with --write into
                                                tests/README.md too
  tools/test_times.py check                     the table is there, with a CPU and a commit

Seconds of a program are wall seconds as ctest counts them, beside the others that run at the
same time.  CPU seconds of a step are those of all its processes, user and system.
BLOOMERY_RESULTS_ROOT names the folder of results; build/results if it is not set.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
import xml.etree.ElementTree

import test_results

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "tests" / "README.md"
FIRST, LAST = "<!-- times: begin -->", "<!-- times: end -->"
TREES = ("dev", "asan", "tsan")
SHORT = 1.0  # programs below are one row together


def results():
    return pathlib.Path(os.environ.get("BLOOMERY_RESULTS_ROOT") or ROOT / "build" / "results")


def cpu_model():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return "unknown CPU"
    facts = dict(re.findall(r"^(model name|cpu family|model)\s*: (.+)$", text, re.M))
    name = facts.get("model name", "unknown CPU")
    # Virtual machines often hide the rest of the name.
    where = f" (family {facts['cpu family']}, model {facts['model']})" if "cpu family" in facts else ""
    return f"{name}{where}, {os.cpu_count()} cores"


def step(name, command):
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    try:
        status = subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        return 130
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    results().mkdir(parents=True, exist_ok=True)
    with open(results() / "steps.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps({"step": name, "wall": round(time.monotonic() - began, 1),
                               "cpu": round(cpu, 1), "status": status}) + "\n")
    return status if status >= 0 else 1


def steps_of(folder):
    path = folder / "steps.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def programs_of(folder):
    """Name -> tree -> seconds, of the tests that ran."""
    programs = {}
    for tree in TREES:
        for file in sorted((folder / tree).glob("ctest*.xml")):
            for case in xml.etree.ElementTree.parse(file).getroot().iter("testcase"):
                if case.get("status") in ("run", "fail"):
                    programs.setdefault(test_results.entry_of(case), {})[tree] = float(case.get("time") or 0)
    return programs


def load(steps):
    """A busy machine shows: CPU seconds of all steps per wall second."""
    wall = sum(s["wall"] for s in steps)
    return sum(s["cpu"] for s in steps) / wall if wall else 0


def table(folder):
    steps, programs = steps_of(folder), programs_of(folder)
    if not steps or not programs:
        raise SystemExit("times: no results of a run: run `make test` first")
    run = json.loads((folder / "run.json").read_text("utf-8"))
    yield f"{cpu_model()}; {run['date']} `{run['commit']}`; {load(steps):.2f} cores busy on average."
    yield ""
    yield "| step of `make test` | wall s | CPU s |"
    yield "|---|---|---|"
    for s in steps:
        yield f"| {s['step']} | {s['wall']:.0f} | {s['cpu']:.0f} |"
    yield f"| all | {sum(s['wall'] for s in steps):.0f} | {sum(s['cpu'] for s in steps):.0f} |"
    yield ""
    yield "| program, wall s | " + " | ".join(f"`{tree}`" for tree in TREES) + " |"
    yield "|---|" + "---|" * len(TREES)
    short = {name: of for name, of in programs.items() if max(of.values()) < SHORT}
    def cells(of):
        return " | ".join(f"{of[tree]:.1f}" if tree in of else "" for tree in TREES)
    for name in sorted(set(programs) - set(short), key=lambda n: -max(programs[n].values())):
        yield f"| `{name}` | {cells(programs[name])} |"
    if short:
        sums = {tree: sum(of[tree] for of in short.values() if tree in of) for tree in TREES}
        yield f"| {len(short)} programs below {SHORT:g} s each | {cells(sums)} |"


def write(lines):
    text = PAGE.read_text("utf-8")
    if FIRST not in text or LAST not in text:
        raise SystemExit(f"times: {PAGE.name} has no {FIRST} ... {LAST}")
    head, rest = text.split(FIRST, 1)
    PAGE.write_text(head + FIRST + "\n" + "\n".join(lines) + "\n" + LAST + rest.split(LAST, 1)[1], "utf-8")


def check():
    text = PAGE.read_text("utf-8")
    found = re.search(re.escape(FIRST) + r"\n.+; \d{4}-\d\d-\d\d `[0-9a-f]{7,}\+?`;.*\n" , text)
    if not found or "| all |" not in text:
        print("times: tests/README.md has no table of a run: make test, then make scoreboard", file=sys.stderr)
        return 1
    return 0


def main():
    if sys.argv[1:2] == ["step"]:
        name, dashes, *command = sys.argv[2:]
        assert dashes == "--", "step NAME -- COMMAND..."
        return step(name, command)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["table", "check", "cpu"])
    parser.add_argument("--write", action="store_true", help="into tests/README.md too")
    args = parser.parse_args()
    if args.what == "check":
        return check()
    if args.what == "cpu":
        print(f"{cpu_model()}; load {os.getloadavg()[0]:.2f}; {datetime.date.today().isoformat()}")
        return 0
    lines = list(table(results()))
    if args.write:
        write(lines)
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
