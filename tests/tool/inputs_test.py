"""Keys that are not what they seem: refused before anything is written."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import tarfile
import time
import zlib

from tool import PORTABLE, ToolTest, lines

TEXT = "alice\nbob\ncarol\n"
PLAIN = TEXT.encode()
ZSTD = bytes.fromhex("28b52ffd2010810000616c6963650a626f620a6361726f6c0a")
LZ4 = bytes.fromhex("04224d186440a7100000800000616c6963650a00000000")
# Hardly any NUL but those of its newlines.
JAPANESE = "\u6771\u4eac\u3000\u300a\u99c5\n\u5927\u962a\n" * 20


def tar():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("keys.txt")
        member.size = len(PLAIN)
        archive.addfile(member, io.BytesIO(PLAIN))
    return file.getvalue()


# What is wrong with them, and a word of the advice.
BAD = {
    "lzma": (lzma.compress(PLAIN, lzma.FORMAT_ALONE), "xzcat"),
    "bzip2": (bz2.compress(PLAIN), "bzcat"),
    "lz4": (LZ4, "lz4cat"),
    "zip": (b"PK\x03\x04\x14\0\0\0\x08\0" + PLAIN, "unzip"),
    "UTF-32, by its byte order mark": (TEXT.encode("utf-32"), "iconv"),
    "UTF-16LE": (TEXT.encode("utf-16-le"), "--encoding utf-16le"),
    "UTF-16BE": (TEXT.encode("utf-16-be"), "--encoding utf-16be"),
    "byte order mark": (b"\xef\xbb\xbf" + TEXT.encode("utf-8-sig"), "--encoding utf-8"),
    "line 2 ends in CR LF": (b"alice\nbob\r\ncarol\n", "--crlf"),
    "NUL": (b"alice\nb\0b\ncarol\n", "-0"),
    "UTF-16 text": (b"alice\nb\0b\ncarol\n", "--encoding utf-16le"),
    "like UTF-16LE": (JAPANESE.encode("utf-16-le"), "--encoding utf-16le"),
    "like UTF-16BE": (JAPANESE.encode("utf-16-be"), "--encoding utf-16be"),
    "like UTF-32LE": (JAPANESE.encode("utf-32-le"), "iconv -f UTF-32LE"),
    "like UTF-32BE": (TEXT.encode("utf-32-be"), "iconv -f UTF-32BE"),
    "tar": (tar(), "tar -xO"),
    "zlib": (zlib.compress(PLAIN), "pigz -dc"),
    "zlib data": (zlib.compress(PLAIN * 99, 1), "pigz -dc"),
    "CR and no newline": (b"a\rb\rc", "tr '\\r' '\\n'"),
    "CR alone": (b"alice\rbob\r", "tr '\\r' '\\n'"),
}
# Records that end in NUL may hold anything but these.
BAD_WITH_NUL = ("lzma", "bzip2", "lz4", "UTF-32, by its byte order mark",
                "byte order mark")
# What was refused once and is read now: --as-is takes its bytes as ever.
READ = (gzip.compress(PLAIN, mtime=0), ZSTD, lzma.compress(PLAIN), TEXT.encode("utf-16"),
        TEXT.encode("utf-8-sig"), PLAIN.replace(b"\n", b"\r\n"))


class Suspicious(ToolTest):
    def refuse_keys(self, data, *options, says):
        """By every command that reads keys, from a file and from standard input."""
        good = self.make("good.bloom", ["alice"])
        old = self.read("good.bloom")
        keys = self.write("keys", data)
        commands = (("build", keys, "-o", good), ("build", "-o", good),
                    ("build", keys, "--capacity", "10", "-o", good),
                    ("build", keys, "--dialect", "guava", "-o", good),
                    ("query", good), ("query", good, "-f", keys), ("query", good, "-c"),
                    ("verify", good, "--keys", keys), ("verify", good, "--keys", "-"),
                    ("convert", good, "--keys", keys, "-o", self.path("out")))
        for command in commands:
            self.refuse(*command, *options, stdin=data, says=(*says, "--as-is"))
        self.assertEqual(self.read("good.bloom"), old)
        self.assertFalse(self.exists("out"))

    def test_bytes_that_are_no_lines_of_text(self):
        for name, (data, advice) in BAD.items():
            with self.subTest(name):
                self.refuse_keys(data, says=(name, advice))

    def test_the_start_of_records_that_end_in_nul(self):
        for name in BAD_WITH_NUL:
            with self.subTest(name):
                self.refuse_keys(BAD[name][0], "-0", says=(name,))

    def test_records_that_end_in_nul_hold_anything_else(self):
        keys = (b"a\r\n\0b\n\0" + TEXT.encode("utf-16-le") + b"\0")
        self.run_tool("build", "-q", "-0", "-o", self.path("f"), stdin=keys)
        self.assertEqual(self.run_tool("query", "-0", self.path("f"), stdin=keys), keys)

    def test_as_is_takes_these_bytes_for_the_keys(self):
        for data in (*READ, *(data for data, _ in BAD.values())):
            path = self.path("f")
            self.run_tool("build", "-q", "--as-is", "-o", path, stdin=data)
            out = self.run_tool("query", "--as-is", path, stdin=data)
            self.assertEqual(out, data if data.endswith(b"\n") else data + b"\n")
            self.run_tool("verify", "--as-is", path, "--keys", "-", stdin=data)

    def test_every_file_is_looked_at(self):
        good, bad = self.write("good", PLAIN), self.write("bad", BAD["bzip2"][0])
        self.refuse("build", good, bad, "-o", self.path("f"), says=("bad: is bzip2",))

    def test_lines_of_windows_after_a_long_one(self):
        self.refuse_keys(b"x" * 10_000 + b"\nbob\r\n", says=("line 2 ends in CR LF",))

    def test_text_that_is_none_of_these(self):
        for data in (b"B\n", b"BZh\n", b"PK\n", "\u00e4\u4e2d\n".encode(), b"\x1f\n", b"\xff\xfd\n",
                     "a\u00e4\n".encode("latin-1"), b"a\rb\n", b"(\xb5/\n", b"]\n",
                     b"x^2 + y^2\nx^3\n", b"x\x01\n", "x\u0680\u0681\u0682 a\n".encode(),
                     "x\u00da\u00e4\u00f6 abc\n".encode("latin-1"), b"a\nb\rc\rd\ne\n"):
            self.run_tool("build", "-q", "-o", self.path("f"), stdin=data)
            self.assertEqual(self.run_tool("query", self.path("f"), stdin=data), data)

    def test_a_start_that_comes_byte_by_byte(self):
        tool = subprocess.Popen([os.environ["BLOOMERY"], "build", "-o", self.path("f")],
                                stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        os.set_blocking(tool.stdin.fileno(), True)
        for byte in BAD["bzip2"][0][:10]:
            os.write(tool.stdin.fileno(), bytes([byte]))
        _, err = tool.communicate(BAD["bzip2"][0][10:], timeout=60)
        self.assertEqual(tool.returncode, 2)
        self.assertIn(b"is bzip2", err)


    def feed(self, *pieces, command=("build",), says):
        """Each piece after the tool has read and used the one before."""
        path = self.path("fed")
        tool = subprocess.Popen([os.environ["BLOOMERY"], *command, "-o", path],
                                stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for piece in pieces[:-1]:
            tool.stdin.write(piece)
            tool.stdin.flush()
            time.sleep(0.1)  # nothing depends on it: the verdict is the same without
        _, err = tool.communicate(pieces[-1], timeout=60)
        self.assertEqual(tool.returncode, 2, err)
        for word in says:
            self.assertIn(word, err.decode())
        self.assertFalse(self.exists("fed"))

    def test_the_verdict_does_not_depend_on_when_bytes_arrive(self):
        packed = gzip.compress(os.urandom(9000))
        for pieces, says in (
                ((b"a\n", b"b\r\nc\r\n"), ("line 2 ends in CR LF", "--crlf")),
                ((b"a\nb\r", b"\n"), ("line 2 ends in CR LF",)),
                ((b"a\n", b"b\nc\0d\n"), ("NUL byte at offset 5",)),
                ((b"id\n", packed), ("NUL byte",)),
                ((b"a\r", b"b\r", b"c"), ("CR and no newline",)),
                ((b"\xff\xfe", b"\0\0a\0\0\0\n\0\0\0"), ("UTF-32",)),
                ((b"]\0", BAD["lzma"][0][2:]), ("is lzma",)),
                ((b"x\x9c", BAD["zlib"][0][2:]), ("is zlib",)),
                ((b"a\0", b"l\0i\0\n\0"), ("like UTF-16LE",))):
            with self.subTest(says):
                self.feed(*pieces, says=says)
                self.feed(b"".join(pieces), says=says)

    def test_the_first_128_kib_are_looked_at(self):
        start = lines(range(20_000))  # more than a pipe holds
        self.assertTrue(64 << 10 < len(start) < 127 << 10)
        self.refuse_late(start + b"a\r\nb\n", "line 20001 ends in CR LF")
        self.refuse_late(start + b"a\0b\n", f"NUL byte at offset {len(start) + 1}")
        self.refuse_late(start + b"a\r", "line 20001 ends in CR")
        self.run_tool("build", "-q", "-o", self.path("f"), stdin=start + b"a\rb\n")
        edge = start + b"x" * ((128 << 10) - len(start) - 2)
        self.refuse("build", "-o", self.path("g"), stdin=edge + b"\r\n", says=("CR LF",))
        # NUL bytes behind them are bytes of a key.
        self.run_tool("build", "-q", "-o", self.path("g"), stdin=edge + b"xx\na\0b\n")

    def test_a_line_with_cr_lf_anywhere(self):
        """As in a file of one system that one of another was appended to."""
        start = lines(range(20_000))
        edge = start + b"x" * ((128 << 10) - len(start) - 2)
        says = ("ends in CR LF", "--crlf")
        for pieces in ((edge + b"x\r\n",), (edge + b"x", b"\r\n"), (edge + b"x\r", b"\n"),
                       (lines(range(100_000)) + b"bob\r\ncarol\r\n",)):
            self.feed(*pieces, says=says)
        late = self.write("late", lines(range(100_000)) + b"a\rb\n" + b"bob\r\n")
        self.refuse("build", late, "-o", self.path("f"), says=says)
        self.run_tool("build", "-q", "--crlf", late, "-o", self.path("f"))
        self.assertEqual(self.run_tool("query", self.path("f"), "bob", "a\rb"), b"bob\na\rb\n")

    def refuse_late(self, data, says):
        self.refuse("build", self.write("keys", data), "-o", self.path("f"), says=(says,))
        self.refuse("build", "--capacity", "99", "-o", self.path("f"), stdin=data,
                    says=(says,))
        good = self.make("good", ["a"])
        self.refuse("query", "-c", good, stdin=data, says=(says,))
        self.assertFalse(self.exists("f"))

    def test_a_long_file_without_newlines(self):
        """A newline behind the first 128 KiB comes too late, in one piece or in two."""
        data = b"alice\r" * 40_000
        for end in (b"", b"\n", b"\nbob\n"):
            self.feed(data + end, says=("CR alone",))
            self.feed(data[:1 << 17], data[1 << 17:] + end, says=("CR alone",))
        self.run_tool("build", "-q", "-o", self.path("f"),
                      stdin=b"a" * 200_000 + b"\rb\n")

    def test_advice_for_a_pipe(self):
        good = self.path("f")
        self.refuse("build", "-o", good, stdin=BAD["bzip2"][0], says=("... | bzcat | ",))
        self.refuse("build", "-o", good, stdin=BAD["zip"][0],
                    says=("takes no pipe", "unzip -p FILE |"))
        keys = self.write("keys", BAD["zip"][0])
        self.refuse("build", keys, "-o", good, says=(f"unzip -p {keys} |",))
        self.refuse("build", "-o", good, stdin=b"a\rb", says=("tr '\\r' '\\n';",))


class Empty(ToolTest):
    def test_one_empty_file_among_others(self):
        good = self.make("good.bloom", ["a", "b"])
        keys, empty = self.write("keys", b"a\nb\n"), self.write("empty", b"")
        for files in ((keys, empty), (empty, keys), (keys, "-"), (keys, empty, keys)):
            each = [word for file in files for word in ("--keys", file)]
            out = ("-o", self.path("out"))
            name = "standard input: no keys" if "-" in files else "empty: no keys"
            for command in (("build", *files, *out),
                            ("build", *files, "--capacity", "9", *out),
                            ("build", *files, "--dialect", "guava", *out),
                            ("verify", good, *each), ("convert", good, *each, *out)):
                self.refuse(*command, says=(name, "--allow-empty"))
                self.assertFalse(self.exists("out"))
                self.run_tool(*command, "--allow-empty")
                if self.exists("out"):
                    os.remove(self.path("out"))
        self.run_tool("query", good, "-f", keys, "-f", empty)

    def test_no_keys_do_not_replace_a_filter(self):
        good = self.make("good.bloom", ["alice"])
        old = self.read("good.bloom")
        empty = self.write("empty", b"")
        for command in (("build", "-o", good), ("build", empty, "-o", good),
                        ("build", empty, "--capacity", "10", "-o", good),
                        ("build", empty, empty, "--kind", "bloom", "-o", good),
                        ("build", "--dialect", "guava", "-o", good),
                        ("build", "--dialect", "guava", "--capacity", "9", "-o", good),
                        ("verify", good, "--keys", empty),
                        ("convert", good, "--keys", empty, "-o", self.path("out"))):
            self.refuse(*command, says=("no keys", "--allow-empty"))
        self.assertEqual(self.read("good.bloom"), old)
        self.assertFalse(self.exists("out"))

    def test_allow_empty(self):
        path = self.path("f")
        self.run_tool("build", "--allow-empty", "-o", path)
        self.assertIn("filter for 0 keys", self.err)
        self.run_tool("query", path, "a", expect=1)
        out = self.run_tool("verify", path, "--keys", "-", "--allow-empty")
        self.assertIn(b"0 of 0 keys", out)
        self.run_tool("build", "-o", path, stdin=b"\n")  # the empty key
        self.assertIn("filter for 1 key,", self.err)
        self.run_tool("build", "-o", path, stdin=b"a\na\nb\n")
        self.assertIn("filter for 2 keys,", self.err)

    def test_a_query_for_nothing_finds_nothing(self):
        self.run_tool("query", self.make("f", ["a"]), expect=1)
