"""Whole table files of LevelDB and RocksDB: info, verify and query, and what is refused."""

import json
import pathlib
import unittest

from tool import ToolTest, lines

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIBBON = ROOT / "tests/dialects/tables/000012.sst"
PARTS = ROOT / "tests/dialects/tables/format6.sst"
TINY = ROOT / "adapters/goleveldb/testdata/leveldb/000005.ldb"
KEYS = [f"key{i:06}" for i in range(1000)]


class Tables(ToolTest):
    def facts(self, path, *options):
        return json.loads(self.run_tool("info", "--json", *options, path))

    def test_their_filters_are_listed(self):
        ribbon = self.facts(RIBBON)
        self.assertEqual([ribbon[name] for name in (
            "dialect", "variant", "policy", "policy_class", "filters", "filter_keys", "checksums",
            "format_version", "entries", "filter_entries", "intact")], [
                "rocksdb", "table", "rocksdb.BuiltinBloomFilter", "ribbonfilter", "ribbon",
                "whole keys", "xxh3", 5, 5000, 5000, True])
        self.assertAlmostEqual(ribbon["bits_per_key"], 6.96)
        parts = self.facts(PARTS)["parts"]
        self.assertEqual(len(parts), 3)
        self.assertEqual(parts[1]["name"], 'keys to "key000683", fastlocal')
        self.assertAlmostEqual(sum(p["realised_fpr"] for p in parts) / 3,
                               self.facts(PARTS)["realised_fpr"])
        tiny = self.facts(TINY)
        self.assertEqual((tiny["filters"], tiny["policy"]),
                         ("tiny (Bloomery)", "leveldb.BuiltinBloomFilter2"))

    def test_no_key_of_theirs_is_missing_and_others_are(self):
        keys = self.write("keys", lines(KEYS))
        for table in (RIBBON, PARTS):
            said = self.run_tool("verify", table, "--keys", keys)
            self.assertIn(b"the checksums of its filters are right", said)
            self.assertIn(b"1,000 of 1,000 keys found, 0 missing", said)
        self.run_tool("verify", TINY, "--keys", keys, expect=1)
        self.assertEqual(self.run_tool("query", RIBBON, "key000123", "key9"), b"key000123\n")
        # Its own partition has a key, and another one has not.
        self.run_tool("query", PARTS, "--part", "1", "key000500")
        self.run_tool("query", PARTS, "--part", "0", "key000900", expect=1)

    def test_damage_is_refused_with_its_place(self):
        for table in (RIBBON, PARTS, TINY):
            at = self.facts(table)["parts"][0]["offset"] + 5
            image = bytearray(table.read_bytes())
            image[at] ^= 4
            path = self.write("hurt" + table.suffix, bytes(image))
            for command in ("info", "verify", "query"):
                more = ("a",) if command == "query" else ()
                self.refuse(command, path, *more, says=("checksum", "at byte"))

    def test_a_table_that_was_cut_is_suspected(self):
        for table in (RIBBON, PARTS, TINY):
            path = self.write("cut" + table.suffix, table.read_bytes()[:-100])
            self.refuse("verify", path, says=("a table whose end is missing",))

    def test_they_are_read_and_not_changed(self):
        for table in (RIBBON, TINY):
            before = table.read_bytes()
            path = self.write("t", before)
            self.run_tool("insert", path, stdin=b"a\n", expect=2)
            self.assertEqual(self.read("t"), before)


if __name__ == "__main__":
    unittest.main()
