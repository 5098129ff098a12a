"""Runs the tool under test; the path of the binary is in BLOOMERY."""

import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

PORTABLE = ("--dialect", "portable")
# Kinds of filters, of the facts that every language is tested against.
SPEC = pathlib.Path(__file__).resolve().parents[2] / "spec" / "kinds.json"
KIND_ROWS = json.loads(SPEC.read_text("utf-8"))["kinds"]
KINDS = tuple(k["name"] for k in KIND_ROWS if k["can"])
ERASABLE = tuple(k["name"] for k in KIND_ROWS if "erase" in k["can"])
# Those whose size follows the keys as they come; how to make one for n of them at 1 %.
GROWING = tuple(k["name"] for k in KIND_ROWS if "max_levels" in k["parameters"])


def made_for(kind, n):
    return ("--capacity", str(n), "--dynamic") if kind in GROWING else ()


# Those that forget old keys: how far back one remembers is said when it is made.
FORGETTING = tuple(k["name"] for k in KIND_ROWS if k.get("forgets"))
# Those of them that decrease cells at the pace of a rate: it is theirs at any size.
RATED = tuple(k["name"] for k in KIND_ROWS if "decrement" in k["parameters"])


def remembering(kind, n):
    """Options for a filter that has all of n keys, whatever its kind.

    Where forgetting is by chance, about 1 % is lost at the gap, and at a tenth of it less
    than one key in 10^15.
    """
    return ("--gap", str(10 * n)) if kind in FORGETTING else ()


# Made of all keys at once: they take no others, and are not merged.
STATIC = tuple(k["name"] for k in KIND_ROWS if "build" in k["can"])


def portable(k, m, body=None):
    """The bytes of a portable filter; all zero unless a body is given."""
    return struct.pack("<IQ", k, m) + (bytes((m + 7) // 8) if body is None else body)


def payload(container):
    """The bits of a container, without its header, checksums and notes."""
    at, length = struct.unpack_from("<QQ", container, 72)
    return container[at:at + length]


def lines(keys):
    return "".join(f"{key}\n" for key in keys).encode()


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def exists(self, name):
        return os.path.exists(self.path(name))

    def run_tool(self, *args, stdin=b"", expect=0, **popen):
        """Standard output; standard error is kept in self.err.  expect=None: any status."""
        # A tool that hangs ends the test; under a sanitizer on a busy machine it is only slow.
        done = subprocess.run([os.environ["BLOOMERY"], *args], input=stdin,
                              capture_output=True, timeout=600, check=False, **popen)
        self.err = done.stderr.decode(errors="replace")
        if expect is not None:
            self.assertEqual(done.returncode, expect, f"{args}: {self.err}")
        return done.stdout

    def refuse(self, *args, says=(), stdin=b"", **popen):
        """The tool must end with 2, one line on standard error, nothing on output."""
        out = self.run_tool(*args, stdin=stdin, expect=2, **popen)
        self.assertEqual(out, b"")
        self.assertEqual(self.err.count("\n"), 1, self.err)
        for word in says:
            self.assertIn(word, self.err)

    def build(self, name, keys, *options):
        path = self.path(name)
        self.run_tool("build", *PORTABLE, "-q", "-o", path, *options, stdin=lines(keys))
        return path

    def make(self, name, keys, *options, **popen):
        """A filter of the default kind, unless the options say otherwise."""
        path = self.path(name)
        self.run_tool("build", "-q", "-o", path, *options, stdin=lines(keys), **popen)
        return path
