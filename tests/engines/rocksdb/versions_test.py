"""Our declarations of RocksDB's internal classes beside RocksDB's own, in the versions of versions.txt.

For each the sources are fetched, in the crate that carries them, by cargo: the order of virtual functions is
compared, and the adapter is compiled against that version's headers. Nothing of RocksDB is built."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ADAPTER = ROOT / "adapters" / "rocksdb"
COMPILER = os.environ.get("CXX", "c++")
OURS = ADAPTER / "src" / "internal_classes.hpp"


def run(arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, check=False, **options)


def versions():
    for line in (pathlib.Path(__file__).parent / "versions.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield tuple(line.split())


def fetch(crate, version, folder):
    """The folder of RocksDB's sources; or why there is none."""
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").write_text("")
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{crate} = "={version.split("+")[0]}"\n')
    fetched = run(["cargo", "fetch", "--quiet"], cwd=folder, timeout=300, env={**os.environ, "CARGO_NET_RETRY": "1"})
    if fetched.returncode != 0:
        return None, fetched.stderr.strip().splitlines()[-1:]
    facts = run(["cargo", "metadata", "--offline", "--format-version", "1"], cwd=folder, timeout=60)
    if facts.returncode != 0:
        return None, facts.stderr.strip().splitlines()[-1:]
    for package in json.loads(facts.stdout)["packages"]:
        if package["name"] == crate:
            return pathlib.Path(package["manifest_path"]).parent / "rocksdb", None
    return None, ["cargo does not list it"]


class MirroredClasses(unittest.TestCase):
    def order(self, classes, includes, folder):
        """What virtual_order.cpp prints. The headers refer to functions that nothing here calls."""
        program = folder / f"order{len(list(folder.iterdir()))}"
        built = run([COMPILER, "-std=c++20", "-O1", "-w", f'-DBLOOMERY_CLASSES="{classes}"', *[f"-I{i}" for i in includes],
                     str(pathlib.Path(__file__).parent / "virtual_order.cpp"), "-o", str(program), "-Wl,--unresolved-symbols=ignore-all"])
        self.assertEqual(built.returncode, 0, built.stderr)
        return run([str(program)]).stdout

    def test_versions(self):
        if not shutil.which("cargo"):
            self.skipTest("no cargo")
        checked = 0
        for crate, crate_version, version in versions():
            with self.subTest(version), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                sources, why = fetch(crate, crate_version, folder)
                if sources is None:
                    print(f"not checked: RocksDB {version}: {crate} {crate_version} could not be fetched: {why}")
                    continue
                include = sources / "include"
                numbers = re.findall(r"define ROCKSDB_(?:MAJOR|MINOR|PATCH) (\d+)", (include / "rocksdb/version.h").read_text())
                self.assertEqual(".".join(numbers), version)
                theirs = self.order("table/block_based/filter_policy_internal.h", [include, sources], folder)
                ours = self.order(OURS, [include], folder)
                self.assertEqual(ours, theirs)
                self.assertGreaterEqual(theirs.count("\n"), 9)
                for source in (s for s in ADAPTER.glob("src/*.cpp") if "<rocksdb/" in s.read_text("utf-8")):
                    compiled = run([COMPILER, "-std=c++20", "-fsyntax-only", f"-isystem{include}", f"-I{ADAPTER / 'include'}",
                                    f"-I{ROOT / 'include'}", f"-I{os.environ['BLOOMERY_GENERATED']}", str(source)])
                    self.assertEqual(compiled.returncode, 0, compiled.stderr)
                checked += 1
        print(f"cases: versions {checked}")
        if checked == 0:
            self.skipTest("no version could be fetched")

    def test_another_version_is_an_error(self):
        """The message names the versions that are known, and what to use instead."""
        for major, minor in (6, 29), (11, 13), (12, 0):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "rocksdb").mkdir()
                for header in "slice.h", "status.h":
                    (folder / "rocksdb" / header).write_text("#pragma once\nnamespace rocksdb { class Slice; class Status; }\n")
                (folder / "rocksdb" / "version.h").write_text(f"#define ROCKSDB_MAJOR {major}\n#define ROCKSDB_MINOR {minor}\n")
                compiled = run([COMPILER, "-std=c++20", "-fsyntax-only", f"-I{folder}", "-x", "c++", str(OURS)])
                self.assertNotEqual(compiled.returncode, 0)
                self.assertIn("versions 7.0 to 11.12", compiled.stderr)
                self.assertIn("budget_policy.hpp", compiled.stderr)


if __name__ == "__main__":
    unittest.main()
