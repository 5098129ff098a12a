"""What the commands print and how they end."""

import hashlib
import json

from tool import PORTABLE, ToolTest, lines, portable


class Answers(ToolTest):
    def k1000(self):
        return self.build("k.bloom", [f"k{i}" for i in range(1000)],
                          "--fpr", "0.01", "--capacity", "1000")

    def test_the_bytes_are_the_contract(self):
        self.k1000()
        self.assertEqual(hashlib.md5(self.read("k.bloom")).hexdigest(),
                         "fb729f785324c844e71b38967a0bf88b")
        self.build("key.bloom", [f"key{i}" for i in range(1000)], "--capacity", "1000")
        self.assertEqual(hashlib.md5(self.read("key.bloom")).hexdigest(),
                         "581a28a0d86ec80fd3c858e2e568f443")

    def test_counting_gives_the_same_bytes_as_the_right_capacity(self):
        self.k1000()
        twice = [f"k{i % 1000}" for i in range(3000)]
        self.build("counted.bloom", twice)
        self.assertEqual(self.read("counted.bloom"), self.read("k.bloom"))

    def test_no_false_negative_and_94_false_positives(self):
        path = self.k1000()
        present = lines(f"k{i}" for i in range(1000))
        self.assertEqual(self.run_tool("query", *PORTABLE, path, stdin=present), present)
        absent = lines(f"x{i}" for i in range(10000))
        out = self.run_tool("query", *PORTABLE, "-c", path, stdin=absent)
        self.assertEqual(out, b"94\n")
        out = self.run_tool("query", *PORTABLE, "-c", "-v", path, stdin=absent)
        self.assertEqual(out, b"9906\n")

    def test_query_ends_like_grep(self):
        path = self.k1000()
        self.assertEqual(self.run_tool("query", *PORTABLE, path, "k7"), b"k7\n")
        self.assertEqual(self.run_tool("query", *PORTABLE, path, "nobody", expect=1), b"")
        self.assertEqual(self.run_tool("query", *PORTABLE, "-v", path, "nobody"),
                         b"nobody\n")
        self.assertEqual(self.run_tool("query", *PORTABLE, "-v", path, "k7", expect=1), b"")
        self.assertEqual(self.run_tool("query", *PORTABLE, "-c", path, "no", expect=1),
                         b"0\n")

    def test_info_has_every_field(self):
        facts = json.loads(self.run_tool("info", *PORTABLE, "--json", self.k1000()))
        self.assertEqual(list(facts), [
            "kind", "dialect", "hash", "seed", "key_source", "bits", "hashes", "bytes", "capacity", "ones",
            "keys_estimate", "fill", "design_fpr", "realised_fpr", "intact"])
        self.assertEqual((facts["bits"], facts["hashes"], facts["bytes"]), (9586, 7, 1199))
        self.assertAlmostEqual(facts["keys_estimate"], 1000, delta=40)
        self.assertAlmostEqual(facts["realised_fpr"], 0.0095, delta=0.0003)

    def test_verify_finds_what_is_missing(self):
        path = self.k1000()
        keys = self.write("keys", lines(f"k{i}" for i in range(1000)))
        out = self.run_tool("verify", *PORTABLE, path, "--keys", keys)
        self.assertIn(b"1,000 of 1,000 keys found", out)
        more = self.write("more", lines(f"k{i}" for i in range(1001)))
        out = self.run_tool("verify", *PORTABLE, path, "--keys", more, expect=1)
        self.assertIn(b"line 1001: k1000", out)
        found = json.loads(self.run_tool("verify", *PORTABLE, path, "--keys", more,
                                         "--json", expect=1))
        self.assertEqual((found["keys_checked"], found["keys_missing"]), (1001, 1))

    def test_merge_is_the_union(self):
        one = self.build("a", [f"a{i}" for i in range(500)], "--capacity", "1000")
        two = self.build("b", [f"b{i}" for i in range(500)], "--capacity", "1000")
        both = [f"{c}{i}" for c in "ab" for i in range(500)]
        self.build("whole", both, "--capacity", "1000")
        self.run_tool("merge", *PORTABLE, one, two, "-o", self.path("m"))
        self.assertEqual(self.read("m"), self.read("whole"))

    def test_a_reader_accepts_what_a_writer_would_not_choose(self):
        path = self.write("k31", portable(31, 1000, b"\xff" * 125))
        facts = json.loads(self.run_tool("info", *PORTABLE, "--json", path))
        self.assertEqual((facts["hashes"], facts["realised_fpr"]), (31, 1))
        self.assertIsNone(facts["keys_estimate"])
        path = self.write("absurd", portable(2**32 - 1, 9, b"\xff\x01"))
        self.assertEqual(self.run_tool("query", *PORTABLE, path, "any"), b"any\n")
