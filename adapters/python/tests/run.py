#!/usr/bin/env python3
"""Builds the package around the library of a build folder, installs it, and runs its tests.

  run.py --tree BUILD --work DIR [--tests FOLDER] [pytest's words ...]

FOLDER: this one, or ../tests_spark.  DIR/venv is a virtual environment with the packages of its
requirements.txt (tools/setup.sh python, tools/setup.sh spark).
Exit status 77 where it cannot be had: no registry can be reached, and it is not there.
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ADAPTER = HERE.parent
ROOT = ADAPTER.parent.parent
SKIPPED = 77


def run(*words, **options):
    return subprocess.run([str(w) for w in words], check=False, **options).returncode


def environment(work, tests):
    """The interpreter of the virtual environment."""
    if run(sys.executable, ROOT / "tools" / "python_env.py", work / "venv", tests / "requirements.txt") != 0:
        sys.exit(SKIPPED)
    python = work / "venv" / "bin" / "python"
    install_optional(python, work, tests / "requirements_optional.txt")
    return python


def install_optional(python, work, wanted):
    """Packages without which some tests are skipped, one at a time; tried once."""
    stamp = work / "optional"
    if not wanted.exists() or (stamp.exists() and stamp.read_text() == wanted.read_text()):
        return
    for line in filter(None, (line.split("#")[0].strip() for line in wanted.read_text().splitlines())):
        done = run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--prefer-binary", line,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done != 0:
            print(f"python: pip cannot install {line}: the tests that compare with it are skipped")
    stamp.write_text(wanted.read_text())


def fingerprint(tree):
    """A hash of everything that the wheel is made from."""
    h = hashlib.sha256(str(os.stat(tree / "src" / "libbloomery.a").st_mtime_ns).encode())
    h.update(str(os.stat(tree / "bloomery").st_mtime_ns).encode())
    files = [p for f in ("src", "bloomery") for p in (ADAPTER / f).rglob("*") if p.is_file() and p.suffix != ".pyc"]
    others = ("CMakeLists.txt", "pyproject.toml", "tools/text_signatures.py")
    for path in sorted([*files, *(ADAPTER / name for name in others)]):
        h.update(path.name.encode() + path.read_bytes())
    return h.hexdigest()


def install(python, tree, work):
    """Nothing, if what is installed is made from the same files."""
    stamp = work / "installed"
    now = fingerprint(tree)
    if stamp.exists() and stamp.read_text() == now and run(python, "-c", "import bloomery", cwd=work) == 0:
        return
    stamp.unlink(missing_ok=True)
    log = work / "wheel.log"
    with open(log, "w") as out:
        failed = run(python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index",
                     "--force-reinstall", "--disable-pip-version-check", "-v", ADAPTER,
                     f"-Cbuild-dir={work / 'build'}", f"-Ccmake.define.BLOOMERY_PYTHON_TREE={tree}",
                     stdout=out, stderr=subprocess.STDOUT)
    if failed:
        print(log.read_text()[-8000:])
        sys.exit("the package could not be built; the end of its log is above")
    stamp.write_text(now)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--tests", type=pathlib.Path, default=HERE)
    args, others = parser.parse_known_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    tests = args.tests.resolve()
    python = environment(work, tests)
    install(python, args.tree.resolve(), work)
    # Not from the folder of the sources: the package must be the installed one.
    words = others or ["-q", "-p", "no:cacheprovider", str(tests)]
    return run(python, "-B", "-m", "pytest", *words, cwd=work,
               env={**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": str(work / "hypothesis")})


if __name__ == "__main__":
    sys.exit(main())
