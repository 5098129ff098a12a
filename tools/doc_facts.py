#!/usr/bin/env python3
"""What documents count and list, taken from the tree: markers that no one fills in by hand.

A document writes `there are <!--=kinds-->14<!--/--> kinds`.  tools/check_docs.py compares what is
between the markers with facts(), and `tools/check_docs.py --write` replaces it.

  tools/doc_facts.py                every fact and its text
  tools/doc_facts.py --tool FILE    compares the lists with those of this bloomery

Kinds are those of spec/kinds.json, which a unit test compares with kinds(); formats those of the
table in spec/dialects.md; commands those of cli/command/commands.hpp; vectors and the corpus of the
fuzzers are counted.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKED = re.compile(r"<!--=([\w-]+)-->(.*?)<!--/-->", re.S)

# Every native kind is in these documents, by its type and by its name in the tool.
COMPLETE = ["README.md", "docs/choosing.md"]


def rows():
    """The native kinds, not packed sets or foreign bytes."""
    table = json.loads((ROOT / "spec" / "kinds.json").read_text("utf-8"))["kinds"]
    return [row for row in table if row["kind"] < 128]


def formats():
    """Names of all dialects, `portable` first: it is ours."""
    text = (ROOT / "spec" / "dialects.md").read_text("utf-8")
    table = text[text.index("| dialect |"):].split("\n\n")[0]
    return re.findall(r"^\| \[?`([\w-]+)`", table, re.M)


def variants():
    """All forms of the foreign formats, written or only read."""
    text = (ROOT / "spec" / "dialects.md").read_text("utf-8")
    table = text[text.index("| dialect |"):].split("\n\n")[0].splitlines()[3:]
    return [name for row in table for cell in row.split("|")[3:5] for name in re.findall(r"`([\w-]+)`", cell)]


def vectors(name):
    return json.loads((ROOT / "spec" / "vectors" / name).read_text("utf-8"))["cases"]


def commands():
    text = (ROOT / "cli" / "command" / "commands.hpp").read_text("utf-8")
    return re.findall(r"^void add_(\w+)\(", text, re.M)


def type_of(name):
    """The C++ type of a kind: `block` is `block_bloom`."""
    listed = re.search(r"using filter_types\s*=.*?<(.*?)>",
                       (ROOT / "include" / "bloomery" / "kinds.hpp").read_text("utf-8"), re.S)
    types = set(re.findall(r"\w+", listed[1]))
    stem = name.replace("-", "_")
    found = types & {stem, stem + "_bloom", stem + "_filter"}
    if len(found) != 1:
        raise SystemExit(f"doc_facts: the kind {name} is {sorted(found)} of filter_types: exactly one was expected")
    return found.pop()


def listed(names):
    """`a`, `b` and `c`"""
    code = [f"`{name}`" for name in names]
    return ", ".join(code[:-1]) + " and " + code[-1] if len(code) > 1 else "".join(code)


def groups():
    """Name of a property -> the kinds that have it."""
    kinds = rows()
    found = {"all": kinds,
             "any-hash": [row for row in kinds if len(row["hashes"]) > 1],
             "fixed-hash": [row for row in kinds if len(row["hashes"]) == 1],
             "forget": [row for row in kinds if row.get("forgets")],
             "remember": [row for row in kinds if not row.get("forgets")]}
    for call in sorted({call for row in kinds for call in row["can"]}):
        found[call] = [row for row in kinds if call in row["can"]]
    return {name: [row["name"] for row in rows_of] for name, rows_of in found.items()}


def facts():
    """Name -> text.  `kinds` and `types` of a property are names in the tool and in C++."""
    found = {"kinds": str(len(rows())), "formats": str(len(formats())),
             "dialects": str(len(formats()) - 1), "dialect-names": listed(formats()[1:]),
             "variants": str(len(variants())),
             "commands": str(len(commands())), "command-names": listed(commands()),
             "hostile-containers": f"{len(vectors('container_hostile.json')):,}",
             "hostile-dialect-files": f"{len(vectors('dialect_hostile.json')):,}",
             "fuzz-targets": str(len(list((ROOT / "fuzz").glob("fuzz_*.cpp")))),
             "fuzz-corpus-files": str(sum(path.is_file() for path in (ROOT / "fuzz" / "corpus").rglob("*")))}
    for name, kinds in groups().items():
        found[f"count-{name}"] = str(len(kinds))
        found[f"kinds-{name}"] = listed(kinds)
        found[f"types-{name}"] = listed(type_of(kind) for kind in kinds)
    return found


def one_line(text):
    return " ".join(text.split())


def problems(name, text, known):
    """Markers of one document that are unknown, or whose text is no longer true."""
    for mark in MARKED.finditer(text):
        where = f"{name}:{text.count(chr(10), 0, mark.start()) + 1}"
        if mark[1] not in known:
            yield f"{where}: no such fact: {mark[1]} (tools/doc_facts.py lists them)"
        elif one_line(mark[2]) != known[mark[1]]:
            yield f'{where}: {mark[1]}: written "{one_line(mark[2])}", the tree has "{known[mark[1]]}": tools/check_docs.py --write'
    if text.count("<!--=") != len(MARKED.findall(text)):
        yield f"{name}: a marker <!--=NAME--> without its <!--/-->"
    for kind in groups()["all"] if name in COMPLETE else []:
        for word in {kind, type_of(kind)}:
            if f"`{word}`" not in text:
                yield f"{name}: `{word}` is missing"


def filled(text, known):
    """The text with every known fact as it is now; line breaks are kept where it is still true."""
    def fill(mark):
        true = mark[1] not in known or one_line(mark[2]) == known[mark[1]]
        return mark[0] if true else f"<!--={mark[1]}-->{known[mark[1]]}<!--/-->"
    return MARKED.sub(fill, text)


def problems_with(tool):
    """The lists beside those of a built tool."""
    def run(*words):
        return subprocess.run([tool, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False).stdout
    table = [row for row in json.loads(run("formats", "--json")) if row["name"] != "native"]
    of_tool = {
        "formats": [row["name"] for row in table],
        "variants": [form["name"] for row in table for form in row["variants"]],
        "commands": re.findall(r"^  (\w+) {2,}\S", run("--help").partition("Subcommands:")[2], re.M),
        # The refusal of an unknown kind lists those that there are, after its last colon.
        "kinds": run("build", "--kind", "?", "-o", "?").strip().rpartition(": ")[2].split(", ")}
    of_tree = {"formats": formats(), "variants": variants(), "commands": commands(), "kinds": groups()["all"]}
    for what, names in of_tree.items():
        if sorted(names) != sorted(of_tool[what]):
            yield f"{what}: the tree has {sorted(names)}, the tool {sorted(of_tool[what])}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tool"]:
        wrong = list(problems_with(sys.argv[2]))
        print("\n".join(wrong) if wrong else "doc_facts: the tool has the same kinds, formats and commands")
        sys.exit(bool(wrong))
    for fact, text in facts().items():
        print(f"{fact:20} {text}")
