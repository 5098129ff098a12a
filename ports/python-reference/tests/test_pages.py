"""The tables and examples that stand in the pages of spec/, read from the pages where they are tables."""

import os
import re
import unittest

from bloomery_reference import block, bloom, portable, split_block
from bloomery_reference.conformance.vectors_of_hashes import SECRET, pattern
from bloomery_reference.dialects import READERS, parquet_filter
from bloomery_reference.hash import (FNV1A_SPLITMIX, INTEGERS, SIPHASH13, XXH3, XXH64, Hasher, fnv1a64,
                                     siphash13, splitmix64, xxh3, xxh64)
from bloomery_reference.portable_sizing import size_by_rate

from . import SPEC, samples


def page(name):
    with open(os.path.join(SPEC, name), encoding="utf-8") as file:
        return file.read()


def tables(text):
    """The tables of a page, each a list of rows of cells, without the line of dashes."""
    found, rows = [], []
    for line in text.splitlines() + [""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            found.append([row for row in rows if not set(row[0]) <= {"-"}])
            rows = []
    return found


def table_with(text, *first_cells):
    """The rows under the head that begins with these cells."""
    for table in tables(text):
        if table[0][:len(first_cells)] == list(first_cells):
            return table[1:]
    raise AssertionError(f"no table {first_cells}")


def input_of(cell):
    """`p(n)`, or text in quotes."""
    measured = re.fullmatch(r"p\((\d+)\)", cell)
    return pattern(int(measured[1])) if measured else cell.strip('"').encode("ascii")


class TestHashPage(unittest.TestCase):
    def setUp(self):
        self.page = page("hash.md")

    def check(self, rows, *functions):
        self.assertGreater(len(rows), 2)
        for row in rows:
            for function, wanted in zip(functions, row[1:], strict=True):
                self.assertEqual(f"{function(input_of(row[0])):016x}", wanted, row)

    def test_bytes(self):
        self.check(table_with(self.page, "input", "`fnv1a64`"), fnv1a64, Hasher(FNV1A_SPLITMIX).hash)
        self.check(table_with(self.page, "input", "seed 0", "seed 1", "seed 0123456789abcdef"), xxh3,
                   lambda data: xxh3(data, 1), lambda data: xxh3(data, 0x0123456789ABCDEF))
        self.check([row for row in table_with(self.page.split("## 3.")[1], "input", "seed 0", "seed 1")],
                   xxh64, lambda data: xxh64(data, 1))
    def test_siphash(self):
        for row in table_with(self.page, "n", "result"):
            for length, wanted in (row[:2], row[2:]):
                self.assertEqual(f"{siphash13(bytes(range(int(length))), SECRET):016x}", wanted)

    def test_integers_and_checks(self):
        hashers = (Hasher(XXH3), Hasher(XXH3, 1), Hasher(FNV1A_SPLITMIX), Hasher(SIPHASH13, secret=SECRET))
        for row in table_with(self.page, "x"):
            for hasher, wanted in zip(hashers, row[1:], strict=True):
                self.assertEqual(f"{hasher.of(INTEGERS).hash_integer(int(row[0], 16)):016x}", wanted)
        checked = (Hasher(XXH3), Hasher(FNV1A_SPLITMIX), Hasher(XXH64), Hasher(SIPHASH13, secret=SECRET))
        for hasher, row in zip(checked, table_with(self.page, "hasher"), strict=True):
            self.assertEqual(f"{hasher.check():016x}", row[1])

    def test_splitmix64(self):
        found = re.findall(r"`splitmix64\(([0-9a-f]+)\)` = ([0-9a-f]{16})", self.page)
        self.assertEqual(len(found), 3)
        for x, wanted in found:
            self.assertEqual(f"{splitmix64(int(x, 16)):016x}", wanted)


class TestFilterPage(unittest.TestCase):
    def test_sizing(self):
        rows = table_with(page("filters.md"), "n", "p", "m", "k")
        self.assertGreater(len(rows), 8)
        for n, p, m, k in rows:
            self.assertEqual(size_by_rate(int(n), float(p)), (int(m), int(k.split()[0])))

    def test_positions_of_the_examples(self):
        self.assertEqual(portable.positions(0x818BA4C7A135317F, 96, 7), [63, 70, 77, 84, 91, 2, 9])
        self.assertEqual(bloom.positions(0xBBB08E672F9190B3, 96, 7), [34, 52, 57, 10, 76, 6, 94])
        self.assertEqual([p % 32 for p in split_block.positions(0x6C16DE135B8C63AA, 3)],
                         [13, 0, 23, 28, 30, 23, 14, 29])

    def test_bytes_of_the_examples(self):
        """Sections 2.3 and 2.7: the last block of each profile, in hexadecimal groups of eight bytes."""
        section = page("filters.md").split("## 2. ")[1].split("## 3. ")[0]
        groups = re.findall(r"^    ((?:[0-9a-f]{16} ?){4})$", section, re.MULTILINE)
        self.assertEqual(len(groups), 5)
        wanted = {"line": groups[0] + groups[1], "half-line": groups[2], "two-lines": groups[3] + groups[4],
                  "lanes16": re.findall(r"32 zero bytes, then `([0-9a-f]{32})`", section)[0]}
        for profile in block.PROFILES:
            filter = samples.filled(block.BlockBloom(profile, 3), [b"k0"])
            self.assertEqual(filter.bits[:-profile.block_bytes], bytes(2 * profile.block_bytes))
            self.assertEqual(filter.bits[-profile.block_bytes:].hex(), wanted[profile.name].replace(" ", ""))

    def test_which_profile(self):
        names = [block.profile_for(p).name for p in (0.5, 0.03, 0.0299, 0.0005, 0.00049)]
        self.assertEqual(names, ["half-line", "half-line", "line", "line", "two-lines"])


class TestDialectPages(unittest.TestCase):
    def test_parquet(self):
        text = page("dialects/parquet.md")
        self.assertIn(f"`{parquet_filter.make_header(1024).hex()}`", text)
        self.assertIn(f"`{parquet_filter.encode(samples.filled(parquet_filter.make('bitset', 10))).hex()}`", text)

    def test_headers_that_were_read_are_kept(self):
        known = parquet_filter.make_header(32)
        image = known[:-1] + bytes.fromhex("1803616263") + b"\0" + bytes(32)
        filter = READERS["parquet"](image)
        self.assertEqual(parquet_filter.encode(filter), image)
        self.assertEqual(parquet_filter.encode(filter, "bitset"), bytes(32))


if __name__ == "__main__":
    unittest.main()
