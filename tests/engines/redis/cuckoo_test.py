"""CF commands: arguments, replies and errors as RedisBloom's, in RESP2 and RESP3; dumps; redis-py's cf()."""
import re
import unittest

from commands_test import WRONG_TYPE, Replies, arity
from dumps_test import FIXTURES
from resp import Refused
from server import Server, ServerTest

try:
    import redis
except ImportError:
    redis = None

TEN_KEYS = [(1, bytes.fromhex("0a00000000000000080000000000000000000000000000000100000000000000020014000100")),
            (17, bytes.fromhex("2f007692d0004c8922000000e86b3200"))]


def dump(c, key):
    chunks, at = [], 0
    while True:
        at, data = c("CF.SCANDUMP", key, at)
        if at == 0:
            return chunks
        chunks.append((at, data))


class Commands(ServerTest):
    each, exactly, protocol = Replies.each, Replies.exactly, staticmethod(Replies.protocol)

    def test_adding_asking_deleting(self):
        for c, yes, no in self.each():
            self.exactly(c("CF.RESERVE", "f", "1000"), "OK")
            self.exactly(c("CF.ADD", "f", "a"), yes)
            self.exactly(c("CF.ADD", "f", "a"), yes)
            self.exactly(c("CF.ADDNX", "f", "a"), no)
            self.exactly(c("CF.ADDNX", "f", "b"), yes)
            self.exactly(c("CF.COUNT", "f", "a"), 2)
            self.exactly(c("CF.COUNT", "f", "none"), 0)
            self.exactly(c("CF.INSERT", "f", "ITEMS", "a", "c"), [yes, yes])
            self.exactly(c("CF.INSERTNX", "f", "ITEMS", "a", "d"), [0, 1])
            self.exactly(c("CF.EXISTS", "f", "c"), yes)
            self.exactly(c("CF.MEXISTS", "f", "c", "none", "d"), [yes, no, yes])
            self.exactly(c("CF.DEL", "f", "a"), yes)
            self.exactly(c("CF.DEL", "f", "none"), no)
            self.exactly(c("CF.COUNT", "f", "a"), 2)
            for _ in range(2):
                c("CF.DEL", "f", "a")
            self.exactly(c("CF.EXISTS", "f", "a"), no)
            self.exactly(c("CF.DEL", "f", "a"), no)
            self.exactly(c("CF.COMPACT", "f"), "OK")

    def test_info(self):
        for c, _, _ in self.each():
            c("CF.RESERVE", "f", "1000", "BUCKETSIZE", "4", "MAXITERATIONS", "30", "EXPANSION", "3")
            c("CF.ADD", "f", "a")
            whole = {"Size": 1080, "Number of buckets": 256, "Number of filters": 1, "Number of items inserted": 1,
                     "Number of items deleted": 0, "Bucket size": 4, "Expansion rate": 4, "Max iterations": 30}
            info = c("CF.INFO", "f")
            self.assertEqual(isinstance(info, dict), self.protocol(c) == 3)
            self.exactly(info, whole if isinstance(info, dict) else [x for pair in whole.items() for x in pair])
            self.exactly(c("CF.DEBUG", "f"), b"bktsize:4 buckets:256 items:1 deletes:0 filters:1 max_iterations:30 "
                                             b"expansion:4")
            c("CF.ADD", "default", "a")
            self.exactly(c("CF.DEBUG", "default"), b"bktsize:2 buckets:512 items:1 deletes:0 filters:1 "
                                                   b"max_iterations:20 expansion:1")

    def test_missing_keys_and_other_types(self):
        for c, _, no in self.each():
            c("SET", "s", "text")
            for key, why in (("none", "ERR not found"), ("s", WRONG_TYPE)):
                self.exactly(c("CF.EXISTS", key, "a"), no)
                self.exactly(c("CF.MEXISTS", key, "a", "b"), [no, no])
                self.exactly(c("CF.COUNT", key, "a"), 0)
                self.assertRefused("Not found", "CF.DEL", key, "a", client=c)
                self.assertRefused("Cuckoo filter was not found", "CF.COMPACT", key, client=c)
                for words in (("CF.INFO", key), ("CF.DEBUG", key), ("CF.SCANDUMP", key, "0"),
                              ("CF.LOADCHUNK", key, "17", "x"), ("CF.INSERT", key, "NOCREATE", "ITEMS", "a")):
                    self.assertRefused(why, *words, client=c)
            for words in (("CF.ADD", "s", "a"), ("CF.ADDNX", "s", "a"), ("CF.INSERT", "s", "ITEMS", "a"),
                          ("CF.RESERVE", "s", "10"), ("CF.LOADCHUNK", "s", "1", "x")):
                self.assertRefused(WRONG_TYPE, *words, client=c)
            c("BF.ADD", "bloom", "a")
            self.assertRefused(WRONG_TYPE, "CF.ADD", "bloom", "a", client=c)
            c("CF.ADD", "f", "a")
            self.assertRefused(WRONG_TYPE, "BF.ADD", "f", "a", client=c)

    def test_arity(self):
        for command, words in (("CF.RESERVE", 3), ("CF.ADD", 3), ("CF.ADDNX", 3), ("CF.INSERT", 4), ("CF.INSERTNX", 4),
                               ("CF.EXISTS", 3), ("CF.MEXISTS", 3), ("CF.COUNT", 3), ("CF.DEL", 3), ("CF.INFO", 2),
                               ("CF.DEBUG", 2), ("CF.SCANDUMP", 3), ("CF.LOADCHUNK", 4), ("CF.COMPACT", 2)):
            for n in range(1, words):
                self.assertEqual(str(self.r.ask(command, *["1"] * (n - 1))), arity(command.lower()))
        for words in (("CF.RESERVE", "f", "10", "EXPANSION"), ("CF.INSERT", "f", "NOCREATE", "ITEMS"),
                      ("CF.INSERT", "f", "NOCREATE", "CAPACITY"), ("CF.ADD", "f", "a", "b")):
            self.assertEqual(str(self.r.ask(*words)), arity(words[0].lower()))
        self.assertEqual(self.r("DBSIZE"), 0)

    def test_errors(self):
        for text, *words in (
                ("Bad capacity", "x"), ("Bad capacity", "1073741825"),
                ("Capacity must be at least (BucketSize * 2)", "3"),
                ("Capacity must be at least (BucketSize * 2)", "10", "BUCKETSIZE", "6"),
                ("Couldn't parse BUCKETSIZE", "10", "BUCKETSIZE", "x"),
                ("Couldn't parse MAXITERATIONS", "10", "MAXITERATIONS", "x"),
                ("Couldn't parse EXPANSION", "10", "EXPANSION", "x"),
                ("BUCKETSIZE parameter needs to be a positive integer", "10", "BUCKETSIZE", "0"),
                ("MAXITERATIONS parameter needs to be a positive integer", "10", "MAXITERATIONS", "0"),
                ("EXPANSION parameter needs to be a non-negative integer", "10", "EXPANSION", "-1"),
                ("ERR an option of CF.RESERVE is out of its range", "1000", "BUCKETSIZE", "256"),
                ("ERR an option of CF.RESERVE is out of its range", "10", "MAXITERATIONS", "65536"),
                ("ERR an option of CF.RESERVE is out of its range", "10", "EXPANSION", "32769")):
            self.assertRefused(text, "CF.RESERVE", "f", *words)
        for text, *words in (("Bad capacity", "CAPACITY", "x", "ITEMS", "a"),
                             ("Capacity must be at least (BucketSize * 2)", "CAPACITY", "3", "ITEMS", "a"),
                             ("Unknown argument received", "WHAT", "ITEMS", "a")):
            self.assertRefused(text, "CF.INSERT", "f", *words)
        self.assertEqual(self.r("DBSIZE"), 0)
        self.r("CF.RESERVE", "f", "10")
        self.assertRefused("ERR item exists", "CF.RESERVE", "f", "10")

    def test_a_filter_that_is_full(self):
        for c, yes, no in self.each():
            c("CF.RESERVE", "f", "8", "EXPANSION", "0")
            replies = c("CF.INSERT", "f", "ITEMS", *(f"k{i}" for i in range(30)))
            full = no if self.protocol(c) == 3 else -1
            self.assertIn(full, replies)
            self.assertIn(yes, replies)
            last = [f"k{i}" for i, r in enumerate(replies) if r == full and not isinstance(r, Refused)][-1]
            self.assertRefused("Filter is full", "CF.ADD", "f", last, client=c)
            if not c("CF.EXISTS", "f", last):
                self.assertRefused("Filter is full", "CF.ADDNX", "f", last, client=c)
                self.exactly(c("CF.INSERTNX", "f", "ITEMS", last), [-1])

    def test_growth_and_its_limit(self):
        self.r("CF.RESERVE", "f", "8", "EXPANSION", "2")
        items = [f"k{i}" for i in range(300)]
        self.assertEqual(self.r("CF.INSERT", "f", "ITEMS", *items), [1] * 300)
        self.assertEqual(self.r("CF.MEXISTS", "f", *items), [1] * 300)
        self.r("CONFIG", "SET", "bloomery.cf-max-expansions", "2")
        try:
            self.assertRefused("Maximum expansions reached", "CF.ADD", "f", "x")
        finally:
            self.r("CONFIG", "SET", "bloomery.cf-max-expansions", "32")
        self.r("CONFIG", "SET", "bloomery.cf-max-expansions", "1")
        try:
            self.assertEqual(self.r("CF.ADD", "one", "x"), 1)
            self.assertRefused("Maximum expansions reached", "CF.ADD", "one", "y")
        finally:
            self.r("CONFIG", "SET", "bloomery.cf-max-expansions", "32")
        self.r("CONFIG", "SET", "bloomery.max-key-bytes", "2048")
        try:
            replies = [self.r.ask("CF.ADD", "f", f"more {i}") for i in range(3000)]
            self.assertRegex(str(replies[-1]), "Memory allocation failure: it would take [0-9]+ bytes")
            self.assertLess(self.r("MEMORY", "USAGE", "f"), 4096)
        finally:
            self.r("CONFIG", "SET", "bloomery.max-key-bytes", 2 << 30)

    def test_deleting_most_gives_memory_back(self):
        self.r("CF.RESERVE", "f", "64", "EXPANSION", "2")
        items = [f"k{i}" for i in range(3000)]
        self.r("CF.INSERT", "f", "ITEMS", *items)
        before = self.r("CF.INFO", "f")
        for item in items[100:]:
            self.assertEqual(self.r("CF.DEL", "f", item), 1)
        self.assertEqual(self.r("CF.MEXISTS", "f", *items[:100]), [1] * 100)
        self.r("CF.COMPACT", "f")
        after = self.r("CF.INFO", "f")
        self.assertLess(after[1], before[1] // 8)
        self.assertEqual(after[7], 100)
        self.assertEqual(self.r("CF.MEXISTS", "f", *items[:100]), [1] * 100)


class Dumps(ServerTest):
    def test_the_vector(self):
        self.r("CF.RESERVE", "f", "16")
        self.r("CF.INSERT", "f", "ITEMS", *(f"k{i}" for i in range(10)))
        self.assertEqual(dump(self.r, "f"), TEN_KEYS)
        for at, data in TEN_KEYS:
            self.r("CF.LOADCHUNK", "g", at, data)
        self.assertEqual(*self.digest("f", "g"))

    @unittest.skipUnless(FIXTURES.is_dir(), "no files of RedisBloom here (../shared/fixtures)")
    def test_dumps_of_redisbloom(self):
        stems = sorted(p.name[:-len(".0.header")] for p in FIXTURES.glob("cf_*.0.header"))
        self.assertGreaterEqual(len(stems), 4)
        for stem in stems:
            chunks = [(1, (FIXTURES / f"{stem}.0.header").read_bytes())]
            for path in sorted(FIXTURES.glob(f"{stem}.*.chunk"), key=lambda p: int(re.search(r"pos(\d+)", p.name)[1])):
                chunks.append((int(re.search(r"pos(\d+)", path.name)[1]), path.read_bytes()))
            for at, data in chunks:
                self.r("CF.LOADCHUNK", stem, at, data)
            keys = int(re.search(r"k(\d+)$", stem)[1])
            self.assertEqual(sum(self.r("CF.MEXISTS", stem, *(f"k{i}" for i in range(keys)))), keys)
            self.assertEqual(dump(self.r, stem), chunks)
            self.r("DEBUG", "RELOAD")
            self.assertEqual(dump(self.r, stem), chunks)
            for i in range(keys):
                self.assertEqual(self.r("CF.DEL", stem, f"k{i}"), 1)
        print(f"cases: dumps {len(stems)}")

    @unittest.skipUnless(FIXTURES.is_dir(), "no files of RedisBloom here (../shared/fixtures)")
    def test_the_same_commands_give_the_same_dump(self):
        for stem, words, keys in (("cf_default1024_k1000", None, 1000), ("cf_grow_k1000", ("128", "EXPANSION", "2"), 1000),
                                  ("cf_bs4_k1000", ("1000", "BUCKETSIZE", "4", "MAXITERATIONS", "500"), 1000),
                                  ("cf_reserve1000_k100", ("1000",), 100)):
            if words:
                self.r("CF.RESERVE", stem, *words)
            self.r.pipe([("CF.ADD", stem, f"k{i}") for i in range(keys)])
            said = dump(self.r, stem)
            self.assertEqual(said[0][1], (FIXTURES / f"{stem}.0.header").read_bytes(), stem)
            for n, (at, data) in enumerate(said[1:], 1):
                self.assertEqual(data, (FIXTURES / f"{stem}.{n}.pos{at}.chunk").read_bytes(), stem)

    def test_half_a_dump_loses_nothing(self):
        self.r("CF.RESERVE", "f", "64")
        self.r("CF.INSERT", "f", "ITEMS", *range(400))
        chunks = dump(self.r, "f")
        self.assertGreater(len(chunks), 4)
        for at, data in chunks[:-1]:
            self.r("CF.LOADCHUNK", "g", at, data)
            self.assertEqual(self.r("CF.MEXISTS", "g", "1", "never added"), [1, 1])
            for words in (("CF.ADD", "g", "x"), ("CF.DEL", "g", "1"), ("CF.COMPACT", "g"), ("CF.SCANDUMP", "g", "0")):
                self.assertIsInstance(self.r.ask(*words), Refused)
            self.r("RESTORE", "h", "0", self.r("DUMP", "g"), "REPLACE")
            self.assertEqual(*self.digest("g", "h"))
        self.r("CF.LOADCHUNK", "g", *chunks[-1])
        self.assertEqual(*self.digest("f", "g"))
        for at, data in chunks[1:]:  # a retry
            self.assertEqual(self.r("CF.LOADCHUNK", "g", at, data), "OK")
        self.r("CF.DEL", "g", "7")
        refused = [self.r.ask("CF.LOADCHUNK", "g", at, data) for at, data in chunks[1:]]
        self.assertIn("have changed", " ".join(map(str, refused)))
        self.assertNotEqual(*self.digest("f", "g"))

    def test_errors(self):
        self.r("CF.RESERVE", "e", "64")
        self.assertEqual(self.r("CF.SCANDUMP", "e", "0"), [0, None])
        self.r("CF.INSERT", "f", "ITEMS", *range(100))
        header, chunk = dump(self.r, "f")
        for at in ("x", "-1"):
            self.assertRefused("Invalid position", "CF.SCANDUMP", "f", at)
        for at in ("x", "0", "-1"):
            self.assertRefused("Invalid position", "CF.LOADCHUNK", "g", at, "data")
        self.assertRefused("Invalid header", "CF.LOADCHUNK", "g", "1", b"short")
        self.assertRefused("ERR item exists", "CF.LOADCHUNK", "f", *header)
        self.assertRefused("ERR not found", "CF.LOADCHUNK", "g", *chunk)
        self.assertIn("Couldn't create filter!", str(self.r.ask("CF.LOADCHUNK", "g", "1", bytes(38))))
        self.r("CF.LOADCHUNK", "g", *header)
        for at, data in ((2, b"xx"), (2**62, b"x"), (chunk[0] + 1, chunk[1]), (chunk[0] + 1, chunk[1] + b"x")):
            self.assertIn("Couldn't load chunk!", str(self.r.ask("CF.LOADCHUNK", "g", at, data)))
        self.assertEqual(self.r("CF.SCANDUMP", "f", 3), [chunk[0], chunk[1][2:]])
        self.assertEqual(self.r("CF.SCANDUMP", "f", 2**62), [0, None])


@unittest.skipIf(redis is None, "no redis-py (tests/engines/redis/requirements.txt)")
class RedisPy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def test_every_method(self):
        for protocol in (2, 3):
            r = redis.Redis(port=self.server.port, protocol=protocol)
            r.flushall()
            cf = r.cf()
            offered = {m for m in dir(cf) if not m.startswith(("_", "append_")) and callable(getattr(cf, m))}
            self.assertEqual(offered - {"client", "commandmixin", "execute_command"},
                             {"create", "reserve", "add", "addnx", "insert", "insertnx", "exists", "mexists", "delete", "count",
                              "scandump", "loadchunk", "info"})
            self.assertTrue(cf.create("f", 1000))
            self.assertTrue(cf.reserve("g", 1000, expansion=1, bucket_size=4, max_iterations=10))
            self.assertEqual(cf.add("f", "a"), 1)
            self.assertEqual(cf.addnx("f", "a"), 0)
            self.assertEqual(cf.insert("h", ["a", "b"], capacity=500), [1, 1])
            self.assertEqual(cf.insertnx("h", ["a", "c"], capacity=500), [0, 1])
            with self.assertRaises(redis.ResponseError):
                cf.insert("none", ["a"], nocreate=True)
            self.assertEqual(cf.exists("h", "c"), 1)
            self.assertEqual(cf.mexists("h", "c", "z"), [1, 0])
            self.assertEqual(cf.count("h", "a"), 1)
            self.assertEqual(cf.delete("h", "a"), 1)
            self.assertEqual(cf.delete("h", "a"), 0)
            info = cf.info("g")
            self.assertEqual(info[b"Bucket size"] if isinstance(info, dict) else info.bucketSize, 4)
            at = 0
            while True:
                at, data = cf.scandump("h", at)
                if at == 0:
                    break
                cf.loadchunk("again", at, data)
            self.assertEqual(*r.execute_command("DEBUG", "DIGEST-VALUE", "h", "again"))
            r.close()


if __name__ == "__main__":
    unittest.main()
