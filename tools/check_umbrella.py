#!/usr/bin/env python3
"""Fails unless include/bloomery/bloomery.hpp includes every public header, in order."""
import pathlib
import re
import sys

headers = pathlib.Path(__file__).resolve().parent.parent / "include" / "bloomery"
there = sorted({p.name.removesuffix(".in") for p in headers.glob("*.hpp*")} - {"bloomery.hpp"})
listed = re.findall(r"^#include <bloomery/(.+)>$", (headers / "bloomery.hpp").read_text(), re.M)
if listed != there:
    for name in sorted(set(there) ^ set(listed)):
        print(f"include/bloomery/bloomery.hpp: {'lacks' if name in there else 'names the missing'} {name}")
    if set(there) == set(listed):
        print("include/bloomery/bloomery.hpp: not in alphabetical order, or a header twice")
    sys.exit(1)
print(f"check_umbrella: all {len(there)} public headers are there")
