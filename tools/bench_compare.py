#!/usr/bin/env python3
"""Compares the speed of two builds of the tool: before and after a change.

  tools/bench_compare.py BEFORE AFTER [--kinds K,K] [--keys N,N] [--runs R] [--rounds R] [--json FILE]
  tools/bench_compare.py --self-test

BEFORE and AFTER are two programs `bloomery`.  Each kind and number of keys is measured by both in
turn, R runs each (`bloomery bench --json`), the order changed from run to run.  The ratio is that of
the minima over all runs; a change of the machine's speed meets both programs.  Exit status 1 if a
ratio is above the limit (--limit, 1.03).
"""
import argparse
import json
import pathlib
import subprocess
import sys

import test_times

# Calls with keys hashed before; those with a user's keys (`end_to_end`) are added as
# u64_8_absent_ns and the like.  The floors of the same run are the measure of noise, as no change moves them.
CALLS = ["insert_ns", "insert_batched_ns", "present_ns", "absent_ns", "present_batched_ns",
         "absent_batched_ns", "erase_ns", "erase_batched_ns", "insert_v3_ns", "present_v3_ns",
         "absent_v3_ns", "build_ns"]
USER_CALLS = [f"{call}{how}_ns" for call in ("insert", "absent", "present", "mixed") for how in ("", "_batched")]
FLOORS = ["floor_ns", "floor_batched_ns"]


def measure(tool, kind, keys, rounds):
    out = subprocess.run([tool, "bench", "--kind", kind, "--keys", keys, "--rounds", str(rounds), "--json"],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    return flat(json.loads(out))


def flat(found):
    """The calls with a user's keys beside the others, in one table."""
    for row in found.pop("end_to_end", []):
        found.update({f"{row['key']}_{row['key_bytes']}_{call}": row[call] for call in USER_CALLS if call in row})
    return found


def ratios(before, after):
    """Call -> (minimum before, minimum after, ratio), for calls that every run has."""
    found = {}
    of_users = [call for call in before[0] if call.startswith(("u64_", "text_")) and call.endswith("_ns")]
    for call in of_users + CALLS + FLOORS:
        if all(call in run for run in before + after):
            old, new = min(run[call] for run in before), min(run[call] for run in after)
            found[call] = (old, new, new / old if old > 0 else 1.0)
    return found


def compare(tools, kind, keys, runs, rounds):
    """The tools in turn, each first as often as the other."""
    results = ([], [])
    for number in range(runs):
        for side in ((0, 1), (1, 0))[number % 2]:
            results[side].append(measure(tools[side], kind, keys, rounds))
    return ratios(*results)


def kinds_of(tool):
    listed = subprocess.run([tool, "bench", "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    names = listed[listed.index("which filter:") + len("which filter:"):listed.index("--keys")]
    return [name.replace("(default)", "").strip() for name in names.split(",")]


def self_test():
    before = [{"insert_ns": 2.0, "absent_ns": 5.0, "floor_ns": 1.0}, {"insert_ns": 3.0, "absent_ns": 4.0, "floor_ns": 1.0}]
    after = [{"insert_ns": 4.0, "absent_ns": 4.0, "floor_ns": 1.0}, {"insert_ns": 2.5, "floor_ns": 2.0}]
    found = ratios(before, after)
    assert found == {"insert_ns": (2.0, 2.5, 1.25), "floor_ns": (1.0, 1.0, 1.0)}, found
    users = flat({"floor_ns": 1.0, "end_to_end": [{"key": "text", "key_bytes": 16, "absent_ns": 3.0, "absent_median_ns": 9.0}]})
    assert users == {"floor_ns": 1.0, "text_16_absent_ns": 3.0}, users
    assert ratios([users], [{**users, "text_16_absent_ns": 1.5}])["text_16_absent_ns"] == (3.0, 1.5, 0.5)
    assert "text_16_absent_ns" not in ratios([users], before), "a tool without such rows"
    print("bench_compare: self-test passed")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tools", nargs="*")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--keys", default="10000,1000000,10000000")
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=1.03)
    parser.add_argument("--json")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if len(args.tools) != 2:
        parser.error("two programs are needed")
    tools = [str(pathlib.Path(tool).resolve()) for tool in args.tools]
    print(f"{test_times.cpu_model()}; ratio of the minima of {args.runs} runs of {args.rounds} rounds, in turn")
    print("| kind | keys | call | before, ns | after, ns | ratio |\n|---|---|---|---|---|---|")
    above, rows = [], []
    for kind in args.kinds.split(",") if args.kinds else kinds_of(tools[0]):
        for keys in args.keys.split(","):
            for call, (old, new, ratio) in compare(tools, kind, keys, args.runs, args.rounds).items():
                print(f"| {kind} | {keys} | {call.removesuffix('_ns')} | {old:.2f} | {new:.2f} | {ratio:.3f} |", flush=True)
                rows.append({"kind": kind, "keys": keys, "call": call, "before": old, "after": new, "ratio": ratio})
                if ratio > args.limit and call not in FLOORS:
                    above.append(f"{kind} {keys} {call} {ratio:.3f}")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    calls = [row for row in rows if row["call"] not in FLOORS]
    print(f"\n{len(calls)} ratios, {len(above)} above {args.limit}" + "".join(f"\n  {line}" for line in above))
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
