"""What keys are: the file says it, and nobody asks for others by mistake."""

import json

from tool import KINDS, ToolTest, lines

IDS = [str(i) for i in range(1000)]


class Sources(ToolTest):
    def build(self, key_type, keys, *options):
        path = self.path(f"{key_type or 'plain'}.bloom")
        named = ("--key-type", key_type) if key_type else ()
        self.run_tool("build", "-q", *named, *options, "-o", path, stdin=lines(keys))
        return path

    def test_integers_are_found_without_a_word_from_the_caller(self):
        for kind in KINDS:
            path = self.build("u64", IDS, "--kind", kind)
            self.assertEqual(self.run_tool("query", path, "42", "7"), b"42\n7\n", kind)
            self.assertEqual(self.run_tool("query", "-c", path, stdin=lines(IDS)), b"1000\n")
            self.assertEqual(json.loads(self.run_tool("info", "--json", path))["key_source"],
                             "integers")

    def test_a_number_is_the_same_key_whatever_type_held_it(self):
        path = self.build("i64", ["-1", "5", "18446744073709551615"][:2])
        for key_type in ("i64", "i32", "integers"):
            self.assertEqual(self.run_tool("query", "--key-type", key_type, path, "-1", "5"),
                             b"-1\n5\n")
        self.assertEqual(self.run_tool("query", path, "18446744073709551615"),
                         b"18446744073709551615\n")
        self.assertEqual(self.run_tool("query", "--key-type", "u32", path, "5"), b"5\n")

    def test_other_keys_are_refused_by_name(self):
        made = {t: self.build(t, ["1", "2"]) for t in
                ("u64", "i32", "u32be", "i64be", "f64", "utf16", "hashes")}
        source = {"u64": "integers", "i32": "int32", "u32be": "int32be", "i64be": "int64be",
                  "f64": "float64", "utf16": "utf16", "hashes": "hashes"}
        for key_type, path in made.items():
            self.assertEqual(self.run_tool("query", path, "1"), b"1\n", key_type)
            self.assertEqual(self.run_tool("query", "--key-type", key_type, path, "2"), b"2\n")
            for other in ("bytes", "str", *made):
                if other == key_type or (key_type == "u64" and other == "i32"):
                    continue
                self.refuse("query", "--key-type", other, path, "1",
                            says=(path, f"keys are {source[key_type]}", other))

    def test_a_file_that_does_not_say_means_what_the_caller_says(self):
        raw = self.path("raw.bloom")  # eight bytes each, as text cannot be
        self.run_tool("build", "-q", "--hex", "-o", raw,
                      stdin=lines(int(i).to_bytes(8, "little").hex() for i in IDS))
        self.assertEqual(self.run_tool("query", "-c", "--key-type", "u64", raw,
                                       stdin=lines(IDS)), b"1000\n")
        self.assertIn("both are asked", self.err)
        self.assertEqual(self.run_tool("query", "--hex", raw, "2a" + "00" * 7),
                         b"2a" + b"00" * 7 + b"\n")

    def test_a_union_is_of_one_sort(self):
        self.refuse("merge", self.build("u64", IDS), self.build("", IDS), "-o", self.path("m"),
                    says=("integers", "bytes"))
        both = self.path("both.bloom")
        self.run_tool("merge", "-q", self.build("u64", IDS), self.build("i64", IDS), "-o", both)
        self.assertEqual(self.run_tool("query", both, "42"), b"42\n")

    def test_verify_and_convert_read_keys_as_the_file_says(self):
        path, keys = self.build("u64", IDS), self.write("ids", lines(IDS))
        self.run_tool("verify", path, "--keys", keys)
        again = self.path("again.bloom")
        self.run_tool("convert", "-q", path, "--keys", keys, "-o", again)
        self.assertEqual(self.run_tool("query", again, "999"), b"999\n")

    def test_bare_bytes_cannot_say(self):
        path = self.path("bare")
        self.run_tool("build", "--dialect", "portable", "--key-type", "u64", "-o", path,
                      stdin=lines(IDS))
        self.assertIn("--key-type u64", self.err)
        self.run_tool("query", "--dialect", "portable", "--key-type", "u64", path, "42")
        self.refuse("convert", "--to", "portable", self.build("u64", IDS, "--kind", "portable"),
                    "-o", self.path("out"), says=("container",))
