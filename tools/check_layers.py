#!/usr/bin/env python3
"""Fails on an #include that points the wrong way.  src/README.md draws the arrows.

  tools/check_layers.py [ROOT]       check the tree; one line an offence: file:line
  tools/check_layers.py --self-test  prove that wrong arrows are caught
"""
import pathlib
import re
import sys
import tempfile

# A key flows one way: each layer sees itself and the layers before it.
ORDER = ["vocabulary", "base", "hash", "kernel", "filter", "format", "live"]
# Folders of include/bloomery/detail that are no layer of src/: which bits a key means, and
# protocols between threads.  They know nothing else of ours.
VOCABULARY = ["probe", "sync"]
# Inside the folder of a kind (src/kind/NAME, include/bloomery/detail/kind/NAME) the same layers hold,
# told by the name of a file; the rest of src/kind/NAME is its filter, of detail/kind/NAME vocabulary.
PRIVATE_PART = {"kernel": "kernel", "model": "model", "sizing": "model", "row": "format", "format": "format"}
PUBLIC_PART = {"shared": "filter", "sizing": "model", "format": "format"}
# These may look anywhere: they test, measure or generate.  Nobody may look at them.
FREE = ["tests", "fuzz", "bench", "tools"]
# The standard library, and the compiler's own headers of vector instructions.
STANDARD = re.compile(r"[a-z0-9_]+|[ei]mmintrin\.h|arm_neon\.h")
# Where a header that serves everyone stands among the layers.
RANK = {name: at for at, name in enumerate(["vocabulary", "model", *ORDER[1:]])}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')


def place_of(path, root, sources):
    """The part of the tree that a file (relative to the root) belongs to."""
    parts = path.parts
    if parts[0] == "include":
        return "public " + layer_of(path, root, sources)
    if parts[0] == "bench" and parts[1] == "kit":
        return "bench/kit"
    if parts[0] == "src":
        return "src/" + private_layer(path)
    if parts[0] in ("adapters", "ports") and len(parts) > 2:
        return "/".join(parts[:2])
    return parts[0]


def private_layer(path):
    """The layer of a file of src/ (relative to the root)."""
    parts = path.parts
    if parts[1] == "kind" and len(parts) > 3:
        return PRIVATE_PART.get(parts[3] if len(parts) > 4 else path.stem, "filter")
    return parts[1]


def implemented(root):
    """Public header -> the layer of the source file that implements it: whose name it has, or whose first include it is."""
    found = {}
    for file in sorted((root / "src").rglob("*.cpp")):
        layer = private_layer(file.relative_to(root))
        first = next(filter(None, map(INCLUDE.match, file.read_text("utf-8").splitlines())), None)
        parts = file.relative_to(root).parts
        if parts[1] != "kind" or file.stem.startswith(parts[2]):  # other names are short there: build, census
            found[f"bloomery/{file.stem}.hpp"] = layer
        if first and first[1].startswith("bloomery/"):
            found.setdefault(first[1], layer)
    return found


def layer_of(path, root, sources, seen=()):
    """The layer of a public header: that of its folder in detail/, or of the file in src/ that implements it; a header
    without one is of the highest layer that it includes."""
    if path.name == "bloomery.hpp":
        return "umbrella"
    below = path.parts[2:]
    if below[:2] == ("detail", "kind") and len(below) > 3:
        return PUBLIC_PART.get(path.stem, "vocabulary")
    if below[0] == "detail" and len(below) > 2:
        return "vocabulary" if below[1] in VOCABULARY else below[1]
    name = path.relative_to("include").as_posix()
    if name in sources:
        return sources[name]
    found = "vocabulary"
    if path in seen or not (root / path).is_file():
        return found
    for include in filter(None, map(INCLUDE.match, (root / path).read_text("utf-8").splitlines())):
        if include[1].startswith("bloomery/"):
            other = layer_of(pathlib.Path("include") / include[1], root, sources, (*seen, path))
            found = max(found, other, key=lambda layer: RANK.get(layer, len(RANK)))
    return found


def sees(layer, other):
    if layer not in [*ORDER, "model", "umbrella"]:
        return False
    if other == "vocabulary" or layer in (other, "umbrella"):
        return True
    if layer in ("vocabulary", "model") or other == "umbrella":
        return False
    if other == "model":  # pure functions: they serve all who hold keys
        return layer != "base"
    return other in ORDER and ORDER.index(other) < ORDER.index(layer)


def is_allowed(place, target):
    """Whether a file of `place` may include a file of `target`."""
    if place == target or place in FREE:
        return True
    if place.startswith("ports/") or target in FREE:
        return False
    if place.startswith(("public ", "src/")):
        # A public header knows no private one, whatever its layer.
        if not target.startswith(("public ",) if place[0] == "p" else ("public ", "src/")):
            return False
        return sees(re.split("[ /]", place)[1], re.split("[ /]", target)[1])
    # cli, adapters, examples, bench/kit: users of the library, so public headers only (detail/: see offences).
    return target.startswith("public ") or (place == "cli" and target == "bench/kit")


def find(root, path, name):
    """The file of ours that `name` means in an #include of `path`, or None."""
    if name.startswith("bloomery/"):  # version.hpp is generated, so it need not exist
        return pathlib.Path("include") / name
    for folder in [path.parent, pathlib.Path("src"), pathlib.Path(), pathlib.Path("cli"),
                   pathlib.Path("bench"), pathlib.Path("tests/support"), pathlib.Path("tests")]:
        found = (root / folder / name).resolve()
        if found.is_file() and found.is_relative_to(root):
            return found.relative_to(root)
    return None


def offences(root):
    root = root.resolve()
    sources = implemented(root)
    for top in ["include", "src", "cli", "adapters", "ports", "examples", *FREE]:
        for file in sorted((root / top).rglob("*")):
            if not re.fullmatch(r"\.(hpp|cpp|h|c|in)", file.suffix) or not file.is_file():
                continue
            path = file.relative_to(root)
            place = place_of(path, root, sources)
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
                include = INCLUDE.match(line)
                if not include:
                    continue
                name, target = include[1], find(root, path, include[1])
                if target is None:
                    if place.startswith("public ") and not STANDARD.fullmatch(name):
                        yield f"{path}:{number}: {name}: a public header includes only " \
                              "the standard library and <bloomery/...>"
                elif target.parts[:3] == ("include", "bloomery", "detail") and \
                        not place.startswith(("public ", "src/")) and place not in FREE:
                    yield f"{path}:{number}: {name}: detail/ is for the library only"
                elif not is_allowed(place, place_of(target, root, sources)):
                    yield f"{path}:{number}: {name}: {place} must not see {place_of(target, root, sources)}"


def self_test():
    files = ["include/bloomery/key.hpp", "include/bloomery/portable_bloom.hpp",
             "include/bloomery/model.hpp", "include/bloomery/bloomery.hpp",
             "src/base/bits.hpp", "src/hash/mix.hpp", "src/kernel/loop.hpp",
             "src/format/file.hpp", "src/kind/portable/portable_bloom.cpp",
             "src/kind/quotient/row.hpp", "src/kind/quotient/kernel/loops.hpp", "src/kind/quotient/cursor.hpp",
             "include/bloomery/detail/kind/quotient/shared.hpp",
             "src/model/model.cpp", "include/bloomery/detail/probe/words.hpp", "src/live/swap.hpp", "src/model/halves.hpp",
             "bench/kit/kit.hpp", "tests/support/must.hpp", "adapters/c/c.hpp",
             "adapters/redis/redis.hpp", "ports/rust/sys.h"]
    right = [("src/kernel/a.cpp", '"hash/mix.hpp"'), ("src/kernel/a.cpp", "<bloomery/key.hpp>"),
             ("src/live/a.cpp", '"format/file.hpp"'), ("src/model/a.cpp", '"model/halves.hpp"'),
             ("src/format/a.cpp", '"model/halves.hpp"'), ("src/base/a.cpp", "<unistd.h>"),
             ("include/bloomery/key.hpp", "<cstdint>"), ("cli/a.cpp", '"kit/kit.hpp"'),
             ("cli/a.cpp", "<bloomery/bloomery.hpp>"), ("tests/unit/a.cpp", '"hash/mix.hpp"'),
             ("adapters/c/a.cpp", '"c.hpp"'), ("cli/a.cpp", "<fmt/format.h>"),
             ("include/bloomery/detail/filter/a.hpp", "<bloomery/detail/probe/words.hpp>"),
             ("src/format/a.cpp", '"kind/quotient/row.hpp"'), ("src/kind/quotient/row.hpp", '"kind/quotient/cursor.hpp"'),
             ("src/kind/quotient/a.cpp", '"kind/quotient/kernel/loops.hpp"'),
             ("src/kind/quotient/a.cpp", "<bloomery/detail/kind/quotient/shared.hpp>")]
    wrong = [("src/kind/quotient/cursor.hpp", '"kind/quotient/row.hpp"'),
             ("src/kind/quotient/kernel/loops.hpp", '"kind/quotient/cursor.hpp"'),
             ("src/kind/quotient/sizing.cpp", '"kind/quotient/kernel/loops.hpp"'),
             ("src/kind/quotient/kernel/a.cpp", "<bloomery/detail/kind/quotient/shared.hpp>"),
             ("src/filter/a.cpp", '"kind/quotient/row.hpp"'),
             ("src/hash/a.cpp", '"kernel/loop.hpp"'), ("src/base/a.hpp", '"hash/mix.hpp"'),
             ("src/hash/a.cpp", "<bloomery/portable_bloom.hpp>"),
             ("src/model/a.cpp", '"base/bits.hpp"'), ("src/base/a.cpp", '"model/halves.hpp"'),
             ("src/format/a.cpp", '"live/swap.hpp"'), ("src/hash/a.cpp", '"must.hpp"'),
             ("src/filter/a.cpp", "<bloomery/bloomery.hpp>"), ("src/hash/a.cpp", '"../live/swap.hpp"'),
             ("include/bloomery/detail/probe/a.hpp", "<bloomery/model.hpp>"),
             ("include/bloomery/detail/sync/a.hpp", "<bloomery/portable_bloom.hpp>"),
             ("include/bloomery/detail/filter/a.hpp", "<bloomery/detail/live/b.hpp>"),
             ("include/bloomery/key.hpp", "<unistd.h>"),
             ("include/bloomery/key.hpp", '"base/bits.hpp"'),
             ("cli/a.cpp", '"base/bits.hpp"'), ("cli/a.cpp", "<base/bits.hpp>"),
             ("adapters/c/a.cpp", '"../redis/redis.hpp"'), ("adapters/c/a.cpp", '"base/bits.hpp"'),
             ("examples/a.cpp", '"hash/mix.hpp"'), ("ports/rust/a.c", "<bloomery/key.hpp>"),
             ("bench/kit/a.cpp", '"base/bits.hpp"'), ("cli/a.cpp", "<bloomery/detail/probe/words.hpp>"),
             ("adapters/c/a.cpp", "<bloomery/detail/kind/quotient/shared.hpp>")]
    failed = 0
    for cases, expected in (right, 0), (wrong, 1):
        for path, include in cases:
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                for file in [*files, path]:
                    (root / file).parent.mkdir(parents=True, exist_ok=True)
                    (root / file).touch()
                (root / path).write_text(f"// a comment\n#include {include}\n")
                found = list(offences(root))
            if len(found) != expected or not all(f.startswith(f"{path}:2: ") for f in found):
                print(f"self-test: {path} with {include}: expected {expected}, found {found}")
                failed += 1
    print(f"check_layers: self-test of {len(right) + len(wrong)} arrows, {failed} failed")
    return failed


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test() != 0)
    default = pathlib.Path(__file__).resolve().parent.parent
    found = list(offences(pathlib.Path(sys.argv[1]) if sys.argv[1:] else default))
    print("\n".join(found) if found else "check_layers: every arrow points the right way")
    sys.exit(bool(found))
