"""What keys are: the file says it, and nobody asks for others by mistake."""

import json

from tool import KINDS, ToolTest, lines, remembering

IDS = [str(i) for i in range(1000)]


class Sources(ToolTest):
    def build(self, key_type, keys, *options):
        path = self.path(f"{key_type or 'plain'}.bloom")
        named = ("--key-type", key_type) if key_type else ()
        self.run_tool("build", "-q", *named, *options, "-o", path, stdin=lines(keys))
        return path

    def test_integers_are_found_without_a_word_from_the_caller(self):
        for kind in KINDS:
            path = self.build("u64", IDS, "--kind", kind, *remembering(kind, 1000))
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
        self.assertIn("both are looked up", self.err)
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

    def test_a_converted_file_says_what_its_keys_are(self):
        ids = self.write("ids", lines(IDS))
        bare = self.path("bare")
        for key_type, source in (("u64", "integers"), ("u32", "int32"), ("utf16", "utf16")):
            self.run_tool("build", "-q", "--dialect", "portable", "--key-type", key_type, "-o",
                          bare, stdin=lines(IDS))
            for keys in ((), ("--keys", ids)):
                safe = self.path("safe.bloom")
                self.run_tool("convert", "-q", "--from", "portable", "--key-type", key_type,
                              bare, "-o", safe, *keys)
                self.assertEqual(self.source_of(safe), source)
                self.assertEqual(self.run_tool("query", "-c", safe, stdin=lines(IDS)), b"1000\n")
                plain = self.build("", IDS, "--kind", "portable")
                self.refuse("merge", plain, safe, "-o", self.path("m"), says=(source, "bytes"))

    def source_of(self, path):
        return json.loads(self.run_tool("info", "--json", path))["key_source"]

    def test_what_a_container_of_other_bytes_cannot_say_is_refused(self):
        bare = self.path("bare")
        for dialect in ("atomicbloom", "leveldb", "rocksdb"):
            self.run_tool("build", "-q", "--dialect", dialect, "--key-type", "u64", "-o", bare,
                          "--capacity", "1000", stdin=lines(IDS))
            self.refuse("convert", "--from", dialect, "--key-type", "u64", bare, "-o",
                        self.path("safe"), says=("--key-type u64", "cannot record", dialect))
            self.run_tool("convert", "-q", "--from", dialect, bare, "-o", self.path("safe"))
            self.run_tool("query", "--key-type", "u64", self.path("safe"), "42")

    def test_integers_of_a_file_that_does_not_say_are_settled_by_keys(self):
        """Eight bytes each, as the tool once hashed them: the other meaning of the two."""
        ids, old = self.write("ids", lines(IDS)), self.path("old.bloom")
        self.run_tool("build", "-q", "--hex", "-o", old,
                      stdin=lines(int(i).to_bytes(8, "little").hex() for i in IDS))
        self.assertIsNone(self.source_of(old))
        out = self.path("out.bloom")
        self.refuse("convert", "--key-type", "u64", old, "-o", out, "--keys", ids,
                    says=(old, "missing", "8 bytes", "rebuild"))
        self.refuse("merge", "--key-type", "u64", old, old, "-o", out,
                    says=(old, "two meanings", "convert"))
        # The meaning it has now, in a file from before there were records.
        fresh = self.build("u64", IDS)
        with open(fresh, "rb") as file:
            content = bytearray(file.read())
        self.forget_source(content)
        recordless = self.write("recordless.bloom", bytes(content))
        self.assertIsNone(self.source_of(recordless))
        self.run_tool("convert", "-q", "--key-type", "u64", recordless, "-o", out, "--keys", ids)
        self.assertEqual(self.source_of(out), "integers")
        self.assertEqual(self.run_tool("query", "-c", out, stdin=lines(IDS)), b"1000\n")

    def forget_source(self, file):
        """Takes the notes out of a container, and makes its checksums right."""
        notes = int.from_bytes(file[96:100], "little")
        offset, length = (int.from_bytes(file[at:at + 8], "little") for at in (72, 80))
        tail = offset + (length + 63) // 64 * 64
        del file[len(file) - 4 - notes:]
        file[96:100] = bytes(4)
        file += crc32c(file[128:offset] + file[tail:]).to_bytes(4, "little")
        file[124:128] = crc32c(file[:124]).to_bytes(4, "little")


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff
