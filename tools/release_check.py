#!/usr/bin/env python3
"""What must hold before a version is released: `make release-check`.

  tools/release_check.py [--tool FILE]   one line per problem; exit status 1 with any

Documents (links, markers, words, with a tool the transcripts too) and the root of the tree are as the
tests want them; the figures of docs/reliability.md are of these sources, complete and without a
failure; times in documents were measured on an idle machine; all versions agree, and CHANGELOG.md
has this one with its date; nothing is uncommitted.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

import check_docs
import check_root
import figure_age
import scoreboard

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LOAD = 0.5  # as in bench/kit/machine.hpp

# Where the version of the project is written, and how.
VERSIONS = {
    "CMakeLists.txt": r"^project\(bloomery VERSION ([\d.]+)",
    "adapters/python/pyproject.toml": r'^version = "([\d.]+)"',
    "ports/rust/Cargo.toml": r'^version = "([\d.]+)"',
    "ports/rust/conform/Cargo.toml": r'^version = "([\d.]+)"',
    "ports/rust/serde/Cargo.toml": r'^version = "([\d.]+)"',
    "ports/go/README.md": r"\bports/go/v([\d.]*\d)",  # a Go module has its version from a tag
}


def of_versions(root):
    """Every file has the version of CMakeLists.txt, and the changelog begins with it."""
    found = {}
    for name, pattern in VERSIONS.items():
        match = re.search(pattern, (root / name).read_text("utf-8"), re.M)
        found[name] = match[1] if match else None
    version = found["CMakeLists.txt"]
    for name, other in found.items():
        if other != version or other is None:
            yield f"{name}: version {other}, but CMakeLists.txt has {version}"
    heading = re.search(r"^## (.*)", (root / "CHANGELOG.md").read_text("utf-8"), re.M)
    if not heading or not re.fullmatch(rf"{re.escape(str(version))} - \d{{4}}-\d\d-\d\d", heading[1]):
        yield (f"CHANGELOG.md: the first heading is \"## {heading[1] if heading else ''}\", "
               f"and should be \"## {version} - DATE\"")


def of_figures(kept, rows, since=figure_age.commits_since):
    """The scoreboard is of these sources, has every row of both runs, and no failure."""
    yield from figure_age.warnings(kept, since)
    for name, row in rows.items():
        runs = kept["rows"].get(name, {})
        if row["patterns"]:
            yield from (f"docs/reliability.md: row '{name}' has no run of {command}"
                        for tier, command in (("test", "make test"), ("full", "make test-full"))
                        if tier not in runs)
    yield from (f"docs/reliability.md: failed: {line}" for line in scoreboard.failures_in(kept))
    if "coverage" not in kept:
        yield "docs/reliability.md: no coverage"


def of_loads(root):
    """The load that bench programs wrote beside their tables."""
    for path in sorted((root / "docs").glob("*.md")):
        text = path.read_text("utf-8")
        for match in re.finditer(r"load average at the start: (\S+)", text):
            load = match[1].rstrip(".;,")
            if not re.fullmatch(r"\d+\.\d+", load) or float(load) > MAX_LOAD:
                line = check_docs.line_of(text, match.start())
                yield (f"{path.relative_to(root)}:{line}: measured at a load average of {load}, "
                       f"above {MAX_LOAD}: measure again")


def of_git(root):
    done = subprocess.run(["git", "-C", root, "status", "--porcelain"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode != 0:
        yield "no git: whether everything is committed is not known"
    for line in done.stdout.splitlines():
        yield f"not committed: {line.strip()}"


def problems(tool):
    yield from check_root.problems(ROOT)
    yield from check_docs.problems()
    if tool:
        yield from check_docs.problems(tool)
    kept, rows = json.loads(scoreboard.KEPT.read_text("utf-8")), scoreboard.rows_of(scoreboard.ROWS.read_text())
    if scoreboard.page(scoreboard.PAGE.read_text(), rows, kept) != scoreboard.PAGE.read_text():
        yield "docs/reliability.md: its tables are not those of docs/scoreboard.json"
    yield from of_figures(kept, rows)
    yield from of_loads(ROOT)
    yield from of_versions(ROOT)
    yield from of_git(ROOT)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", help="run the transcripts of the documents with this bloomery")
    wrong = list(problems(parser.parse_args().tool))
    print("\n".join(f"release-check: {line}" for line in wrong) if wrong else "release-check: ready")
    sys.exit(bool(wrong))
