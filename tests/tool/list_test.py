"""The fingerprints in a filter: listed in order, with their counts."""

import json

from tool import KINDS, KIND_ROWS, ToolTest, lines, remembering

LISTABLE = tuple(k["name"] for k in KIND_ROWS if "iterate" in k["can"])


class List(ToolTest):
    def test_every_key_is_listed_with_its_copies(self):
        for kind in LISTABLE:
            f = self.make("f", range(1000), "--kind", kind, "--capacity", "3000", "--fpr", "1e-6")
            self.run_tool("insert", "-q", f, stdin=lines(range(500)))
            self.run_tool("insert", "-q", f, stdin=lines(range(100)))
            rows = [row.split("\t") for row in self.run_tool("list", f).decode().splitlines()]
            self.assertEqual(rows, sorted(rows), "ascending")
            counts = [int(n) for _, n in rows]
            self.assertEqual(sum(counts), 1600, kind)
            self.assertEqual(len(counts), 1000, kind)
            self.assertEqual(sorted(set(counts)), [1, 2, 3])
            objects = [json.loads(row) for row in self.run_tool("list", "--json", f).splitlines()]
            self.assertEqual([[o["fingerprint"], str(o["count"])] for o in objects], rows)
            facts = json.loads(self.run_tool("info", "--json", f))
            self.assertEqual([facts[n] for n in ("fingerprints", "copies", "max_copies")], [1000, 1600, 3])
            self.run_tool("erase", "-q", f, stdin=lines(range(1000)))
            self.run_tool("erase", "-q", f, stdin=lines(range(500)))
            self.run_tool("erase", "-q", f, stdin=lines(range(100)))
            self.assertEqual(self.run_tool("list", f), b"")

    def test_a_union_lists_both(self):
        for kind in LISTABLE:
            options = ("--kind", kind, "--capacity", "1000", "--fpr", "1e-6")
            a, b = self.make("a", range(300), *options), self.make("b", range(200, 500), *options)
            self.run_tool("merge", "-q", a, b, "-o", self.path("m"))
            rows = self.run_tool("list", self.path("m")).decode().splitlines()
            self.assertEqual((len(rows), sum(r.endswith("\t2") for r in rows)), (500, 100))

    def test_other_kinds_and_damage_are_refused(self):
        for kind in KINDS:
            if kind in LISTABLE:
                continue
            f = self.make("f", range(10), "--kind", kind, *remembering(kind, 10))
            self.refuse("list", f, says=("cannot be listed", *LISTABLE))
        f = self.make("f", range(2000), "--kind", LISTABLE[0])
        data = bytearray(self.read("f"))
        data[300] ^= 1
        self.write("f", bytes(data))
        self.refuse("list", f, says=("not listed",))
