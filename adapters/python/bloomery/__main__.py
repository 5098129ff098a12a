"""python -m bloomery: the command-line tool, which is a program inside the package."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_tool")
    if not os.path.exists(tool):
        sys.exit("bloomery: this package was built without the tool; -Ccmake.define.BLOOMERY_PYTHON_TOOL=ON adds it")
    # Its own name in messages; signals reach it as any program.
    os.execv(tool, ["bloomery", *sys.argv[1:]])


if __name__ == "__main__":
    main()
