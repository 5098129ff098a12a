"""Keys in a column: rows stay whole, and what a quote means is never guessed."""

from tool import ToolTest, lines

ROWS = b"alice:3\nbob:7\n:1\ncarol:9:x\n"
CSV = (b'name,email,note\r\n'
       b'"Doe, John",john@x.org,"said ""hi"""\r\n'
       b'Ann,"ann@x.org","two\r\nlines"\r\n'
       b'Q,"a ""q"" b",\r\n')


class Columns(ToolTest):
    def test_the_field_is_the_key_and_rows_stay_whole(self):
        f = self.path("f")
        self.run_tool("build", "-q", "-d:", "-F1", "-o", f, stdin=ROWS)
        plain = self.make("plain", ["alice", "bob", "", "carol"])
        self.assertEqual(self.read("f"), self.read("plain"))
        self.assertEqual(self.run_tool("query", f, "bob", "bob:7"), b"bob\n")
        asked = b"alice:other\ndave:1\ncarol\n"
        self.assertEqual(self.run_tool("query", plain, "-d", ":", "-F", "1", stdin=asked),
                         b"alice:other\ncarol\n")
        self.assertEqual(self.run_tool("query", "-v", plain, "-d:", "-F1", stdin=asked),
                         b"dave:1\n")
        self.assertEqual(self.run_tool("query", "-c", plain, "-d:", "-F1", stdin=ROWS),
                         b"4\n")
        self.assertEqual(self.run_tool("query", plain, "-d:", "-F1", stdin=ROWS), ROWS)
        rows = self.write("rows", ROWS)
        self.run_tool("verify", plain, "--keys", rows, "-d:", "-F1")
        out = self.run_tool("verify", self.make("g", ["alice"]), "--keys", rows, "-d:",
                            "-F1", expect=1)
        self.assertIn(b"rows, line 2: bob:7", out)

    def test_delimiters(self):
        f = self.make("f", ["b"])
        for d, row in (((), b"a\tb\tc\n"), (("-d", "\\t"), b"a\tb\n"), (("-d", "\t"), b"a\tb\n"),
                       (("-d", " "), b"a b\n"), (("-d", ","), b"a,b,c\n")):
            self.assertEqual(self.run_tool("query", f, "-F", "2", *d, stdin=row), row)
        for d in ("::", "", "\n", '"', "\u00e4"):
            self.refuse("query", f, "-F", "2", "-d", d, says=("--delimiter",))
        self.refuse("query", f, "-d:", says=("--delimiter", "--field"))
        self.refuse("query", f, "--csv", says=("--csv", "--field"))
        self.refuse("query", f, "-F", "0", says=("--field",))
        self.refuse("query", f, "-F1", "--csv", "--no-quotes", says=("--csv", "--no-quotes"))

    def test_rows_without_the_field(self):
        f = self.make("f", ["7", ""])
        self.refuse("query", f, "-d:", "-F2", stdin=b"a:7\nb\n",
                    says=("standard input, line 2: has no field 2", "-d D", "--missing-empty"))
        out = self.run_tool("query", f, "-d:", "-F2", "--missing-empty", stdin=b"a:7\nb\nc:8\n")
        self.assertEqual(out, b"a:7\nb\n")
        self.refuse("build", "-d:", "-F3", "-o", self.path("g"), stdin=b"a:7\n",
                    says=("line 1",))
        self.assertFalse(self.exists("g"))

    def test_a_header(self):
        f = self.make("f", ["bob", "carol"])
        table = b"id\tname\n1\tbob\n2\tdave\n"
        other = b"name\tid\ncarol\t3\n"
        self.assertEqual(self.run_tool("query", f, "-F", "name", stdin=table),
                         b"id\tname\n1\tbob\n")
        self.assertEqual(self.run_tool("query", "-c", f, "-F", "name", stdin=table), b"1\n")
        one, two = self.write("one", table), self.write("two", other)
        # Each file has its own; the same one is printed once.
        self.assertEqual(self.run_tool("query", f, "-F", "name", "-f", one, "-f", one, "-f",
                                       two),
                         b"id\tname\n1\tbob\n1\tbob\nname\tid\ncarol\t3\n")
        self.run_tool("build", "-q", "-F", "name", "-o", self.path("g"), one, two)
        self.make("h", ["bob", "dave", "carol"])
        self.assertEqual(self.read("g"), self.read("h"))
        self.assertEqual(self.run_tool("query", f, "-F2", "--header", stdin=table),
                         b"id\tname\n1\tbob\n")
        self.run_tool("query", f, "-F", "name", "-v", stdin=b"id\tname", expect=1)
        self.refuse("query", f, "-F", "email", stdin=table,
                    says=("line 1: no field", "'email'", "id, name"))
        self.refuse("query", f, "-F", "a", stdin=b"a\ta\n1\t2\n", says=("1 and 2", "--header"))
        self.refuse("build", "-F", "name", "-o", self.path("x"), stdin=b"id\tname\n",
                    says=("no keys",))
        self.refuse("build", "-F", "name", "-d,", "-o", self.path("x"),
                    stdin=b"id,name\n1,x\n2\n", says=("line 3",))

    def test_a_header_that_comes_alone(self):
        """Nothing was selected, and whoever reads the table still gets its header."""
        f = self.make("f", ["bob"])
        out = self.run_tool("query", f, "-F", "name", stdin=b"name\tx\n", expect=1)
        self.assertEqual(out, b"name\tx\n")

    def test_quotes_are_refused_until_somebody_says(self):
        f = self.make("f", ['"a"', "a", ' b"'])
        for row in (b'"a",1\n', b'1,"a"\n', b'"x, b",2\n', b'a,2,"z"\n'):
            self.refuse("query", f, "-d,", "-F1", stdin=b"p,q\n" + row,
                        says=("standard input, line 2", "--csv", "--no-quotes"))
        self.assertEqual(self.run_tool("query", f, "-d,", "-F1", "--no-quotes",
                                       stdin=b'"a",1\n"x, b",2\n'), b'"a",1\n')
        self.assertEqual(self.run_tool("query", f, "-d,", "-F2", "--no-quotes",
                                       stdin=b'"a",1\n"x, b",2\n'), b'"x, b",2\n')
        self.assertEqual(self.run_tool("query", f, "--csv", "-F1", stdin=b'"a",1\nb,2\n'),
                         b'"a",1\n')
        # A quote inside a field is none that opens it.
        self.assertEqual(self.run_tool("query", f, "-d,", "-F1", stdin=b'a,5"\n'), b'a,5"\n')

    def test_csv(self):
        f = self.path("f")
        self.run_tool("build", "-q", "--csv", "-F", "email", "-o", f, stdin=CSV)
        self.make("g", ["john@x.org", "ann@x.org", 'a "q" b'])
        self.assertEqual(self.read("f"), self.read("g"))
        out = self.run_tool("query", f, "--csv", "-F", "email", stdin=CSV)
        self.assertEqual(out, CSV.replace(b"\r\n", b"\n"))
        f = self.make("h", ["two\nlines"], "-0")
        self.run_tool("build", "-q", "-0", "-o", f, stdin=b"two\nlines\0")
        out = self.run_tool("query", f, "--csv", "-F3", stdin=CSV)
        self.assertEqual(out, b'Ann,"ann@x.org","two\nlines"\n')

    def test_csv_that_is_none(self):
        f = self.make("f", ["a"])
        for row, says in ((b'a"b,c\n', "inside a field"), (b'"a"b,c\n', "closing quote"),
                          (b'"a,c\n', "never closed"), (b'x,"a\nb,c\n', "never closed")):
            self.refuse("query", f, "--csv", "-F1", stdin=b'"q",r\n' + row,
                        says=("standard input, row 2", says))
        self.refuse("query", "-c", f, "--csv", "-F1", stdin=b'"' + b"x\n" * (33 << 20),
                    says=("row 1 is longer than 64.0 MiB",))

    def test_rows_across_blocks(self):
        keys = [f"k{i}" for i in range(30_000)]
        rows = "".join(f'{i},"{"x" * (i % 50)}\n""",{k}\n' for i, k in enumerate(keys)).encode()
        f = self.make("f", keys[::2])
        want = "".join(f'{i},"{"x" * (i % 50)}\n""",{k}\n'
                       for i, k in enumerate(keys) if i % 2 == 0).encode()
        out = self.run_tool("query", f, "--csv", "-F3", stdin=rows)
        for row in want.split(b"\n")[:20]:
            self.assertIn(row, out)
        self.run_tool("build", "-q", "--csv", "-F3", "-o", self.path("g"), stdin=rows)
        self.make("h", keys)
        self.assertEqual(self.read("g"), self.read("h"))

    def test_with_hex_numbers_and_nul(self):
        f = self.path("f")
        self.run_tool("build", "-q", "--hex", "-d:", "-F2", "-o", f, stdin=b"a:00ff\nb:0a\n")
        self.assertEqual(self.run_tool("query", "--hex", f, "00ff", "0a"), b"00ff\n0a\n")
        self.refuse("build", "--hex", "-d:", "-F2", "-o", f, stdin=b"a:00\nb:0g\n",
                    says=("line 2: 'g' at digit 2",))
        self.run_tool("build", "-q", "-0", "-d", "\n", "-F1", "-o", f, stdin=b"", expect=2)
        self.run_tool("build", "-q", "-0", "-d:", "-F2", "-o", f, stdin=b"a:x\ny\0b:z\0")
        self.assertEqual(self.run_tool("query", "-0", f, "x\ny", "z"), b"x\ny\0z\0")
        self.run_tool("build", "-q", "--key-type", "u64", "-d:", "-F2", "-o", f,
                      stdin=b"a:17\n")
        self.assertEqual(self.run_tool("query", f, "17"), b"17\n")
