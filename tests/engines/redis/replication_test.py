"""A replica with other settings than its primary, and a server that is killed: the same filters, bit for bit."""
import random
import threading
import time
import unittest

from resp import Refused
from server import FULL, Server, wait_until

COMMANDS = 10_000_000 if FULL else 100_000
KILLS = 500 if FULL else 30


def random_command(rng, keys):
    key = f"k{rng.randrange(keys)}"
    items = [str(rng.randrange(5000)) for _ in range(rng.choice((1, 1, 2, 5, 30)))]
    what = rng.randrange(100)
    if what < 25:
        return ("BF.ADD", key, items[0])
    if what < 45:
        return ("BF.MADD", key, *items)
    if what < 50:
        return ("BF.RESERVE", key, rng.choice(("0.01", "0.3", "1e-5", "0.123456789", "2", "x")),
                rng.choice((1, 5, 100, 1000, 0, 10**6)),
                *rng.choice(((), (), ("EXPANSION", rng.choice((0, 1, 2, 4))), ("NONSCALING",), ("EXPANSION", "x"))))
    if what < 60:
        return ("BF.INSERT", key, *rng.choice(((), ("NOCREATE",), ("CAPACITY", rng.choice((1, 3, 500))),
                                               ("ERROR", "0.07"), ("NONSCALING", "CAPACITY", 2), ("EXPANSION", 1),
                                               ("EXPANSION", 0), ("CAPACITY", "x"), ("c", 9), ("nons",))),
                rng.choice(("ITEMS", "i")), *items)
    if what < 64:
        return ("DEL", key)
    if what < 66:
        return ("SET", key, "text")
    if what < 69:
        return ("COPY", key, f"k{rng.randrange(keys)}", *rng.choice(((), ("REPLACE",))))
    if what < 71:
        return ("RENAME", key, f"k{rng.randrange(keys)}")
    if what < 73:
        return ("PEXPIRE", key, rng.choice((1, 20, 100000)))
    if what < 78:
        script = rng.choice((
            "redis.call('BF.ADD', KEYS[1], ARGV[1]); return redis.call('BF.MADD', KEYS[1], ARGV[1], ARGV[2])",
            "redis.pcall('BF.RESERVE', KEYS[1], ARGV[2], 3); return redis.pcall('BF.ADD', KEYS[1], ARGV[1])",
            "redis.call('BF.ADD', KEYS[1], ARGV[1]); return redis.call('BF.RESERVE', KEYS[1], '0.1', '10')"))
        return ("EVAL", script, 1, key, items[0], items[-1])
    if what < 86:
        key = f"c{rng.randrange(keys)}"
        return rng.choice((
            ("CF.ADD", key, items[0]), ("CF.ADDNX", key, items[0]), ("CF.INSERT", key, "ITEMS", *items),
            ("CF.INSERT", key, "CAPACITY", rng.choice((4, 100, 3)), "ITEMS", *items), ("CF.COMPACT", key),
            ("CF.INSERTNX", key, *rng.choice(((), ("NOCREATE",))), "ITEMS", *items), ("CF.DEL", key, items[0]),
            ("CF.RESERVE", key, rng.choice((4, 50, 1)), *rng.choice(((), ("EXPANSION", rng.choice((0, 1, 2))),
                                                                     ("BUCKETSIZE", 1, "MAXITERATIONS", 3)))),
            ("DEL", key)))
    if what < 88:
        return ("BF.LOADCHUNK", key, rng.choice((1, 2, 100)), b"x" * rng.choice((1, 73, 200)))
    return (rng.choice(("BF.EXISTS", "BF.INFO", "BF.CARD", "BF.DEBUG", "BF.MEXISTS")), key, *items[:1])


def stream(rng, keys, count):
    """Commands, some in transactions, and dumps that are loaded."""
    made = []
    while len(made) < count:
        if rng.randrange(20) == 0:
            made += [("MULTI",), *(random_command(rng, keys) for _ in range(rng.randrange(5))), ("EXEC",)]
        else:
            made.append(random_command(rng, keys))
    return made


class Replication(unittest.TestCase):
    OTHER = ("bf-error-rate", "0.3", "bf-initial-size", "7", "bf-expansion-factor", "0", "max-key-bytes", "1024",
             "strict", "1", "cf-initial-size", "9", "cf-bucket-size", "3", "cf-max-iterations", "2", "cf-expansion-factor", "0",
             "cf-max-expansions", "1")

    def setUp(self):
        self.replicas = []

    def replica(self, primary, *words):
        s = Server("--replicaof", "127.0.0.1", primary.port, "--propagation-error-behavior", "panic", "--repl-diskless-sync-delay",
                   "0", *words, arguments=self.OTHER)
        self.addCleanup(s.stop)
        self.replicas.append(s)
        c = s.client()
        wait_until(lambda: b"master_link_status:up" in c("INFO", "replication"), what="the synchronisation")
        return s, c

    def assert_same(self, p, *others):
        """Once all is sent.  Keys may expire between two questions: then again; what has diverged stays so."""
        offset = lambda c, name: int(c("INFO", "replication").split(name + b":")[1].split(b"\r")[0])
        whole = lambda c: (c("DBSIZE"), c("DEBUG", "DIGEST"))
        for c in others:
            try:
                wait_until(lambda: offset(p, b"master_repl_offset") == offset(c, b"slave_repl_offset"), what="the replica")
                wait_until(lambda: whole(p) == whole(c), 10, "equality")
            except OSError:
                self.fail("\n".join(s.text()[s.text().find("== CRITICAL") - 500:][:3000] for s in self.replicas))
            except AssertionError:
                names = sorted({*p("KEYS", "*"), *c("KEYS", "*")})
                pairs = zip(names, p("DEBUG", "DIGEST-VALUE", *names), c("DEBUG", "DIGEST-VALUE", *names))
                self.fail([(n, p.ask("BF.DEBUG", n), c.ask("BF.DEBUG", n)) for n, a, b in pairs if a != b][:5])

    def test_replicas_with_other_settings(self):
        primary = Server("--repl-diskless-sync-delay", "0", "--appendonly", "yes", "--appendfsync", "no",
                         arguments=("bf-error-rate", "0.02", "bf-initial-size", "50", "cf-max-expansions", "3"))
        self.addCleanup(primary.stop)
        p = primary.client()
        # One gets files, one a stream into memory, that it swaps for what it had.
        one, c1 = self.replica(primary)
        p("CONFIG", "SET", "repl-diskless-sync", "no")
        two, c2 = self.replica(primary, "--repl-diskless-load", "swapdb")
        rng = random.Random(32)
        rounds = 10
        refused = 0
        for i in range(rounds):
            replies = p.pipe(stream(rng, 300, COMMANDS // rounds))
            refused += sum(isinstance(r, Refused) for r in replies)
            for n, key in enumerate(p("KEYS", "k*")[:20]):  # dumps, whole and in part
                at = 0
                while not isinstance(reply := p.ask("BF.SCANDUMP", key, at), Refused) and reply[0] != 0:
                    at, data = reply
                    p("BF.LOADCHUNK", f"copy {i} {n}", at, data)
                    if n % 3 == 0:
                        break
            if i == rounds // 2:  # a full synchronisation while there is data
                c1("REPLICAOF", "NO", "ONE")
                c1("BF.ADD", "only here", "x")
                c1("REPLICAOF", "127.0.0.1", primary.port)
                wait_until(lambda: b"master_link_status:up" in c1("INFO", "replication"))
            self.assert_same(p, c1, c2)
        self.assertGreater(refused, COMMANDS // 100)
        self.assertTrue(one.is_alive() and two.is_alive())
        for s in (one, two):
            self.assertNotIn("CRITICAL", s.text())
        p.pipe([("PERSIST", key) for key in p("KEYS", "*")])  # none expires from now on
        names = p("KEYS", "*")
        before = p("DEBUG", "DIGEST-VALUE", *names)
        p("DEBUG", "LOADAOF")
        self.assertEqual(p("DEBUG", "DIGEST-VALUE", *names), before)
        print(f"cases: commands {COMMANDS}")


class Said(unittest.TestCase):
    def test_what_is_said(self):
        """Creations have all their parameters, only additions follow, nothing is said of what changed nothing."""
        s = Server("--appendonly", "yes", "--appendfsync", "always",
                   arguments=("bf-error-rate", "0.02", "bf-initial-size", "2"))
        self.addCleanup(s.stop)
        c = s.client()
        expected = []
        for words, said in (
                (("BF.ADD", "f", "a"), b"BF.INSERT f CAPACITY 2 ERROR 0.02 EXPANSION 2 ITEMS a"),
                (("BF.ADD", "f", "a"), None),
                (("BF.EXISTS", "f", "a"), None),
                (("BF.MADD", "f", "a", "b", "c"), b"BF.INSERT f NOCREATE ITEMS b c"),
                (("BF.MADD", "f", "d", "e"), b"BF.MADD f d e"),
                (("BF.RESERVE", "n", "0.01", "2", "NONSCALING"), b"BF.RESERVE n 0.01 2 NONSCALING"),
                (("BF.MADD", "n", "a", "b", "c", "d"), b"BF.INSERT n NOCREATE ITEMS a b"),
                (("BF.MADD", "n", "c"), None),
                (("BF.RESERVE", "n", "0.01", "2"), None),
                (("BF.INSERT", "none", "NOCREATE", "ITEMS", "a"), None),
                (("BF.RESERVE", "g", "0.01", "10"), b"BF.RESERVE g 0.01 10 EXPANSION 2"),
                (("BF.INSERT", "h", "ERROR", "0.1", "NONSCALING", "ITEMS", "x", "x"),
                 b"BF.INSERT h CAPACITY 2 ERROR 0.10000000000000001 NONSCALING ITEMS x"),
                (("BF.LOADCHUNK", "l", "1", "bad"), None)):
            c.ask(*words)
            expected += [said] if said else []
        said = [b" ".join(words) for words in self.commands(s) if words[0].startswith(b"BF.")]
        self.assertEqual(said, expected)

    @staticmethod
    def commands(s):
        for path in sorted(s.folder.rglob("*.incr.aof")):
            with open(path, "rb") as f:
                while head := f.readline():
                    yield [f.read(int(f.readline()[1:]) + 2)[:-2] for _ in range(int(head[1:]))]


class Killed(unittest.TestCase):
    def test_no_acknowledged_addition_is_lost(self):
        """kill -9 with appendfsync always, while snapshots and rewrites run too."""
        s = Server("--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0")
        self.addCleanup(s.stop)
        rng = random.Random(9)
        acknowledged = {}
        for i in range(KILLS):
            c = s.client()
            c.pipe([("BF.ADD", f"k{n}", "first") for n in range(5)])
            if i % 3 == 1:
                c("BGSAVE")
            if i % 3 == 2:
                c("BGREWRITEAOF")
            end = time.monotonic() + rng.uniform(0.05, 0.3)
            stop = threading.Timer(end - time.monotonic(), s.process.kill)
            stop.start()
            n = 0
            try:
                while True:
                    key, items = f"k{rng.randrange(5)}", [f"{i}-{n}-{j}" for j in range(rng.choice((1, 1, 20)))]
                    n += 1
                    if n % 2:
                        replies = c("BF.MADD", key, *items)
                    else:
                        key = "c" + key
                        replies = c("CF.INSERT", key, "ITEMS", *items)
                    acknowledged.setdefault(key, []).extend(x for x, r in zip(items, replies) if r == 1)
            except (OSError, ConnectionError):
                pass
            stop.join()
            s.kill()
            s.start()
            c = s.client()
            for key, items in acknowledged.items():
                exists = "CF.MEXISTS" if key[0] == "c" else "BF.MEXISTS"
                self.assertEqual(c(exists, key, *items), [1] * len(items), (i, key))
            before = c("DEBUG", "DIGEST")
            c("DEBUG", "RELOAD")
            self.assertEqual(c("DEBUG", "DIGEST"), before)
            c.close()
        print(f"cases: kills {KILLS}")
        print(f"cases: additions {sum(map(len, acknowledged.values()))}")


if __name__ == "__main__":
    unittest.main()
