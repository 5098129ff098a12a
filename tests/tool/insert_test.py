"""Keys added to a filter file: nothing is lost, whoever else writes; the rate is kept."""

import json
import os
import signal
import subprocess
import time

from tool import ERASABLE, FORGETTING, KINDS, PORTABLE, STATIC, ToolTest, lines
from writers import WriterTest


class Insert(ToolTest):
    def insert(self, name, keys, *options, **run):
        self.run_tool("insert", self.path(name), *options, stdin=lines(keys), **run)

    def info(self, name, *options):
        return json.loads(self.run_tool("info", "--json", *options, self.path(name)))

    def missing(self, name, keys, *options):
        out = self.run_tool("query", "-v", *options, self.path(name), stdin=lines(keys),
                            expect=None)
        return out.decode().split()

    def run_tool(self, *args, expect=0, **run):
        """expect=None: 0 or 1."""
        if expect is not None:
            return super().run_tool(*args, expect=expect, **run)
        done = subprocess.run([os.environ["BLOOMERY"], *args], input=run["stdin"],
                              capture_output=True, timeout=120, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout

    def test_every_kind_has_old_and_new_keys_as_if_built_at_once(self):
        for kind in KINDS:
            if kind in ERASABLE:  # they hold copies: erase_test.py
                continue
            if kind in STATIC:
                path = self.make("f", range(1000), "--kind", kind)
                before = self.read("f")
                self.refuse("insert", path, stdin=b"new\n", says=(kind,))
                self.assertEqual(self.read("f"), before)
                continue
            forgets = kind in FORGETTING
            options = ("--kind", kind, "--capacity", "30000" if forgets else "3000")
            self.make("f", range(1000), *options)
            self.insert("f", range(500, 2000))
            self.assertIn("1,500 keys read", self.err)
            # What is inserted again counts where the order of inserts does.
            self.make("whole", [*range(1000), *range(500, 2000)] if forgets else range(2000),
                      *options)
            self.assertEqual(self.missing("f", range(2000)), [])
            one, whole = self.info("f"), self.info("whole")
            for field in ("fill", "realised_fpr", "asked_fpr", "capacity", "key_source"):
                self.assertEqual(one[field], whole[field], (kind, field))
            # The 8 smallest hashes of all: the same bytes, but for the distinct count.
            self.assertIsNone(one["keys"])
            file, all_at_once = self.read("f"), bytearray(self.read("whole"))
            self.assertEqual(len(file), len(all_at_once))
            self.assertEqual(file[128:], all_at_once[128:])
            keys = self.write("keys", lines(range(2000)))
            self.run_tool("verify", self.path("f"), *(() if forgets else ("--keys", keys)))

    def test_reports_what_was_new(self):
        self.make("f", range(1000), "--capacity", "3000")
        report = json.loads(super().run_tool("insert", self.path("f"), "--json",
                                             stdin=lines([*range(900, 1100), 1099])))
        self.assertEqual(report["keys_read"], 201)
        self.assertEqual(report["keys_new"], 100)
        self.assertEqual(report["max_fpr"], 0.01)
        self.assertLess(report["realised_fpr_before"], report["realised_fpr"])
        self.assertEqual(report["realised_fpr"], self.info("f")["realised_fpr"])
        self.insert("f", range(10), "-q")
        self.assertEqual(self.err, "")

    def test_keeps_the_rate_unless_forced(self):
        self.make("f", range(1000), "--capacity", "2000", "--fpr", "0.01")
        before = self.read("f")
        self.refuse("insert", self.path("f"), stdin=lines(range(5000)),
                    says=("refused", "inserting 5,000 keys", "0.0", "above the 1 %", "--capacity",
                          "--force"))
        self.assertEqual(self.read("f"), before)
        self.insert("f", range(5000), "--force")
        self.assertIn("warning", self.err)
        self.assertEqual(self.missing("f", range(5000)), [])
        # It exceeds the rate already: keys that it has do not make that worse.
        self.insert("f", range(100))

    def test_may_be_filled_to_its_capacity(self):
        """Whatever the scatter of the bits, and one by one beyond it not by much."""
        for seed in range(20):
            self.make("f", range(100), "--capacity", "500", "--seed", str(seed))
            self.insert("f", range(500))
            self.refuse("insert", self.path("f"), stdin=lines(range(800)), says=("refused",))

    def test_a_rate_that_is_not_recorded(self):
        self.make("f", range(100), "--memory", "4K", "--capacity", "2000")
        self.refuse("insert", self.path("f"), stdin=lines(range(4000)),
                    says=("refused", "the keys it was sized for"))
        self.insert("f", range(4000), "--max-fpr", "0.2")
        self.build("p", range(500))
        self.insert("p", range(600), *PORTABLE)
        self.assertIn("records no target rate", self.err)
        self.assertEqual(self.missing("p", range(600), *PORTABLE), [])
        before = self.read("p")
        self.refuse("insert", *PORTABLE, self.path("p"), "--max-fpr", "3%",
                    stdin=lines(range(2000)), says=("refused", "--max-fpr", "3 %"))
        self.refuse("insert", *PORTABLE, self.path("p"), stdin=lines(range(20000)),
                    says=("refused", "50 %"))
        self.assertEqual(self.read("p"), before)
        for wrong in ("0", "1", "x", "200%"):
            self.refuse("insert", self.path("f"), "--max-fpr", wrong, says=(wrong,))

    def test_other_systems(self):
        for dialect, *variant in (("guava",), ("redisbloom",), ("leveldb",),
                                  ("bits-and-blooms", "--variant", "binary")):
            read = ("--dialect", dialect, *variant)
            self.make("f", range(500), "--capacity", "1000", *read)
            self.insert("f", range(400, 900), *read)
            self.assertEqual(self.missing("f", range(900), *read), [])
            self.run_tool("convert", "--from", dialect, *variant, self.path("f"), "-o",
                          self.path("wrapped"), "-q")
            self.insert("wrapped", range(900, 950))
            self.assertEqual(self.missing("wrapped", range(950)), [])
        self.make("f", range(100), "--dialect", "bits-and-blooms", "--variant", "json")
        before = self.read("f")
        self.refuse("insert", "--dialect", "bits-and-blooms", self.path("f"), stdin=b"x\n",
                    says=("bits-and-blooms", "read", "native"))
        self.assertEqual(self.read("f"), before)

    def test_keys_are_what_the_file_says(self):
        self.make("f", range(100), "--key-type", "u64", "--capacity", "300")
        self.insert("f", range(100, 200))
        self.assertEqual(self.missing("f", range(200)), [])
        self.assertEqual(self.info("f")["key_source"], "integers")
        self.refuse("insert", self.path("f"), "--key-type", "bytes", stdin=b"1\n",
                    says=("integers", "--key-type"))
        self.refuse("insert", self.path("f"), stdin=b"x\n", says=("line 1",))

    def test_a_keyed_hash(self):
        secret = self.write("secret", bytes(range(16)))
        self.make("f", range(100), "--hash", "siphash13", "--secret-file", secret,
                  "--capacity", "300")
        self.refuse("insert", self.path("f"), stdin=b"x\n", says=("--secret-file",))
        self.insert("f", range(200), "--secret-file", secret)
        self.assertEqual(self.missing("f", range(200), "--secret-file", secret), [])

    def test_damage_is_not_blessed(self):
        self.make("f", range(100), "--memory", "64K", "--capacity", "1000")
        data = bytearray(self.read("f"))
        data[20000] ^= 1
        self.write("f", data)
        self.refuse("insert", self.path("f"), stdin=b"x\n", says=("damaged", "not changed"))
        self.assertEqual(self.read("f"), data)

    def test_what_is_refused(self):
        self.make("f", range(100), "--capacity", "1000")
        before = self.read("f")
        self.refuse("insert", self.path("none"), stdin=b"x\n", says=("cannot open",))
        self.refuse("insert", "-", stdin=b"x\n", says=("file",))
        self.refuse("insert", self.path("f"), self.path("f"), says=("would replace",))
        self.refuse("insert", self.path("f"), says=("no keys", "--allow-empty"))
        self.refuse("insert", self.path("f"), "--part", "0", says=("--part",))
        self.insert("f", [], "--allow-empty")
        self.assertEqual(self.read("f"), before, "nothing was inserted")

    def test_a_full_quotient_filter_is_doubled(self):
        path = self.make("f", range(1000), "--kind", "quotient")
        small = self.info("f")
        self.insert("f", range(1000, 1500), "--max-fpr", "2%")
        self.assertIn("doubled to", self.err)
        self.assertIn("remainder_bits 6", self.err)
        self.assertIn("when it is full again", self.err)
        grown = self.info("f")
        self.assertEqual(grown["quotients"], 2 * small["quotients"])
        self.assertEqual(grown["remainder_bits"], small["remainder_bits"] - 1)
        self.assertEqual(grown["capacity"], 2000)
        self.assertEqual(grown["copies"], 1500)
        self.assertEqual(self.missing("f", range(1500)), [])
        # Until it is full nothing is said; several times in one run, told in JSON.
        self.insert("f", range(1500, 1600), "--max-fpr", "2%")
        self.assertNotIn("doubled", self.err)
        report = json.loads(self.run_tool("insert", "--json", "--force", path,
                                          stdin=lines(range(1600, 9000))))
        self.assertEqual(report["doublings"], 2)
        self.assertGreater(report["realised_fpr"], report["realised_fpr_before"])
        self.assertEqual(self.missing("f", range(9000)), [])
        self.run_tool("verify", path)

    def test_doubling_stops_at_the_rate_and_the_bits(self):
        path = self.make("f", range(1000), "--kind", "quotient")
        before = self.read("f")

        def refused(keys, *options, says):
            self.refuse("insert", path, *options, stdin=lines(keys),
                        says=("f: refused", "the file is unchanged", "--capacity", *says))
            self.assertNotIn("doubled to", self.err)
            self.assertEqual(self.read("f"), before)

        refused(range(1000, 1600), says=("raise its rate", "1 % it was built for", "--force"))
        refused(range(1000, 9000), says=("it is full", "1 % it was built for", "--force"))
        refused(range(1000, 9000), "--max-fpr", "1.5%", says=("it is full", "--max-fpr allows"))
        refused(range(1000, 99000), "--force", says=("cannot be doubled", "2 bits"))
        refused(range(1000, 99000), "--force", "--receipts", self.path("r"), says=("cannot be doubled", "2 bits"))
        self.assertFalse(self.exists("r"))

    def test_sentinels_need_a_file_that_had_them(self):
        """The smallest hashes of the keys of a file without sentinels are unknown."""
        self.build("p", range(100))
        self.run_tool("convert", "--from", "portable", self.path("p"), "-o", self.path("f"), "-q")
        self.insert("f", range(100, 105), "--max-fpr", "0.5")
        self.assertEqual(self.read("f")[18], 0)
        self.make("e", [], "--capacity", "100", "--allow-empty")
        self.insert("e", range(3))
        self.assertEqual(self.read("e")[18], 3)


class Writers(WriterTest):
    """Several at once, programs that replace the file, and runs that are interrupted."""

    def setUp(self):
        super().setUp()
        self.f = self.make("f", range(100), "--capacity", "5000")

    def test_two_writers_lose_no_keys(self):
        first = self.start("insert", self.f)
        self.wait_for_lock(self.f)
        second = self.start("insert", self.f)
        self.feed(second, lines(range(1000, 2000)))
        self.wait_for_lock(self.f, waiting=True)
        _, err = first.communicate(lines(range(100, 1000)), timeout=60)
        self.assertEqual(first.returncode, 0, err)
        self.assertEqual(second.wait(timeout=60), 0)
        self.assertIn(b"waiting", second.stderr.read())
        self.assertEqual(self.run_tool("query", "-c", self.f, stdin=lines(range(2000))),
                         b"2000\n")

    def test_a_merge_into_the_same_file_loses_no_keys(self):
        other = self.make("g", range(100, 200), "--capacity", "5000")
        insert = self.start("insert", self.f)
        self.wait_for_lock(self.f)
        merge = self.start("merge", other, self.f, "-o", self.f)
        self.wait_for_lock(self.f, waiting=True)
        _, err = insert.communicate(lines(range(200, 300)), timeout=60)
        self.assertEqual(insert.returncode, 0, err)
        self.assertEqual(merge.wait(timeout=60), 0, merge.stderr.read())
        self.assertEqual(self.run_tool("query", "-c", self.f, stdin=lines(range(300))),
                         b"300\n")

    def test_a_closed_standard_input_has_no_keys(self):
        """The filter must not be opened in its place and read as keys."""
        before = self.read("f")
        for command, status in ((("insert", "-0", self.f), 2), (("insert", "--as-is", self.f), 2),
                                (("query", "-0", "-c", self.f), 1)):
            done = subprocess.run(["sh", "-c", '"$0" "$@" <&-', os.environ["BLOOMERY"], *command],
                                  capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, status, done)
            self.assertIn(done.stdout, (b"", b"0\n"))
        self.assertEqual(self.read("f"), before)

    def test_many_writers_lose_no_keys(self):
        tools = [self.start("insert", "-q", self.f) for _ in range(6)]
        for i, tool in enumerate(tools):
            self.feed(tool, lines(range(1000 + 100 * i, 1100 + 100 * i)))
        for tool in tools:
            self.assertEqual(tool.wait(timeout=60), 0)
        self.assertEqual(self.run_tool("query", "-c", self.f, stdin=lines(range(1000, 1600))),
                         b"600\n")

    def test_a_file_that_another_program_replaces_is_left_to_it(self):
        for options, name in (((), "f"), (PORTABLE, "p")):
            path = self.f if name == "f" else self.build("p", range(100))
            other = self.write("other", self.read(name) + b"")
            tool = self.start("insert", *options, path, "--force")
            self.wait_for_lock(path)
            os.replace(other, path)
            before = self.read(name)
            _, err = tool.communicate(lines(range(100, 120)), timeout=60)
            self.assertEqual(tool.returncode, 2)
            self.assertIn(b"another program replaced it", err)
            self.assertEqual(self.read(name), before)

    def test_a_file_that_another_program_writes_to_is_left_to_it(self):
        for options, name in (((), "f"), (PORTABLE, "p")):
            path = self.f if name == "f" else self.build("p", range(100))
            tool = self.start("insert", *options, path, "--force")
            self.wait_for_lock(path)
            self.write(name, b"something else")
            _, err = tool.communicate(lines(range(100, 120)), timeout=60)
            self.assertEqual(tool.returncode, 2)
            self.assertEqual(self.read(name), b"something else", err)

    def test_interrupted_while_it_reads_keys(self):
        before, names = self.read("f"), os.listdir(self.folder)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            tool = self.start("insert", self.f)
            self.wait_for_lock(self.f)
            tool.stdin.write(lines(range(100, 1000)))
            tool.stdin.flush()
            tool.send_signal(number)
            tool.wait(timeout=60)
            self.assertEqual(tool.returncode, -number)
            self.assertEqual(self.read("f"), before)
            self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))

    def test_interrupted_while_it_saves_the_file_is_the_old_or_the_new_one(self):
        big = self.make("big", range(100), "--memory", "24M", "--capacity", "1000000")
        old = self.read("big")
        self.run_tool("insert", big, "-q", stdin=lines(range(100, 200)))
        new = self.read("big")
        for step in range(8):
            self.write("big", old)
            names = sorted(os.listdir(self.folder))
            tool = self.start("insert", "-q", big)
            self.wait_for_lock(big)
            self.feed(tool, lines(range(100, 200)))
            time.sleep(0.004 * step)
            tool.send_signal(signal.SIGINT)
            tool.wait(timeout=60)
            self.assertIn(self.read("big"), (old, new))
            self.assertEqual(sorted(os.listdir(self.folder)), names)
