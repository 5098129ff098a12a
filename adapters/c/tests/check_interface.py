#!/usr/bin/env python3
"""Holds the C interface to its word.

  check_interface.py headers COMPILER...  each header compiles alone as C99 and as C++11,
                                          each function says what may run beside it, and
                                          the kinds are those of spec/kinds.json
  check_interface.py symbols LIBRARY      a shared library shows the functions of the headers
                                          and nothing else, and needs nothing of ours
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
KINDS = INCLUDE.parent.parent.parent / "spec" / "kinds.json"
HEADERS = sorted(INCLUDE.rglob("*.h"))
FUNCTION = re.compile(r"((?:^//[^\n]*\n)*)^BLOOMERY_API\s[^;]*?(bloomery_\w+)\(", re.M)
PHRASES = ["may run together with every other call",
           "may run together with other reading calls on this filter",
           "must run alone on this filter"]


def functions():
    """Name and comment of every function."""
    return {match[2]: match[1] for header in HEADERS
            for match in FUNCTION.finditer(header.read_text())}


def compile_errors(compilers):
    languages = [["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "header"
        for header in HEADERS:
            name = header.relative_to(INCLUDE)
            source.write_text(f"#include <{name}>\n#include <{name}>\nint main(void) {{ return 0; }}\n")
            for compiler in compilers:
                for language in languages:
                    done = subprocess.run(
                        [compiler, *language, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
                         "-Werror", "-fsyntax-only", f"-I{INCLUDE}", source],
                        capture_output=True, text=True)
                    if done.returncode != 0:
                        yield f"{name}: {compiler} {language[-1]}:\n{done.stderr}"


def silent_functions():
    for name, comment in functions().items():
        lines = " ".join(line[2:].strip() for line in comment.splitlines())
        said = [phrase for phrase in PHRASES if f"Threads: {phrase}" in lines]
        if len(said) != 1:
            yield f"{name}: its comment has none of the phrases about threads, or several"


def enumerators(prefix):
    """Name, in the spelling of kinds.json, and number of each BLOOMERY_<prefix>_..."""
    text = (INCLUDE / "bloomery" / "c" / "kinds.h").read_text()
    return {name.lower(): int(number) for name, number in
            re.findall(rf"^  BLOOMERY_{prefix}_(\w+) = (\d+)", text, re.M)}


def wrong_kinds():
    rows = json.loads(KINDS.read_text())["kinds"]
    specified = {row["name"].replace("-", "_"): row["kind"] for row in rows} | {"default": 0}
    declared = enumerators("KIND")
    yield from (f"kinds.json and kinds.h differ: {name}, {number}"
                for name, number in sorted(specified.items() ^ declared.items()))
    calls = {call for row in rows for call in row["can"]} - set(enumerators("CAN"))
    yield from (f"no BLOOMERY_CAN_ for {call}" for call in sorted(calls))


def wrong_symbols(library):
    nm = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                        capture_output=True, text=True).stdout
    # The version of the symbols is a symbol itself, of type A.
    shown = {line.split()[2].split("@")[0] for line in nm.splitlines() if line.split()[1] != "A"}
    declared = set(functions())
    yield from (f"shown, but in no header: {name}" for name in sorted(shown - declared))
    yield from (f"in a header, but not shown: {name}" for name in sorted(declared - shown))
    dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True,
                             text=True).stdout
    needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
    yield from (f"needs {name}" for name in needed if "bloomery" in name or "xxhash" in name)
    if not any("++" in name for name in needed):
        yield "does not bring the C++ runtime with it"
    if not re.search(r"SONAME.*\[libbloomery_c\.so\.\d+\]", dynamic):
        yield "has no version of its own in its name"


if __name__ == "__main__":
    assert len(functions()) > 130, "the headers are not understood"
    if sys.argv[1:2] == ["headers"] and len(sys.argv) > 2:
        wrong = [*compile_errors(sys.argv[2:]), *silent_functions(), *wrong_kinds()]
        right = f"{len(HEADERS)} headers, {len(functions())} functions, by {', '.join(sys.argv[2:])}"
    elif sys.argv[1:2] == ["symbols"] and len(sys.argv) == 3:
        wrong = [*wrong_symbols(sys.argv[2])]
        right = f"{len(functions())} symbols, all of them ours"
    else:
        sys.exit(__doc__)
    print("\n".join(wrong) if wrong else f"check_interface: {right}")
    sys.exit(bool(wrong))
