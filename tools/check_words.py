#!/usr/bin/env python3
"""Holds text to plain engineering English: phrases to avoid, and what to write instead.

  tools/check_words.py               what tools/check_docs.py runs too: PLAIN, and the sentences of SOURCES
  tools/check_words.py FILE|FOLDER...  these instead, by all rules, to see what is left in them

To add a phrase: a line in PHRASES, or in SENTENCES.  To hold one more folder to it: its name in PLAIN or SOURCES.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A regular expression, case ignored, whole words; a blank matches a line break, too.
PHRASES = [
    (r"(?:bits?|bytes?|ns|lines?|words?) a key(?! (?:sets?|has|means?|tests?)\b)", "per key"),
    (r"(?:one|key|package|name) a line", "one per line"),
    (r"(?:filter|once) a (?:day|minute|second)", "per day, once per minute"),
    (r"(?:keys|inputs|lines|lookups) a second", "per second"),
    (r"(?:bytes|lines) a (?:thread|block|probe)", "per thread, per block"),
    (r"perhaps", "possibly present; possibly; may"),
    (r"certainly not", "definitely not present"),
    (r"not even", "without; also not"),
    (r"whoever", "a user who; the caller; a thread that"),
    (r"those who", "readers, callers, programs that"),
    (r"(?:has|have) become", "current; is now"),
    (r"of (?:our|its|their|your) own(?! \w)", "native; our own, its own before the noun"),
    (r"as of(?! \d)", "as in"),
    (r"tells?|telling", "reports, shows, says"),
    (r"(?:is|are|was|were|be|been|being|not) told", "gets, receives"),
    (r"(?:is|are|was|were|be) asked|asked for", "target; requested; queried"),
    (r"asks (?:for|it|the|a|whether)", "queries, requests, needs"),
    (r"ends? (?:like grep|with [012]|[012])", "exit status"),
    (r"(?:byte|offset)s? to blame", "byte offset"),
    (r"den(?:y|ies|ied) (?:a key|keys|no key)", "false negative"),
    (r"keys? (?:is|are|was|were) denied", "false negative"),
    (r"keys? that leaves?|do keys leave", "deleted keys"),
    (r"for ever", "forever; permanently; never"),
    (r"is (?:not )?believed", "trusted; used"),
    (r"strangers?", "untrusted users; absent keys"),
    (r"that is to say", "that is"),
    (r"how far (?:it|long|along)", "progress"),
    (r"the least of", "the minimum of"),
    (r"given outright", "given explicitly"),
    (r"beforehand", "in advance"),
    (r"nobody (?:stops|knows)", "no thread is blocked; unknown"),
]
# In all sources, tests too, and in documents; not in spec/ and not in decisions.
SENTENCES = [
    # A capital begins a sentence.  "Of is ..." is the comment of a function in Go.
    (r"(?-i:Of) (?!is\b)[\w`]+", "a sentence with its subject first"),
    (r"(?:ns|seconds?|bytes|bits|lines|instructions) a (?:call|round|row|word|level|page)",
     "per call, per round"),
    (r"not here yet|kinds to come|future kinds?", "what is there; a limit, by name"),
]


def compiled(phrases):
    """First one pattern for all of them, by which most files are done; then each."""
    words = [phrase.replace(" ", r"\s+") for phrase, _ in phrases]
    each = [re.compile(rf"\b(?:{one})\b", re.I | re.M) for one in words]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.I | re.M), list(zip(each, (instead for _, instead in phrases)))


PATTERNS, SENTENCE_PATTERNS, ALL_PATTERNS = compiled(PHRASES), compiled(SENTENCES), compiled(PHRASES + SENTENCES)

# What has none of PHRASES.  Still to come: the sources of ports, tests and tools.
PLAIN = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "adapters/c/README.md", "adapters/c/include",
         "adapters/c/src", "adapters/goleveldb", "adapters/pebble", "adapters/python", "adapters/slatedb", "bench",
         "cli", "docs", "examples", "fuzz", "include", "packaging", "ports/README.md",
         "ports/go/README.md", "ports/rust/README.md", "spec", "src", "tests/README.md"]
# Comments and strings here have none of SENTENCES.
SOURCES = ["adapters", "bench", "cli", "examples", "fuzz", "include", "ports", "src", "tests", "tools"]
QUOTES = {"tools/check_words.py", "tests/consume/docs_test.py"}  # they name the phrases
BUILT = {"target", "__pycache__", "node_modules"}
UNCHECKED = re.compile(r"docs/decisions/00[01]\d-")  # old decisions stay as they were written
SUFFIXES = {".md", ".h", ".hpp", ".c", ".cpp", ".go", ".rs", ".py", ".sh"}

# Not text: blocks and `names` in Markdown.
MARKDOWN_CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`", re.M | re.S)
# Text of programs: comments and strings.  A character, as '"', is neither.
SPOKEN = r'''"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"|(?P<code>'(?:\\.|[^'\\\n])')'''
VALUES = {'"perhaps"'}  # strings that are values of spec/, not text
SPOKEN_C = re.compile(SPOKEN + r"|//[^\n]*|/\*.*?\*/", re.S)
SPOKEN_HASH = re.compile(SPOKEN + r"|#[^\n]*", re.S)


def blanked(text):
    """No words, but the same lines."""
    return re.sub(r"\S", "~", text)


def words_of(path, text):
    if path.suffix == ".md":
        return MARKDOWN_CODE.sub(lambda code: blanked(code[0]), text)
    spoken = SPOKEN_HASH if path.suffix in (".py", ".sh") else SPOKEN_C
    found, end = [], 0
    for part in spoken.finditer(text):
        found.append(blanked(text[end:part.start()]))
        is_text = not part["code"] and part[0] not in VALUES
        found.append(re.sub(r'["*/#!]', " ", part[0]) if is_text else blanked(part[0]))
        end = part.end()
    return "".join(found)


def in_file(path, patterns):
    """Every phrase of the patterns in one file."""
    name = path.relative_to(ROOT).as_posix()
    if name in QUOTES or UNCHECKED.match(name):
        return
    text = words_of(path, path.read_text("utf-8"))
    any_of, each = patterns
    for pattern, instead in each if any_of.search(text) else []:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f'{name}:{line}: "{" ".join(match[0].split())}": write {instead}'


def files_in(name):
    here = ROOT / name
    return [p for p in [here, *sorted(here.rglob("*"))]
            if p.suffix in SUFFIXES and p.is_file() and not BUILT & set(p.relative_to(ROOT).parts)]


def problems(names, of_sources=PATTERNS):
    """Documents by all rules, spec/ and decisions by PHRASES; sources by `of_sources`."""
    for name in names:
        files = files_in(name)
        if not files:
            yield f"{name}: there is no text"
        for path in files:
            is_older = path.relative_to(ROOT).as_posix().startswith(("docs/decisions/", "spec/"))
            yield from in_file(path, of_sources if path.suffix != ".md" else PATTERNS if is_older else ALL_PATTERNS)


def all_problems():
    """PLAIN, and the sentences of SOURCES."""
    yield from problems(PLAIN)
    for name in SOURCES:
        for path in files_in(name):
            if path.suffix != ".md":
                yield from in_file(path, SENTENCE_PATTERNS)


if __name__ == "__main__":
    named = [pathlib.Path(name).resolve().relative_to(ROOT) for name in sys.argv[1:]]
    wrong = list(problems(named, ALL_PATTERNS) if named else all_problems())
    print("\n".join(wrong) if wrong else "check_words: nothing to change")
    sys.exit(bool(wrong))
