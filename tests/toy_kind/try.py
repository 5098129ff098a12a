#!/usr/bin/env python3
"""Adds a toy kind to a copy of the tree as CONTRIBUTING.md says, and counts what that takes.

  tests/toy_kind/try.py [--work DIR] [--only-count]

DIR (build/toy-kind) gets the copy, tree/, and what is built of it.  Exit status 1 if the kind takes more
than it may (tree.py), or does not appear in the tool, the laws, C, Python, kinds.json or a port.  Where
Go, Rust or packages of Python cannot be had, what was left out is said, and written to the file that
BLOOMERY_SKIPPED names: make test-full-toy-kind then has not passed.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

import shows
import tree

BUILT = ("bloomery_tool", "bloomery_c", "conform", "conform_c", "c_test", "law_test")


def say(text):
    print(f"\n== {text}", flush=True)


def listed(title, names):
    print(f"{title}: {len(names)}")
    for name in names:
        print(f"  {name}")


def build(source, out, targets):
    words = ["cmake", "-S", source, "-B", out, "-G", "Ninja", "--log-level=WARNING", "-DCMAKE_CXX_FLAGS=-O1",
             "-DBLOOMERY_TESTS=ON", "-DBLOOMERY_WERROR=ON", f"-DBLOOMERY_FIXTURES_DIR={out / 'none'}"]
    if shutil.which("ccache"):
        words.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["cmake", "--build", out, "--target", *targets], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-6000:])
        raise SystemExit("toy kind: the copy does not compile")


def generate(copy, out):
    """What is written by programs; the tool is one of them."""
    def run(*words):
        done = subprocess.run([sys.executable, "-B", *words], cwd=copy, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"toy kind: {words[0]} failed: {done.stdout}{done.stderr}")

    run("tools/kind_tables.py")
    if shutil.which("clang-format"):
        subprocess.run(["tools/format.sh"], cwd=copy, check=True)
    build(copy, out, ["bloomery_tool"])
    run("tools/kinds_json.py", "--tool", out / "bloomery", "--write")
    run("tools/check_docs.py", "--write")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--work", type=pathlib.Path, default=tree.ROOT / "build" / "toy-kind")
    options.add_argument("--only-count", action="store_true", help="what is changed by hand, and no more")
    args = options.parse_args()
    work, began = args.work.resolve(), time.monotonic()

    say("adding the toy kind to a copy of the tree")
    before = tree.read(tree.ROOT)
    hand = tree.by_hand(before)
    listed("existing files changed by hand", tree.changed(before, hand))
    listed("new files", tree.added(before, hand))
    if wrong := list(tree.too_much(before, hand)):
        print("\n".join(f"toy kind: {sentence}" for sentence in wrong))
        return 1
    if args.only_count:
        return 0
    copy, out = work / "tree", work / "build"
    tree.write(hand, copy)

    say("building the tool, and generating what is generated")
    generate(copy, out)
    say("building the C interface, the laws and the programs of the conformance kit")
    build(copy, out, BUILT)

    say("what appears where")
    shown = shows.Shown(copy, out, work / "try")
    for show in shows.ALL:
        show(shown)
    after = tree.read(copy, tree.below)
    say("summary")
    old = tree.changed(before, hand)
    cpp = [name for name in old if name.endswith(tree.CPP)]
    listed("existing C++ files changed by hand", cpp)
    listed("other existing files changed by hand", [name for name in old if name not in cpp])
    listed("new files, written by hand", tree.added(before, hand))
    listed("files that programs have changed", tree.changed(hand, after) + tree.added(hand, after))
    print(f"cases: toy_kind {shown.cases}")
    print(f"{shown.cases} checks, {len(shown.failed)} failed, {len(shown.skipped)} parts left out, "
          f"{(time.monotonic() - began) / 60:.1f} minutes")
    if shown.skipped:
        why = "; ".join(shown.skipped)
        print(f"left out: {why}")
        pathlib.Path(os.environ.get("BLOOMERY_SKIPPED", os.devnull)).write_text(why + "\n")
    for line in shown.failed:
        print("failed:", line)
    return 1 if shown.failed else 0


if __name__ == "__main__":
    sys.exit(main())
