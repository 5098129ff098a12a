#!/usr/bin/env python3
"""Measures the package beside rbloom, pybloom-live, pyprobables and pyfusefilter, those that are installed.

  compare.py [--keys N] [--rounds R] [--json]
  compare.py --tree BUILD      also the same batches in C++, with the library of that build folder

Nanoseconds per key, the best of R rounds, at 1 %: one call per key, then whole batches.  Rounds of
all packages take turns, so that a slow moment of the machine hurts all of them.  The loop itself
(`for key in keys: pass`) is part of the first three columns.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import bloomery
import bloomery.rbloom

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RATE = 0.01


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def cpu():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def one_by_one(f, keys, absent):
    """Columns add, present, absent: methods are looked up in each round, as in most programs."""

    def add():
        for key in keys:
            f.add(key)

    def present():
        for key in keys:
            key in f  # noqa: B015

    def missing():
        for key in absent:
            key in f  # noqa: B015

    return {"add": add, "in_present": present, "in_absent": missing}


def empty_loop(keys):
    def loop():
        for _ in keys:
            pass

    return {"add": loop, "in_present": loop, "in_absent": loop}


def cases(keys, absent, slow):
    """Name -> column -> (call, keys of it); and name -> bytes of its filter."""
    n, sizes = len(keys), {}
    found = {"an empty loop": {c: (call, n) for c, call in empty_loop(keys).items()}}
    f = bloomery.Filter(n, RATE)
    ours = {c: (call, n) for c, call in one_by_one(f, keys, absent).items()}
    found[f"bloomery {bloomery.__version__}"] = ours
    ours["update"] = (lambda: f.update(keys), n)
    ours["query"] = (lambda: f.may_contain(keys), n)
    sizes[f"bloomery {bloomery.__version__}"] = f.size_in_bytes
    numpy, pyarrow, polars = optional("numpy"), optional("pyarrow"), optional("polars")
    if pyarrow:
        strings = pyarrow.array(keys)
        found["  an Arrow string array"] = {"update": (lambda: f.update(strings), n), "query": (lambda: f.may_contain(strings), n)}
    if polars:
        series = polars.Series(keys)
        found["  a Polars Series"] = {"update": (lambda: f.update(series), n), "query": (lambda: f.may_contain(series), n)}
    if numpy:
        numbers = numpy.arange(n, dtype=numpy.uint64)
        ids = bloomery.Filter(n, RATE, source="integers")
        found["  a NumPy array of uint64"] = {"update": (lambda: ids.update(numbers), n), "query": (lambda: ids.may_contain(numbers), n)}
    integers = [i * 0x9E37_79B9_7F4A_7C15 % 2**61 for i in range(n)]
    others = [i + 1 for i in integers]
    numbered = bloomery.Filter(n, RATE, source="integers")
    found["  integers"] = {c: (call, n) for c, call in one_by_one(numbered, integers, others).items()}
    fuse = bloomery.Filter.build(integers, RATE, kind="fuse", source="integers")
    found["  kind='fuse', integers"] = {c: (call, n) for c, call in one_by_one(fuse, integers, others).items() if c != "add"}
    sizes["  kind='fuse', integers"] = fuse.size_in_bytes
    classic = bloomery.Filter(n, RATE, kind="bloom")
    row = {c: (call, n) for c, call in one_by_one(classic, keys, absent).items()}
    found["  kind='bloom'"] = row | {"update": (lambda: classic.update(keys), n), "query": (lambda: classic.may_contain(keys), n)}
    sizes["  kind='bloom'"] = classic.size_in_bytes
    same = bloomery.rbloom.Bloom(n, RATE)
    found["bloomery.rbloom"] = {c: (call, n) for c, call in one_by_one(same, keys, absent).items()}
    sizes["bloomery.rbloom"] = same.size_in_bits // 8
    rbloom = optional("rbloom")
    if rbloom:
        b = rbloom.Bloom(n, RATE)
        theirs = {c: (call, n) for c, call in one_by_one(b, keys, absent).items()}
        theirs["update"] = (lambda: b.update(keys), n)
        found[f"rbloom {version('rbloom')}, hash()"] = theirs
        sizes[f"rbloom {version('rbloom')}, hash()"] = b.size_in_bits // 8
        r = rbloom.Bloom(n, RATE)
        found["  of integers"] = {c: (call, n) for c, call in one_by_one(r, integers, others).items()}
    few, gone = keys[:slow], absent[:slow]
    pybloom = optional("pybloom_live")
    if pybloom:
        p = pybloom.BloomFilter(n, RATE)
        found[f"pybloom-live {version('pybloom-live')}"] = {c: (call, slow) for c, call in one_by_one(p, few, gone).items()}
    probables = optional("probables")
    if probables:
        q = probables.BloomFilter(est_elements=n, false_positive_rate=RATE)
        found[f"pyprobables {version('pyprobables')}"] = {c: (call, slow) for c, call in one_by_one(q, few, gone).items()}
    found |= fuse_of_another(integers[:slow], others[:slow])
    return found, sizes


def fuse_of_another(few, gone):
    """pyfusefilter: 8 bits per slot, 0.4 %; nothing where it cannot hash, as 1.3 with new versions of xxhash."""
    package = optional("pyfusefilter")
    try:
        f = package.Fuse8(few) if package else None
    except TypeError:
        f = None
    if f is None:
        return {}
    calls = one_by_one(f, few, gone)
    return {f"pyfusefilter {version('pyfusefilter')}, Fuse8": {c: (calls[c], len(few)) for c in ("in_present", "in_absent")}}


def measure(found, rounds):
    best = {name: {} for name in found}
    for _ in range(rounds):
        for name, columns in found.items():
            for column, (call, n) in columns.items():
                if column in ("update", "query"):
                    call()  # its memory comes to the caches, as in the rounds of the C++ program
                begin = time.perf_counter()
                call()
                took = (time.perf_counter() - begin) / n * 1e9
                best[name][column] = min(took, best[name].get(column, took))
    return best


def import_time():
    """Milliseconds of `import bloomery` in a new process, less those of an empty one."""

    def run(code):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begin

    return 1e3 * (min(run("import bloomery") for _ in range(7)) - min(run("pass") for _ in range(7)))


def in_cpp(tree, n, rounds):
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "baseline"
        library = next(p for p in (tree / "src" / "libbloomery.a", tree / "library" / "src" / "libbloomery.a") if p.exists())
        subprocess.run(["c++", "-std=c++20", "-O3", "-DNDEBUG", f"-I{ROOT / 'include'}", f"-I{library.parents[1] / 'include'}",
                        HERE / "baseline.cpp", library, "-pthread", "-o", program], check=True)
        said = subprocess.run([program, str(n), str(rounds)], check=True, capture_output=True, text=True).stdout
    texts_in, texts_asked, numbers_in, numbers_asked = map(float, said.split())
    return {"C++, views of the same bytes": {"update": texts_in, "query": texts_asked},
            "C++, std::uint64_t": {"update": numbers_in, "query": numbers_asked}}


COLUMNS = {"add": "add", "in_present": "in, present", "in_absent": "in, absent", "update": "bulk add", "query": "bulk query"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tree", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    keys = [f"user-{i:012d}" for i in range(args.keys)]
    absent = [f"none-{i:012d}" for i in range(args.keys)]
    for key in (*keys, *absent):
        hash(key)  # Python keeps it with the str: rbloom at its best
    found, sizes = cases(keys, absent, min(args.keys, 20_000))
    rows = measure(found, args.rounds)
    if args.tree:
        rows |= in_cpp(args.tree, args.keys, args.rounds)
    facts = {"cpu": cpu(), "python": platform.python_version(), "keys": args.keys, "fpr": RATE,
             "import_ms": round(import_time(), 1), "bytes": sizes}
    if args.json:
        print(json.dumps({**facts, "ns_per_key": rows}, indent=2))
        return
    print(f"{args.keys:,} keys at {RATE:.0%}, ns per key; Python {facts['python']}, {facts['cpu']}; "
          f"import {facts['import_ms']} ms\n")
    width = max(map(len, rows))
    print(" " * width + "".join(f"{title:>13}" for title in (*COLUMNS.values(), "bytes")))
    for name, row in rows.items():
        size = f"{sizes[name]:,}" if name in sizes else "-"
        print(f"{name:<{width}}" + "".join(f"{row[c]:>13.1f}" if c in row else f"{'-':>13}" for c in COLUMNS) + f"{size:>13}")


if __name__ == "__main__":
    main()
