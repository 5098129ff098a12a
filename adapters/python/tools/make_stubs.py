#!/usr/bin/env python3
"""Writes what repeats the kinds' tables of options and fields (bloomery.kinds()).

  make_stubs.py           writes the files
  make_stubs.py --check   exit status 1 where a file differs

bloomery/_core.pyi is stubs/*.pyi.in, with the options and fields of kinds in between; docs/python.md
has the options between two marks.  Run it with an interpreter that has this tree's package installed
(build/dev/python/venv/bin/python after ctest -L python).
"""

import argparse
import ast
import pathlib
import re
import sys

import bloomery

ADAPTER = pathlib.Path(__file__).resolve().parent.parent
STUBS = ADAPTER / "stubs"
DOCS = ADAPTER.parent.parent / "docs" / "python.md"

HEADER = """\
# The compiled module.  Written by tools/make_stubs.py from stubs/ and from bloomery.kinds(): edit those.
"""
# GENERATED stands for what the tables say.
PARTS = ("types", "GENERATED", "options", "tables", "shared", "batches", "filter", "filter_whole", "objects", "readers",
         "files", "functions")
# Where the calls of Filter and MappedFilter are that are not fields.
OF_FILTERS = ("shared", "filter", "filter_whole", "readers")
OPTION_TYPES = {"count": "int", "real": "float", "flag": "bool"}
MARKS = ("<!-- options of kinds: tools/make_stubs.py writes this table -->\n", "<!-- end of options -->\n")


def options():
    """Name -> (kind, row) of each kind that has it."""
    all_options = {}
    for kind in bloomery.kinds():
        for row in kind["options"]:
            all_options.setdefault(row["name"], []).append((kind["name"], row))
    return all_options


def option_type(rows):
    if rows[0][1]["type"] != "name":
        return OPTION_TYPES[rows[0][1]["type"]]
    names = dict.fromkeys(choice for _, row in rows for choice in row["choices"])
    quoted = [f'"{name}"' for name in names]
    return f"Literal[{', '.join(quoted)}]"


def option_stubs():
    lines = [f"    {name}: {option_type(rows)} | None" for name, rows in options().items()]
    return "\n".join(["@type_check_only", "class _KindOptions(TypedDict, total=False):", *lines, ""])


# --- fields: of which type, the filters of each kind say ---
def filters():
    for kind in bloomery.kinds():
        for keys in (["a", "b"], [1, 2]):
            yield bloomery.Filter.build(keys, kind=kind["name"])


def field_types():
    """Name -> its row, and the types it was seen with."""
    found = {}
    for f in filters():
        values = f.info()
        for row in next(k for k in bloomery.kinds() if k["name"] == f.kind)["fields"]:
            if row["columns"]:
                continue
            first, types = found.setdefault(row["name"], (row, set()))
            types.add(type(values[row["name"]]).__name__)
            if first["group"] != "layout" and "float" in types:
                types.add("NoneType")  # infinite, or unknown
    return found


def own_names():
    """What the classes have without the tables."""
    tree = ast.parse("\n".join((STUBS / f"{part}.pyi.in").read_text() for part in OF_FILTERS))
    classes = [node for node in tree.body
               if isinstance(node, ast.ClassDef) and (node.name in ("Filter", "MappedFilter") or node.name[0] == "_")]
    return {node.name for c in classes for node in c.body if isinstance(node, ast.FunctionDef)}


def field_example(name, row, kinds):
    """An example for the docstring of a field; its value, where two filters have the same."""
    call = name if row["group"] == "layout" else f"{name}()"
    made = [bloomery.Filter.build(["alice", "bob"], kind=kinds[0]) for _ in range(2)]
    values = [getattr(f, name) if row["group"] == "layout" else getattr(f, name)() for f in made]
    show = f'bloomery.Filter.build(["alice", "bob"], kind="{kinds[0]}").{call}'
    if isinstance(values[0], float):
        return f"round({show}, 4)", repr(round(values[0], 4))
    if values[0] is None or values[0] != values[1]:
        return f"isinstance({show}, object)", "True"
    return show, repr(values[0])


def field_stubs():
    lines = ["@type_check_only", "class _Fields:"]
    known = own_names()
    having = {}
    for kind in bloomery.kinds():
        for row in kind["fields"]:
            having.setdefault(row["name"], []).append(kind["name"])
    for name, (row, types) in field_types().items():
        if name in known:
            continue
        kind = " | ".join([*sorted(types - {"NoneType"}), *(["None"] if "NoneType" in types else [])])
        if row["group"] == "layout":
            lines.append("    @property")
        kinds = having[name]
        of = "all" if len(kinds) == len(bloomery.kinds()) else ", ".join(kinds)
        example, value = field_example(name, row, kinds)
        help_text = row["help"][:1].upper() + row["help"][1:]
        lines += [f"    def {name}(self) -> {kind}:", f'        """{help_text}.  Kinds: {of}.', "",
                  f"        >>> {example}", f"        {value}", '        """', ""]
    return "\n".join(lines)


def stubs():
    texts = [f"{option_stubs()}\n{field_stubs()}" if part == "GENERATED" else (STUBS / f"{part}.pyi.in").read_text()
             for part in PARTS]
    return HEADER + "\n".join(texts)


# --- documents ---
def values_of(row):
    if row["choices"]:
        return ", ".join(f"`{choice!r}`".replace("'", '"') for choice in row["choices"])
    if row["type"] == "flag":
        return "`True`, `False`"
    low, high = row["min"], row["max"]
    if high is not None and high < 2**53:
        return f"{low} to {high}"
    name = {"count": "an `int`", "real": "a `float`"}[row["type"]]
    return f"{name} from {low:g}" if low else name


def option_table():
    lines = ["| option | kinds | values | default | |", "|---|---|---|---|---|"]
    for name, rows in options().items():
        # Where kinds differ, the first has most.
        row = rows[0][1]
        default = row["default_help"] or f"`{row['default']!r}`"
        lines.append(f"| `{name}` | {', '.join(f'`{kind}`' for kind, _ in rows)} | {values_of(row)} | {default} | {row['help']} |")
    return "\n".join(lines) + "\n"


def document():
    text = DOCS.read_text()
    begin, end = (re.escape(mark) for mark in MARKS)
    made, n = re.subn(f"({begin}).*?({end})", lambda m: m[1] + option_table() + m[2], text, flags=re.DOTALL)
    if n != 1:
        sys.exit(f"{DOCS}: the marks of the table are not there once")
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    wrong = 0
    for path, text in ((ADAPTER / "bloomery" / "_core.pyi", stubs()), (DOCS, document())):
        if path.read_text() == text:
            continue
        wrong += 1
        if args.check:
            print(f"{path.relative_to(ADAPTER.parent.parent)} is not what adapters/python/tools/make_stubs.py writes")
        else:
            path.write_text(text)
    return 1 if args.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
