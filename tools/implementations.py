"""The implementations that tools/conformance.py and tools/mutate_foreign.py compare: their arguments, how ports are
built, and how each is run."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build_go(folder, out):
    program = out / "conform_go"
    subprocess.run(["go", "build", "-o", program, "./cmd/conform"], cwd=folder, check=True)
    return [program]


def build_rust(folder, out):
    target = out / "rust"
    subprocess.run(["cargo", "build", "--quiet", "--release", "--offline", "-p", "bloomery-conform"],
                   cwd=folder, check=True, env={**os.environ, "CARGO_TARGET_DIR": str(target)})
    return [target / "release" / "bloomery-conform"]


def has_package(python):
    """The test of the package installs it, and is skipped where what it needs cannot be had."""
    try:
        found = subprocess.run([python, "-c", "import bloomery"], capture_output=True, check=False).returncode == 0
    except OSError:
        found = False
    if not found:
        print(f"{python} has no package bloomery: the binding is left out")
    return found


def add_implementations(parser):
    """The arguments that `implementations` reads."""
    for name in ("cpp", "c"):
        parser.add_argument(f"--{name}", metavar="PROGRAM")
    for name in ("go", "rust", "python"):
        parser.add_argument(f"--{name}", metavar="DIR")
    parser.add_argument("--binding", metavar="PYTHON")
    parser.add_argument("--build", metavar="DIR", default=ROOT / "build" / "ports")
    parser.add_argument("--only", metavar="NAMES")


def implementations(args):
    """Name -> the command that is its `conform`."""
    out = pathlib.Path(args.build).absolute()
    out.mkdir(parents=True, exist_ok=True)
    found = {}
    if args.cpp:
        found["C++"] = [pathlib.Path(args.cpp).absolute()]
    if args.c:
        found["C"] = [pathlib.Path(args.c).absolute()]
    if args.go:
        found["Go"] = build_go(pathlib.Path(args.go).absolute(), out)
    if args.rust:
        found["Rust"] = build_rust(pathlib.Path(args.rust).absolute(), out)
    if args.python:
        found["Python"] = [sys.executable, pathlib.Path(args.python).absolute() / "conform.py"]
    if args.binding and has_package(args.binding):
        found["binding"] = [args.binding, ROOT / "adapters" / "python" / "tests" / "conform.py"]
    if args.only:
        wanted = {"cpp": "C++", "c": "C", "go": "Go", "rust": "Rust", "python": "Python", "binding": "binding"}
        found = {name: found[name] for name in map(wanted.get, args.only.split(","))}
    return found


def run(command, *words):
    try:
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False,
                              timeout=600)
    except subprocess.TimeoutExpired:
        return 2, "", "no end after ten minutes"
    return done.returncode, done.stdout, done.stderr
