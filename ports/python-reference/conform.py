#!/usr/bin/env python3
"""spec/conformance.md, section 1: the program `conform`.

    conform.py vectors DIR [--verbose]     every JSON file in DIR; --verbose names the cases that were skipped
    conform.py script FILE [--files DIR]   one script; its trace on standard output
"""

import sys

from bloomery_reference.conformance import script, vectors
from bloomery_reference.conformance.words_of_keys import NotAScript


def run_vectors(folder, verbose):
    status = 0
    for name in vectors.names(folder):
        report = vectors.check_file(folder, name)
        print(f"{name} passed={report.passed} skipped={len(report.skipped)} failed={len(report.failed)}", flush=True)
        for line in report.failed:
            print(f"  {line}")
            status = 1
        if verbose:
            for line in report.skipped:
                print(f"  skipped: {line}")
    return status


def run_script(path, folder):
    with open(path, encoding="ascii") as file:
        text = file.read()
    for line in script.run(text, folder):
        print(line)
    return 0


def main(arguments):
    try:
        if len(arguments) in (2, 3) and arguments[0] == "vectors" and arguments[2:] in ([], ["--verbose"]):
            return run_vectors(arguments[1], len(arguments) == 3)
        if len(arguments) == 2 and arguments[0] == "script":
            return run_script(arguments[1], ".")
        if len(arguments) == 4 and arguments[0] == "script" and arguments[2] == "--files":
            return run_script(arguments[1], arguments[3])
    except (OSError, ValueError, NotAScript) as problem:
        print(problem, file=sys.stderr)
        return 2
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
