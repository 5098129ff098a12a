"""BF commands: arguments, replies and errors as RedisBloom's, in RESP2 and RESP3."""
import math
import os
import unittest

from resp import Refused
from server import Server, ServerTest

WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"
FULL = Refused("ERR non scaling filter is full")


def arity(command):
    return f"ERR wrong number of arguments for '{command}' command"


class Replies(ServerTest):
    def each(self):
        for protocol, yes, no in ((2, 1, 0), (3, True, False)):
            self.r("FLUSHALL")
            with self.subTest(protocol=protocol):
                yield self.server.client(protocol), yes, no

    def exactly(self, value, other):
        """Equal, of the same type: 1 is not True."""
        self.assertEqual(repr(value), repr(other))

    def test_adding_and_asking(self):
        for c, yes, no in self.each():
            self.exactly(c("BF.RESERVE", "f", "0.01", "100"), "OK")
            self.exactly(c("BF.ADD", "f", "a"), yes)
            self.exactly(c("BF.ADD", "f", "a"), no)
            self.exactly(c("BF.MADD", "f", "a", "b", "c"), [no, yes, yes])
            self.exactly(c("BF.MADD", "f", "d"), [yes])
            self.exactly(c("BF.INSERT", "f", "ITEMS", "d", "e"), [no, yes])
            self.exactly(c("BF.EXISTS", "f", "a"), yes)
            self.exactly(c("BF.EXISTS", "f", "z"), no)
            self.exactly(c("BF.MEXISTS", "f", "a", "z", "b"), [yes, no, yes])
            self.exactly(c("BF.CARD", "f"), 5)

    def test_info(self):
        for c, _, _ in self.each():
            c("BF.RESERVE", "f", "0.01", "100")
            c("BF.MADD", "f", "a", "b")
            c("BF.RESERVE", "fixed", "0.01", "100", "NONSCALING")
            whole = {"Capacity": 100, "Size": 240, "Number of filters": 1, "Number of items inserted": 2,
                     "Expansion rate": 2}
            info = c("BF.INFO", "f")
            self.exactly(info, whole if isinstance(info, dict) else [x for pair in whole.items() for x in pair])
            self.assertEqual(isinstance(info, dict), self.protocol(c) == 3)
            for word, name in zip(("Capacity", "SIZE", "filters", "ITEMS", "expansion"), whole):
                one = c("BF.INFO", "f", word)
                self.exactly(one, {name: whole[name]} if self.protocol(c) == 3 else [whole[name]])
            one = c("BF.INFO", "fixed", "EXPANSION")
            self.exactly(one, {"Expansion rate": None} if self.protocol(c) == 3 else [None])

    @staticmethod
    def protocol(c):
        hello = c("HELLO")
        return hello["proto"] if isinstance(hello, dict) and "proto" in hello else \
            {k: v for k, v in (hello.items() if isinstance(hello, dict) else zip(hello[::2], hello[1::2]))}[b"proto"]

    def test_debug(self):
        self.r("BF.RESERVE", "f", "0.01", "10")
        for i in range(30):
            self.r("BF.ADD", "f", f"k{i}")
        said = self.r("BF.DEBUG", "f")
        self.assertEqual(said[0], b"size:30")
        self.assertEqual(said[1], b"bytes:16 bits:128 hashes:8 hashwidth:64 capacity:10 size:10 ratio:0.005")
        self.assertEqual(len(said), 3)

    def test_missing_keys(self):
        for c, yes, no in self.each():
            self.exactly(c("BF.EXISTS", "none", "a"), no)
            self.exactly(c("BF.MEXISTS", "none", "a", "b"), [no, no])
            self.exactly(c("BF.CARD", "none"), 0)
            for words in (("BF.INFO", "none"), ("BF.DEBUG", "none"), ("BF.SCANDUMP", "none", "0"),
                          ("BF.INSERT", "none", "NOCREATE", "ITEMS", "a"), ("BF.LOADCHUNK", "none", "17", "x")):
                self.assertRefused("ERR not found", *words, client=c)
            self.exactly(c("BF.ADD", "new", "a"), yes)
            self.assertEqual(c("TYPE", "new"), "bloomery1")

    def test_keys_of_other_types(self):
        for c, _, no in self.each():
            c("SET", "s", "text")
            self.exactly(c("BF.EXISTS", "s", "a"), no)
            self.exactly(c("BF.MEXISTS", "s", "a", "b"), [no, no])
            for words in (("BF.ADD", "s", "a"), ("BF.MADD", "s", "a"), ("BF.INSERT", "s", "ITEMS", "a"),
                          ("BF.CARD", "s"), ("BF.INFO", "s"), ("BF.DEBUG", "s"), ("BF.SCANDUMP", "s", "0"),
                          ("BF.LOADCHUNK", "s", "1", "x"), ("BF.RESERVE", "s", "0.1", "10")):
                self.assertRefused(WRONG_TYPE, *words, client=c)
            self.assertEqual(c("GET", "s"), b"text")

    def test_arity(self):
        for command, words in (("BF.RESERVE", 4), ("BF.ADD", 3), ("BF.MADD", 3), ("BF.INSERT", 4), ("BF.EXISTS", 3),
                               ("BF.MEXISTS", 3), ("BF.INFO", 2), ("BF.CARD", 2), ("BF.DEBUG", 2),
                               ("BF.SCANDUMP", 3), ("BF.LOADCHUNK", 4)):
            for n in range(1, words):
                reply = self.r.ask(command, *["1"] * (n - 1))
                self.assertEqual(str(reply), arity(command.lower()))
        for words in (("BF.ADD", "f", "a", "b"), ("BF.EXISTS", "f", "a", "b"), ("BF.INFO", "f", "SIZE", "x"),
                      ("BF.RESERVE", "f", "0.1", "10", "a", "b", "c", "d"), ("BF.LOADCHUNK", "f", "1", "x", "y"),
                      ("BF.INSERT", "f", "CAPACITY", "1"), ("BF.INSERT", "f", "NOCREATE", "ITEMS"),
                      ("BF.INSERT", "f", "ERROR", "0.1", "CAPACITY")):
            self.assertEqual(str(self.r.ask(*words)), arity(words[0].lower()))
        self.assertEqual(self.r("DBSIZE"), 0)

    def test_errors_of_reserve(self):
        for text, *words in (
                ("ERR bad error rate", "x", "100"),
                ("ERR (0 < error rate range < 1) ", "0", "100"),
                ("ERR (0 < error rate range < 1) ", "1", "100"),
                ("ERR (0 < error rate range < 1) ", "-0.1", "100"),
                ("ERR (0 < error rate range < 1) ", "inf", "100"),
                ("ERR bad capacity", "0.1", "x"),
                ("ERR bad capacity", "0.1", "1.5"),
                ("ERR (capacity should be larger than 0)", "0.1", "0"),
                ("ERR (capacity should be larger than 0)", "0.1", "-1"),
                ("ERR bad capacity: at most 1073741824", "0.1", "1073741825"),
                ("ERR no expansion", "0.1", "100", "EXPANSION"),
                ("ERR bad expansion", "0.1", "100", "EXPANSION", "x"),
                ("ERR bad expansion", "0.1", "100", "EXPANSION", "-1"),
                ("ERR bad expansion", "0.1", "100", "EXPANSION", "32769"),
                ("Nonscaling filters cannot expand", "0.1", "100", "NONSCALING", "EXPANSION", "2"),
                ("Nonscaling filters cannot expand", "0.1", "100", "expansion", "2", "nonscaling")):
            self.assertRefused(text, "BF.RESERVE", "f", *words)
        self.assertEqual(self.r("DBSIZE"), 0)
        self.r("BF.RESERVE", "f", "0.1", "100", "any", "words")  # are passed over
        self.assertRefused("ERR item exists", "BF.RESERVE", "f", "0.1", "100")
        # A key that is called like an option is a key.
        self.assertEqual(self.r("BF.RESERVE", "EXPANSION", "0.1", "100"), "OK")
        self.assertEqual(self.r("BF.RESERVE", "NONSCALING", "0.1", "100"), "OK")
        self.assertEqual(self.r("BF.INFO", "NONSCALING", "EXPANSION"), [2])

    def test_errors_of_insert(self):
        for text, *words in (
                ("Bad error rate", "ERROR", "x", "ITEMS", "a"),
                ("Bad capacity", "CAPACITY", "x", "ITEMS", "a"),
                ("Bad expansion", "EXPANSION", "x", "ITEMS", "a"),
                ("Bad argument received", "ERROR", "0", "ITEMS", "a"),
                ("Bad argument received", "ERROR", "1", "ITEMS", "a"),
                ("Bad argument received", "CAPACITY", "0", "ITEMS", "a"),
                ("Bad argument received", "CAPACITY", "1073741825", "ITEMS", "a"),
                ("Bad argument received", "EXPANSION", "-1", "ITEMS", "a"),
                ("Bad argument received", "EXPANSION", "32769", "ITEMS", "a"),
                ("Unknown argument received", "DONTEXIST", "5", "ITEMS", "a")):
            self.assertRefused(text, "BF.INSERT", "f", *words)
        self.assertEqual(self.r("DBSIZE"), 0)

    def test_words_of_insert_by_their_first_letters(self):
        self.r("BF.INSERT", "f", "c", "500", "er", "0.001", "exp", "4", "items", "a")
        self.assertEqual(self.r("BF.INFO", "f", "CAPACITY"), [500])
        self.assertEqual(self.r("BF.INFO", "f", "EXPANSION"), [4])
        self.r("BF.INSERT", "g", "nonsense", "i", "a")
        self.assertEqual(self.r("BF.INFO", "g", "EXPANSION"), [None])
        self.assertRefused("ERR not found", "BF.INSERT", "h", "noc", "i", "a")
        self.r("BF.INSERT", "k", "EXPANSION", "0", "ITEMS", "a")
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [None])
        # If the key exists, only items count.
        self.r("BF.INSERT", "f", "CAPACITY", "7", "ITEMS", "b")
        self.assertEqual(self.r("BF.INFO", "f", "CAPACITY"), [500])

    def test_sizes(self):
        for rate in (0.9, 0.5, 0.25, 0.1, 0.01, 0.001, 1e-6, 1e-9):
            for capacity in (1, 7, 100, 1000, 12345):
                for words in ((), ("NONSCALING",)):
                    self.r("DEL", "f")
                    self.r("BF.RESERVE", "f", rate, capacity, *words)
                    first = min(rate, 0.25) * (1 if words else 0.5)
                    bits = max(1, int(capacity * -(math.log(first) / 0.480453013918201)))
                    self.assertEqual(self.r("BF.INFO", "f", "SIZE"), [32 + 64 + (bits + 63) // 64 * 8], (rate, words))

    def test_a_filter_that_is_full(self):
        for c, yes, no in self.each():
            c("BF.RESERVE", "f", "0.01", "2", "NONSCALING")
            self.exactly(c("BF.MADD", "f", "a", "b", "c", "d"), [yes, yes, FULL])
            self.exactly(c.ask("BF.ADD", "f", "e"), FULL)
            self.exactly(c("BF.ADD", "f", "a"), no)
            self.exactly(c("BF.INSERT", "f", "ITEMS", "a", "x", "b"), [no, FULL])
            self.exactly(c("BF.CARD", "f"), 2)

    def test_growth(self):
        for expansion, capacity in ((1, 500), (2, 700), (4, 500)):
            self.r("DEL", "f")
            self.r("BF.RESERVE", "f", "0.001", "100", "EXPANSION", expansion)
            self.r("BF.MADD", "f", *(f"k{i}" for i in range(450)))
            self.assertEqual(self.r("BF.INFO", "f", "CAPACITY"), [capacity])
            self.assertEqual(sum(self.r("BF.MEXISTS", "f", *(f"k{i}" for i in range(450)))), 450)

    def test_any_bytes(self):
        items = [b"", b"\x00", b"\x00\x00", bytes(range(256)), b"x" * 100_000]
        self.assertEqual(self.r("BF.MADD", b"\x00key\xff", *items), [1] * 5)
        self.assertEqual(self.r("BF.MEXISTS", b"\x00key\xff", *items), [1] * 5)

    def test_many_items_at_once(self):
        for n in (255, 256, 257, 1000, 5000):
            self.r("DEL", "f")
            self.r("BF.RESERVE", "f", "0.0001", "6000")
            items = [f"item {i}" for i in range(n)]
            self.assertEqual(self.r("BF.MADD", "f", *items), [1] * n)
            self.assertEqual(self.r("BF.MEXISTS", "f", *items), [1] * n)
            self.assertEqual(self.r("BF.MADD", "f", *items), [0] * n)


class Strict(ServerTest):
    arguments = ("strict", "1")

    def test_what_is_passed_over_otherwise(self):
        self.r("SET", "s", "text")
        self.assertRefused(WRONG_TYPE, "BF.EXISTS", "s", "a")
        self.assertRefused(WRONG_TYPE, "BF.MEXISTS", "s", "a", "b")
        self.assertRefused("ERR unknown argument received", "BF.RESERVE", "f", "0.1", "100", "any", "words")
        self.assertRefused("Unknown argument received", "BF.INSERT", "f", "cap", "10", "ITEMS", "a")
        self.assertRefused("ERR NOCREATE cannot be used with CAPACITY or ERROR", "BF.INSERT", "f", "NOCREATE",
                           "CAPACITY", "10", "ITEMS", "a")
        self.assertEqual(self.r("BF.EXISTS", "none", "a"), 0)
        self.assertEqual(self.r("BF.RESERVE", "f", "0.1", "100", "EXPANSION", "2"), "OK")
        self.assertEqual(self.r("BF.INSERT", "g", "CAPACITY", "10", "NONSCALING", "ITEMS", "a"), [1])


class Settings(unittest.TestCase):
    def test_arguments(self):
        for words, info in (((), [100, 2]), (("INITIAL_SIZE", "700"), [700, 2]), (("bf-initial-size", "9"), [9, 2]),
                            (("ERROR_RATE", "0.1", "bf-expansion-factor", "4"), [100, 4]),
                            (("bf-expansion-factor", "0"), [100, None])):
            s = Server(arguments=words)
            self.addCleanup(s.stop)
            c = s.client()
            c("BF.ADD", "f", "a")
            self.assertEqual(c("BF.INFO", "f", "CAPACITY") + c("BF.INFO", "f", "EXPANSION"), info, words)
            s.stop()

    def test_false_arguments(self):
        for words, why in ((("ERROR_RATE", "2"), "'ERROR_RATE' must be in the range (0, 1)"),
                           (("INITIAL_SIZE", "0"), "'INITIAL_SIZE' is out of its range"),
                           (("strict",), "'strict' has no value"), (("what", "1"), "'what' is not known")):
            with self.assertRaises(RuntimeError) as e:
                Server(arguments=words)
            self.assertIn(why, str(e.exception))

    def test_configuration(self):
        s = Server()
        self.addCleanup(s.stop)
        c = s.client()
        names = ("bf-error-rate", "bf-initial-size", "bf-expansion-factor", "max-key-bytes", "strict")
        before = [c("CONFIG", "GET", f"bloomery.{n}")[1] for n in names]
        self.assertEqual(before, [b"0.01", b"100", b"2", b"2147483648", b"0"])
        for name, values in (("bf-error-rate", ("0", "1", "x", "nan")), ("bf-initial-size", ("0", "1073741825", "x")),
                             ("bf-expansion-factor", ("-1", "32769")), ("strict", ("2",))):
            for value in values:
                self.assertIsInstance(c.ask("CONFIG", "SET", f"bloomery.{name}", value), Refused, (name, value))
        self.assertIn("must be in the range", str(c.ask("CONFIG", "SET", "bloomery.bf-error-rate", "2")))
        c("CONFIG", "SET", "bloomery.bf-error-rate", "0.001", "bloomery.bf-initial-size", "500")
        self.assertEqual(c("CONFIG", "GET", "bloomery.bf-error-rate")[1], b"0.001")
        c("BF.ADD", "f", "a")
        self.assertEqual(c("BF.INFO", "f", "CAPACITY"), [500])

    def test_a_second_module_of_the_same_names(self):
        s = Server("--enable-module-command", "local")
        self.addCleanup(s.stop)
        c = s.client()
        self.assertIsInstance(c.ask("MODULE", "LOAD", s.module), Refused)
        self.assertIsInstance(c.ask("MODULE", "UNLOAD", "bloomery"), Refused)
        c("BF.ADD", "f", "a")

    @unittest.skipUnless(os.path.exists(os.environ.get("BLOOMERY_REDIS_REPLIES", "")), "the other module is not built")
    def test_beside_a_module_that_has_one_of_the_commands(self):
        other = os.environ["BLOOMERY_REDIS_REPLIES"]
        for taken in ("bf.madd", "CF.DEL"):
            with self.assertRaises(RuntimeError) as e:
                Server("--loadmodule", other, taken)
            self.assertRegex(str(e.exception), f"the command {taken.lower()} exists already")
        s = Server("--enable-module-command", "local", "--loadmodule", other, "bf.other")
        self.addCleanup(s.stop)
        self.assertEqual(s.client()("bf.other", "k", "a", "b"), [0, 0])

    def test_documents(self):
        s = Server()
        self.addCleanup(s.stop)
        c = s.client(3)
        docs = c("COMMAND", "DOCS", *c("COMMAND", "LIST", "FILTERBY", "MODULE", "bloomery"))
        self.assertEqual(len(docs), 25)
        for one in docs.values():
            self.assertTrue(one[b"summary"] and one[b"complexity"] and one[b"since"] and one[b"arguments"])
        commands = c("COMMAND", "LIST", "FILTERBY", "MODULE", "bloomery")
        self.assertEqual(len(commands), 25)
        for name in commands:
            info = c("COMMAND", "INFO", name)[0]
            self.assertEqual(info[3:6], [1, 1, 1], name)
            flags = {f if isinstance(f, str) else f.decode() for f in info[2]}
            self.assertIn("module", flags)
            self.assertEqual(len(flags & {"write", "readonly"}), 1)
        self.assertEqual(c("COMMAND", "GETKEYS", "BF.MADD", "the key", "a", "b"), [b"the key"])


if __name__ == "__main__":
    unittest.main()
