"""Every program of bench/, run for a moment: it ends well and prints its tables.

  BLOOMERY_BENCH=build/release/bench python3 -m unittest programs_test    after the build
  make test-full-bench                                                    builds them, too

Sizes are tiny and no test depends on a time.  A program that finds a false negative, or calls that
disagree, ends with a message and an exit status above 0, so it fails here.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

FOLDER = pathlib.Path(os.environ.get("BLOOMERY_BENCH", "build/release/bench")).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADS = ("load average at the start: ", "load average at the end, this program included: ")

TINY = ("--keys", "10000", "--rounds", "1")
# Program -> its arguments, and lines that it prints (expressions).  A table has a row of figures.
ROW = r"^\|.*\| [0-9.]+"
PROGRAMS = {
    "bench_report": (TINY, (ROW, r"\*\*fuse\*\*", "16-byte strings, absent", "One absent key against many")),
    "bench_end_to_end": (TINY, (ROW, r"\| u64 \| 10k \| \*\*block\*\*", r"\| text, 64 bytes \| 10k \| ")),
    "bench_end_to_end_v3": (TINY, (ROW, "callers compiled for x86-64-v3")),
    "bench_one_key": (TINY, (ROW, r"\| 10k \| fuse\b", "callers compiled for any x86-64")),
    "bench_one_key_v3": (TINY, (ROW, "callers compiled for x86-64-v3")),
    "bench_files": (("--large-mib", "8", "--members", "10"), (ROW, "checked path", "10 filters of 100 keys")),
    "bench_static": (("--max-keys", "1000"), (ROW, "every key of every filter was found")),
    "bench_scalable": (("--keys", "100"), (ROW, r"% from the bits")),
    "bench_stable": (("--gap", "1000"), (ROW,)),
    "bench_cuckoo": (("--keys", "10000"), (ROW, "two buckets, nothing compared")),
    "bench_quotient": (TINY, (ROW, r"^\| all listed \|")),
    "bench_concurrent": ((*TINY, "--snapshot-mib", "1"), (ROW, "answers after 64 attempts", "save_snapshot")),
    "portable_bench": (("--benchmark_min_time=0.001", "--benchmark_filter=/L1"), ("portable/absent_strings/batched/L1",)),
    "hash_bench": (("--benchmark_min_time=0.001",), ("xxh3", "siphash13")),
}
# Google Benchmark prints the load at the start in its own words, and what is ours on standard error.
GOOGLE = {"portable_bench", "hash_bench"}


def programs():
    """Those that were built."""
    return {path.name for path in FOLDER.iterdir() if path.is_file() and os.access(path, os.X_OK)}


class Programs(unittest.TestCase):
    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="bloomery-bench-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def run_program(self, name, *arguments, status=0):
        done = subprocess.run([FOLDER / name, *arguments], cwd=self.folder, env={**os.environ, "TMPDIR": self.folder},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800, check=False)
        self.assertEqual(done.returncode, status, f"{name}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done

    def test_each_prints_its_tables(self):
        for name in sorted(programs() & set(PROGRAMS)):
            with self.subTest(name):
                arguments, expected = PROGRAMS[name]
                done = self.run_program(name, *arguments)
                for pattern in expected:
                    self.assertRegex(done.stdout, re.compile(pattern, re.M), name)
                for load in LOADS[name in GOOGLE:]:
                    self.assertRegex(done.stdout + done.stderr, re.escape(load) + r"[0-9.]+", name)
                print(f"{name}: {len(done.stdout.splitlines())} lines")
        print(f"cases: programs {len(programs())}")

    def test_none_is_left_out(self):
        """A new program has a row above, and those of CMake's lists were built."""
        self.assertEqual(programs() - set(PROGRAMS), set())
        cmake = (ROOT / "bench" / "CMakeLists.txt").read_text("utf-8")
        named = set(re.findall(r"\b(\w*bench_\w+|\w+_bench)\b", cmake)) & set(PROGRAMS)
        self.assertEqual(named - programs() - {name for name in named if name.endswith("_v3")}, set())
        self.assertGreaterEqual(len(named), 12)

    def test_every_kind_is_compared(self):
        """bench_report of all kinds at once: none is refused, and none is left out."""
        rows = json.loads((ROOT / "spec" / "kinds.json").read_text("utf-8"))["kinds"]
        kinds = {row["name"] for row in rows if row["kind"] < 128}
        path = pathlib.Path(self.folder) / "report.json"
        done = self.run_program("bench_report", *TINY, "--json", path)
        report = json.loads(path.read_text("utf-8"))
        ours = {row["filter"]: row for row in report["rows"] if row["ours"]}
        self.assertEqual({name for name in ours if ", v3 build" not in name}, kinds)
        for kind in kinds:
            self.assertIn(f"| **{kind}** | ", done.stdout)
            self.assertGreater(ours[kind]["absent_batched_ns"], 0, kind)
            self.assertLess(ours[kind]["measured_fpr"], 0.02, kind)
        self.assertIn(LOADS[1], report["machine"])

    def test_figures_go_into_a_document_from_an_idle_machine_only(self):
        """Between the markers, or not at all; a document without them is left alone."""
        document = pathlib.Path(self.folder) / "document.md"
        text = "<!-- end_to_end: begin -->\nold\n<!-- end_to_end: end -->\n"
        document.write_text(text)
        done = subprocess.run([FOLDER / "bench_end_to_end", "--keys", "1000", "--rounds", "1", "--write", document],
                              capture_output=True, text=True, check=False)
        if done.returncode == 2:
            self.assertIn("refused: the load average", done.stderr)
            self.assertEqual(document.read_text(), text)
        else:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(document.read_text(), r"\| u64 \| 1k \| \*\*block\*\*")
            self.assertNotIn("old", document.read_text())


if __name__ == "__main__":
    unittest.main()
