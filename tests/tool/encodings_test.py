"""CR LF, byte order marks and UTF-16: read as if piped through dos2unix and iconv first, by
every command alike; what is ambiguous is refused."""

import gzip
import os
import subprocess
import time

from tool import ToolTest

WORDS = ("alice", "b\u00f6b", "\u6771\u4eac", "\U0001f600 smile", "")
TEXT = "".join(f"{w}\n" for w in WORDS)
PLAIN = TEXT.encode()
DOS = PLAIN.replace(b"\n", b"\r\n")
NOTICE = "; --as-is keeps its bytes\n"

# Bytes that are PLAIN, and the words of the notice; without any there is none.
SAME = {
    "CR LF": (DOS, "CR LF converted to LF"),
    "a last line without an end": (DOS[:-4], "CR LF converted to LF"),  # "" is missing then, see below
    "mark": (b"\xef\xbb\xbf" + PLAIN, "byte order mark dropped"),
    "mark, CR LF": (b"\xef\xbb\xbf" + DOS, "byte order mark dropped, CR LF to LF"),
    "UTF-16LE": (b"\xff\xfe" + TEXT.encode("utf-16-le"), "UTF-16 converted to UTF-8"),
    "UTF-16BE": (b"\xfe\xff" + TEXT.encode("utf-16-be"), "UTF-16 converted to UTF-8"),
    "UTF-16LE, CR LF": (b"\xff\xfe" + DOS.decode().encode("utf-16-le"), "UTF-16 converted to UTF-8, CR LF to LF"),
    "UTF-16 in gzip": (gzip.compress(b"\xfe\xff" + DOS.decode().encode("utf-16-be")),
                       "UTF-16 converted to UTF-8, CR LF to LF"),
}


class Encodings(ToolTest):
    def setUp(self):
        super().setUp()
        self.good = self.path("good")
        self.run_tool("build", "-q", "-o", self.good, stdin=PLAIN)
        self.want = self.read("good")

    def test_every_command_reads_the_same_keys(self):
        for name, (data, words) in SAME.items():
            with self.subTest(name):
                file = self.write("keys", data)
                notice = f"{file}: {words}{NOTICE}"
                text = PLAIN if "last" not in name else PLAIN[:-1]
                self.run_tool("build", "-o", self.path("f"), file)
                self.assertTrue(self.err.startswith(f"bloomery: {notice}"), self.err)
                self.assertEqual(self.err.count("\n"), 2)
                if text == PLAIN:
                    self.assertEqual(self.read("f"), self.want)
                self.run_tool("build", "-q", "-o", self.path("f"), file)
                self.assertEqual(self.err, "")
                self.assertEqual(self.run_tool("query", self.good, "-f", file), text)
                self.assertEqual(self.err, f"bloomery: {notice}")
                self.run_tool("verify", self.good, "--keys", file)
                self.assertEqual(self.err, f"bloomery: {notice}")
                self.run_tool("convert", self.good, "--keys", file, "-o", self.path("g"))
                self.assertIn(notice, self.err)
                self.run_tool("convert", "-q", self.good, "--keys", file, "-o",
                              self.path("g"))
                self.assertEqual(self.err, "")

    def test_one_notice_per_file(self):
        files = [self.write(f"keys{i}", DOS) for i in range(3)]
        self.run_tool("query", "-c", self.good, *[w for f in files for w in ("-f", f)])
        self.assertEqual(self.err.count("CR LF"), 3)

    def test_pieces_make_no_difference(self):
        """A pipe may deliver the bytes one by one."""
        for name, (data, words) in SAME.items():
            tool = subprocess.Popen([os.environ["BLOOMERY"], "query", self.good],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
            for byte in data:
                os.write(tool.stdin.fileno(), bytes([byte]))
            out, err = tool.communicate(timeout=60)
            self.assertEqual((tool.returncode, out), (0, PLAIN[:-1] if "last" in name
                                                      else PLAIN), name)
            self.assertEqual(err.decode(), f"bloomery: standard input: {words}{NOTICE}")

    def test_many_blocks(self):
        """CR, LF and surrogates fall on every side of the ends of blocks."""
        keys = [f"{i:x}{chr(0x1f600 + i % 40)}{'p' * (i % 23)}" for i in range(40_000)]
        plain = "".join(f"{k}\n" for k in keys)
        dos = plain.replace("\n", "\r\n")
        path = self.path("many")
        self.run_tool("build", "-q", "-o", path, stdin=plain.encode())
        want = self.read("many")
        for data in (dos.encode(), b"\xff\xfe" + dos.encode("utf-16-le"),
                     b"\xfe\xff" + plain.encode("utf-16-be")):
            self.run_tool("build", "-q", "-o", path, stdin=data)
            self.assertEqual(self.read("many"), want)
            self.assertEqual(self.run_tool("query", path, stdin=data), plain.encode())

    def test_a_first_line_without_end(self):
        """The first line decides, however long it is and however late it ends."""
        long = b"x" * 300_000
        self.run_tool("build", "-q", "-o", self.path("f"), stdin=long + b"\r\nbob\r\n")
        self.assertEqual(self.run_tool("query", self.path("f"), stdin=long + b"\nbob\n"),
                         long + b"\nbob\n")
        self.refuse("build", "-q", "-o", self.path("f"), stdin=long + b"\r\nbob\n",
                    says=("line 2 ends in LF alone",))

    def refuse_everywhere(self, data, *options, says):
        file = self.write("keys", data)
        for command in (("build", "-q", file, "-o", self.good), ("query", "-c", self.good),
                        ("build", "-q", file, "--capacity", "9", "-o", self.good),
                        ("verify", self.good, "--keys", file),
                        ("convert", "-q", self.good, "--keys", file, "-o", self.path("o"))):
            out = self.run_tool(*command, *options, stdin=data, expect=2)
            self.assertEqual(out, b"")
            last = self.err.splitlines()[-1]
            for word in says:
                self.assertIn(word, last)
        self.assertEqual(self.read("good"), self.want)
        self.assertFalse(self.exists("o"))

    def test_lines_of_two_kinds(self):
        options = ("--crlf", "--as-is")
        self.refuse_everywhere(b"a\r\nb\nc\r\n", says=("line 2 ends in LF alone", *options))
        self.refuse_everywhere(b"a\nb\r\nc\n", says=("line 2 ends in CR LF", *options))
        self.refuse_everywhere(b"a\r\nb\r\r\n", says=("line 2 ends in CR CR LF", *options))
        self.refuse_everywhere(b"a\r\r\n", says=("line 1 ends in CR CR LF", *options))
        self.refuse_everywhere(b"a\r\nb\r", says=("line 2 ends in CR without", "--as-is"))
        late = b"a\r\n" * 100_000 + b"b\n"
        self.refuse_everywhere(late, says=("line 100001 ends in LF alone", *options))
        mixed = b"a\r\nb\nc\r\r\nd"
        self.run_tool("build", "-q", "--crlf", "-o", self.path("f"), stdin=mixed)
        self.assertEqual(self.run_tool("query", self.path("f"), "a", "b", "c\r", "c", "d"),
                         b"a\nb\nc\r\nd\n")
        self.assertEqual(self.run_tool("query", "--crlf", self.path("f"), stdin=mixed),
                         b"a\nb\nc\r\nd\n")
        self.assertEqual(self.err, "")
        self.refuse("query", "--crlf", "-0", self.good, says=("--crlf", "--null"))
        self.refuse("query", "--crlf", "--as-is", self.good, says=("--crlf", "--as-is"))

    def test_lines_of_two_kinds_in_a_slow_pipe(self):
        for pieces, says in (((b"a\r", b"\nb\n"), "line 2 ends in LF alone"),
                             ((b"a\r\n", b"b", b"\n"), "line 2 ends in LF alone"),
                             ((b"a\r\n", b"\r", b"\r", b"\n"), "line 2 ends in CR CR LF"),
                             ((b"a\n", b"b\r", b"\n"), "line 2 ends in CR LF")):
            tool = subprocess.Popen([os.environ["BLOOMERY"], "build", "-q", "-o",
                                     self.path("f")], stdin=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
            for piece in pieces[:-1]:
                tool.stdin.write(piece)
                tool.stdin.flush()
                time.sleep(0.05)  # nothing depends on it: the verdict is the same without
            _, err = tool.communicate(pieces[-1], timeout=60)
            self.assertEqual(tool.returncode, 2)
            self.assertIn(says, err.decode())

    def test_broken_utf16(self):
        mark, bad = b"\xff\xfe", "\ud83d"
        text = f"a\n{bad}b\n".encode("utf-16-le", "surrogatepass")
        self.refuse_everywhere(mark + text, says=("d83d at byte 6 (line 2)", "--as-is"))
        text = "a\n\ude00b\n".encode("utf-16-le", "surrogatepass")
        self.refuse_everywhere(mark + text, says=("de00 at byte 6 (line 2)",))
        text = f"a\n{bad}".encode("utf-16-le", "surrogatepass")
        self.refuse_everywhere(mark + text, says=("d83d at byte 6 (line 2)",))
        self.refuse_everywhere(mark + b"a\0\n\0b", says=("half a unit, at byte 6",))
        self.refuse_everywhere(mark + b"a\0\0\0\n\0", says=("NUL byte",))

    def test_an_encoding_that_is_named(self):
        for name, code in (("utf-16le", "utf-16-le"), ("utf-16be", "utf-16-be")):
            data = DOS.decode().encode(code)
            self.refuse_everywhere(data, says=(f"--encoding {name}", "--as-is"))
            for mark in ("", "\ufeff"):
                out = self.run_tool("query", self.good, "--encoding", name,
                                    stdin=mark.encode(code) + data)
                self.assertEqual(out, PLAIN)
            other = "utf-16be" if name == "utf-16le" else "utf-16le"
            self.refuse("query", self.good, "--encoding", other,
                        stdin="\ufeff".encode(code) + data, says=("another encoding",))
            self.refuse("query", self.good, "--encoding", "utf-8",
                        stdin="\ufeff".encode(code) + data, says=("another encoding",))
        out = self.run_tool("query", self.good, "--encoding", "utf-8",
                            stdin=b"\xef\xbb\xbf" + PLAIN)
        self.assertEqual((out, self.err), (PLAIN, ""))
        self.refuse("query", self.good, "--encoding", "latin1", says=("utf-16le",))

    def test_marks_before_records_that_end_in_nul(self):
        """They may be bytes of a key, so they are refused until somebody says."""
        for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"),
                           (b"\xfe\xff", "utf-16be")):
            self.refuse("build", "-0", "-o", self.path("f"), stdin=mark + b"a\0b\0",
                        says=(f"--encoding {name}", "--as-is"))
        self.run_tool("build", "-q", "-0", "--encoding", "utf-16le", "-o", self.path("f"),
                      stdin="a\r\n\0b\0".encode("utf-16"))
        self.assertEqual(self.run_tool("query", "-0", self.path("f"), "a\r\n", "b", "a"),
                         b"a\r\n\0b\0")

    def test_hex_numbers_and_utf16_keys(self):
        f = self.path("f")
        self.run_tool("build", "-q", "--hex", "-o", f, stdin=b"00ff\r\n0a\r\n")
        self.assertEqual(self.run_tool("query", "--hex", f, "00ff", "0a"), b"00ff\n0a\n")
        self.run_tool("build", "-q", "--key-type", "u64", "-o", f, stdin=b"1\r\n2\r\n")
        self.assertEqual(self.run_tool("query", f, "1", "2"), b"1\n2\n")
        # Text in UTF-16 and keys in UTF-16 are two things.
        self.run_tool("build", "-q", "--key-type", "utf16", "-o", f, stdin=PLAIN)
        want = self.read("f")
        self.run_tool("build", "-q", "--key-type", "utf16", "-o", f, stdin=SAME["UTF-16BE"][0])
        self.assertEqual(self.read("f"), want)

    def test_keys_of_the_command_line_are_untouched(self):
        f = self.path("f")
        self.run_tool("build", "-q", "-o", f, stdin=DOS)
        self.run_tool("query", f, "alice\r", "\ufeffalice", expect=1)
        self.assertEqual(self.run_tool("query", "--crlf", f, "alice"), b"alice\n")
