"""Keys of any length and any bytes, from anywhere."""

from tool import PORTABLE, ToolTest, lines


class Keys(ToolTest):
    def ask(self, path, *args, stdin=b"", expect=0):
        return self.run_tool("query", *PORTABLE, path, *args, stdin=stdin, expect=expect)

    def build_from(self, data, *options):
        path = self.path("f.bloom")
        self.run_tool("build", *PORTABLE, "-q", "--capacity", "1000", "-o", path, *options,
                      stdin=data)
        return path

    def test_empty_records_are_keys_and_a_final_terminator_adds_none(self):
        self.assertEqual(self.ask(self.build_from(b"a\n\nb\n"), ""), b"\n")
        self.ask(self.build_from(b"a\nb\n"), "", expect=1)
        self.assertEqual(self.ask(self.build_from(b"\n"), "", "a"), b"\n")

    def test_an_unterminated_last_record_counts(self):
        self.assertEqual(self.ask(self.build_from(b"a\nb"), "b"), b"b\n")
        self.assertEqual(self.ask(self.build_from(b"a\n"), stdin=b"a"), b"a\n")

    def test_a_carriage_return_is_kept(self):
        path = self.build_from(b"a\r\nb\n", "--as-is")
        self.ask(path, "a", expect=1)
        self.assertEqual(self.ask(path, "--as-is", stdin=b"a\r\n"), b"a\r\n")

    def test_nul_separated(self):
        path = self.build_from(b"one\ntwo\0three\0", "-0")
        self.assertEqual(self.ask(path, "-0", stdin=b"one\ntwo\0four\0three"),
                         b"one\ntwo\0three\0")
        self.assertEqual(self.ask(path, "-0", "three"), b"three\0")

    def test_hex_spells_binary_keys(self):
        path = self.build_from(b"00ff0a\n\nDEADbeef\n", "--hex")
        self.assertEqual(self.ask(path, "--hex", "00FF0A", "", "deadbeef", "01"),
                         b"00FF0A\n\ndeadbeef\n")
        self.assertEqual(self.ask(path, "-0", stdin=b"\xde\xad\xbe\xef\0"),
                         b"\xde\xad\xbe\xef\0")
        plain = self.path("plain.bloom")
        self.run_tool("build", *PORTABLE, "-q", "--capacity", "1000", "-o", plain,
                      stdin=b"\xde\xad\xbe\xef\n")
        self.assertEqual(self.ask(plain, "--hex", "deadbeef"), b"deadbeef\n")

    def test_bad_hex_names_the_line(self):
        for text in (b"00\nabc\n", b"00\nzz\n"):
            self.refuse("build", *PORTABLE, "--hex", "-o", self.path("x"), stdin=text,
                        says=("line 2", "hex"))
        self.refuse("query", *PORTABLE, "--hex", self.build_from(b"a\n"), "0",
                    says=("key 1", "hex"))

    def test_keys_longer_than_any_buffer(self):
        long = b"x" * (3 << 20)
        path = self.build_from(long + b"\nshort\n" + long + b"y")
        self.assertEqual(self.ask(path, stdin=long + b"\n"), long + b"\n")
        self.assertEqual(self.ask(path, stdin=long + b"y"), long + b"y\n")
        self.ask(path, stdin=long + b"z\n", expect=1)

    def test_every_block_boundary(self):
        # Records of a length that divides no block, more than one block of them.
        keys = [f"{i:x}-{'p' * (i % 23)}" for i in range(60000)]
        path = self.path("many.bloom")
        self.run_tool("build", *PORTABLE, "-q", "-o", path, stdin=lines(keys))
        self.assertEqual(self.ask(path, stdin=lines(keys)), lines(keys))
        self.assertEqual(self.ask(path, "-c", stdin=lines(keys)), b"60000\n")

    def test_files_and_standard_input_together(self):
        one = self.write("one", b"a\nb")  # no terminator: still two keys
        path = self.path("f.bloom")
        self.run_tool("build", *PORTABLE, "-q", "--capacity", "100", "-o", path, one, "-",
                      stdin=b"c\n")
        self.assertEqual(self.ask(path, "a", "b", "c", "bc"), b"a\nb\nc\n")
        self.assertEqual(self.ask(path, "c", "-f", one), b"c\na\nb\n")

    def test_keys_that_look_like_options(self):
        path = self.build_from(b"-v\n--help\n")
        self.assertEqual(self.ask(path, "--", "-v", "--help"), b"-v\n--help\n")
        self.assertEqual(self.ask(path, stdin=b"-v\n"), b"-v\n")

    def test_keys_and_files_in_brackets_are_what_they_are(self):
        path = self.build_from(b"[]\n[a,b]\n\x01x\n")
        self.assertEqual(self.ask(path, "[a,b]", "[]", "\x01x", "a", "b", "[c]"),
                         b"[a,b]\n[]\n\x01x\n")
        file = self.write("[one,two]", b"[a,b]\nq\n")
        self.assertEqual(self.ask(path, "-f", file), b"[a,b]\n")
        self.assertEqual(self.ask(path, f"--file={file}"), b"[a,b]\n")
        self.run_tool("verify", *PORTABLE, path, "--keys=" + file, expect=1)
        self.run_tool("build", *PORTABLE, "-q", "-o", "[f]", "[one,two]", cwd=self.folder)
        self.run_tool("verify", *PORTABLE, "[f]", "--keys", "[one,two]", cwd=self.folder)

    def test_no_keys_at_all(self):
        path = self.path("empty.bloom")
        self.run_tool("build", *PORTABLE, "-q", "--allow-empty", "-o", path)
        self.ask(path, "a", expect=1)
        self.ask(path, expect=1)
