"""query --annotate: every row, with its answer as a column."""

import json

from tool import ToolTest, lines


class Annotate(ToolTest):
    def setUp(self):
        super().setUp()
        self.filter = self.make("f", ["alice", "bob"])

    def test_lines(self):
        out = self.run_tool("query", "--annotate", self.filter, stdin=b"alice\nx\n\nbob")
        self.assertEqual(out, b"alice\ttrue\nx\tfalse\n\tfalse\nbob\ttrue\n")
        out = self.run_tool("query", "--annotate", self.filter, "x", expect=1)
        self.assertEqual(out, b"x\tfalse\n")
        out = self.run_tool("query", "--annotate", "-0", self.filter, stdin=b"bob\0x\0")
        self.assertEqual(out, b"bob\ttrue\0x\tfalse\0")

    def test_csv_keeps_its_quotes_and_names_the_column(self):
        csv = b'id,name\n1,"alice"\n2,"x, ""y"""\n3,"line\nend"\n4,bob\n'
        out = self.run_tool("query", "--annotate", self.filter, "--csv", "-F", "name",
                            stdin=csv)
        self.assertEqual(out, b'id,name,possibly_present\n1,"alice",true\n'
                              b'2,"x, ""y""",false\n3,"line\nend",false\n4,bob,true\n')

    def test_fields_take_their_delimiter(self):
        out = self.run_tool("query", "--annotate", self.filter, "-F", "2", "-d", ";",
                            stdin=b"1;bob\n2;x\n")
        self.assertEqual(out, b"1;bob;true\n2;x;false\n")

    def test_the_header_of_several_files_is_printed_once(self):
        one, two = self.write("1", b"a\tb\nx\tbob\n"), self.write("2", b"a\tb\ny\tx\n")
        out = self.run_tool("query", "--annotate", self.filter, "-F", "b", "-f", one, "-f",
                            two)
        self.assertEqual(out, b"a\tb\tpossibly_present\nx\tbob\ttrue\ny\tx\tfalse\n")

    def test_several_filters_have_a_column_each(self):
        other = self.make("a,b", ["bob"])
        out = self.run_tool("query", "--annotate", self.filter, "--also", other, "--csv",
                            "-F", "k", stdin=b"k\nalice\nbob\nx\n").decode()
        self.assertEqual(out, f'k,{self.filter},"{other}"\nalice,true,false\n'
                              "bob,true,true\nx,false,false\n")

    def test_json_has_every_row(self):
        out = self.run_tool("query", "--annotate", "--json", self.filter, "bob", "x")
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([(r["argument"], r["row"], r["possibly_present"]) for r in rows],
                         [(1, "bob", True), (2, "x", False)])

    def test_many_rows_and_long_ones(self):
        keys = [f"k{i}" for i in range(50_000)]
        keys[100:100] = ["y" * n for n in (31_000, 32_768, 32_769, 65_535, 65_536, 200_000)]
        found = self.make("many", keys[::2])
        present = set(self.run_tool("query", found, stdin=lines(keys)).decode().split("\n"))
        out = self.run_tool("query", "--annotate", found, stdin=lines(keys)).decode()
        self.assertEqual(out, "".join(f"{k}\t{'true' if k in present else 'false'}\n"
                                      for k in keys))

    def test_what_prints_other_rows_is_excluded(self):
        for option in ("-v", "-c", "-q", "-n"):
            self.refuse("query", "--annotate", option, self.filter, "x",
                        says=("--annotate", "excludes"))
