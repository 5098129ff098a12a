"""Payloads and chunks that nobody wrote, against the module under AddressSanitizer: an error or a filter that works."""
import os
import subprocess
import unittest

from payload import generator, mutated, parts, sealed
from resp import Refused
from server import ASAN_MODULE, FULL, MODULE, Server

CASES = 1_000_000 if FULL else 20_000


def runtime():
    """The runtimes of the sanitizers, which have to be loaded first."""
    files = [subprocess.run([os.environ.get("CXX", "c++"), f"-print-file-name={name}"], capture_output=True, text=True,
                            check=True).stdout.strip() for name in ("libasan.so", "libubsan.so")]
    return {"LD_PRELOAD": " ".join(files), "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:allocator_may_return_null=1",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"}


class Hostile(unittest.TestCase):
    def setUp(self):
        if os.path.exists(ASAN_MODULE):
            self.server = Server(module=ASAN_MODULE, env=runtime(), arguments=("max-key-bytes", 4 << 20))
        else:
            print("the module under AddressSanitizer is not built: the plain one instead")
            self.server = Server(module=MODULE, arguments=("max-key-bytes", 4 << 20))
        self.addCleanup(self.server.stop)
        self.c = self.server.client()
        self.samples()

    def samples(self):
        for i, words in enumerate((("0.01", "10"), ("0.001", "20", "EXPANSION", "1"), ("0.01", "30", "NONSCALING"),
                                   ("0.25", "5", "EXPANSION", "4"))):
            self.c("BF.RESERVE", f"s{i}", *words)
            self.c("BF.MADD", f"s{i}", *range(30))
        self.c("BF.LOADCHUNK", "half", 1, self.c("BF.SCANDUMP", "s1", 0)[1])
        for i, words in enumerate((("16",), ("20", "EXPANSION", "2"), ("30", "BUCKETSIZE", "5", "EXPANSION", "0"))):
            self.c("CF.RESERVE", f"c{i}", *words)
            self.c("CF.INSERT", f"c{i}", "ITEMS", *range(25))

    def check(self):
        text = self.server.text()
        for bad in ("ERROR: AddressSanitizer", "runtime error", "BUG REPORT", "=== REDIS"):
            if (at := text.find(bad)) >= 0:
                self.fail(text[max(0, at - 500):at + 5000])
        self.assertTrue(self.server.is_alive(), text[-3000:])

    def used(self):
        return int(self.c("INFO", "memory").split(b"used_memory:")[1].split(b"\r")[0])

    # What is asked of whatever was accepted.
    LATER = (("BF.MEXISTS", "x", "1", "2"), ("BF.MADD", "x", "new", "newer"), ("BF.INFO", "x"), ("BF.SCANDUMP", "x", 0),
             ("BF.SCANDUMP", "x", 1), ("BF.DEBUG", "x"), ("BF.CARD", "x"), ("MEMORY", "USAGE", "x"),
             ("COPY", "x", "y", "REPLACE"), ("DEBUG", "DIGEST-VALUE", "x"), ("DUMP", "x"))

    def test_payloads_with_checksums_that_are_right(self):
        rng = generator(32)
        bodies = [parts(self.c("DUMP", k)) for k in ("s0", "s1", "s2", "s3", "half", "c0", "c1", "c2")]
        whole = set(self.c("DEBUG", "DIGEST-VALUE", "s0", "s1", "s2", "s3", "half", "c0", "c1", "c2"))
        accepted = refused = 0
        for at in range(0, CASES, 500):
            commands = []
            for _ in range(500):
                body, version = rng.choice(bodies)
                commands += [("RESTORE", "x", 0, sealed(mutated(body, rng), version), "REPLACE"),
                             ("DEBUG", "DIGEST-VALUE", "x"), ("TYPE", "x"), *self.LATER[:4]]
            replies = self.c.pipe(commands)
            for i in range(0, len(replies), 7):
                if isinstance(replies[i], Refused):
                    refused += 1
                else:  # a change that changed nothing: the value has a checksum of its own
                    accepted += 1
                    if replies[i + 2] in ("bloomery1", "bloomery2"):
                        self.assertIn(replies[i + 1][0], whole)
            self.c.pipe(self.LATER)
            self.c("DEL", "x", "y")
        self.check()
        self.assertEqual(accepted + refused, CASES)
        self.assertGreater(refused, CASES // 2)
        print(f"cases: payloads {CASES}")

    def test_chunks(self):
        rng = generator(33)
        keys = ("s0", "s1", "s2", "s3")
        headers = [self.c("BF.SCANDUMP", k, 0)[1] for k in keys]
        chunks = [self.c("BF.SCANDUMP", k, 1) for k in keys]
        before, ok = self.used(), 0
        for _ in range(0, CASES, 500):
            commands = []
            for _ in range(500):
                i = rng.randrange(4)
                header = mutated(headers[i], rng) if rng.randrange(4) else headers[i]
                at = rng.choice((chunks[i][0], 1, 0, -1, 2, rng.randrange(1, 5000), rng.choice((2**31, 2**62, -2**63))))
                chunk = mutated(chunks[i][1], rng) if rng.randrange(2) else chunks[i][1]
                commands += [("DEL", "x"), ("BF.LOADCHUNK", "x", 1, header), ("BF.LOADCHUNK", "x", at, chunk),
                             ("BF.LOADCHUNK", "x", chunks[i][0], chunks[i][1]), *self.LATER]
            replies = self.c.pipe(commands)
            ok += sum(r == "OK" for r in replies[1::4 + len(self.LATER)])
            self.c("DEL", "x", "y")
        self.check()
        self.assertGreater(ok, CASES // 10)
        self.assertLess(self.used() - before, 4 << 20)
        print(f"cases: chunks {CASES}")

    def test_chunks_of_cuckoo_filters(self):
        rng = generator(35)
        headers = [self.c("CF.SCANDUMP", f"c{i}", 0)[1] for i in range(3)]
        chunks = [self.c("CF.SCANDUMP", f"c{i}", 1) for i in range(3)]
        later = (("CF.MEXISTS", "x", "1", "2"), ("CF.ADD", "x", "new"), ("CF.DEL", "x", "1"), ("CF.INFO", "x"),
                 ("CF.COMPACT", "x"), ("CF.SCANDUMP", "x", 0), ("CF.SCANDUMP", "x", 1), ("CF.COUNT", "x", "1"),
                 ("COPY", "x", "y", "REPLACE"), ("DEBUG", "DIGEST-VALUE", "x"), ("DUMP", "x"), ("CF.DEL", "x", "new"))
        before = self.used()
        for _ in range(0, CASES, 500):
            commands = []
            for _ in range(500):
                i = rng.randrange(3)
                header = mutated(headers[i], rng)[:38].ljust(38, b"\0") if rng.randrange(4) else headers[i]
                at = rng.choice((chunks[i][0], 2, rng.randrange(1, 5000), 2**62))
                chunk = mutated(chunks[i][1], rng) if rng.randrange(2) else chunks[i][1]
                commands += [("DEL", "x"), ("CF.LOADCHUNK", "x", 1, header), ("CF.LOADCHUNK", "x", at, chunk),
                             ("CF.LOADCHUNK", "x", chunks[i][0], chunks[i][1]), *later]
            self.c.pipe(commands)
            self.c("DEL", "x", "y")
        self.check()
        self.assertLess(self.used() - before, 4 << 20)
        print(f"cases: chunks {CASES}")

    def test_arguments(self):
        rng = generator(34)
        words = ["NONSCALING", "EXPANSION", "ITEMS", "CAPACITY", "ERROR", "NOCREATE", "0", "1", "-1", "0.01", "nan", "inf",
                 "1e-300", "1073741824", "9223372036854775807", "9223372036854775808", "", "x", b"\x00", b"\xff" * 100]
        words += ["BUCKETSIZE", "MAXITERATIONS"]
        names = self.c("COMMAND", "LIST", "FILTERBY", "MODULE", "bloomery")
        self.c("SET", "text", "x")
        for _ in range(0, CASES, 1000):
            self.c.pipe([(rng.choice(names), rng.choice(("a", "b", "text", "half", "")),
                          *(rng.choice(words) for _ in range(rng.randrange(8)))) for _ in range(1000)])
            self.c("DEL", "a", "b", "")
        self.check()
        print(f"cases: arguments {CASES}")


if __name__ == "__main__":
    unittest.main()
