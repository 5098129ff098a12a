#!/usr/bin/env python3
"""Holds the root of the tree to a list: a file written there by mistake is found.

  tools/check_root.py [ROOT]        what is tracked there is in ENTRIES, and all of ENTRIES exists

Without git, as in an unpacked archive: what lies there, except what .gitignore names.
"""
import fnmatch
import pathlib
import subprocess
import sys

ENTRIES = {
    ".ci", ".clang-format", ".gitignore", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
    "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md", "adapters", "bench", "cli",
    "cmake", "docs", "examples", "fuzz", "include", "packaging", "ports", "spec", "src", "tests", "tools",
}


def tracked(root):
    """The first part of every tracked path; empty where git does not know this folder."""
    try:
        done = subprocess.run(["git", "-C", root, "ls-files", "-z"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
    except FileNotFoundError:
        return set()
    return {name.split("/")[0] for name in done.stdout.decode().split("\0") if name}


def present(root):
    """What lies in the root, except .git and what .gitignore names."""
    ignored = [line.rstrip("/") for line in (root / ".gitignore").read_text().splitlines()] + [".git"]
    return {path.name for path in root.iterdir()
            if not any(fnmatch.fnmatchcase(path.name, pattern) for pattern in ignored)}


def problems(root):
    found = tracked(root) or present(root)
    for name in sorted(found - ENTRIES):
        yield f"{name}: not an entry of the root: remove it, or add it to ENTRIES in tools/check_root.py"
    for name in sorted(ENTRIES - found):
        yield f"{name}: in ENTRIES of tools/check_root.py, but not in the root"


if __name__ == "__main__":
    here = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    wrong = list(problems(here if len(sys.argv) > 1 else here.parent.parent))
    print("\n".join(wrong) if wrong else f"check_root: {len(ENTRIES)} entries, all in the list")
    sys.exit(bool(wrong))
