#!/usr/bin/env python3
"""CPU seconds that a header costs each file that includes it, and as a multiple of
<vector> with <string>, which most files have anyway (machines differ, the multiple less).

  tools/compile_times.py                             the two that have a bound
  tools/compile_times.py --all                       every public header
  tools/compile_times.py --std span algorithm        headers of the standard library
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = ["vector", "string"]
BOUNDED = ["bloomery/bloomery.hpp", "bloomery/block_bloom.hpp"]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(headers, command, folder):
    source = folder / "includes.cpp"
    source.write_text("".join(f"#include <{h}>\n" for h in headers))
    before = cpu_seconds()
    run = subprocess.run([*command, str(source)], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"compile_times: {' '.join(headers)} does not compile\n{run.stderr}")
    return cpu_seconds() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every public header")
    parser.add_argument("--std", nargs="+", default=[], metavar="HEADER", help="headers of the standard library")
    parser.add_argument("--runs", type=int, default=5, help="the least of so many runs, taken in turn (5)")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="another tree")
    options = parser.parse_args()
    if shutil.which(options.compiler) is None:
        sys.exit(f"compile_times: no compiler {options.compiler}")
    include = options.root / "include"
    asked = [[h] for h in options.std] or [[h] for h in BOUNDED]
    if options.all:
        public = (p for p in (include / "bloomery").rglob("*.hpp") if "detail" not in p.parts)
        asked = [[str(p.relative_to(include))] for p in sorted(public)]
    rows = [BASE, *asked]
    least = {tuple(r): float("inf") for r in rows}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # CMake writes this one from cmake's template; its content costs nothing.
        (folder / "bloomery").mkdir()
        (folder / "bloomery/version.hpp").write_text("#pragma once\n")
        command = [options.compiler, "-std=c++20", "-O2", f"-I{include}", f"-I{folder}", "-c", "-o", "includes.o"]
        for _ in range(options.runs):
            for r in rows:
                least[tuple(r)] = min(least[tuple(r)], seconds_of(r, command, folder))
    base = least[tuple(BASE)]
    print(f"{'CPU s':>6} {'times':>6}  header")
    for r in [BASE, *sorted(asked, key=lambda r: least[tuple(r)])]:
        taken = least[tuple(r)]
        print(f"{taken:6.2f} {taken / base:6.2f}  {', '.join(r)}")


if __name__ == "__main__":
    main()
