"""A command opens each filter file once: one that is replaced meanwhile, as our own
writers do it, cannot mix two filters."""

import collections
import ctypes
import json
import os
import select
import struct
import subprocess
import unittest

from tool import FORGETTING, KINDS, PORTABLE, STATIC, ToolTest, lines, remembering

LIBC = ctypes.CDLL(None, use_errno=True)
IN_ACCESS, IN_CLOSE_NOWRITE, IN_OPEN, IN_ISDIR = 0x1, 0x10, 0x20, 0x40000000


class Watch:
    """Counts how often each file of a folder is opened.

    Reads and closes are watched too: the kernel drops an event that equals the last one,
    and between two opens of a file that anybody uses there is a read or a close.
    """

    def __init__(self, folder):
        self.fd = LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        mask = IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE
        if self.fd < 0 or LIBC.inotify_add_watch(self.fd, os.fsencode(folder), mask) < 0:
            raise unittest.SkipTest(f"no inotify: {os.strerror(ctypes.get_errno())}")
        self.opens = collections.Counter()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.read()
        os.close(self.fd)

    def read(self):
        while select.select([self.fd], [], [], 0)[0]:
            events = os.read(self.fd, 1 << 16)
            while events:
                _, mask, _, length = struct.unpack_from("iIII", events)
                name = events[16:16 + length].rstrip(b"\0").decode()
                if mask & IN_OPEN and not mask & IN_ISDIR:
                    self.opens[name] += 1
                events = events[16 + length:]

    def wait_for(self, name):
        while not self.opens[name]:
            if not select.select([self.fd], [], [], 60)[0]:
                raise AssertionError(f"{name} was not opened")
            self.read()


class OneOpen(ToolTest):
    def expect_once(self, files, *args, **run):
        with Watch(self.folder) as watch:
            self.run_tool(*args, **run)
        for file in files:
            self.assertEqual(watch.opens[os.path.basename(file)], 1, args)

    def expect_once_everywhere(self, file, *options):
        """Every command that reads one filter."""
        keys = self.write("keys", lines(range(100)))
        out = self.path("out")
        for command in (("query", *options, file, "1", "2"), ("info", *options, file),
                        ("info", "--json", *options, file), ("verify", *options, file),
                        ("verify", *options, file, "--keys", keys),
                        ("convert", *options, file, "-o", out, "-q", "--keys", keys),
                        ("insert", *options, file, keys)):
            if command[0] == "insert" and file.endswith(tuple(f".{k}" for k in STATIC)):
                continue
            forgets = file.endswith(tuple(f".{k}" for k in FORGETTING))
            refused = forgets and "--keys" in command  # a missing key would prove nothing
            self.expect_once([file], *command, expect=2 if refused else 0)

    def test_every_kind(self):
        for kind in KINDS:
            file = self.make(f"f.{kind}", range(100), "--kind", kind, *remembering(kind, 100))
            self.expect_once_everywhere(file)

    def test_a_keyed_hash(self):
        secret = self.write("secret", bytes(range(16)))
        file = self.make("f", range(100), "--hash", "siphash13", "--secret-file", secret)
        self.expect_once_everywhere(file, "--secret-file", secret)
        for command in ("info", "verify"):
            self.expect_once([file], command, file)

    def test_a_bare_portable_filter(self):
        self.expect_once_everywhere(self.build("f", range(100)), *PORTABLE)

    def test_other_systems_bare_and_in_a_container(self):
        for dialect in ("guava", "parquet"):
            bare = self.make(f"f.{dialect}", range(100), "--dialect", dialect)
            self.expect_once_everywhere(bare, "--dialect", dialect)
            keys = self.write("keys", lines(range(100)))
            wrapped = self.path(f"wrapped.{dialect}")
            self.run_tool("convert", "--from", dialect, bare, "-o", wrapped, "-q", "--keys", keys)
            self.expect_once_everywhere(wrapped)

    def test_a_file_that_is_recognised_by_its_bytes(self):
        file = self.write("f", b"neither a filter nor large")
        self.expect_once([file], "query", file, "1", expect=2)
        self.expect_once([file], "verify", "--dialect", "native", file, expect=2)

    def test_a_damaged_container(self):
        file = self.make("f", range(100), "--memory", "64K")
        data = bytearray(self.read("f"))
        data[20000] ^= 1
        self.write("f", data)
        self.expect_once([file], "query", file, "1")
        for command in ("info", "verify"):
            self.expect_once([file], command, file, expect=int(command == "verify"))

    def test_each_of_several(self):
        files = [self.make(name, range(100), "--capacity", "200") for name in "abc"]
        self.expect_once(files, "merge", *files, "-o", self.path("out"), "-q")

    def test_each_piece_of_a_dump(self):
        read = ("--dialect", "atomicbloom")
        whole = self.make("whole", range(100), *read)
        data = self.read("whole")
        os.mkdir(self.path("dump"))
        self.write("dump/f.header", data[:24])
        self.write("dump/f.1.chunk", data[24:64])
        self.write("dump/f.2.chunk", data[64:])
        with Watch(self.path("dump")) as watch:
            out = self.run_tool("query", *read, self.path("dump"), "1", "x")
        self.assertEqual(out, self.run_tool("query", *read, whole, "1", "x"))
        self.assertEqual(watch.opens, {"f.header": 1, "f.1.chunk": 1, "f.2.chunk": 1})


class Replaced(ToolTest):
    def replaced_meanwhile(self, *args, stdin=None):
        """Standard output of a command whose filter "f" becomes "other" once it is open."""
        with Watch(self.folder) as watch:
            tool = subprocess.Popen([os.environ["BLOOMERY"], *args], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            watch.wait_for("f")
            os.replace(self.path("other"), self.path("f"))
            out, err = tool.communicate(stdin, timeout=120)
        self.assertIn(tool.returncode, (0, 1), err)
        return out

    def make_both(self, size):
        """Large enough that it takes a while to check."""
        self.make("f", range(1000), "--memory", size)
        self.make("other", range(5000, 6000), "--kind", "bloom", "--memory", "64K")
        return self.path("f")

    def test_verify_answers_for_the_file_it_checked(self):
        keys = self.write("keys", lines(range(1000)))
        file = self.make_both("64M")
        report = json.loads(self.replaced_meanwhile("verify", file, "--keys", keys, "--json"))
        self.assertTrue(report["verdict"])
        self.assertEqual((report["keys_checked"], report["keys_missing"]), (1000, 0))
        self.assertEqual(report["chunks"], (64 << 20) // 4096)

    def test_info_reports_one_filter(self):
        report = json.loads(self.replaced_meanwhile("info", self.make_both("64M"), "--json"))
        self.assertEqual((report["kind"], report["bytes"]), ("block", 64 << 20))
        self.assertEqual(report["chunks"], (64 << 20) // 4096)

    def test_query_keeps_its_filter(self):
        file = self.make_both("1M")
        out = self.replaced_meanwhile("query", "-c", file, stdin=lines(range(1000)))
        self.assertEqual(out, b"1000\n")


if __name__ == "__main__":
    unittest.main()
