#!/usr/bin/env python3
"""Puts the C headers of xor_singleheader into a folder, for the benchmark against its filters.

  tools/xor_singleheader.py FOLDER    FOLDER/include/binaryfusefilter.h, xorfilter.h

Does nothing if they are there.  They come from the sources of the Python package
pyfusefilter, which carries them.  Exit status 1, with a reason, if they cannot be had;
nothing half-unpacked is left behind.
"""
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "pyfusefilter==1.3.0"
INSIDE = "lib/xor_singleheader/include/"  # below the folder of the version
HEADERS = ["binaryfusefilter.h", "xorfilter.h"]


def unpack(source, folder):
    folder.mkdir()
    with tarfile.open(source) as archive:
        for header in HEADERS:
            found = [m for m in archive.getmembers() if m.isfile() and m.name.endswith(INSIDE + header)]
            if len(found) != 1:
                raise RuntimeError(f"{PACKAGE} has no {INSIDE}{header}")
            (folder / header).write_bytes(archive.extractfile(found[0]).read())


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0])
    if all((folder / "include" / h).exists() for h in HEADERS):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        scratch = pathlib.Path(scratch)
        got = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                              "--disable-pip-version-check", "--no-binary=:all:",
                              "--dest", scratch, PACKAGE], check=False)
        if got.returncode != 0:
            raise RuntimeError(f"pip could not download {PACKAGE}")
        unpack(next(scratch.glob("*.tar.gz")), scratch / "include")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (scratch / "include").rename(folder / "include")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, RuntimeError, tarfile.TarError) as e:
        sys.exit(f"xor_singleheader: {e}")
