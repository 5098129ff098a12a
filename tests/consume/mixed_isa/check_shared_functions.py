#!/usr/bin/env python3
"""Functions that the linker may share between translation units hold no vector instructions.

  check_shared_functions.py COMPILER SOURCE FLAG...

Where two translation units have the same function, the linker keeps one copy.  If it keeps the one that was compiled
for x86-64-v3, a program that runs on an older CPU, and asked before it used its own v3 half, ends with an illegal
instruction.  SOURCE is compiled with -march=x86-64-v3 and its weak symbols are read.  Functions of the library whose
names have the instruction set in them (BLOOMERY_BY_ISA) are shared by no other.
"""
import os
import re
import subprocess
import sys
import tempfile

VECTOR = re.compile(r"v[a-z]|mulx|shlx|shrx|sarx|andn|rorx|bzhi|bextr|bls|pdep|pext|tzcnt|lzcnt")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def main():
    compiler, source, *flags = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        built = os.path.join(folder, "every_call.o")
        subprocess.run([compiler, *flags, "-O3", "-march=x86-64-v3", "-c", source, "-o", built], check=True)
        shared = {m[1] for line in output_of("nm", "-C", built) if (m := re.match(r"[0-9a-f]* [WVu] (.*)", line))}
        functions, inside, leaks = 0, None, {}
        for line in output_of("objdump", "-d", "-C", "--no-show-raw-insn", built):
            if m := re.match(r"[0-9a-f]+ <(.*)>:$", line):
                inside, functions = m[1], functions + 1
            elif (m := re.match(r"\s+[0-9a-f]+:\t(\S+)", line)) and VECTOR.match(m[1]):
                if inside in shared and "::by_avx2::" not in inside:
                    leaks[inside] = m[1]
    for name, instruction in leaks.items():
        print(f"shared with other translation units, and compiled to {instruction}: {name}")
    print(f"cases: functions {functions}")
    return 1 if leaks or functions < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
