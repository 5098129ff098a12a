#!/usr/bin/env python3
"""Runs the conformance kit (spec/conformance.md) on every implementation, and prints the matrix.

  tools/conformance.py --cpp build/dev/tests/conform --c build/dev/adapters/c/conform_c
  tools/conformance.py ... --tool build/dev/bloomery           in the fourth table
  tools/conformance.py ... --go DIR --rust DIR --python DIR    ports, built first if need be
  tools/conformance.py ... --binding PYTHON                    the package bloomery, if that Python has it
  tools/conformance.py ... --build DIR                         where ports are built (build/ports)
  tools/conformance.py ... --only cpp,go                       fewer of them

Four tables: the vectors (rows passed, and those above the implementation's level, which it must
skip), the scripts of its level, the exchange: each implementation writes files, each other one
reads them; and the sources: keys of every sort, written by each, queried by each as every sort.
Each column names the level.  Exit status 0 if all of it is as the spec says, else 1; what differs
is shown.
"""
import argparse
import hashlib
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from implementations import add_implementations, implementations, run

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "spec"
PORTABLE_FILE = "k1000_n1000_p0.01.portable"
PORTABLE_MD5 = "fb729f785324c844e71b38967a0bf88b"  # spec/dialects.md, section 1
# Through the C ABI and the package for Python (binding) there are filters and bytes, no table of vectors.
WITHOUT_VECTORS = ["C", "binding"]
# Levels of conformance.md: what is above its level an implementation skips, and nothing else.
ALL = 4
LEVELS = {"C++": ALL, "C": ALL, "Go": 2, "Rust": 2, "Python": 3, "binding": ALL, "tool": ALL}
# The dialects of level 1; the others are in `all`.
DIALECTS = ["parquet"]
RECEIPTS = 3  # the level of receipts.json


def level_name(level):
    return "all" if level == ALL else f"level {level}"


class Matrix:
    """Rows against implementations; what is wrong is kept, to be shown below."""

    def __init__(self, title, columns):
        self.title, self.columns, self.rows, self.wrong = title, columns, {}, []

    def put(self, row, column, cell, problem=None):
        self.rows.setdefault(row, {})[column] = cell
        if problem:
            self.wrong.append(f"{column}, {row}: {problem}")

    def show(self):
        width = max(map(len, [self.title, *self.rows]))
        print(f"\n{self.title:<{width}}" + "".join(f"{c:>12}" for c in self.columns))
        print(f"{'':<{width}}" + "".join(f"{level_name(LEVELS[c]):>12}" for c in self.columns))
        for row, cells in self.rows.items():
            print(f"{row:<{width}}" + "".join(f"{cells.get(c, '-'):>12}" for c in self.columns))
        for line in self.wrong:
            print("  " + line)
        return not self.wrong

    def cases(self):
        """A cell of several says how many: `117 (-4)`."""
        cells = [str(cell).split()[0] for row in self.rows.values() for cell in row.values()]
        return sum(int(cell) if cell.isdigit() else 1 for cell in cells)


def cases_in(path):
    """Rows: objects in arrays that are members of the file; or the file itself."""
    members = json.loads(path.read_text()).values()
    return sum(isinstance(row, dict) for m in members if isinstance(m, list) for row in m) or 1


def names_other_dialect(container):
    """Whether a container of kind 128 names a dialect that is not of level 1."""
    notes = struct.unpack_from("<I", container, 96)[0]
    return container[10] == 128 and not any(name.encode() in container[-4 - notes:] for name in DIALECTS)


def edited(row, base):
    """The file of a row of container_hostile.json."""
    length = row.get("length", len(base))
    file = bytearray((base + bytes(length))[:length])
    for at, text in row.get("edits", []):
        file[at:at + len(text) // 2] = bytes.fromhex(text)
    return bytes(file)


def behind_the_note(row, base):
    """Whether what decides about a container of another dialect is read after the note that names it
    (container.md, section 8): all that concerns the dialect's bytes, their padding and their options."""
    file = edited(row, base)
    if base[10] != 128 or len(file) < 128 or not names_other_dialect(file):
        return False
    offset, length = struct.unpack_from("<QQ", file, 72)
    end = offset + (length + 63) // 64 * 64
    chunks, notes = (end - offset + 4095) // 4096, struct.unpack_from("<I", file, 96)[0]
    if end + 8 * file[18] + 4 * chunks + notes + 4 != len(file):
        return False
    return row.get("error") in (None, "invalid_argument") or (
        row["error"] == "corrupt" and offset <= row["offset"] < end)


def rows_above(path, level):
    """How many rows of a file are above a level."""
    if level == ALL:
        return 0
    file = json.loads(path.read_text())
    if path.name == "receipts.json":
        return cases_in(path) if level < RECEIPTS else 0
    if path.name in ("dialects.json", "dialect_files.json", "dialect_hostile.json"):
        return sum(row["dialect"] not in DIALECTS for row in file["cases"])
    if path.name == "containers.json":
        return sum(names_other_dialect(bytes.fromhex(row["container"])) for row in file["cases"])
    if path.name == "container_hostile.json":
        bases = {name: bytes.fromhex(text) for name, text in file["bases"].items()}
        return sum(behind_the_note(row, bases[row["base"]]) for row in file["cases"])
    return 0


def vectors(found):
    m = Matrix("vectors", list(found))
    files = sorted(p.name for p in (SPEC / "vectors").glob("*.json"))
    for name, command in found.items():
        if name in WITHOUT_VECTORS:
            continue
        status, said, complaint = run(command, "vectors", SPEC / "vectors")
        counts, problems, current = {}, {}, None
        for line in said.splitlines():
            if line.startswith("  "):
                problems.setdefault(current, []).append(line.strip())
                continue
            current, *words = line.split()
            counts[current] = dict(word.split("=") for word in words)
        for file in files:
            count = counts.get(file)
            if count is None:
                m.put(file, name, "MISSING", complaint.strip()[-300:] or "no line about it")
            elif int(count["failed"]) or (status != 0 and not any(
                    int(c["failed"]) for c in counts.values())):
                m.put(file, name, "FAILED", "; ".join(problems.get(file, [complaint]))[:600])
            elif sum(map(int, count.values())) != cases_in(SPEC / "vectors" / file):
                m.put(file, name, "FAILED", f"{count}, of {cases_in(SPEC / 'vectors' / file)} cases")
            elif int(count["skipped"]) != rows_above(SPEC / "vectors" / file, LEVELS[name]):
                m.put(file, name, "FAILED", f"{count['skipped']} cases were skipped, and "
                      f"{rows_above(SPEC / 'vectors' / file, LEVELS[name])} are above its level")
            else:
                skipped = int(count["skipped"])
                m.put(file, name, count["passed"] + (f" (-{skipped})" if skipped else ""))
    return m


def difference(expected, said, complaint):
    want, have = expected.splitlines(), said.splitlines()
    for i, line in enumerate(want):
        if i >= len(have):
            return f"the trace ends before: {line[:200]}  {complaint.strip()[-300:]}"
        if have[i] != line:
            return f"said {have[i][:200]!r} for {line[:200]!r}"
    return f"the trace goes on: {have[len(want)][:200]}" if len(have) > len(want) else None


def run_script(m, row, name, command, script, *options):
    status, said, complaint = run(command, "script", script, *options)
    problem = difference(script.with_suffix(".trace").read_text(), said, complaint)
    if problem is None and status != 0:
        problem = f"exit status {status}: {complaint.strip()[-300:]}"
    m.put(row, name, "FAILED" if problem else "ok", problem)
    return problem is None


def level_of(script):
    """What the first line of a script says: `# Level 2: ..`, or `# All: ..`."""
    words = re.match(r"# (?:Level ([123])|All): ", script.read_text())
    if not words:
        raise SystemExit(f"{script}: its first line names no level")
    return int(words[1] or ALL)


def scripts(found):
    m = Matrix("scripts", list(found))
    for script in sorted((SPEC / "scripts").glob("*.script")):
        level = level_of(script)
        row = f"{script.stem} ({level_name(level)})"
        for name, command in found.items():
            if level <= LEVELS[name]:
                run_script(m, row, name, command, script)
            else:
                m.put(row, name, "above")
    return m


def exchange(found, folder):
    m = Matrix("files written by \\ read by", list(found))
    here = SPEC / "scripts" / "exchange"
    reference = None
    for writer, command in found.items():
        files = pathlib.Path(folder) / writer
        files.mkdir()
        row = f"{writer} ({sum(1 for l in open(here / 'write.script') if l.startswith('write '))} files)"
        if not run_script(m, row, writer, command, here / "write.script", "--files", files):
            continue
        contents = {p.name: p.read_bytes() for p in sorted(files.iterdir())}
        reference = reference or contents
        for reader, other in found.items():
            run_script(m, row, reader, other, here / "read.script", "--files", files)
        if contents != reference:
            m.put(row, writer, "FAILED", "files differ from the first implementation's: " + ", ".join(
                n for n in reference if contents.get(n) != reference[n]))
    return m


# The sorts of keys that every implementation has, and one key of each that is inserted.
KEYS = {"bytes": "t:alice", "integers": "u:42", "hashes": "h:0123456789abcdef"}


def in_script(command, folder, lines):
    """What each line of a script of these lines says; the complaint for all if it does not run."""
    script = pathlib.Path(folder) / "sources.script"
    script.write_text("\n".join(lines) + "\n")
    status, said, complaint = run(command, "script", script, "--files", folder)
    results = [line.partition(" ")[2] for line in said.splitlines()]
    return results if status == 0 and len(results) == len(lines) else (
        [complaint.strip()[-200:]] * len(lines))


def spelt(source):
    """The key of this sort as the tool reads it."""
    return KEYS[source][2:] if source != "hashes" else str(int(KEYS[source][2:], 16))


def write_source(name, command, source, folder, file):
    if name != "tool":
        in_script(command, folder, [f"make f block profile=line blocks=16 source={source}",
                                    f"insert f {KEYS[source]}", "encode b f native",
                                    f"write b {file}"])
        return
    subprocess.run([*command, "build", "--quiet", "--key-type", source, "--profile", "line", "-o",
                    pathlib.Path(folder) / file], input=spelt(source) + "\n", text=True, check=True)


def query_tool(command, folder, questions):
    for file, source in questions:
        status, said, complaint = run(command, "query", "--key-type", source,
                                      pathlib.Path(folder) / file, spelt(source))
        yield {0: "found", 1: "DENIED", 2: "refused"}.get(status, "FAILED"), said or complaint


def query_sources(name, command, folder, questions):
    """For each file and sort of keys: found, DENIED or refused; and what was said.  All queries of
    an implementation are in two scripts, because what was refused cannot be queried: first they are opened."""
    if name == "tool":
        return list(query_tool(command, folder, questions))
    opening = [f"{line} source={source}" if line.startswith("decode") else line
               for i, (file, source) in enumerate(questions)
               for line in (f"read b{i} {file}", f"decode f{i} b{i} native")]
    opened = in_script(command, folder, opening)[1::2]
    queries = [[*opening[2 * i:2 * i + 2], f"query f{i} {KEYS[source]}"]
               for i, (_, source) in enumerate(questions) if opened[i].startswith("ok")]
    said = iter(in_script(command, folder, sum(queries, []))[2::3] if queries else [])
    answers = []
    for verdict in opened:
        if verdict.startswith("ok"):
            found = next(said)
            answers.append(({"1": "found", "0": "DENIED"}.get(found, "FAILED"), found))
        else:
            refused = verdict.startswith("error incompatible")
            answers.append(("refused" if refused else "FAILED", verdict))
    return answers


def sources(found, folder):
    """Every writer and reader, over every sort of key: what was inserted is found, anything else
    is refused, and never denied.  A file without a record (bytes) is taken at the caller's word:
    it does not hold the other keys, and says so."""
    m = Matrix("written by, keys \\ queried by, keys", list(found))
    cases = []
    for writer, by in found.items():
        for inserted in KEYS:
            file = f"{writer.replace('+', 'p')}-{inserted}.bloom"  # names of letters, digits, . _ -
            write_source(writer, by, inserted, folder, file)
            cases += [(writer, inserted, file, asked) for asked in KEYS]
    for reader, command in found.items():
        answers = query_sources(reader, command, folder, [case[2:] for case in cases])
        for (writer, inserted, _, asked), (answer, said) in zip(cases, answers):
            at_its_word = inserted == "bytes" and answer in ("DENIED", "found")
            good = (answer == "found" if asked == inserted else
                    answer == "refused" or at_its_word)
            cell = "no record" if at_its_word and asked != inserted else answer
            m.put(f"{writer}, {inserted} \\ {asked}", reader, cell,
                  None if good else f"{answer}: {said}")
    return m


def sums(found, folder):
    """md5 of the portable file of k0 .. k999, n = 1000, p = 0.01, as each one wrote it."""
    good = True
    print(f"\n{PORTABLE_FILE}: {PORTABLE_MD5}, says the spec")
    for name in found:
        file = pathlib.Path(folder) / name / PORTABLE_FILE
        found_sum = hashlib.md5(file.read_bytes()).hexdigest() if file.exists() else "not written"
        good &= found_sum == PORTABLE_MD5
        print(f"  {name:<8}{found_sum}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", metavar="PROGRAM")
    add_implementations(parser)
    args = parser.parse_args()
    found = implementations(args)
    if not found:
        parser.error("name at least one implementation, or run `make conformance` for all of them")
    tables = [vectors(found), scripts(found)]
    good = all([table.show() for table in tables])
    with tempfile.TemporaryDirectory(prefix="bloomery-") as folder:
        tables.append(exchange(found, folder))
        good &= tables[-1].show()
        good &= sums(found, folder)
    with tempfile.TemporaryDirectory(prefix="bloomery-") as folder:
        tool = {"tool": [pathlib.Path(args.tool).absolute()]} if args.tool else {}
        tables.append(sources({**found, **tool}, folder))
        good &= tables[-1].show()
    print(f"\ncases: comparisons {sum(table.cases() for table in tables)}")
    print("\nconformance:", "all of it is as the spec says" if good else "FAILED, see above")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
