"""Dumps of RedisBloom in and out, byte for byte; and ours, read by the tool."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from resp import Refused
from server import ServerTest

FIXTURES = pathlib.Path(os.environ.get("BLOOMERY_FIXTURES", "")) / "redisbloom"
TOOL = os.environ.get("BLOOMERY", "")


def dump(c, key):
    """(iterator, data) of every reply."""
    chunks, at = [], 0
    while True:
        at, data = c("BF.SCANDUMP", key, at)
        if at == 0:
            return chunks
        chunks.append((at, data))


def load(c, key, chunks):
    for at, data in chunks:
        c("BF.LOADCHUNK", key, at, data)


class Dumps(ServerTest):
    @unittest.skipUnless(FIXTURES.is_dir(), "no files of RedisBloom here (../shared/fixtures)")
    def test_dumps_of_redisbloom(self):
        stems = sorted(p.name[:-len(".0.header")] for p in FIXTURES.glob("*.0.header")
                       if not p.name.startswith("cf_"))
        self.assertGreaterEqual(len(stems), 8)
        for stem in stems:
            with self.subTest(stem):
                chunks = [(1, (FIXTURES / f"{stem}.0.header").read_bytes())]
                for path in sorted(FIXTURES.glob(f"{stem}.*.chunk"), key=lambda p: int(p.name.split(".iter")[0].split(".")[-1])):
                    chunks.append((int(re.search(r"iter(\d+)", path.name)[1]), path.read_bytes()))
                load(self.r, stem, chunks)
                keys = int(re.search(r"k(\d+)$", stem)[1])
                self.assertEqual(sum(self.r("BF.MEXISTS", stem, *(f"k{i}" for i in range(keys)))), keys)
                again = dump(self.r, stem)
                self.assertEqual(again, chunks)
                self.r("DEBUG", "RELOAD")
                self.assertEqual(dump(self.r, stem), chunks)
                self.r("BF.ADD", stem, "one more")  # old data too: it can be added to
        print(f"cases: dumps {len(stems)}")

    @unittest.skipUnless(FIXTURES.is_dir(), "no files of RedisBloom here (../shared/fixtures)")
    def test_the_same_commands_give_the_same_dump(self):
        for stem, words, keys in (("bf_reserve1000_0.01_k1000", ("0.01", "1000"), 1000),
                                  ("bf_reserve1000_0.01_nonscaling_k1000", ("0.01", "1000", "NONSCALING"), 1000),
                                  ("bf_reserve10_0.01_k10", ("0.01", "10"), 10),
                                  ("bf_growth4_scaled_k1000", ("0.001", "100", "EXPANSION", "4"), 1000),
                                  ("bf_default_scaled_k1000", None, 1000), ("bf_default_k10", None, 10)):
            if words:
                self.r("BF.RESERVE", stem, *words)
            for i in range(keys):
                self.r("BF.ADD", stem, f"k{i}")
            said = dump(self.r, stem)
            self.assertEqual(said[0][1], (FIXTURES / f"{stem}.0.header").read_bytes(), stem)
            for n, (at, data) in enumerate(said[1:], 1):
                self.assertEqual(data, (FIXTURES / f"{stem}.{n}.iter{at}.chunk").read_bytes(), stem)

    @unittest.skipUnless(TOOL, "the tool is not built")
    def test_the_tool_reads_our_dumps(self):
        for i, words in enumerate((("0.01", "100"), ("0.001", "50", "EXPANSION", "4"), ("0.02", "5000", "NONSCALING"))):
            self.r("BF.RESERVE", f"f{i}", *words)
            items = [f"item {n}" for n in range(3000)]
            self.r("BF.MADD", f"f{i}", *items)
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "dump"
                path.write_bytes(b"".join(data for _, data in dump(self.r, f"f{i}")))
                asked = subprocess.run([TOOL, "query", "--dialect", "redisbloom", "-c", path], capture_output=True,
                                       input="\n".join(items).encode(), check=True)
                self.assertEqual(int(asked.stdout), 3000)

    def whole(self):
        self.r("BF.RESERVE", "f", "0.001", "50")
        self.r("BF.MADD", "f", *range(1000))
        return dump(self.r, "f")

    def test_half_a_dump_loses_nothing(self):
        """Until all chunks are there every item is possibly present, and none is added."""
        chunks = self.whole()
        self.assertGreater(len(chunks), 4)
        for i, (at, data) in enumerate(chunks):
            self.assertEqual(self.r("BF.LOADCHUNK", "g", at, data), "OK")
            if i + 1 == len(chunks):
                break
            self.assertEqual(self.r("BF.MEXISTS", "g", "1", "never added"), [1, 1])
            self.assertIn("not all loaded", str(self.r.ask("BF.ADD", "g", "x")))
            self.assertIn("chunks are missing", str(self.r.ask("BF.SCANDUMP", "g", "0")))
            # Halves are copied, saved and restored as halves.
            self.r("COPY", "g", "h", "REPLACE")
            self.r("RESTORE", "k", "0", self.r("DUMP", "h"), "REPLACE")
            self.r("DEBUG", "RELOAD")
            self.assertEqual(self.digest("g"), self.digest("k"))
            load(self.r, "k", chunks[i + 1:])
            self.assertEqual(self.digest("k"), self.digest("f"))
        self.assertEqual(self.digest("g"), self.digest("f"))

    def test_a_retry_changes_nothing(self):
        chunks = self.whole()
        load(self.r, "g", chunks)
        load(self.r, "g", chunks[1:])
        self.assertEqual(self.digest("g"), self.digest("f"))
        self.assertRefused("ERR received bad data", "BF.LOADCHUNK", "g", *chunks[0])
        self.r("BF.ADD", "g", "later")
        load(self.r, "g", chunks[1:])
        self.assertEqual(self.r("BF.EXISTS", "g", "later"), 1)

    def test_errors(self):
        header, *chunks = self.whole()
        for at, data in ((1, b""), (1, b"x" * 20), (1, header[1][:-1]), (1, header[1] + b"x"), (1, header[1][:20])):
            self.assertRefused("ERR received bad data", "BF.LOADCHUNK", "g", at, data)
        self.assertRefused("ERR not found", "BF.LOADCHUNK", "g", *chunks[0])
        self.assertRefused("ERR Second argument must be numeric", "BF.LOADCHUNK", "g", "x", "y")
        self.assertRefused("Second argument must be numeric", "BF.SCANDUMP", "f", "x")
        self.assertEqual(self.r("EXISTS", "g"), 0)
        self.r("BF.LOADCHUNK", "g", *header)
        for at in (-1, 0, 1, 2, -2**63):
            self.assertRefused("ERR received bad data", "BF.LOADCHUNK", "g", at, chunks[0][1])
        self.assertRefused("ERR invalid offset - no link found", "BF.LOADCHUNK", "g", 2**62, b"x")
        self.assertIn("loaded in order", str(self.r.ask("BF.LOADCHUNK", "g", *chunks[1])))
        self.assertRefused("ERR invalid chunk - Too big for current filter", "BF.LOADCHUNK", "g",
                           1 + len(chunks[0][1]) + 1, chunks[0][1] + b"x")
        before = self.digest("g")
        self.r("BF.LOADCHUNK", "g", *chunks[0])
        self.assertNotEqual(self.digest("g"), before)
        # Any iterator inside gives the rest of its link.
        self.assertEqual(self.r("BF.SCANDUMP", "f", 3), [chunks[0][0], chunks[0][1][2:]])
        for at in (-5, 2**62, chunks[-1][0]):
            self.assertEqual(self.r("BF.SCANDUMP", "f", at), [0, b""])

    def test_a_false_header_takes_no_memory(self):
        """3.6e14 entries, as RedisBloom's own test has them: there the next addition ended the server."""
        chunks = self.whole()
        header = bytearray(chunks[0][1])
        for at, v in ((28 + 53 * 4 - 8, 2**40), (28 + 53 * 4, 2**43)):
            header[at:at + 8] = v.to_bytes(8, "little")
        self.r("BF.RESERVE", "one", "0.01", "100")
        one = bytearray(self.r("BF.SCANDUMP", "one", 0)[1])
        for log in (31, 40, 48, 60):
            false = bytearray(one)
            false[20:28] = (2**log).to_bytes(8, "little")
            false[28:36] = (8 * 2**log % 2**64).to_bytes(8, "little")
            before = int(self.r("INFO", "memory").split(b"used_memory:")[1].split(b"\r")[0])
            reply = self.r.ask("BF.LOADCHUNK", "g", 1, bytes(false))
            self.assertTrue(reply == "OK" or isinstance(reply, Refused))
            for words in (("BF.ADD", "g", "x"), ("BF.LOADCHUNK", "g", 101, b"x" * 100), ("BF.EXISTS", "g", "x"),
                          ("BF.INFO", "g"), ("DUMP", "g"), ("COPY", "g", "h")):
                self.r.ask(*words)
            after = int(self.r("INFO", "memory").split(b"used_memory:")[1].split(b"\r")[0])
            self.assertLess(after - before, 3 << 20)
            self.r("DEL", "g", "h")
        # Entries without end: the next link would be larger than a key may be.
        huge = bytearray(one)
        huge[64:72] = (360_000_000_000_000).to_bytes(8, "little")
        huge[0:8] = huge[36:44] = (360_000_000_000_000).to_bytes(8, "little")
        self.r("BF.LOADCHUNK", "g", 1, bytes(huge))
        self.r("BF.LOADCHUNK", "g", 1 + 144, bytes(144))
        self.assertIn("max-key-bytes", str(self.r.ask("BF.ADD", "g", "x")))


if __name__ == "__main__":
    unittest.main()
