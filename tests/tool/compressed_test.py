"""gzip, zstd and xz are read as if the user had written zcat F |, whatever is wrong with
them."""

import gzip
import lzma
import os
import resource
import shutil
import subprocess
import time
import unittest
import zlib

from tool import ToolTest, lines

KEYS = [f"key-{i * i}" for i in range(400)]
TEXT = lines(KEYS)
LIMIT = 400 << 20  # bytes of address space, more than the tool and a window take


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, capture_output=True,
                          check=True).stdout


def skippable(payload):
    return b"\x5a\x2a\x4d\x18" + len(payload).to_bytes(4, "little") + payload


def packed(data):
    """Each format by its name."""
    made = {"gzip": gzip.compress(data, mtime=0), "xz": lzma.compress(data)}
    if shutil.which("zstd"):
        made["zstd"] = zstd(data)
    return made


class Compressed(ToolTest):
    def setUp(self):
        super().setUp()
        self.good = self.make("good.bloom", KEYS)
        self.plain = self.read("good.bloom")

    def build_from(self, data, *options, **popen):
        self.run_tool("build", "-q", "-o", self.path("f"), *options, stdin=data, **popen)
        return self.read("f")

    def test_every_command_that_reads_keys(self):
        for name, data in packed(TEXT).items():
            with self.subTest(name):
                file = self.write("keys", data)
                self.assertEqual(self.build_from(data), self.plain)
                self.run_tool("build", "-q", "-z", "-o", self.path("f"), file)
                self.assertEqual(self.read("f"), self.plain)
                for options in ((), ("-z",)):
                    self.assertEqual(self.run_tool("query", self.good, "-f", file, *options),
                                     TEXT)
                    self.assertEqual(self.run_tool("query", self.good, "-c", *options,
                                                   stdin=data), b"400\n")
                out = self.run_tool("verify", self.good, "--keys", file)
                self.assertIn(b"400 of 400 keys", out)
                self.run_tool("convert", "-q", self.good, "--keys", file, "-o",
                              self.path("out"))
                self.run_tool("build", "-q", "--dialect", "guava", "-o", self.path("g"), file)
                self.run_tool("build", "-q", "--capacity", "400", "-o", self.path("f"), file)
                self.assertEqual(self.err, "")

    def test_several_members_are_one_text(self):
        first, second = TEXT[:1001], TEXT[1001:]  # in the middle of a key
        ones, twos = packed(first), packed(second)
        for name in ones:
            with self.subTest(name):
                self.assertEqual(self.build_from(ones[name] + twos[name]), self.plain)
        empty = gzip.compress(b"")
        self.assertEqual(self.build_from(empty + ones["gzip"] + empty + twos["gzip"] + empty),
                         self.plain)
        self.assertEqual(self.build_from(packed(TEXT)["gzip"] + bytes(1000)), self.plain)
        self.assertEqual(self.build_from(ones["xz"] + bytes(8) + twos["xz"]), self.plain)

    @unittest.skipUnless(shutil.which("zstd"), "no zstd here")
    def test_frames_to_be_skipped(self):
        data = skippable(b"index") + zstd(TEXT) + skippable(b"")
        self.assertEqual(self.build_from(data), self.plain)
        self.refuse("build", "-o", self.path("g"), stdin=skippable(b"only"), says=("no keys",))

    def test_every_truncation_is_an_error(self):
        """Few keys make few truncations; each is tried in a pipe."""
        for name, data in packed(b"alice\nbob\ncarol\n").items():
            for cut in range(1, len(data)):
                if data[:cut] == b"(":
                    continue  # of zstd: a key as good as any
                says = f"{name} data at byte" if cut >= 6 else "magic number"
                if name == "gzip" and cut >= 2 or name == "zstd" and cut >= 4:
                    says = f"{name} data at byte"
                self.refuse("build", "-o", self.path("g"), stdin=data[:cut],
                            says=("standard input: damaged or truncated", says))
        self.assertFalse(self.exists("g"))

    def test_an_error_leaves_the_old_filter(self):
        for name, data in packed(TEXT).items():
            cut = self.write("cut", data[:-3])
            for command in (("build", cut, "-o", self.good),
                            ("build", cut, "--capacity", "9", "-o", self.good),
                            ("verify", self.good, "--keys", cut),
                            ("convert", self.good, "--keys", cut, "-o", self.path("out"))):
                self.refuse(*command, says=(f"{cut}: damaged or truncated {name}",))
            self.run_tool("query", "-c", self.good, "-f", cut, expect=2)
            self.assertIn(f"{cut}: damaged or truncated {name}", self.err)
        self.assertEqual(self.read("good.bloom"), self.plain)
        self.assertFalse(self.exists("out"))

    def test_flipped_bits_lose_no_key(self):
        """Refused, or the flip was in a name or a time that is no part of the text."""
        for name, data in packed(b"alice\nbob\ncarol\n").items():
            if name == "zstd":
                data = zstd(b"alice\nbob\ncarol\n", "--check")
            want = self.build_from(b"alice\nbob\ncarol\n")
            refused = 0
            for at in range(len(data)):
                bad = bytearray(data)
                bad[at] ^= 1 << at % 8
                self.write("bad", bad)
                done = subprocess.run([os.environ["BLOOMERY"], "build", "-q", "-z", "-o",
                                       self.path("h"), self.path("bad")],
                                      capture_output=True, timeout=60, check=False)
                if done.returncode == 0:
                    self.assertEqual(self.read("h"), want, (name, at))
                else:
                    self.assertEqual(done.returncode, 2, (name, at))
                    self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
                    refused += 1
            self.assertGreater(refused, len(data) - 12, name)

    def test_what_follows_is_refused(self):
        for name, data in packed(TEXT).items():
            for rest in (b"alice\n", b"\x1f\x8b", b"x"):
                self.refuse("build", "-o", self.path("g"), stdin=data + rest, says=(name,))
        self.refuse("build", "-o", self.path("g"), stdin=gzip.compress(TEXT) + bytes(9) + b"x",
                    says=("something else",))

    def test_insisting(self):
        file = self.write("keys", TEXT)
        self.refuse("build", "-z", file, "-o", self.path("g"),
                    says=(f"{file}: is not gzip, zstd or xz data", "-z"))
        self.refuse("query", "-z", self.good, stdin=b"", says=("is empty",))
        self.refuse("query", "-z", self.good, stdin=b"(", says=("is not gzip",))

    def test_as_is_switches_it_off(self):
        for data in packed(TEXT).values():
            f = self.path("f")
            self.run_tool("build", "-q", "--as-is", "-o", f, stdin=data)
            self.run_tool("verify", "--as-is", f, "--keys", "-", stdin=data)
            self.run_tool("query", f, KEYS[0], expect=1)
        # Unpacked, and then taken as it is.
        self.run_tool("build", "-q", "--as-is", "-z", "-o", self.path("f"),
                      stdin=gzip.compress(b"a\r\nb\n"))
        self.assertEqual(self.run_tool("query", self.path("f"), "a\r", "a", "b"), b"a\r\nb\n")

    def test_compressed_twice(self):
        twice = gzip.compress(gzip.compress(TEXT))
        file = self.write("twice", twice)
        self.refuse("build", "-o", self.path("g"), file,
                    says=("is gzip data inside compressed data", f"zcat {file} | bloomery"))
        self.refuse("build", "-o", self.path("g"), stdin=lzma.compress(twice),
                    says=("... | xzcat | bloomery",))

    def test_records_that_end_in_nul(self):
        data = gzip.compress(b"a\nb\0c\0")
        self.run_tool("build", "-q", "-0", "-o", self.path("f"), stdin=data)
        self.assertEqual(self.run_tool("query", "-0", self.path("f"), stdin=data),
                         b"a\nb\0c\0")

    def test_a_pipe_that_is_slow(self):
        """One byte after the other is the same text."""
        for name, data in packed(b"alice\nbob\n").items():
            tool = subprocess.Popen([os.environ["BLOOMERY"], "build", "-q", "-o",
                                     self.path("f")], stdin=subprocess.PIPE)
            for byte in data:
                os.write(tool.stdin.fileno(), bytes([byte]))
            tool.communicate(timeout=60)
            self.assertEqual(tool.returncode, 0, name)
            self.run_tool("verify", self.path("f"), "--keys", "-", stdin=b"alice\nbob\n")

    def limited(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
        return {} if "BLOOMERY_SANITIZED" in os.environ else {"preexec_fn": limit}

    def test_bombs_stay_in_bounded_memory(self):
        long = "x" * 1023
        member = gzip.compress(lines([long]) * (8 << 10))
        out = self.run_tool("query", "-c", self.make("s", [long]), stdin=member * 60,
                            **self.limited())
        self.assertEqual(out, b"%d\n" % (60 * (8 << 10)))
        member = gzip.compress(bytes(b"x") * (8 << 20))
        self.refuse("build", "-o", self.path("g"), stdin=member * 60, **self.limited(),
                    says=("a key of more than 64.0 MiB in gzip data", "zcat FILE |"))

    def test_windows_that_are_too_large(self):
        options = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 512 << 20}]
        self.refuse("build", "-o", self.path("g"), stdin=lzma.compress(TEXT, filters=options),
                    says=("xz data", "128.0 MiB", "xzcat FILE |"))
        # The header of a frame with a window of 2 GiB, and one block.
        frame = bytes.fromhex("28b52ffd00a8") + bytes.fromhex("190000") + b"a\n\n"
        self.refuse("build", "-o", self.path("g"), stdin=frame,
                    says=("zstd data", "128.0 MiB", "zstdcat --long=31 FILE |"))

    def test_answers_come_while_a_pipe_is_open(self):
        pack = zlib.compressobj(wbits=31)
        start = pack.compress(TEXT[:100]) + pack.flush(zlib.Z_SYNC_FLUSH)
        tool = subprocess.Popen([os.environ["BLOOMERY"], "query", "-c", self.good],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        tool.stdin.write(start)
        tool.stdin.flush()
        time.sleep(0.05)  # nothing depends on it
        out, _ = tool.communicate(pack.compress(TEXT[100:]) + pack.flush(), timeout=60)
        self.assertEqual((tool.returncode, out), (0, b"400\n"))
