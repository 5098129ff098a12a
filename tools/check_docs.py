#!/usr/bin/env python3
"""Holds the documents to the tree.

  tools/check_docs.py               C or C++ in a document is of a program in examples/;
                                    links and named files exist; spec/ holds no C++;
                                    indexes list every page; markers have the facts of
                                    tools/doc_facts.py; none of the phrases of
                                    tools/check_words.py
  tools/check_docs.py --write       fills the markers, <!--=kinds-->14<!--/-->, and the C++
                                    after a marker <!--example: examples/kinds/bloom.cpp-->
  tools/check_docs.py --tool FILE   runs every ```console transcript with this bloomery and
                                    compares what it prints, to the letter; its kinds, formats
                                    and commands are those of tools/doc_facts.py
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

import check_words
import doc_facts
import readme_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# A file named in `code`: relative to the root or to the document, in a folder of the tree.
NAMED = re.compile(
    r"`((?:adapters|bench|cli|docs|examples|fuzz|include|packaging|ports|spec|src|tests|tools)/[\w./-]*)`")


# Files of the tree that the transcripts of a document begin with.
FILES = re.compile(r"^<!--files: (.*?)-->$", re.M)
# C++ that is a whole file, kept by --write.
SHOWN = re.compile(r"^<!--example: (\S+)-->\n```cpp\n(.*?)^```$", re.M | re.S)
# Examples that docs/cpp.md shows, one for each kind at least, and their greatest length.
SHORT = "examples/kinds"
MAX_LINES = 20

# An index, and the pages that it lists.
INDEXES = {"docs/README.md": "docs/*.md", "docs/decisions/README.md": "docs/decisions/*.md"}


def documents():
    found = [*ROOT.glob("*.md")]
    for folder in ["docs", "cli", "spec", "src", "adapters", "bench", "fuzz", "examples", "ports", "tests"]:
        found += (ROOT / folder).rglob("*.md")
    return sorted(found)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def unindented(text):
    """A part of a function is shown without the indentation it has there."""
    return "".join(line.lstrip() for line in text.splitlines(keepends=True))


@functools.cache
def programs():
    return [unindented(path.read_text()) for path in sorted((ROOT / "examples").rglob("*.c*"))]


def check_text(path, text):
    name = path.relative_to(ROOT)
    for block in FENCE.finditer(text):
        where = f"{name}:{line_of(text, block.start())}"
        if block[1] not in ("cpp", "c", "cxx"):
            continue
        if name.parts[0] == "spec":
            yield f"{where}: the specification is not written in C++"
        elif not any(unindented(block[2]) in program for program in programs()):
            yield f"{where}: this C++ is not part of any program in examples/"
    prose = FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)
    for link in LINK.finditer(prose):
        if not (path.parent / link[1]).exists():
            yield f"{name}:{line_of(prose, link.start())}: dead link: {link[1]}"
    for file in NAMED.finditer(prose):
        if "NAME" not in file[1] and not any((p / file[1]).exists() for p in (ROOT, path.parent)):
            yield f"{name}:{line_of(prose, file.start())}: no such file: {file[1]}"


def check_transcripts(path, text, tool):
    """The blocks of one document share a folder, as they would on a reader's machine, with the
    files that it names: <!--files: PATH ...-->."""
    name = path.relative_to(ROOT)
    environment = {**os.environ, "LC_ALL": "C",
                   "PATH": f"{pathlib.Path(tool).resolve().parent}:{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        for mark in FILES.finditer(text):
            for file in mark[1].split():
                shutil.copy(ROOT / file, folder)
        for block in FENCE.finditer(text):
            if block[1] != "console":
                continue
            first, *steps = re.split(r"^\$ ", textwrap.dedent(block[2]), flags=re.M)
            assert not first, f"{name}: a console block begins with '$ '"
            for step in steps:
                lines = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", step, re.S)
                done = subprocess.run(["bash", "-c", lines[1]], cwd=folder, env=environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, timeout=120)
                if done.stdout != lines[2]:
                    yield (f"{name}:{line_of(text, block.start())}: $ {lines[1]}\n"
                           f"--- written\n{lines[2]}--- printed\n{done.stdout}---")


def shown(text):
    """The text with every example as its file is now."""
    def fill(mark):
        file = ROOT / mark[1]
        return f"<!--example: {mark[1]}-->\n```cpp\n{file.read_text()}```" if file.exists() else mark[0]
    return SHOWN.sub(fill, text)


def check_shown(path, text):
    """Examples in a document are their files, to the letter."""
    name = path.relative_to(ROOT)
    for mark in SHOWN.finditer(text):
        where = f"{name}:{line_of(text, mark.start())}"
        if not (ROOT / mark[1]).exists():
            yield f"{where}: no such file: {mark[1]}"
        elif mark[2] != (ROOT / mark[1]).read_text():
            yield f"{where}: is not {mark[1]} as it stands: tools/check_docs.py --write"
    if text.count("<!--example:") != len(SHOWN.findall(text)):
        yield f"{name}: a marker <!--example: FILE--> without C++ after it"


def check_short_examples(kinds, text, folder=ROOT / SHORT):
    """Every kind has a short example, and docs/cpp.md shows all of them."""
    files = {path.stem: path for path in folder.glob("*.cpp")}
    for kind in sorted(set(kinds) - set(files)):
        yield f"{SHORT}/{kind}.cpp: is missing: each kind has an example of {MAX_LINES} lines"
    for stem, path in sorted(files.items()):
        if (lines := path.read_text().count("\n")) > MAX_LINES:
            yield f"{SHORT}/{stem}.cpp: {lines} lines, at most {MAX_LINES} are allowed"
        if f"<!--example: {SHORT}/{stem}.cpp-->" not in text:
            yield f"docs/cpp.md: does not show {SHORT}/{stem}.cpp"


def check_index(name, pages):
    """Every page has a link in its index."""
    index = ROOT / name
    links = {(index.parent / link[1]).resolve() for link in LINK.finditer(index.read_text("utf-8"))}
    for page in sorted(ROOT.glob(pages)):
        if page != index and page.resolve() not in links:
            yield f"{name}: does not list {page.relative_to(index.parent)}"


def problems(tool=None):
    if tool:
        yield from doc_facts.problems_with(tool)
    known = doc_facts.facts()
    for path in documents():
        text = path.read_text("utf-8")
        if tool:
            yield from check_transcripts(path, text, tool)
        else:
            yield from check_text(path, text)
            yield from check_shown(path, text)
            yield from doc_facts.problems(path.relative_to(ROOT).as_posix(), text, known)
    if not tool:
        types = [doc_facts.type_of(kind) for kind in doc_facts.groups()["all"]]
        yield from check_short_examples(types, (ROOT / "docs/cpp.md").read_text("utf-8"))
        for name, pages in INDEXES.items():
            yield from check_index(name, pages)
        yield from readme_table.problems()
        yield from check_words.all_problems()


def write():
    known = doc_facts.facts()
    for path in documents():
        text = path.read_text("utf-8")
        if (filled := shown(doc_facts.filled(text, known))) != text:
            path.write_text(filled, "utf-8")
            print(f"check_docs: written: {path.relative_to(ROOT)}")
    readme_table.write()


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    wrong = list(problems(sys.argv[2] if sys.argv[1:2] == ["--tool"] else None))
    print("\n".join(wrong) if wrong else f"check_docs: {len(documents())} documents hold")
    sys.exit(bool(wrong))
