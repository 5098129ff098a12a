"""Outputs that would destroy what they are made from, and options without a usable value:
refused before anything is written."""

import array
import fcntl
import os
import subprocess
import termios
import time

from tool import ToolTest, lines


class Outputs(ToolTest):
    def refuse_output(self, kept, *args, says, stdin=None):
        """`kept` stays as it is."""
        old = self.read(kept)
        with open(stdin or os.devnull, "rb") as file:
            done = subprocess.run([os.environ["BLOOMERY"], *args], stdin=file,
                                  capture_output=True, timeout=60, check=False)
        err = done.stderr.decode()
        self.assertEqual((done.returncode, done.stdout), (2, b""), err)
        for word in says:
            self.assertIn(word, err)
        self.assertEqual(self.read(kept), old)

    def setUp(self):
        super().setUp()
        self.keys = self.write("keys", lines(range(100)))
        self.secret = self.write("secret", bytes(range(16)))
        os.symlink("keys", self.path("link"))
        os.link(self.keys, self.path("hard"))

    def test_standard_input(self):
        for out in ("keys", "link", "hard"):
            self.refuse_output("keys", "build", "-o", self.path(out), stdin=self.keys,
                               says=("standard input", "keys it is made from"))
            self.refuse_output("keys", "build", "-", "-o", self.path(out), stdin=self.keys,
                               says=("standard input",))
        self.refuse_output("keys", "build", "-o", "/dev/stdin", stdin=self.keys,
                           says=("keys it is made from",))

    def test_key_files(self):
        good = self.make("f", range(100))
        for out in ("keys", "link", "hard"):
            self.refuse_output("keys", "build", self.keys, "-o", self.path(out),
                               says=("keys it is made from",))
            self.refuse_output("keys", "convert", good, "--keys", self.keys, "-o",
                               self.path(out), says=("keys it is made from",))

    def test_the_secret(self):
        keyed = ("--hash", "siphash13", "--secret-file", self.secret)
        self.refuse_output("secret", "build", self.keys, *keyed, "-o", self.secret,
                           says=("would replace the secret",))
        read = ("--secret-file", self.secret)
        f = self.make("f", range(100), *keyed, "--capacity", "100")
        self.refuse_output("secret", "merge", f, f, *read, "-o", self.secret,
                           says=("would replace the secret",))
        self.refuse_output("secret", "convert", f, *read, "--keys", self.keys, "-o",
                           self.secret, says=("would replace the secret",))

    def test_standard_output_that_is_an_input(self):
        good = self.make("f", range(100))
        for file, *args in ((self.keys, "query", good, "-f", self.keys),
                            (self.keys, "query", good, "-f", self.path("hard")),
                            (good, "query", good, "1"), (good, "info", good),
                            (self.keys, "verify", good, "--keys", self.keys),
                            (self.keys, "build", self.keys, "-o", "-")):
            with open(file, "rb") as old:
                before = old.read()
            with open(file, "ab") as out:
                done = subprocess.run([os.environ["BLOOMERY"], *args], stdout=out,
                                      stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      timeout=60, check=False)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(b"standard output is the same file", done.stderr)
            with open(file, "rb") as now:
                self.assertEqual(now.read(), before, args)

    def test_a_piece_of_a_dump(self):
        read = ("--dialect", "atomicbloom")
        self.make("whole", range(100), *read)
        data = self.read("whole")
        os.mkdir(self.path("dump"))
        self.write("dump/f.header", data[:24])
        self.write("dump/f.1.chunk", data[24:])
        self.refuse_output("dump/f.header", "convert", *read, self.path("dump"), "-o",
                           self.path("dump/f.header"), says=("part of the dump",))

    def test_a_filter_may_be_replaced_by_what_is_made_from_it(self):
        a = self.make("a", range(100), "--capacity", "200")
        b = self.make("b", range(100, 200), "--capacity", "200")
        self.run_tool("merge", a, b, "-o", a, "-q")
        self.assertEqual(self.run_tool("query", "-c", a, stdin=lines(range(200))), b"200\n")
        bare = self.build("bare", range(100))
        self.run_tool("convert", "--from", "portable", bare, "-o", bare, "-q")
        self.run_tool("verify", bare, "--keys", self.keys)


class Options(ToolTest):
    def test_blank_values_are_refused(self):
        keys = self.write("keys", b"a\n")
        out = ("-o", self.path("f"))
        for name in ("--fpr", "--bits-per-key", "--memory", "--capacity", "--threads",
                     "--seed", "--kind", "--dialect", "--hash", "--secret-file",
                     "--key-type", "--profile"):
            for value in ("", " ", "\t"):
                self.refuse("build", keys, *out, name, value, says=(name,))
                self.refuse("build", keys, *out, f"{name}={value}", says=(name,))
        self.refuse("build", keys, "-o", "", says=("-o",))
        self.assertFalse(self.exists("f"))
        good = self.make("good", ["a"])
        for name in ("--part", "--dialect", "--hashes", "--bits", "--variant"):
            self.refuse("info", good, name, "", says=(name,))
        self.refuse("verify", good, "--keys", "", says=("--keys",))
        self.refuse("bench", "--keys", "", says=("--keys",))

    def test_an_empty_name(self):
        for command in (("query", "", "a"), ("info", ""), ("verify", ""),
                        ("build", "", "-o", self.path("f"))):
            self.refuse(*command, says=("'': cannot open",))

    def test_a_filter_that_is_cut_is_named(self):
        """A lookup in pages that were checked and are gone, unless the status tells first."""
        path = self.make("f", range(100), "--memory", "8M", "--capacity", "100")
        tool = subprocess.Popen([os.environ["BLOOMERY"], "query", "-c", path],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        tool.stdin.write(lines(range(100)))
        tool.stdin.flush()
        unread = array.array("i", [1])
        while unread[0] != 0 and tool.poll() is None:
            fcntl.ioctl(tool.stdin, termios.FIONREAD, unread)
        time.sleep(0.2)  # nothing depends on it: most likely they are answered by now
        os.truncate(path, 4096)
        _, err = tool.communicate(lines(range(100)), timeout=60)
        self.assertEqual(tool.returncode, 2)
        self.assertIn(f"{path}: was changed while it was read", err.decode())
        self.assertIn("by mv", err.decode())

    def test_an_option_takes_one_value(self):
        good = self.make("good", ["a", "b"])
        one, two = self.write("one", b"a\n"), self.write("two", b"b\n")
        self.run_tool("verify", "--keys", one, good)
        out = self.run_tool("verify", "--keys", one, "--keys", two, good)
        self.assertIn(b"2 of 2 keys", out)
        self.assertEqual(self.run_tool("query", "-f", one, "-f", two, good), b"a\nb\n")
        self.run_tool("convert", "-q", "--keys", one, "--keys", two, good, "-o",
                      self.path("out"))
        self.run_tool("verify", good, "--keys", one, two, expect=2)  # a second filter
        self.assertIn("two: not a filter", self.err)

    def test_a_long_key_in_small_pieces(self):
        """Reading it again with each piece took minutes: more than run_tool waits."""
        key = b"x" * (48 << 20)
        path = self.path("f")
        tool = subprocess.Popen([os.environ["BLOOMERY"], "build", "-q", "-o", path],
                                stdin=subprocess.PIPE)
        fcntl.fcntl(tool.stdin, 1031, 4096)  # F_SETPIPE_SZ
        tool.communicate(key + b"\nshort\n" + key[:-1], timeout=120)
        self.assertEqual(tool.returncode, 0)
        self.assertEqual(self.run_tool("query", "-c", path, stdin=key), b"1\n")
        self.assertEqual(self.run_tool("query", "-c", path, stdin=key[:-1]), b"1\n")
        self.assertEqual(self.run_tool("query", "-c", path, "short"), b"1\n")
        self.run_tool("query", "-c", path, stdin=key + b"x", expect=1)
