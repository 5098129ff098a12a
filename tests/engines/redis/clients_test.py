"""redis-py's own calls: every method of bf(), in RESP2 and RESP3."""
import unittest

from server import Server

try:
    import redis
except ImportError:
    redis = None


@unittest.skipIf(redis is None, "no redis-py (tests/engines/redis/requirements.txt)")
class RedisPy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def each(self):
        for protocol in (2, 3):
            r = redis.Redis(port=self.server.port, protocol=protocol)
            r.flushall()
            with self.subTest(protocol=protocol):
                yield r
            r.close()

    def test_every_method_is_called(self):
        """What redis-py offers and this file does not call would be missed."""
        with redis.Redis(port=self.server.port) as r:
            offered = {m for m in dir(r.bf()) if not m.startswith("_") and callable(getattr(r.bf(), m))}
        called = {"create", "reserve", "add", "madd", "insert", "exists", "mexists", "scandump", "loadchunk", "info",
                  "card"}
        others = {"client", "commandmixin", "execute_command"}
        self.assertEqual({m for m in offered if not m.startswith("append_")} - others, called)

    def test_bf(self):
        for r in self.each():
            bf = r.bf()
            self.assertTrue(bf.create("f", 0.01, 1000))
            self.assertTrue(bf.reserve("e", 0.01, 1000, expansion=1))
            self.assertTrue(bf.create("n", 0.01, 1000, noScale=True))
            self.assertEqual(bf.add("f", "foo"), 1)
            self.assertEqual(bf.add("f", "foo"), 0)
            self.assertEqual(bf.madd("f", "foo", "bar", "baz"), [0, 1, 1])
            self.assertEqual(bf.insert("g", ["a", "b"], capacity=500, error=0.001, expansion=4), [1, 1])
            self.assertEqual(bf.insert("h", ["a"], noScale=True), [1])
            with self.assertRaises(redis.ResponseError):
                bf.insert("none", ["a"], noCreate=True)
            self.assertEqual(bf.exists("f", "foo"), 1)
            self.assertEqual(bf.exists("f", "no"), 0)
            self.assertEqual(bf.mexists("f", "foo", "no", "bar"), [1, 0, 1])
            self.assertEqual(bf.card("f"), 3)
            self.assertEqual(bf.card("none"), 0)
            info = bf.info("g")
            names = ("Capacity", "Number of filters", "Number of items inserted", "Expansion rate")
            said = [info[k.encode()] for k in names] if isinstance(info, dict) else \
                [info.capacity, info.filterNum, info.insertedNum, info.expansionRate]
            self.assertEqual(said, [500, 1, 2, 4])
            for mistake in (lambda: bf.create("f", 0.01, 1000), lambda: bf.create("x", 2, 10),
                            lambda: bf.info("none"), lambda: bf.create("y", 0.01, 0)):
                with self.assertRaises(redis.ResponseError):
                    mistake()

    def test_dump_and_load(self):
        """As the documents of RedisBloom do it, over several links."""
        for r in self.each():
            r.bf().create("f", 0.001, 100)
            for i in range(2000):
                r.bf().add("f", i)
            chunks, at = [], 0
            while True:
                at, data = r.bf().scandump("f", at)
                if at == 0:
                    break
                chunks.append((at, data))
            self.assertGreater(len(chunks), 3)
            for at, data in chunks:
                r.bf().loadchunk("again", at, data)
            self.assertEqual(r.execute_command("DEBUG", "DIGEST-VALUE", "f"),
                             r.execute_command("DEBUG", "DIGEST-VALUE", "again"))

    def test_pipeline(self):
        for r in self.each():
            with r.pipeline() as pipe:
                for i in range(100):
                    pipe.bf().add("p", i)
                pipe.bf().mexists("p", *range(100))
                self.assertEqual(pipe.execute()[-1], [1] * 100)


if __name__ == "__main__":
    unittest.main()
