#!/usr/bin/env python3
"""Fails where code outside a kind's own files tells kinds apart: by name, number or type, or by a member that one has.

  tools/check_kinds_apart.py [ROOT]       check the tree; one line per offence: file:line
  tools/check_kinds_apart.py --self-test  prove that each way is caught

A kind describes itself (docs/decisions/0037-kinds-describe-themselves.md): capabilities, options, fields, and the concepts of
filter.hpp. What is wrong elsewhere:
  text    the name of a kind, or its facts: `f.kind() == "window"`, `find_kind("cuckoo")`, `cuckoo::kind.number`
  number  container_kind::cuckoo
  type    std::same_as<F, cuckoo>, std::is_same_v<F, cuckoo>, an explicit specialisation for a kind
  units   a comparison of kind_facts::units
  probe   a requires-expression outside the definition of a concept: a shape has a name
Comments do not count.
"""
import json
import pathlib
import re
import sys
import tempfile

# Where kinds are iterated over.  Documents and examples show single kinds; fuzz targets and peers are of single ones.
PLACES = ["include", "src", "cli", "adapters", "bench", "tests/support", "tests/law", "tests/conform"]
# A kind's own files, and what is of single kinds by its purpose.
OWN = [
    ("src/kind/*/**", "the kind itself"),
    ("include/bloomery/detail/kind/*/**", "the kind itself"),
    ("tests/law/kinds/*", "a file per kind"),
    ("tests/support/recipe/*", "a file per kind"),
    ("tests/support/*_oracle.hpp", "the specification of a kind, to compare it with"),
    ("adapters/*/tests/**", "tests of single kinds"),
    ("adapters/python/bench/**", "programs that measure single kinds"),
    ("adapters/python/tests_spark/**", "tests of single kinds"),
    ("bench/*.cpp", "programs that measure single kinds"),
    ("bench/comparison/*", "other libraries, each beside a kind"),
    ("bench/concurrent/*", "programs that measure single kinds"),
    ("bench/peers/**", "other libraries, each beside a kind"),
    ("tests/conform/make_vectors/*", "programs that make the vectors of each kind"),
    ("tests/support/dialect_samples.cpp", "variants of dialects have such names"),
    ("adapters/redis/src/commands*.cpp", "an ACL category of RedisBloom has such a name"),
    ("src/format/dialect/*", "a dialect maps bytes of another system to a kind, and has variants of such names"),
]
# path, ways allowed, reason
ALLOWED = [
    ("include/bloomery/detail/filter/core_parts.hpp", {"probe"}, "which part of the core a kind has is found here"),
    ("include/bloomery/detail/probe/block_probe.hpp", {"probe"}, "instruction sets, not kinds"),
    ("include/bloomery/detail/path_ref.hpp", {"probe"}, "types of paths, not kinds"),
    ("include/bloomery/detail/filter/bit_storage.hpp", {"text"}, "\"portable\" names the plain loops of a kernel"),
    ("include/bloomery/detail/filter/slot_filter.hpp", {"text"}, "\"portable\" names the plain loops of a kernel"),
    ("src/base/cpu.cpp", {"text"}, "\"portable\" is a value of BLOOMERY_ISA"),
    ("src/hash/batch.cpp", {"text"}, "\"portable\" names the plain loops of a kernel"),
    ("bench/end_to_end/contender.hpp", {"text"}, "the name of our filter in a table beside other libraries'"),
    ("src/kernel/*.cpp", {"text"}, "\"portable\" names the plain loops of a kernel"),
    ("cli/files/dialects.cpp", {"text"}, "the tool's dialect of that name: bare bytes of one kind"),
    ("adapters/c/src/bytes.cpp", {"text"}, "numbers of forms to their names; a form is not a kind"),
    ("tests/support/fingerprints.hpp", {"text"}, "a made-up kind of the tests, with a number that files know"),
    ("bench/kit/textbook_subject.hpp", {"type"}, "the textbook filter is of the bytes of one kind"),
]
SUFFIXES = {".hpp", ".cpp", ".h", ".c"}

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.S)


# A parameter of a requires-expression; what a requires-clause has in its brackets ends without a name.
PARAMETER = r"\s*[\w:]+[\w:<>\s]*[\s&*]+\w+\s*"


def without_comments(text):
    """The same lines, with spaces where comments were."""
    return COMMENT.sub(lambda m: m[1] or re.sub(r"[^\n]", " ", m[0]), text)


def end_of_expression(text, at):
    """Where the declaration that begins at `at` ends: its semicolon outside of all brackets."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if text[i] == ";" and depth == 0:
            return i + 1
    return len(text)


def without_concepts(text):
    """The same lines, with spaces where concepts are defined."""
    for m in re.finditer(r"\bconcept\s+\w+\s*=", text):
        end = end_of_expression(text, m.start())
        text = text[:m.start()] + re.sub(r"[^\n]", " ", text[m.start():end]) + text[end:]
    return text


class Kinds:
    """Names in text, enumerators and types of all filters."""

    def __init__(self, root):
        rows = json.loads((root / "spec" / "kinds.json").read_text("utf-8"))["kinds"]
        self.names = sorted(row["name"] for row in rows if row["kind"] < 128)
        self.types, self.headers, self.numbers = [], set(), []
        for header in sorted((root / "include" / "bloomery").glob("*.hpp")):
            text = header.read_text("utf-8")
            own = re.search(r"^class (?:BLOOMERY_EXPORT )?(\w+)\b[^;{]*\{.*?\.number = container_kind::(\w+)", text, re.M | re.S)
            if own:
                self.types.append(own[1])
                self.numbers.append(own[2])
                self.headers.add(header.relative_to(root).as_posix())

    def ways(self):
        names, numbers, types = ("|".join(map(re.escape, some)) for some in (self.names, self.numbers, self.types))
        of_type = rf"(?:bloomery::)?(?:{types})\s*&?"
        return [
            ("text", re.compile(rf'"(?:{names})"'), "the name of a kind"),
            ("text", re.compile(rf"\b(?:{types})::kind\b"), "the facts of a kind"),
            ("number", re.compile(rf"\bcontainer_kind::(?:{numbers})\b"), "the number of a kind"),
            ("type", re.compile(rf"\b(?:same_as|is_same|is_same_v)<[^<>;]*(?:<[^<>]*>)?[^<>;]*\b{of_type}\s*>"), "compared with a kind"),
            ("type", re.compile(rf"\btemplate\s*<>[^;{{]*<\s*{of_type}\s*>"), "specialised for a kind"),
            ("units", re.compile(r"\bunits\s*[!=]=\s*\"|\bstrcmp\([^;]*units"), "units compared"),
            ("probe", re.compile(rf"\brequires\s*(?:\({PARAMETER}(?:,{PARAMETER})*\)\s*)?\{{"), "give the shape a name, as a concept"),
        ]


def fits(path, pattern):
    return pathlib.PurePosixPath(path).match(pattern) or \
        re.fullmatch(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), path) is not None


def offences(root):
    kinds = Kinds(root)
    ways = kinds.ways()
    for place in PLACES:
        for file in sorted((root / place).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in SUFFIXES or path in kinds.headers or any(fits(path, own) for own, _ in OWN):
                continue
            allowed = set().union(*(some for pattern, some, _ in ALLOWED if fits(path, pattern)))
            code = without_comments(file.read_text("utf-8"))
            shapes = without_concepts(code)
            for way, pattern, what in ways:
                if way in allowed:
                    continue
                for m in pattern.finditer(shapes if way == "probe" else code):
                    line = code.count("\n", 0, m.start()) + 1
                    yield f"{path}:{line}: {way}: {what}: {' '.join(m[0].split())}"


def unused_entries(root):
    """Entries of the allow-list that allow nothing: they would hide the next one."""
    kept = ALLOWED[:]
    for entry in kept:
        ALLOWED.remove(entry)
        if not any(fits(o.split(":")[0], entry[0]) for o in offences(root)):
            yield f"{entry[0]}: the allow-list has it ({entry[2]}), and nothing there needs it"
        ALLOWED.append(entry)


def self_test():
    tree = {
        "spec/kinds.json": json.dumps({"kinds": [{"kind": 13, "name": "window"}, {"kind": 129, "name": "packed"}]}),
        "include/bloomery/window_bloom.hpp": "class BLOOMERY_EXPORT window_bloom : public filter_of<window_bloom> {\n"
                                             "  static constexpr kind_facts kind{.number = container_kind::window,\n"
                                             '      .name = "window"};\n};\n',
    }
    right = [("cli/a.cpp", '// f.kind() == "window"'), ("cli/a.cpp", 'say("a window filter");'),
             ("cli/a.cpp", "if (k == container_kind::packed) return;"), ("cli/a.cpp", "window_bloom::make(shape);"),
             ("src/kind/window/row.hpp", 'auto n = "window"; if constexpr (requires { f.rotate(); }) f.rotate();'),
             ("include/bloomery/filter.hpp", "template <class F>\nconcept rotates = a<F> && requires(F& f) {\n  { f.rotate() };\n};"),
             ("cli/a.cpp", "template <class F>\nrequires rotates<F> void use(F& f);"),
             ("cli/a.cpp", "static_assert(std::is_same_v<F, const any_filter&>);"),
             ("tests/law/kinds/window.cpp", 'auto n = "window";'), ("bench/cuckoo.cpp", 'auto n = "window";'),
             ("docs/a.cpp", 'auto n = "window";')]
    wrong = [("cli/a.cpp", "if (f.kind() == window_bloom::kind.name) return;"), ("cli/a.cpp", 'if (f.kind() == "window") return;'), ("src/format/a.cpp", 'find_kind("window");'),
             ("adapters/c/src/a.cpp", "if (k == container_kind::window) return;"),
             ("cli/a.cpp", "if constexpr (std::is_same_v<decltype(f), const window_bloom&>) f.rotate();"),
             ("bench/kit/a.hpp", "if constexpr (std::same_as<F, bloomery::window_bloom>) f.rotate();"),
             ("bench/kit/a.hpp", "template <> inline maker make_of<window_bloom>(int);"),
             ("cli/a.cpp", 'if (std::string_view(k.units) == "blocks" || k.units == "cells") return;'),
             ("adapters/python/src/a.cpp", "if constexpr (requires { f.rotate(); }) f.rotate();"),
             ("include/bloomery/a.hpp", "static constexpr bool has = requires(F& f, key k) { f.insert(k); };"),
             ("include/bloomery/a.hpp", "void clear() requires requires(F& f) { f.clear(); };"),
             ("tests/support/a.hpp", "concept b = c<F>;\nint x;\nbool d = !requires(const F& f) { f.forgetting(1); };")]
    failed = 0
    for cases, expected in (right, 0), (wrong, 1):
        for path, code in cases:
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                for name, text in {**tree, path: f"// a file\n{code}\n"}.items():
                    (root / name).parent.mkdir(parents=True, exist_ok=True)
                    (root / name).write_text(text)
                found = list(offences(root))
            if len(found) != expected or not all(o.startswith(f"{path}:") for o in found):
                print(f"self-test: {path} with {code}: expected {expected}, found {found}")
                failed += 1
    print(f"check_kinds_apart: self-test of {len(right) + len(wrong)} lines, {failed} failed")
    return failed


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test() != 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    kinds = Kinds(root)
    if len(kinds.types) != len(kinds.names):
        print(f"check_kinds_apart: {len(kinds.names)} names, {len(kinds.types)} types: the headers are not understood")
        return 1
    found = [*offences(root), *unused_entries(root)]
    print("\n".join(found) if found else f"check_kinds_apart: nothing outside their own files tells {len(kinds.types)} kinds apart")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
