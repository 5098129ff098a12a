#!/usr/bin/env python3
"""A virtual environment with the packages of a list; nothing, in no time, once it is there.

  tools/python_env.py FOLDER REQUIREMENTS

Exit status 77, with a sentence, where the packages are neither there nor can be fetched.
"""

import hashlib
import pathlib
import subprocess
import sys

SKIPPED = 77


def main():
    folder, requirements = map(pathlib.Path, sys.argv[1:])
    stamp = folder / "requirements.sha256"
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return 0
    made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        print(f"python: no virtual environment (Debian: python3-venv): {made.stdout.strip()[-300:]}")
        return SKIPPED
    print(f"python: installing the packages of {requirements.name} into {folder}", flush=True)
    done = subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check",
                           "--prefer-binary", "-r", requirements], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"python: pip cannot install them, so this is skipped: {done.stderr.strip()[-400:]}")
        return SKIPPED
    stamp.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
