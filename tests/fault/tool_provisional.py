"""Damaged provisional files: refused with 2, whatever the damage to the header."""

import os

from tool import KINDS, ToolTest

STORED = [kind for kind in KINDS if kind != "portable"]


class Provisional(ToolTest):
    def refuse_bytes(self, data, *says):
        path = self.write("bad.bloom", data)
        self.refuse("info", path, says=("bad.bloom", *says))

    def whole(self, kind, keys=range(20)):
        self.make("whole", keys, "--kind", kind)
        return self.read("whole")

    def test_truncations(self):
        for kind in STORED:
            whole = self.whole(kind)
            for n in (*range(0, 64, 5), 63, 64, 65, len(whole) - 1):
                self.refuse_bytes(whole[:n], "not a filter" if n < 8 else "at byte")

    def test_a_flip_of_any_byte_of_the_header(self):
        for kind in STORED:
            whole = self.whole(kind)
            for i in range(64):
                flipped = bytearray(whole)
                flipped[i] ^= 1 << (i % 8)
                self.refuse_bytes(flipped, "not a filter" if i < 8 else "checksum")

    def test_trailing_bytes(self):
        for kind in STORED:
            self.refuse_bytes(self.whole(kind) + b"x", "trailing")

    def test_every_command_refuses(self):
        whole = self.whole("block")
        bad = self.write("bad", whole[:70])
        self.refuse("query", bad, "a", says=("truncated",))
        self.refuse("verify", bad, says=("truncated",))
        self.refuse("merge", self.path("whole"), bad, "-o", self.path("m"),
                    says=("truncated",))
        self.refuse("merge", bad, self.path("whole"), "-o", self.path("m"),
                    says=("truncated",))
        self.assertEqual(sorted(os.listdir(self.folder)), ["bad", "whole"])

    def test_the_wrong_dialect(self):
        self.whole("bloom")
        self.refuse("info", "--dialect", "portable", self.path("whole"),
                    says=("truncated", "--dialect"))
        self.make("portable", range(100), "--dialect", "portable")
        self.refuse("info", "--dialect", "provisional", self.path("portable"),
                    says=("not a provisional file",))

    def test_verify_says_what_it_cannot_know(self):
        self.whole("block")
        out = self.run_tool("verify", self.path("whole")).decode()
        self.assertIn("its checksum", out)
        self.assertIn("no checksum of the bits", out)
        self.assertIn("--keys", out)

    def test_a_lost_bit_is_found_by_the_keys(self):
        whole = bytearray(self.whole("block", range(2000)))
        for i in range(64, len(whole)):
            whole[i] &= 0xfe
        bad = self.write("bad", whole)
        keys = self.write("keys", b"".join(b"%d\n" % i for i in range(2000)))
        self.run_tool("verify", bad)
        self.assertIn(b"missing", self.run_tool("verify", bad, "--keys", keys, expect=1))
