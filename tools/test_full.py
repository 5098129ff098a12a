#!/usr/bin/env python3
"""make test-full, in parts of at most an hour each, which can be resumed.

  tools/test_full.py run [PART...]   these parts; without names, all that have not passed for this
                                     commit.  Exit status 1 if one has not passed
  tools/test_full.py list            what is recorded of each part

A part is `make full-PART`; those of FULL_SIZES run with BLOOMERY_TEST_FULL=1.  Its result, commit and duration are kept in
build/full/PART.json, what it printed in build/full/PART.log, what its tests counted in
build/results-full; make scoreboard writes them to docs/reliability.md.  A part that passed need
not run again while nothing but docs/ and tests/README.md differs from its commit.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

import scoreboard
import test_times

ROOT = pathlib.Path(__file__).resolve().parent.parent
STATE = ROOT / "build" / "full"
RESULTS = ROOT / "build" / "results-full"
LIMIT = 60  # minutes
# Part -> what it runs; and the results it replaces.
PARTS = {
    "dev": ("all programs, ports and adapters, with full-size cases (preset `dev`)", ["dev/*"]),
    "asan": ("all programs under AddressSanitizer and all of UndefinedBehaviorSanitizer", ["asan/*"]),
    "tsan": ("thread tests under ThreadSanitizer", ["tsan/*"]),
    "portable": ("all programs with portable kernels only", ["portable/*"]),
    "clang": ("all programs compiled by clang, every file separately, without precompiled headers",
              ["dev-clang/*"]),
    "fuzz": ("every fuzzer of the library", ["fuzz/fuzz_*"]),
    "fuzz-ports": ("every fuzzer of the ports", ["fuzz/go_*", "fuzz/rust_*"]),
    "aarch64": ("the tests on 64-bit ARM, emulated", ["aarch64/*"]),
    "s390x": ("the tests on a big-endian CPU, emulated", ["s390x/*"]),
    "x86-64-v1": ("the tests on an x86-64 without AVX, emulated", ["x86-64-v1/*"]),
    "packaging": ("Debian package, static tool, wheel, Conan recipe, reference, from empty folders", []),
    "spark": ("the package for Python in Apache Spark, with full-size cases", []),
    "engines": ("storage engines with our filter policies, with full-size cases", ["engines/*"]),
    "toy-kind": ("a kind of filter added to a copy of the tree: what that takes, and where it appears", []),
    "bench": ("all programs of bench/, compiled as `make bench` does, each for a moment at tiny sizes", ["bench/*"]),
}

# Sanitizers, other compilers and emulated CPUs take the sizes of make test, so that each part ends within its hour.
FULL_SIZES = {"dev", "spark", "engines"}


def record_of(part):
    path = STATE / f"{part}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def is_current(record):
    """Passed, and only documents differ since then."""
    if not record or record["result"] != "passed" or record["commit"].endswith("+"):
        return False
    try:
        same = subprocess.run(["git", "-C", ROOT, "diff", "--quiet", record["commit"], "--", ".",
                               ":!docs", ":!tests/README.md"], check=False, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        return False
    return same.returncode == 0


def make(part, log, skipped):
    """Exit status of make; everything it prints is shown and kept."""
    environment = {**os.environ, "BLOOMERY_RESULTS_ROOT": str(RESULTS), "BLOOMERY_SKIPPED": str(skipped)}
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BLOOMERY_TEST_FULL"):
        environment.pop(name, None)
    if part in FULL_SIZES:
        environment["BLOOMERY_TEST_FULL"] = "1"
    command = ["make", "--no-print-directory", f"full-{part}"]
    command += [f"{name}={os.environ[name]}" for name in ("FUZZ_SECONDS",) if name in os.environ]
    with open(log, "wb") as file, subprocess.Popen(command, cwd=ROOT, env=environment,
                                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        while some := run.stdout.read1(1 << 16):
            file.write(some)
            sys.stdout.buffer.write(some)
            sys.stdout.buffer.flush()
    return run.returncode


def run_part(part):
    STATE.mkdir(parents=True, exist_ok=True)
    (STATE / f"{part}.json").unlink(missing_ok=True)
    skipped = STATE / f"{part}.skipped"
    skipped.unlink(missing_ok=True)
    for pattern in PARTS[part][1]:
        for old in RESULTS.glob(pattern):
            if old.is_file():
                old.unlink()
    state, began = scoreboard.current_state(), time.monotonic()
    status = make(part, STATE / f"{part}.log", skipped)
    minutes = (time.monotonic() - began) / 60
    result = "failed" if status else "skipped" if skipped.exists() else "passed"
    record = {"part": part, "result": result, **state, "minutes": round(minutes, 1),
              "cpu": test_times.cpu_model()}
    if result == "skipped":
        record["why"] = skipped.read_text("utf-8").strip()
    (STATE / f"{part}.json").write_text(json.dumps(record) + "\n", "utf-8")
    return record


def line(part, record, now=False):
    if record is None:
        return f"test-full: {part:10} not run"
    text = (f"test-full: {part:10} {record['result']}, {record['minutes']} minutes, "
            f"{record['date']} {record['commit']}")
    if "why" in record:
        text += f" ({record['why']})"
    if record["minutes"] > LIMIT:
        text += f"; longer than {LIMIT} minutes: split it"
    if not now and record["result"] == "passed" and not is_current(record):
        text += "; the tree has changed since"
    return text


def run(names):
    if unknown := [name for name in names if name not in PARTS]:
        print(f"test-full: no part {unknown[0]}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    wanted = names or [part for part in PARTS if not is_current(record_of(part))]
    for part in PARTS:
        if not names and part not in wanted:
            print(f"test-full: {part} has passed for this commit")
    for number, part in enumerate(wanted, 1):
        print(f"\n== part {number} of {len(wanted)}: {part}: {PARTS[part][0]}", flush=True)
        print(line(part, run_part(part), now=True), flush=True)
    print()
    for part in names or PARTS:
        print(line(part, record_of(part)))
    records = [record_of(part) for part in (names or PARTS)]
    return 0 if all(r and r["result"] in ("passed", "skipped") for r in records) else 1


def rows():
    """For docs/reliability.md."""
    for part, (what, _) in PARTS.items():
        record = record_of(part)
        if record:
            yield part, {key: record[key] for key in ("result", "minutes", "date", "commit", "cpu")}


def main():
    if sys.argv[1:2] == ["run"]:
        return run(sys.argv[2:])
    if sys.argv[1:] == ["list"]:
        print("\n".join(line(part, record_of(part)) for part in PARTS))
        return 0
    print("\n".join(__doc__.splitlines()[2:6]), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
