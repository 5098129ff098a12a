#!/usr/bin/env python3
"""Feeds the same mutated files to every implementation, and compares verdicts, offsets and answers.

  tools/mutate_foreign.py --cpp PROGRAM --c PROGRAM --go DIR --rust DIR --python DIR [--build DIR]
  tools/mutate_foreign.py ... --cases N     how many (2,000; 100,000 where BLOOMERY_TEST_FULL=1)
  tools/mutate_foreign.py ... --seed TEXT   others
  tools/mutate_foreign.py ... --case I      only that one; its script is printed

Cases are other systems' files, bare and in containers, containers of every kind, and notes, all of
them drawn (tools/mutations) and the same in every run of a seed.  Each implementation reads them by
its program of the conformance kit.  What spec/conformance.md section 7 leaves open is not drawn:
everything else must be the same, word for word.  Exit status 0 if it is, else 1.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import conformance
from mutations import cases

FULL = os.environ.get("BLOOMERY_TEST_FULL") == "1"
KEYS = "k[0..9] x[0..15] x:2a00000000000000 x:"
AT_ONCE = 500  # cases in a script
# What a case is decoded into: a filter, a packed set, or what is refused and not asked.
FILTER, SET, REFUSED = "f", "p", "r"


def lines_of(case, target):
    """The lines of a script, and what each is about."""
    lines = [(f"bytes b {case.data.hex() or '-'}", "bytes")]
    if case.how.startswith("native"):
        lines.append(("inspect b", "inspect"))
    lines.append((f"decode {target} b {case.how}", "decode"))
    if target != REFUSED:
        lines.append((f"query {target} {KEYS}" + (" member=0" if target == SET else ""), "query"))
    return lines


def target_of(verdict):
    if verdict is None or not verdict.startswith("ok"):
        return REFUSED
    return SET if "kind=packed" in verdict else FILTER


def first_lines(pool):
    """Something that answers, for whoever refuses the first case that is asked."""
    return [f"bytes b {pool.packed.hex()}", f"decode {SET} b native",
            "bytes b 1262404a03200c72b084e001d282441015d202400640a48548481e20c1609020",
            f"decode {FILTER} b parquet variant=bitset"]


class Runner:
    def __init__(self, name, command, folder, first):
        self.name, self.command, self.first = name, command, first
        self.path = pathlib.Path(folder) / f"{name}.script"

    def trace(self, lines):
        """What each line says; None from where the program ended before the script did."""
        self.path.write_text("\n".join([*self.first, *lines]) + "\n")
        _, said, complaint = conformance.run(self.command, "script", self.path)
        results = [line.partition(" ")[2] for line in said.splitlines()][len(self.first):]
        if len(results) < len(lines):
            results.append("ended: " + complaint.strip()[-200:])
        return results + [None] * (len(lines) - len(results))

    def answers(self, scripts):
        """For each case, what its lines say. After a case at which the program ended, it is begun anew."""
        found = []
        while len(found) < len(scripts):
            rest = scripts[len(found):]
            trace = iter(self.trace([line for script in rest for line, _ in script]))
            for script in rest:
                found.append([next(trace) for _ in script])
                if any(said is None or said.startswith("ended") for said in found[-1]):
                    break
        return found


def offers(name, case):
    """Whether an implementation reads the form of a bare file: those below `all` read one dialect (conformance.md)."""
    form = case.how.split()[0]
    return conformance.LEVELS[name] == conformance.ALL or form in ("native", "portable", *conformance.DIALECTS)


def may_refuse(name, case, said):
    """Whether a container names a dialect that an implementation need not offer, and it says so, where the notes begin."""
    if conformance.LEVELS[name] == conformance.ALL or len(case.data) < 128 or not case.how.startswith("native"):
        return False
    notes = len(case.data) - 4 - int.from_bytes(case.data[96:100], "little")
    return conformance.names_other_dialect(case.data) and said == f"error unsupported at={notes}"


def batch(runners, pool, seed, numbers, workers):
    """Cases, the lines of each and what everybody says to them."""
    drawn = [cases.draw(pool, seed, i) for i in numbers]
    # The first implementation is asked twice: only filters that it accepts have answers.
    verdicts = runners[0].answers([lines_of(case, REFUSED) for case in drawn])
    scripts = [lines_of(case, target_of(said[-1])) for case, said in zip(drawn, verdicts)]
    def answers(runner):
        mine = [script if offers(runner.name, case) else [] for case, script in zip(drawn, scripts)]
        return runner.answers(mine)
    said = list(workers.map(answers, runners))
    return drawn, scripts, said


def shape(said):
    """What was said without its numbers, to group what is alike."""
    return re.sub(r"[0-9]+", "#", str(said)) if said is not None else "nothing"


class Differences:
    def __init__(self, names):
        self.names, self.groups = names, collections.OrderedDict()

    def compare(self, number, case, script, answers):
        asked = [i for i, name in enumerate(self.names) if offers(name, case)]
        for place, (line, about) in enumerate(script):
            if about == "decode":
                asked = [i for i in asked if not may_refuse(self.names[i], case, answers[i][place])]
            said = [answers[i][place] if i in asked else "-" for i in range(len(answers))]
            if len({said[i] for i in asked}) == 1:
                continue
            short = [s if about == "decode" or s is None else s[:60] for s in said]
            group = case.family, about, tuple(map(shape, short))
            self.groups.setdefault(group, []).append((number, line if about == "decode" else about, said))
            return

    def show(self):
        for (family, about, _), found in sorted(self.groups.items(), key=lambda g: -len(g[1])):
            number, line, said = found[0]
            print(f"\n{len(found)} cases, {family}, {about}; case {number}: {line}")
            for name, one in zip(self.names, said):
                print(f"  {name:<8}{one}")
            print("  also: " + " ".join(str(n) for n, _, _ in found[1:9]))
        return sum(map(len, self.groups.values()))


def print_case(pool, seed, number):
    case = cases.draw(pool, seed, number)
    print(f"# case {number}: {case.family}")
    for line, _ in lines_of(case, FILTER):
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    conformance.add_implementations(parser)
    parser.add_argument("--cases", type=int, default=100_000 if FULL else 2_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--case", type=int, metavar="I")
    args = parser.parse_args()
    pool = cases.Pool(conformance.SPEC / "vectors")
    if args.case is not None:
        print_case(pool, args.seed, args.case)
    found = conformance.implementations(args)
    if not found:
        parser.error("name at least one implementation")
    numbers = range(args.cases) if args.case is None else [args.case]
    families, accepted = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="bloomery-") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        runners = [Runner(name, command, folder, first_lines(pool)) for name, command in found.items()]
        differences = Differences(list(found))
        for begin in range(0, len(numbers), AT_ONCE):
            part = numbers[begin:begin + AT_ONCE]
            drawn, scripts, said = batch(runners, pool, args.seed, part, workers)
            for i, (number, case, script) in enumerate(zip(part, drawn, scripts)):
                families[case.family] += 1
                accepted[case.family] += script[-1][1] == "query"
                differences.compare(number, case, script, [answers[i] for answers in said])
    different = differences.show()
    print("\nmutated files".ljust(19) + f"{'cases':>9}{'accepted':>10}")
    for family, count in sorted(families.items()):
        print(f"{family:<18}{count:>9}{accepted[family]:>10}")
    print(f"\n{sum(families.values())} cases, seed {args.seed}, {', '.join(found)}: {different} differences")
    print(f"cases: files {sum(families.values())}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
