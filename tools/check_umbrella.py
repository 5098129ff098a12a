#!/usr/bin/env python3
"""Fails unless include/bloomery/bloomery.hpp includes every public header, in order, and there are at most 40."""
import pathlib
import re
import sys

# What a user has to choose from, live/ included; more belongs into detail/ or into one of these.
MAX_HEADERS = 40
headers = pathlib.Path(__file__).resolve().parent.parent / "include" / "bloomery"
there = sorted({p.relative_to(headers).as_posix().removesuffix(".in") for p in headers.rglob("*.hpp*")
                if "detail" not in p.relative_to(headers).parts} - {"bloomery.hpp"})
listed = re.findall(r"^#include <bloomery/(.+)>$", (headers / "bloomery.hpp").read_text(), re.M)
if listed != there:
    for name in sorted(set(there) ^ set(listed)):
        print(f"include/bloomery/bloomery.hpp: {'lacks' if name in there else 'names the missing'} {name}")
    if set(there) == set(listed):
        print("include/bloomery/bloomery.hpp: not in alphabetical order, or a header twice")
    sys.exit(1)
if len(there) + 1 > MAX_HEADERS:
    sys.exit(f"include/bloomery: {len(there) + 1} headers outside detail/, at most {MAX_HEADERS} are allowed")
print(f"check_umbrella: all {len(there)} public headers are there")
