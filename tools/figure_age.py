#!/usr/bin/env python3
"""How old the figures of docs/reliability.md are: commits since, that touch src or include.

  tools/figure_age.py               one line for the scoreboard and one for the coverage

`make test` prints these lines at its end; `make release-check` fails on any that is not current.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "scoreboard.json"
FOLDERS = ("src", "include")


def commits_since(commit, root=ROOT):
    """Commits after this one that touch FOLDERS; None if it is not in this history, or no git."""
    try:
        done = subprocess.run(["git", "-C", root, "rev-list", "--count", f"{commit}..HEAD", "--", *FOLDERS],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    except FileNotFoundError:
        return None
    return int(done.stdout) if done.returncode == 0 else None


def stamps(kept):
    """What -> the commits that its figures are of.  `coverage` has one; the scoreboard may mix."""
    found = {"scoreboard": sorted({run["commit"] for runs in kept["rows"].values() for run in runs.values()})}
    if "coverage" in kept:
        found["coverage"] = [kept["coverage"]["commit"]]
    return found


def warnings(kept, since=commits_since):
    """A line for each that is not of the sources as they are now."""
    for what, commits in stamps(kept).items():
        for commit in commits:
            where = f"docs/reliability.md: {what} of {commit}"
            age = since(commit.rstrip("+"))
            if age is None:
                yield f"{where}: not a commit of this history, so its age is not known"
            elif age > 0:
                yield f"{where}: {age} commits to {' or '.join(FOLDERS)} since"
            elif commit.endswith("+"):
                yield f"{where}: with changes that were not committed"


def print_warnings():
    for line in warnings(json.loads(KEPT.read_text("utf-8"))):
        print(f"warning: {line}")


if __name__ == "__main__":
    print_warnings()
    sys.exit(0)
