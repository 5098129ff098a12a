"""Where the toy kind must appear: the tool, the laws, C, Python, kinds.json, the ports."""

import json
import os
import shutil
import subprocess
import sys

import tree

TAKES = "the option stride takes a whole number from 1 to 16"
ONLY_TOY = "only the kind toy has the option stride"


class Shown:
    """Runs commands in an empty folder, and keeps what was not as expected."""

    def __init__(self, copy, out, work):
        self.copy, self.out, self.work = copy, out, work
        self.cases, self.failed, self.skipped = 0, [], []
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)

    def run(self, *words, status=0, cwd=None, stdin="", **environment):
        """What it prints; a failure, unless it ends with this status."""
        words = [str(word) for word in words]
        try:
            done = subprocess.run(words, cwd=cwd or self.work, input=stdin, capture_output=True, text=True, check=False,
                                  env={**os.environ, **environment}, timeout=1800)
        except OSError as error:
            self.check(" ".join(words), False, str(error))
            return ""
        text = done.stdout + done.stderr
        self.check(f"{' '.join(words)} ends with {status}", done.returncode == status,
                   f"it ended with {done.returncode}: {text[-1500:]}")
        return text

    def tool(self, *words, **options):
        return self.run(self.out / "bloomery", *words, **options)

    def check(self, what, holds, otherwise=""):
        self.cases += 1
        if not holds:
            self.failed.append(f"{what}: {otherwise}")

    def has(self, what, text, *parts):
        for part in parts:
            self.check(f"{what} has {part!r}", part in text, text[-800:])

    def say(self, what):
        print(what, flush=True)


def keys(prefix, n):
    return "".join(f"{prefix}{i}\n" for i in range(1, n + 1))


def in_the_tool(s):
    help_text = s.tool("build", "--help")
    s.has("build --help", help_text, "--stride", "toy: numbers of the generator")
    (s.work / "keys").write_text(keys("key", 1000))
    (s.work / "more").write_text(keys("more", 500))
    s.tool("build", "keys", "-o", "toy.bloom", "--kind", "toy", "--stride", "3", "--capacity", "2000")
    s.has("info", s.tool("info", "toy.bloom"), "toy", "stride")
    info = json.loads(s.tool("info", "--json", "toy.bloom"))
    s.check("info --json", (info["kind"], info["stride"]) == ("toy", 3), str(info))
    for words, sentence in ((("toy", "--stride", "17"), TAKES), (("toy", "--stride", "x"), "stride"),
                            (("bloom", "--stride", "3"), ONLY_TOY)):
        text = s.tool("build", "keys", "-o", "none.bloom", "--kind", *words, status=2)
        s.has("build --kind " + " ".join(words), text, sentence)
    s.say(f"tool, stride 17: {s.tool('build', 'keys', '-o', 'x', '--kind', 'toy', '--stride', '17', status=2).strip()}")
    s.say(f"tool, another kind: {s.tool('build', 'keys', '-o', 'x', '--kind', 'bloom', '--stride', '3', status=2).strip()}")
    found = s.tool("query", "toy.bloom", stdin=keys("key", 1000))
    s.check("query finds every key", found == keys("key", 1000))
    absent = s.tool("query", "-c", "toy.bloom", stdin=keys("other", 10000))
    s.check("query keeps the rate", int(absent) < 300, absent)
    s.tool("verify", "toy.bloom", "--keys", "keys")


def by_its_capabilities(s):
    """It inserts and merges; it neither erases, deduplicates nor lists."""
    s.tool("build", "more", "-o", "other.bloom", "--kind", "toy", "--stride", "3", "--capacity", "2000")
    s.tool("merge", "toy.bloom", "other.bloom", "-o", "both.bloom")
    s.tool("verify", "both.bloom", "--keys", "more")
    s.tool("verify", "both.bloom", "--keys", "keys")
    s.tool("build", "more", "-o", "differs.bloom", "--kind", "toy", "--stride", "4", "--capacity", "2000")
    s.has("merge of another stride", s.tool("merge", "toy.bloom", "differs.bloom", "-o", "x", status=2), "stride")
    shutil.copy(s.work / "toy.bloom", s.work / "grown.bloom")
    s.tool("insert", "grown.bloom", "more")
    s.check("insert gives the bytes of merge's bits",
            s.tool("query", "-c", "grown.bloom", stdin=keys("more", 500)).strip() == "500")
    for words in (("erase", "grown.bloom", "more"), ("list", "grown.bloom"), ("dedup", "--kind", "toy", "keys")):
        s.has(words[0], s.tool(*words, status=2), "toy")
    s.has("convert", s.tool("convert", "toy.bloom", "-o", "x", "--to", "portable", status=2), "toy")
    rows = json.loads(s.tool("bench", "--kind", "toy", "--keys", "20000", "--rounds", "1", "--json"))
    row = rows[0] if isinstance(rows, list) else rows
    s.check("bench --kind toy", "toy" in json.dumps(row) and "present_ns" in json.dumps(row), json.dumps(row)[:500])
    damaged = bytearray((s.work / "toy.bloom").read_bytes())
    damaged[200] ^= 255
    (s.work / "damaged.bloom").write_bytes(damaged)
    s.tool("verify", "damaged.bloom", status=1)
    s.check("a damaged file has no false negative",
            s.tool("query", "-c", "damaged.bloom", stdin=keys("key", 1000)).splitlines()[0] == "1000")


def in_kinds_json(s):
    told = {row["name"]: row for row in json.loads(s.tool("kinds", "--json"))}
    page = {row["name"]: row for row in json.loads((s.copy / "spec/kinds.json").read_text())["kinds"]}
    for where, row in (("kinds --json", told["toy"]), ("spec/kinds.json", page["toy"])):
        s.check(f"{where}: option", [o["name"] for o in row["options"]] == ["stride"], str(row))
        s.check(f"{where}: field", "stride" in [f["name"] for f in row["fields"]], str(row))
        s.check(f"{where}: can", row["can"] == ["insert", "merge"], str(row))
    s.run(sys.executable, "tools/kinds_json.py", "--tool", s.out / "bloomery", cwd=s.copy)
    s.run(sys.executable, "tools/kind_tables.py", "--check", cwd=s.copy)
    for check in ("layers", "umbrella"):
        s.run(sys.executable, f"tools/check_{check}.py", cwd=s.copy)


def in_the_laws(s):
    text = s.run(s.out / "tests/law_test", "--gtest_filter=*/toy:*/toy_*:*_toy:-*Full*", BLOOMERY_TEST_NAME="law_test")
    line = next((line for line in text.splitlines() if "tests from" in line and "ran" in line), "no tests ran")
    s.say(f"laws: {line.strip()}")
    s.check("laws of the toy kind were run", "[==========] 0 tests" not in text and "ran" in line, text[-500:])


def in_c(s):
    words = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", tree.HERE / "use.c", f"-I{s.copy / 'adapters/c/include'}",
             s.out / "adapters/c/libbloomery_c.a", s.out / "src/libbloomery.a", "-lstdc++", "-lm", "-pthread", "-o", "use"]
    s.run(*words)
    s.say(s.run(s.work / "use", "toy.bloom").strip())
    (s.work / "c").mkdir()
    s.run(s.out / "adapters/c/tests/c_test", s.work / "c")
    s.run(sys.executable, "adapters/c/tests/check_interface.py", "headers", "cc", cwd=s.copy)


def share_packages(venv):
    """What make test has installed is not fetched again: no network is needed."""
    theirs = tree.ROOT / "build/dev/python/venv"
    if venv.exists() or not (theirs / "requirements.sha256").exists():
        return
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    for own, other in zip(venv.glob("lib/python*/site-packages"), theirs.glob("lib/python*/site-packages")):
        (own / "shared.pth").write_text(f"{other}\n")
    shutil.copy(theirs / "requirements.sha256", venv)


def in_python(s):
    words = (sys.executable, "-B", s.copy / "adapters/python/tests/run.py", "--tree", s.out, "--work", s.work.parent / "python")
    venv = s.work.parent / "python" / "venv"
    share_packages(venv)
    asked = subprocess.run([sys.executable, s.copy / "tools/python_env.py", venv,
                            s.copy / "adapters/python/tests/requirements.txt"], capture_output=True, text=True, check=False)
    if asked.returncode == 77:
        s.skipped.append(f"Python ({asked.stdout.strip()})")
        return
    text = s.run(*words, "-q", "-p", "no:cacheprovider", tree.HERE / "python_test.py", TOY_FILE=str(s.work / "toy.bloom"),
                 **({"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}))
    s.say("Python: " + (text.strip().splitlines() or [""])[-1])
    stubs = s.copy / "adapters/python/tools/make_stubs.py"
    s.run(venv / "bin/python", "-B", stubs)
    s.run(venv / "bin/python", "-B", stubs, "--check")
    types = (s.copy / "adapters/python/bloomery/_core.pyi").read_text()
    s.has("_core.pyi", types, "    stride: int | None", "    def stride(self) -> int: ...")
    tests = s.copy / "adapters/python/tests"
    text = s.run(*words, "-q", "-p", "no:cacheprovider", *(tests / f"test_{name}.py" for name in ("kinds", "options", "fields")))
    s.say("Python, the package's own tests of kinds: " + (text.strip().splitlines() or [""])[-1])


def programs(s):
    """Name -> command: conform of each implementation."""
    yield "C++", [s.out / "tests/conform"]
    yield "C", [s.out / "adapters/c/conform_c"]
    yield "Python reference", [sys.executable, "-B", s.copy / "ports/python-reference/conform.py"]
    if shutil.which("go"):
        s.run("go", "build", "-o", s.work / "conform_go", "./cmd/conform", cwd=s.copy / "ports/go")
        yield "Go", [s.work / "conform_go"]
    else:
        s.skipped.append("Go (there is no go)")
    if shutil.which("cargo"):
        s.run("cargo", "build", "--quiet", "--release", "--offline", "-p", "bloomery-conform", cwd=s.copy / "ports/rust",
              CARGO_TARGET_DIR=str(s.work.parent / "rust"))
        yield "Rust", [s.work.parent / "rust/release/bloomery-conform"]
    else:
        s.skipped.append("Rust (there is no cargo)")


SCRIPT = """\
# Level 1: a file of the toy kind: queried, written again, damaged, refused
read b tight.bloom
inspect b
decode f b native
info f
query f key[1..1000] other[1..1000]
query-batch f key[1..1000] other[1..1000]
encode again f native
flip b 1700
decode g b native
count g key[1..1000]
"""


def in_the_ports(s):
    """Each reads the tool's file, and answers as the tool does."""
    (s.work / "toy.script").write_text(SCRIPT)
    asked = keys("key", 1000) + keys("other", 1000)
    # Full, and at a rate that makes false positives.
    s.tool("build", "keys", "-o", "tight.bloom", "--kind", "toy", "--stride", "3", "--fpr", "0.1")
    found = set(s.tool("query", "tight.bloom", stdin=asked).split())
    answers = "".join("01"[key in found] for key in asked.split())
    s.check("some keys are false positives, others not", 1020 < answers.count("1") < 1300, str(answers.count("1")))
    traces = {}
    for name, command in programs(s):
        traces[name] = s.run(*command, "script", s.work / "toy.script", "--files", s.work)
        line = next((line for line in traces[name].splitlines() if line.startswith("6 ")), "")
        s.check(f"{name} answers as the tool", line == f"6 {answers}", traces[name][:600])
        s.check(f"{name} prints the trace of C++", traces[name] == traces["C++"], traces[name][:600])
        s.say(f"{name}: {answers.count('1')} of {len(answers)} keys possibly present, as the tool says"
              if line == f"6 {answers}" else f"{name}: another answer")
    ports, failed = s.copy / "ports", len(s.failed)
    s.run(sys.executable, "-B", "-m", "unittest", "-q", "tests.test_kinds", cwd=ports / "python-reference")
    if "Go" in traces:
        s.run("go", "test", "-run", "Kind|Header|EveryFlippedBit$", ".", cwd=ports / "go")
    if "Rust" in traces:
        s.run("cargo", "test", "--quiet", "--release", "--offline", "-p", "bloomery-conform", "--test", "contract", "kinds",
              cwd=ports / "rust", CARGO_TARGET_DIR=str(s.work.parent / "rust"))
    if failed == len(s.failed):
        s.say("the ports' own tests of kinds and tables pass")


ALL = (in_the_tool, by_its_capabilities, in_kinds_json, in_the_laws, in_c, in_the_ports, in_python)
