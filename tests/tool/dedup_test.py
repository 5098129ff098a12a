"""Each line once: in order, as it comes, with the mistakes counted."""

import json
import os
import random
import re
import select
import signal
import subprocess

from tool import ToolTest, lines
from writers import WriterTest


def unique(records):
    return list(dict.fromkeys(records))


class Dedup(ToolTest):
    def dedup(self, records, *options, **run):
        return self.run_tool("dedup", *options, stdin=lines(records), **run)

    def summary(self):
        """Lines, new ones, old ones and expected mistakes, as the tool says."""
        found = re.search(r"([\d,]+) lines?: ([\d,]+) new, ([\d,]+) seen before; expected new lines "
                          r"dropped by mistake: (?:below )?([\d,]+(?:\.\d\d)?); false-positive rate now ",
                          self.err)
        self.assertTrue(found, self.err)
        return [float(number.replace(",", "")) for number in found.groups()]

    def test_prints_each_line_the_first_time(self):
        draw = random.Random(1)
        records = [draw.randrange(3000) for _ in range(20000)] + ["", " ", "", "a b"]
        self.assertEqual(self.dedup(records), lines(unique(records)))
        fresh = len(unique(records))
        self.assertEqual(self.summary()[:3], [len(records), fresh, len(records) - fresh])
        self.assertIn("by mistake: below 0.01;", self.err)
        self.assertEqual(self.dedup(records, "-c"), f"{fresh}\n".encode())
        seen, again = set(), []
        for record in records:
            (again.append if record in seen else seen.add)(record)
        self.assertEqual(self.dedup(records, "-v"), lines(again))
        self.assertEqual(self.dedup(records, "-v", "-c"), f"{len(again)}\n".encode())
        self.dedup(records, "-q")
        self.assertEqual(self.err, "")

    def test_files_and_other_records(self):
        a, b = self.write("a", b"x\ny\nx"), self.write("b", b"y\nz")
        self.assertEqual(self.run_tool("dedup", a, b), b"x\ny\nz\n")
        self.assertEqual(self.run_tool("dedup", "-0", stdin=b"x\0y\nz\0x\0"), b"x\0y\nz\0")
        self.assertEqual(self.run_tool("dedup", "--hex", stdin=b"0a\n0A\n0b\n"), b"0a\n0b\n")
        self.assertEqual(self.run_tool("dedup"), b"")
        self.assertEqual(self.summary()[0], 0)
        with open(a, "rb") as file:  # standard input that is a file, from where it stands
            os.lseek(file.fileno(), 2, os.SEEK_SET)
            done = subprocess.run([os.environ["BLOOMERY"], "dedup"], stdin=file,
                                  capture_output=True, timeout=60, check=True)
        self.assertEqual(done.stdout, b"y\nx\n")

    def test_counts_the_lines_it_drops_by_mistake(self):
        """Exactly, against a set; at rates at which there are many."""
        for seed, (fpr, keys) in enumerate(((0.05, 20000), (0.2, 20000), (0.01, 50000))):
            draw = random.Random(seed)
            fresh = [f"{seed} {i}" for i in range(keys)]
            records = fresh + [draw.choice(fresh) for _ in range(keys)]
            draw.shuffle(records)
            out = self.dedup(records, "--fpr", str(fpr), "--capacity", str(keys))
            printed = out.decode().splitlines()
            self.assertEqual(len(printed), len(set(printed)), "none twice")
            self.assertLessEqual(set(printed), set(fresh))
            lost = len(set(records) - set(printed))
            expected = self.summary()[3]
            self.assertGreater(lost, 40)
            self.assertLess(abs(lost - expected), 5 * expected ** 0.5, (lost, expected))
            # Never more often than it was asked for.
            self.assertLess(lost, fpr * keys)

    def test_stops_before_it_drops_more_than_asked(self):
        options = ("--fpr", "0.01", "--capacity", "5000")
        out = self.dedup(range(20000), *options, expect=2)
        printed = [int(line) for line in out.split()]
        self.assertLess(abs(len(printed) - 5000), 400)
        for word in ("standard input, line ", "full", "1 %", "--capacity", "--force"):
            self.assertIn(word, self.err)
        # What was printed is a beginning; the line that it names was not looked at.
        stop = int(re.search(r"line (\d+)", self.err).group(1))
        self.assertLess(max(printed), stop - 1)
        self.assertGreater(max(printed), stop - 10)
        out = self.dedup(range(20000), *options, "--force")
        lost, expected = 20000 - len(out.split()), self.summary()[3]
        self.assertLess(abs(lost - expected), 5 * expected ** 0.5, (lost, expected))

    def test_keeps_what_it_has_seen(self):
        state = ("--filter", self.path("seen"), "--capacity", "10000")
        self.assertEqual(self.dedup(range(1000), *state), lines(range(1000)))
        self.assertEqual(self.dedup(range(500, 1500), *state), lines(range(1000, 1500)))
        self.assertEqual(self.dedup(range(1500), "--filter", self.path("seen")), b"")
        self.assertEqual(self.run_tool("query", "-c", self.path("seen"),
                                       stdin=lines(range(1500))), b"1500\n")
        self.run_tool("verify", self.path("seen"))
        self.refuse("dedup", "--filter", self.path("seen"), "--capacity", "20000",
                    says=("10,000", "--capacity 20000"))
        self.refuse("dedup", "--filter", self.path("seen"), "--fpr", "0.01",
                    says=("1e-06", "--fpr 0.01"))

    def test_a_full_state_has_what_was_printed(self):
        state = ("--filter", self.path("seen"), "--capacity", "2000", "--fpr", "0.001")
        out = self.dedup(range(9000), *state, expect=2)
        self.assertIn("has the lines before it", self.err)
        self.assertEqual(self.run_tool("query", self.path("seen"), stdin=out), out)

    def test_any_filter_that_can_hold_lines(self):
        secret = self.write("secret", bytes(range(16)))
        keyed = ("--hash", "siphash13", "--secret-file", secret)
        state = self.make("seen", range(100), "--capacity", "1000", *keyed)
        self.refuse("dedup", "--filter", state, says=("--secret-file",))
        out = self.dedup(range(200), "--filter", state, "--secret-file", secret)
        self.assertEqual(out, lines(range(100, 200)))
        self.refuse("dedup", "--filter", self.path("none"), "--secret-file", secret,
                    says=("bloomery build", "--secret-file"))
        integers = self.make("ids", range(100), "--capacity", "1000", "--key-type", "u64")
        self.assertEqual(self.dedup(["7", "07", "200"], "--filter", integers), b"200\n")
        self.refuse("dedup", "--filter", integers, stdin=b"x\n", says=("line 1",))

    def test_what_is_refused(self):
        self.build("p", range(10))
        self.refuse("dedup", "--filter", self.path("p"), says=("portable",))
        keys = self.write("keys", b"a\n")
        self.refuse("dedup", keys, "--filter", keys, says=("would replace",))
        self.refuse("dedup", "--filter", "-", says=("--filter",))
        self.refuse("dedup", "--filter", self.path("no/such"), says=("no directory",))
        self.refuse("dedup", self.path("none"), says=("cannot open",))
        self.refuse("dedup", "--fpr", "2", says=("'2'",))
        self.refuse("dedup", "--capacity", "0", says=("'0'",))
        self.refuse("dedup", stdin=b"a\r\nb\n", says=("--crlf",))
        with open(keys, "ab") as file:
            done = subprocess.run([os.environ["BLOOMERY"], "dedup", keys], stdout=file,
                                  stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"same file", done.stderr)


    def test_a_new_state_has_room_for_other_days(self):
        self.dedup(["a"], "--filter", self.path("s"))
        facts = json.loads(self.run_tool("info", "--json", self.path("s")))
        self.assertEqual(facts["capacity"], 10_000_000)

    def test_a_first_run_that_fails_leaves_no_state(self):
        self.refuse("dedup", "--filter", self.path("s"), self.path("none"), says=("cannot open",))
        self.assertFalse(self.exists("s"))
        self.run_tool("dedup", "-q", "--filter", self.path("s"), "--capacity", "100", stdin=b"a\n")

    def test_no_more_mistakes_than_lines_that_were_dropped(self):
        self.run_tool("dedup", "-c", "--force", "--capacity", "10", stdin=lines(range(10_000)))
        said = re.search(r"([\d,]+) seen before; .* by mistake: ([\d,]+)", self.err)
        seen, mistakes = (int(n.replace(",", "")) for n in said.groups())
        self.assertLessEqual(mistakes, seen)

    def test_a_secret_is_for_a_state(self):
        self.refuse("dedup", "--secret-file", self.path("none"), says=("--filter",))


class Streams(WriterTest):
    def test_a_line_comes_out_before_the_next_one_goes_in(self):
        tool = self.start("dedup")
        for line in (b"one\n", b"two\n", b"one\nthree\n"):
            tool.stdin.write(line)
            tool.stdin.flush()
            self.assertTrue(select.select([tool.stdout], [], [], 60)[0])
            self.assertEqual(os.read(tool.stdout.fileno(), 100), line.split(b"one\n")[-1] or line)
        tool.stdin.close()
        self.assertEqual(tool.wait(timeout=60), 0)

    def test_two_at_once_print_each_line_once(self):
        """The second waits, also while the first creates the file."""
        path = self.path("seen")
        first = self.start("dedup", "--filter", path, "--capacity", "10000")
        while not self.exists("seen"):
            self.assertIsNone(first.poll())
        self.wait_for_lock(path)
        second = self.start("dedup", "--filter", path, "--capacity", "10000")
        self.wait_for_lock(path, waiting=True)
        one, _ = first.communicate(lines(range(1000)), timeout=60)
        two, err = second.communicate(lines(range(500, 1500)), timeout=60)
        self.assertEqual(one, lines(range(1000)))
        self.assertEqual(two, lines(range(1000, 1500)))
        self.assertIn(b"waiting", err)

    def test_interrupted(self):
        path = self.path("seen")
        self.run_tool("dedup", "--filter", path, "--capacity", "10000", stdin=lines(range(9)))
        before, names = self.read("seen"), sorted(os.listdir(self.folder))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            tool = self.start("dedup", "--filter", path)
            tool.stdin.write(lines(range(100)))
            tool.stdin.flush()
            self.assertTrue(select.select([tool.stdout], [], [], 60)[0])
            tool.send_signal(number)
            tool.wait(timeout=60)
            self.assertEqual(tool.returncode, -number)
            if number != signal.SIGKILL:
                self.assertIn(b"not recorded", tool.stderr.read())
            self.assertEqual(self.read("seen"), before)
            self.assertEqual(sorted(os.listdir(self.folder)), names)

    def test_a_reader_that_leaves(self):
        path = self.path("seen")
        tool = self.start("dedup", "--filter", path, "--capacity", "10000")
        tool.stdout.close()
        try:
            self.feed(tool, lines(range(100)))
        except BrokenPipeError:
            pass
        self.assertEqual(tool.wait(timeout=60), -signal.SIGPIPE)
        self.assertIn(b"not recorded", tool.stderr.read())
        self.assertEqual(self.run_tool("query", "-c", path, stdin=lines(range(100)), expect=1),
                         b"0\n")
