"""Damaged and malicious filters: one line that names what and where, and exit code 2."""

import os
import resource

from tool import PORTABLE, ToolTest, portable

# Far below what a forged header asks for, far above what the tool needs.
MEMORY = 512 << 20


def little_memory():
    # AddressSanitizer reserves terabytes of address space; there it watches instead.
    if "BLOOMERY_SANITIZED" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Hostile(ToolTest):
    def refuse_file(self, data, *says):
        path = self.write("bad.bloom", data)
        for command in (("info",), ("query", "-c"), ("verify",)):
            self.refuse(*command, *PORTABLE, path, says=("bad.bloom", *says),
                        preexec_fn=little_memory)
        old = portable(3, 100)
        good = self.write("good.bloom", old)
        self.write("out.bloom", old)
        self.refuse("merge", *PORTABLE, good, path, "-o", self.path("out.bloom"), says=says)
        self.assertEqual(self.read("out.bloom"), old)

    def test_every_truncation(self):
        whole = portable(3, 100, bytes(range(13)))
        for n in range(len(whole)):
            path = self.write("cut", whole[:n])
            self.refuse("info", *PORTABLE, path, says=("cut", "at byte"))

    def test_empty_file(self):
        self.refuse_file(b"", "header")

    def test_trailing_bytes(self):
        self.refuse_file(portable(3, 100) + b"x", "trailing", "byte 25")

    def test_no_hashes(self):
        self.refuse_file(portable(0, 100), "(k) is 0", "byte 0")

    def test_no_bits(self):
        self.refuse_file(portable(3, 0), "(m) is 0", "byte 4")

    def test_forged_sizes_allocate_nothing(self):
        for m in (2**63, 2**64 - 1, 2**63 - 1, 2**40, 2**32):
            self.refuse_file(portable(3, m, b""), "truncated", "byte 12")
            self.refuse_file(portable(3, m, b"12345678"), "truncated")

    def test_set_padding_bits_warn_but_answer(self):
        path = self.write("pad.bloom", portable(1, 9, b"\xff\xff"))
        self.assertEqual(self.run_tool("query", *PORTABLE, path, "a"), b"a\n")
        self.assertIn("damaged", self.err)
        self.assertIn(b"damaged", self.run_tool("verify", *PORTABLE, path, expect=1))

    def test_a_file_that_could_be_two_things_is_not_guessed(self):
        path = self.write("f.bloom", portable(3, 100))
        nori = b'"nori"' in self.run_tool("formats", "--json")
        self.refuse("query", path, "x", says=("could be portable",
                                              "nori" if nori else "",
                                              "the format is ambiguous", "--dialect",
                                              ", or a bare bitset (blockbloom, parquet, "
                                              "fastbloom, clickhouse), which any bytes "
                                              "may be"))
        path = self.write("bits", bytes(range(64)))
        self.refuse("query", path, "x", says=("bare bitset (blockbloom", "any bytes"))
        self.assertNotIn("could be parquet", self.err)

    def test_a_file_that_is_nothing_we_know(self):
        path = self.write("f.bloom", b"#!/bin/sh\necho hello world, how are you\xff")
        self.refuse("query", path, "x", says=("not a filter", "--dialect"))

    def test_filters_that_cannot_be_merged(self):
        a = self.write("a", portable(3, 100))
        b = self.write("b", portable(3, 101))
        c = self.write("c", portable(4, 100))
        self.refuse("merge", *PORTABLE, a, b, "-o", self.path("m"), says=("bits", "101"))
        self.refuse("merge", *PORTABLE, a, c, "-o", self.path("m"), says=("hashes", "4"))
        self.refuse("merge", *PORTABLE, a, "-o", self.path("m"))
