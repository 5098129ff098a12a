#!/usr/bin/env python3
"""Fails unless every batch loop of the library fetches lines ahead, before and in its loop.

  check_fetches.py LIBRARY    a static libbloomery for x86-64, built with optimization

GCC before version 14 drops calls of functions that only prefetch (its bug 109985); what
is inlined always is safe.  No test of bits can see the difference, so the instructions
are counted.
"""
import re
import subprocess
import sys

# The block filters, by each instruction set and profile; the filters of scattered bits.
BLOCKS = re.compile(r"block_loops_of<.*>::"
                    r"(insert|insert_shared|insert_locked|query|query_integers|query_bits)\([^()]*\)$")
PROBES = ("bloom_probe", "partitioned_probe", "portable_probe")
LEAST = 2  # before the loop, and in it


def fetches_by_function(library):
    text = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", library],
                          check=True, capture_output=True, text=True).stdout
    counts, name = {}, None
    for line in text.splitlines():
        if line.endswith(">:"):
            name = line.split(" <", 1)[1][:-2]
            counts.setdefault(name, 0)
        elif "\tprefetch" in line:
            counts[name] += 1
    return counts


def main(library):
    counts = fetches_by_function(library)
    asked = {n: c for n, c in counts.items() if BLOCKS.search(n)}
    wrong = [f"{c} fetches: {n}" for n, c in asked.items() if c < LEAST]
    if not asked:
        wrong.append("no loops of the block filters found")
    # The compiler may inline these into their callers, so one of several names has them.
    for probe in PROBES:
        for verb in "insert", "insert_shared":
            most = max((c for n, c in counts.items()
                        if probe in n and re.search(rf"\b{verb}\b", n)), default=0)
            if most < LEAST:
                wrong.append(f"{most} fetches: {verb} by {probe}")
    for what in wrong:
        print(what)
    print(f"{len(asked) + 2 * len(PROBES)} loops, {len(wrong)} without fetches")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
