#!/usr/bin/env python3
"""Writes a portable file (spec/dialects.md, section 1) of the keys on standard input, one per line.

    seq -f 'k%g' 0 999 | write_portable.py KEYS RATE FILE [--force]

KEYS and RATE size the filter (spec/filters.md, 1.4). A rate that it cannot keep is warned of or, without --force, refused
(1.5). Exit status: 0; 1 if it was refused; 2 for a wrong call.
"""

import sys

from bloomery_reference.dialects import portable as portable_dialect
from bloomery_reference.errors import Refusal
from bloomery_reference.model.attainable import KEPT, promise, size_checked
from bloomery_reference.portable import PortableBloom


def main(arguments):
    force = arguments[3:] == ["--force"]
    try:
        n, p, path = int(arguments[0]), float(arguments[1]), arguments[2]
    except (IndexError, ValueError):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        filter = PortableBloom(*size_checked(n, p, force))
        verdict, true = promise(n, p)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    if verdict != KEPT:
        print(f"warning: the true rate is {true:.3e}, not {p}", file=sys.stderr)
    for line in sys.stdin.buffer:
        filter.insert(line.removesuffix(b"\n"))
    with open(path, "wb") as file:
        file.write(portable_dialect.encode(filter))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
