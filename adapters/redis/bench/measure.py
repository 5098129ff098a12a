#!/usr/bin/env python3
"""Operations per second of the BF commands in a Redis server, and nanoseconds per item inside the module.

  measure.py BUILD [--items N] [--rounds R] [--calls C]

BUILD: a release tree with engines/bloomery_redis.so and engines/bloomery_redis_replies.so.  Needs Debian's redis-tools. The
server is started on a free port of loopback and stopped.  Rounds are interleaved; the best and the median are printed.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "engines" / "redis"))
from server import Server  # noqa: E402

BATCHES = (1, 16, 64, 256)


def fill(c, items):
    c("BF.RESERVE", "f", "0.01", items)
    for i in range(0, items, 100_000):
        c.pipe([("BF.MADD", "f", *(f"{n:012d}" for n in range(j, min(j + 1000, items))))
                for j in range(i, min(i + 100_000, items), 1000)], at_once=20)


def benchmark(port, items, calls, words, pipeline=16):
    """Requests per second and (p50, p99) in ms; half of the items asked for are there."""
    said = subprocess.run(["redis-benchmark", "-p", str(port), "-c", "10", "-P", str(pipeline), "-n", str(calls), "-r",
                           str(2 * items), "--csv", *words], capture_output=True, text=True, check=True).stdout
    fields = [f.strip('"') for f in said.splitlines()[-1].split('","')]
    return float(fields[1]), float(fields[4]), float(fields[6])


def inside(c, command):
    """Nanoseconds per call, by INFO commandstats."""
    found = re.search(rf"cmdstat_{re.escape(command)}:calls=(\d+),usec=(\d+)", c("INFO", "commandstats").decode(), re.I)
    return 1000 * int(found[2]) / int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=200_000, help="single calls per round; batches take fewer")
    a = parser.parse_args()
    engines = a.build.resolve() / "engines"
    server = Server("--loadmodule", engines / "bloomery_redis_replies.so", module=str(engines / "bloomery_redis.so"))
    try:
        run(server, a)
    finally:
        server.stop()


def run(server, a):
    c = server.client()
    fill(c, a.items)
    rows = {("PING", 0): []}
    for command in ("bf.exists", "bf.mexists", "replies.integers", "bf.add", "bf.madd"):
        for n in BATCHES if command not in ("bf.exists", "bf.add") else (1,):
            rows[command, n] = []
    for _ in range(a.rounds):
        for (command, n), measured in rows.items():
            if command in ("bf.add", "bf.madd"):  # into a filter of its own, which has room
                c("DEL", "w")
                c("BF.RESERVE", "w", "0.01", 2 * a.items)
            words = ["PING"] if n == 0 else [command, "w" if "add" in command else "f", *["__rand_int__"] * n]
            c("CONFIG", "RESETSTAT")
            rate, p50, p99 = benchmark(server.port, a.items, max(1000, a.calls // max(1, n)), words)
            measured.append((rate * max(1, n), p50, p99, inside(c, command) / max(1, n)))
    print(f"{a.items} items at 1 %, {a.rounds} rounds, 16 calls in flight on each of 10 connections: median (best)\n")
    print("| command | items per call | items/s | p50 ms | p99 ms | ns per item in the command |")
    print("|---|---|---|---|---|---|")
    for (command, n), measured in rows.items():
        rate, p50, p99, ns = zip(*measured)
        print(f"| {command.upper()} | {n or ''} | {statistics.median(rate):,.0f} ({max(rate):,.0f}) | {statistics.median(p50):.2f} | "
              f"{statistics.median(p99):.2f} | {statistics.median(ns):.0f} ({min(ns):.0f}) |")


if __name__ == "__main__":
    main()
