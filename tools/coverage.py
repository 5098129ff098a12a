#!/usr/bin/env python3
"""What the tests reach, from the counts that gcov left in a build tree (make coverage).

  tools/coverage.py build/coverage

Prints lines and branches by folder; writes beside them uncovered.txt, every line and branch that
was not reached, and summary.json for tools/scoreboard.py.  Branches are those of lines with a
condition; not those that the compiler makes for exceptions or out of other lines, nor those of
assert: the library throws nothing, and an assert that fails ends the process.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

import scoreboard

ROOT = scoreboard.ROOT
FOLDERS = ["include/bloomery", "src", "adapters/c", "cli"]  # the library is the first two
LIBRARY = ("include/", "src/")
CONDITION = re.compile(r"\b(if|for|while|case|switch)\b|\?|&&|\|\|")


def counts(build):
    done = subprocess.run(
        ["gcovr", "--root", ROOT, *(f"--filter={ROOT}/{folder}/" for folder in FOLDERS),
         f"--exclude={ROOT}/adapters/c/tests/", "--exclude-throw-branches",
         "--exclude-unreachable-branches", r"--exclude-branches-by-pattern=^\s*assert\(.*",
         "-j2", "--json", "-", build],
        stdout=subprocess.PIPE, check=True, cwd=ROOT)
    return json.loads(done.stdout)["files"]


def folder_of(path):
    """Two levels of the tree: src/format, include/bloomery, cli/command."""
    return "/".join(pathlib.PurePath(path).parts[:-1][:2])


def branches_of(line, text):
    code = text[line["line_number"] - 1].partition("//")[0]
    return line["branches"] if CONDITION.search(code) else []


class Tally:
    def __init__(self):
        self.lines, self.branches = [0, 0], [0, 0]

    def add(self, lines, branches):
        for to, some in ((self.lines, lines), (self.branches, branches)):
            to[0] += sum(map(bool, some))
            to[1] += len(some)

    def facts(self):
        return {"lines": self.lines, "branches": self.branches}


def main():
    build = pathlib.Path(sys.argv[1]).absolute()
    by_folder, library = collections.defaultdict(Tally), Tally()
    missed = []
    for file in counts(build):
        text = (ROOT / file["file"]).read_text("utf-8").splitlines()
        lines = [line for line in file["lines"] if not line.get("gcovr/noncode")]
        reached = [line["count"] > 0 for line in lines]
        taken = [b["count"] > 0 for line in lines for b in branches_of(line, text)]
        by_folder[folder_of(file["file"])].add(reached, taken)
        if file["file"].startswith(LIBRARY):
            library.add(reached, taken)
        for line in lines:
            no = [b for b in branches_of(line, text) if not b["count"]]
            if line["count"] and not no:
                continue
            what = f"{len(no)} of {len(line['branches'])} branches" if line["count"] else "line"
            at = line["line_number"]
            missed.append(f"{file['file']}:{at}: {what}: {text[at - 1].strip()}")
    (build / "uncovered.txt").write_text("\n".join(missed) + "\n")
    summary = {**library.facts(), "folders": {name: tally.facts() for name, tally in
                                              sorted(by_folder.items())},
               **scoreboard.current_state()}
    (build / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    print("\n".join(scoreboard.coverage_table(summary)))
    print(f"coverage: library: {scoreboard.share(library.lines)} of lines, "
          f"{scoreboard.share(library.branches)} of branches; the rest is in {build}/uncovered.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
