#!/usr/bin/env python3
"""Fails unless a shared libbloomery shows its own symbols only and needs no libxxhash."""
import subprocess
import sys


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


library = sys.argv[1]
exported = [line.split(maxsplit=2)[2] for line in lines("nm", "-DC", "--defined-only", library)]
foreign = [name for name in exported if not name.startswith("bloomery::v1::")]
needed = [line for line in lines("readelf", "-d", library) if "NEEDED" in line and "xxhash" in line]
for name in foreign:
    print(f"exported, but not ours to show: {name}")
for line in needed:
    print(f"linked, but meant to be compiled in: {line.strip()}")
print(f"{len(exported)} symbols, {len(foreign)} foreign")
sys.exit(bool(foreign or needed or not exported))
