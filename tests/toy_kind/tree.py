"""A copy of the tree with the toy kind in it, and the count of what that changed."""

import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FILES = HERE / "files"

MAX_CPP = 4
CPP = (".hpp", ".cpp", ".h", ".c", ".hpp.in")
NEVER = ("cli/", "adapters/", "bench/")
PORTS = ("ports/go/", "ports/rust/", "ports/python-reference/")

# The specification's part of its row; options and fields are written by tools/kinds_json.py.
ROW = """\
    {
      "kind": %d, "name": "toy", "hashes": [1, 2, 3, 4], "seed": true, "profiles": [0],
      "k": [1, 64], "units": "bits", "max_units": "1000000000000", "payload": "bits",
      "parameters": ["stride"], "parameter_bytes": [1], "damage": "ones", "sentinels": true, "keys": true,
      "can": ["insert", "merge"]
    },
"""


# Its lines in the documents that name every kind.
LINES = {
    "README.md": "| tests of the tree | `toy_bloom` | `toy` | every stride-th number of a generator | 9.6 |",
    "docs/choosing.md": "| `toy_bloom` | `toy` | never: it is a test | 9.6 | absent about 2, present k |",
    "spec/container.md": "| {} | toy | 0 | 1 .. 64 | m, bits, at most 2^48 | ceil(m / 8) bytes |",
}


def tracked(root):
    """Paths of the tree: what git knows or would add; without git, all but what is built."""
    try:
        done = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                              capture_output=True, check=True)
        return [name for name in done.stdout.decode().split("\0") if name and (root / name).is_file()]
    except (FileNotFoundError, subprocess.CalledProcessError):
        return below(root)


def below(folder):
    """Every file but what is built, whatever git says."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(str(path) for path in found if path.parts[0] not in ("build", ".git") and "__pycache__" not in path.parts)


def read(root, names=tracked):
    return {name: (root / name).read_bytes() for name in names(root)}


# --- what CONTRIBUTING.md says ---
class Edits:
    """The files of the tree, changed as by hand."""

    def __init__(self, files):
        self.files = dict(files)

    def replace(self, name, pattern, by):
        text, times = re.subn(pattern, by, self.files[name].decode(), flags=re.M)
        if times != 1:
            raise SystemExit(f"toy kind: {name} has {times} places for its line, not 1: {pattern}")
        self.files[name] = text.encode()

    def include(self, name, line):
        """Among the lines that begin alike, in alphabetical order."""
        lines = self.files[name].decode().split("\n")
        alike = [i for i, other in enumerate(lines) if other.startswith(line[:line.index("/") + 1])]
        at = next((i for i in alike if lines[i] > line), alike[-1] + 1)
        lines.insert(at, line)
        self.files[name] = "\n".join(lines).encode()


def by_hand(before):
    edits = Edits(before)
    facts = "include/bloomery/detail/kind_facts.hpp"
    number = int(re.search(r" = (\d+),\n  filters_end", before[facts].decode())[1]) + 1
    edits.replace(facts, r"^  filters_end,", f"  toy = {number},\n  filters_end,")
    kinds = "include/bloomery/kinds.hpp"
    edits.include(kinds, "#include <bloomery/toy_bloom.hpp>")
    edits.replace(kinds, r"(using filter_types =\n(?:.*\n)*?.*)>;$", r"\1, toy_bloom>;")
    edits.include("src/format/kind/table.cpp", '#include "kind/toy/row.hpp"')
    edits.include("include/bloomery/bloomery.hpp", "#include <bloomery/toy_bloom.hpp>")
    edits.replace("spec/kinds.json", r'^    \{\n      "kind": 128,', ROW % number + '    {\n      "kind": 128,')
    for name, last in (("README.md", "| `partitioned` |"), ("docs/choosing.md", "| `partitioned` |"),
                       ("spec/container.md", f"| {number - 1} | ")):
        edits.replace(name, rf"^(.*{re.escape(last)}.*)$", rf"\1\n{LINES[name].format(number)}")
    for path in FILES.rglob("*"):
        if path.is_file():
            edits.files[str(path.relative_to(FILES))] = path.read_bytes()
    return edits.files


def write(files, tree):
    """Exactly these; what is the same already keeps its time."""
    tree.mkdir(parents=True, exist_ok=True)
    for name in set(below(tree)) - set(files):
        (tree / name).unlink()
    for name, data in files.items():
        path = tree / name
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        path.chmod((ROOT / name).stat().st_mode if (ROOT / name).exists() else 0o644)


# --- the count ---
def changed(before, after):
    return sorted(name for name in before if after.get(name) != before[name])


def added(before, after):
    return sorted(set(after) - set(before))


def too_much(before, after):
    """What a new kind must not cost, as sentences."""
    old, new = changed(before, after), added(before, after)
    cpp = [name for name in old if name.endswith(CPP)]
    if len(cpp) > MAX_CPP:
        yield f"{len(cpp)} existing C++ files changed, at most {MAX_CPP} are allowed: {', '.join(cpp)}"
    for name in old + new:
        if name.startswith(NEVER):
            yield f"{name} must not change"
    for port in PORTS:
        own = [name for name in old + new if name.startswith(port)]
        if len(own) != 1:
            yield f"{port} has {len(own)} files by hand, not 1: {', '.join(own)}"
