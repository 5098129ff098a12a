"""Builds within a memory limit: the same files, clear refusals, no stray files."""

import os
import resource
import signal
import subprocess
import time
import unittest

from tool import FORGETTING, KIND_ROWS, KINDS, ToolTest, lines

STATIC = tuple(k["name"] for k in KIND_ROWS if "build" in k["can"])
COUNT = 150_000
KEYS = lines(range(COUNT))


class External(ToolTest):
    def setUp(self):
        super().setUp()
        self.temp = self.path("temp")
        os.mkdir(self.temp)

    def tearDown(self):
        self.assertEqual(os.listdir(self.temp), [])

    def limited(self, *options, **more):
        self.run_tool("build", "-o", self.path("limited"), "--temp-dir", self.temp,
                      *options, stdin=KEYS, **more)

    def test_the_same_file_as_in_memory(self):
        for kind in KINDS:
            options = ("-q", "--kind", kind, *(("--gap", str(COUNT)) if kind in FORGETTING else ()))
            self.run_tool("build", *options, "-o", self.path("plain"), stdin=KEYS)
            for threads in ("1", "2", "7"):
                self.limited(*options, "--memory-limit", "2M", "--threads", threads)
                self.assertEqual(self.read("limited"), self.read("plain"), kind)
        print("cases: files", 3 * len(KINDS))

    def test_input_is_read_once(self):
        path = self.path("fifo")
        os.mkfifo(path)
        with subprocess.Popen(["sh", "-c", f"seq 0 {COUNT - 1} > {path}"]):
            self.run_tool("build", "-q", "-o", self.path("fed"), "--memory-limit", "1M",
                          "--temp-dir", self.temp, path)
        self.limited("-q", "--memory-limit", "1M")
        self.assertEqual(self.read("fed"), self.read("limited"))

    def test_limits_that_are_too_small(self):
        for size in ("1", "1000K"):
            self.refuse("build", "-o", self.path("x"), "--memory-limit", size, stdin=b"a\n",
                        says=("--memory-limit", "1 MiB", "--memory-limit 1M is enough"))
        self.refuse("build", "-o", self.path("x"), "--memory-limit", "1M", "--temp-dir",
                    self.temp, "--bits-per-key", "500", stdin=KEYS,
                    says=("does not fit", "--memory-limit 10M is enough"))
        self.limited("-q", "--bits-per-key", "500", "--memory-limit", "10M")
        self.refuse("build", "-o", self.path("x"), "--memory-limit", "1M", "--capacity", "5M",
                    stdin=b"a\n", says=("the filter takes 6.0 MiB",))
        self.refuse("build", "-o", self.path("x"), "--memory-limit", "1000T", stdin=b"a\n",
                    says=("this machine has",))
        self.refuse("build", "-o", self.path("x"), "--temp-dir", self.temp, stdin=b"a\n",
                    says=("--temp-dir requires --memory-limit",))

    def test_directories(self):
        missing = self.path("missing")
        self.refuse("build", "-o", self.path("x"), "--memory-limit", "1M", "--temp-dir",
                    missing, stdin=KEYS, says=(missing, "No such file", "--temp-dir"))
        self.refuse("build", "-o", self.path("x"), "--memory-limit", "1M", stdin=KEYS,
                    env={**os.environ, "TMPDIR": missing}, says=(missing,))
        self.run_tool("build", "-q", "-o", self.path("x"), "--memory-limit", "1M", stdin=KEYS,
                      env={k: v for k, v in os.environ.items() if k != "TMPDIR"})
        self.assertEqual(sorted(os.listdir(self.folder)), ["temp", "x"])

    def test_a_disk_that_fills(self):
        def few_blocks():
            resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self.refuse("build", "-o", self.path("x"), "--memory-limit", "1M", "--temp-dir",
                    self.temp, stdin=KEYS, preexec_fn=few_blocks,
                    says=(self.temp, "no room", "--temp-dir", "--memory-limit"))
        self.assertFalse(self.exists("x"))

    def test_a_killed_build_leaves_nothing(self):
        with subprocess.Popen(
                [os.environ["BLOOMERY"], "build", "-q", "-o", self.path("x"),
                 "--memory-limit", "1M", "--temp-dir", self.temp],
                stdin=subprocess.PIPE) as tool:
            tool.stdin.write(KEYS)
            tool.stdin.flush()
            time.sleep(0.3)
            tool.kill()
            tool.wait()
        self.assertEqual(os.listdir(self.folder), ["temp"])

    def test_other_systems_filters_take_no_limit(self):
        self.refuse("build", "--dialect", "guava", "--memory-limit", "1M", "-o", self.path("x"),
                    stdin=b"a\n", says=("--memory-limit", "guava"))


@unittest.skipUnless(STATIC, "no kind is only built")
class Static(ToolTest):
    def sizes(self, *options):
        sizes = {}
        for kind in STATIC:
            self.make("f", range(20000), "--kind", kind, *options)
            sizes[kind] = os.path.getsize(self.path("f"))
        return sizes

    def choose(self, *options):
        self.run_tool("build", "--kind", "static", "-o", self.path("s"), *options,
                      stdin=lines(range(20000)))
        chosen = self.err.split("kind ")[1].split(":")[0]
        for kind in STATIC:
            self.assertIn(kind, self.err)
        self.make("named", range(20000), "--kind", chosen, *(o for o in options if o != "--fast"))
        self.assertEqual(self.read("s"), self.read("named"))
        return chosen

    def test_the_smallest_is_chosen(self):
        for fpr in ("10%", "1%", "0.1%", "1e-5"):
            sizes = self.sizes("--fpr", fpr)
            self.assertEqual(sizes[self.choose("--fpr", fpr)], min(sizes.values()), fpr)

    def test_speed_is_preferred_on_request(self):
        if "fuse" in STATIC:
            self.assertEqual(self.choose("--fast"), "fuse")
        self.refuse("build", "--fast", "-o", self.path("x"), stdin=b"a\n", says=("--kind static",))

    def test_what_cannot_change_says_so(self):
        for kind in STATIC:
            path = self.make("f", range(100), "--kind", kind)
            before = self.read("f")
            for call in (("insert", path), ("erase", path), ("dedup", "--filter", path),
                         ("merge", path, path, "-o", self.path("m"))):
                instead = "bloomery build KEYS" if call[0] == "merge" else "unchanged"
                self.refuse(*call, stdin=b"a\n", says=(kind, "all its keys at once", instead))
            self.assertEqual(self.read("f"), before)
            self.assertEqual(self.run_tool("query", path, "5", "x"), b"5\n")


if __name__ == "__main__":
    unittest.main()
