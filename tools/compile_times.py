#!/usr/bin/env python3
"""CPU seconds that a header costs each file that includes it, and as a multiple of
<vector> with <string>, which most files have anyway (machines differ, the multiple less).

  tools/compile_times.py                             the two that have a bound
  tools/compile_times.py --all                       every public header
  tools/compile_times.py --std span algorithm        headers of the standard library
  tools/compile_times.py --lines                     fails if one that has a bound has too many
                                                     lines after the preprocessor, or includes a
                                                     header of the standard library that is
                                                     dear: a test, for it does not depend on
                                                     the machine's load
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = ["vector", "string"]
BOUNDED = ["bloomery/bloomery.hpp", "bloomery/block_bloom.hpp"]
# Lines of each as a multiple of BASE's; there were 2.3 and 0.8 when this was written.
MAX_LINES = {"bloomery/bloomery.hpp": 2.8, "bloomery/block_bloom.hpp": 1.3}
# Each costs a file more than a filter does; durations.hpp, owned.hpp and chosen_call.hpp in
# include/bloomery/detail say what stands in for some of them.
DEAR = ["chrono", "condition_variable", "filesystem", "functional", "future", "iostream", "istream", "iterator",
        "map", "memory", "mutex", "numeric", "ostream", "random", "ranges", "regex", "set", "sstream", "thread",
        "unordered_map", "unordered_set", "vector"]


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


def lines_of(headers, command, folder):
    source = folder / "includes.cpp"
    source.write_text("".join(f"#include <{h}>\n" for h in headers))
    run = subprocess.run([*command, "-E", "-P", str(source)], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"compile_times: {' '.join(headers)} does not compile\n{run.stderr}")
    return sum(1 for line in run.stdout.splitlines() if line.strip())


def too_long(lines, base):
    """`lines` of each header that has a bound, beside those of BASE."""
    for header, bound in MAX_LINES.items():
        if (times := lines[header] / base) > bound:
            yield (f"{header}: {lines[header]:,} lines after the preprocessor, {times:.2f} times those of <vector> with "
                   f"<string>; at most {bound} are allowed")


def dear_includes(include):
    for path in sorted((include / "bloomery").rglob("*.hpp")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r"#include <(\w+)>", line)
            if found and found[1] in DEAR:
                yield f"{path.relative_to(include)}:{number}: <{found[1]}> costs each file that includes it too much"


def check_lines(include, command, folder):
    base = lines_of(BASE, command, folder)
    lines = {header: lines_of([header], command, folder) for header in MAX_LINES}
    wrong = [*too_long(lines, base), *dear_includes(include)]
    print("\n".join(wrong) or "compile_times: " + ", ".join(f"{h} {n / base:.2f}" for h, n in lines.items())
          + " times the lines of <vector> with <string>")
    sys.exit(bool(wrong))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every public header")
    parser.add_argument("--std", nargs="+", default=[], metavar="HEADER", help="headers of the standard library")
    parser.add_argument("--runs", type=int, default=5, help="the least of so many runs, taken in turn (5)")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="another tree")
    parser.add_argument("--lines", action="store_true", help="checks the bounds in lines")
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
        if options.lines:
            check_lines(include, command[:-3], folder)
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
