"""Each line once: in order, as it comes, with the mistakes counted."""

import json
import os
import random
import re
import select
import signal
import subprocess
import threading
import time

from tool import ERASABLE, FORGETTING, GROWING, KIND_ROWS, STATIC, ToolTest, lines
from writers import WriterTest

DEDUPING = [k["name"] for k in KIND_ROWS if {"insert_if_absent", "try_insert"} & set(k["can"])]


def room(kind, n):
    return ("--gap" if kind in FORGETTING else "--capacity", str(n))


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
        self.refuse("dedup", "--gap", "5", says=("--gap", *FORGETTING))
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

    def test_nothing_new_leaves_the_state_as_it_is(self):
        for kind in DEDUPING:
            state = self.make("s", range(100), "--kind", kind, *room(kind, 100000))
            before = self.read("s")
            self.assertEqual(self.dedup(range(100), "--filter", state), b"", kind)
            if kind not in FORGETTING:
                self.assertEqual(self.read("s"), before, kind)
        self.assertEqual(self.dedup([], "--filter", self.path("new")), b"")
        self.run_tool("verify", self.path("new"))

    def test_a_first_run_that_fails_leaves_no_state(self):
        self.refuse("dedup", "--filter", self.path("s"), self.path("none"), says=("cannot open",))
        self.assertFalse(self.exists("s"))
        self.run_tool("dedup", "-q", "--filter", self.path("s"), "--capacity", "100", stdin=b"a\n")

    def test_no_more_mistakes_than_lines_that_were_dropped(self):
        self.run_tool("dedup", "-c", "--force", "--capacity", "10", stdin=lines(range(10_000)))
        said = re.search(r"([\d,]+) seen before; .* by mistake: ([\d,]+)", self.err)
        seen, mistakes = (int(n.replace(",", "")) for n in said.groups())
        self.assertLessEqual(mistakes, seen)

    def test_every_kind_that_takes_lines_one_by_one(self):
        draw = random.Random(2)
        records = [draw.randrange(3000) for _ in range(20000)]
        for kind in DEDUPING:
            out = self.dedup(records, "--kind", kind, *room(kind, 40000), "--fpr", "1e-6")
            if kind in FORGETTING:
                self.assertEqual(unique(out.split()), lines(unique(records)).split(), kind)
            else:
                self.assertEqual(out, lines(unique(records)), kind)
        for kind in STATIC:
            self.refuse("dedup", "--kind", kind, says=(kind, "one by one", *DEDUPING))
            path = self.make("static", range(9), "--kind", kind)
            self.refuse("dedup", "--filter", path, says=(kind, *DEDUPING))

    def test_a_stream_without_an_end(self):
        """A filter that grows takes them all, and keeps its rate."""
        for kind in GROWING:
            out = self.dedup(range(300000), "--kind", kind, "--capacity", "1000", "--fpr", "0.01")
            lost, expected = 300000 - len(out.split()), self.summary()[3]
            self.assertLess(lost, 3000)
            self.assertLess(abs(lost - expected), 5 * expected ** 0.5, (lost, expected))
            state = ("--filter", self.path("s"), "--kind", kind, "--capacity", "100")
            self.assertEqual(self.dedup(range(5000), *state), lines(range(5000)))
            self.assertEqual(self.dedup(range(9000), *state), lines(range(5000, 9000)))

    def test_a_kind_that_may_be_full_stops(self):
        for kind in DEDUPING:
            if "try_insert" not in next(k for k in KIND_ROWS if k["name"] == kind)["can"] or kind in GROWING:
                continue
            state = ("--filter", self.path(kind), "--kind", kind, "--capacity", "1000", "--fpr", "0.01")
            out = self.dedup(range(9000), *state, expect=2)
            stop = int(re.search(r"line (\d+): stopped before", self.err).group(1))
            self.assertLessEqual(len(out.split()), stop - 1)
            self.assertGreaterEqual(int(out.split()[-1]), stop - 20)
            self.assertEqual(self.run_tool("query", self.path(kind), stdin=out), out)

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

    def printed(self, tool, data):
        """What comes out of it after so much has gone in, all of it new."""
        tool.stdin.write(data)
        tool.stdin.flush()
        out = b""
        while len(out) < len(data):
            self.assertTrue(select.select([tool.stdout], [], [], 60)[0])
            out += os.read(tool.stdout.fileno(), 1 << 16)
        return out

    def test_interrupted(self):
        """A signal saves what was printed; kill -9 leaves what was saved before."""
        path = self.path("seen")
        for kind in DEDUPING:
            self.run_tool("dedup", "--filter", path, "--kind", kind, *room(kind, 10000), "--fpr", "1e-4",
                          stdin=lines(range(9)))
            before, names = self.read("seen"), sorted(os.listdir(self.folder))
            first = 100
            for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                tool = self.start("dedup", "--filter", path)
                self.assertEqual(self.printed(tool, lines(range(first, first + 100))),
                                 lines(range(first, first + 100)), (kind, number))
                tool.send_signal(number)
                self.assertEqual(tool.wait(timeout=60), -number)
                self.assertEqual(sorted(os.listdir(self.folder)), names)
                if number == signal.SIGKILL:
                    self.assertEqual(self.read("seen"), before)
                    continue
                self.assertIn(b"has the 100 lines that this run has read", tool.stderr.read())
                self.assertEqual(self.run_tool("query", "-v", path, stdin=lines(range(first, first + 100)), expect=1), b"")
                first += 100
            os.remove(path)

    def test_ignored_signals_stay_ignored(self):
        tool = subprocess.Popen(["sh", "-c", "trap '' HUP; exec \"$0\" dedup --filter \"$1\"",
                                 os.environ["BLOOMERY"], self.path("seen")], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(tool.kill)
        self.printed(tool, b"a\n")
        tool.send_signal(signal.SIGHUP)
        self.assertEqual(self.printed(tool, b"b\n"), b"b\n")
        tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, 0)

    def test_saves_as_it_goes(self):
        """What was saved was printed before, and a crash repeats nothing else."""
        path = self.path("seen")
        one_of_each = {*DEDUPING[:1], *GROWING[:1], *ERASABLE[-1:], *FORGETTING[-1:]} & set(DEDUPING)
        for kind in sorted(one_of_each):
            options = ("--filter", path, "--kind", kind, *room(kind, 10000), "--fpr", "1e-4")
            tool = self.start("dedup", "--save-every", "1s", *options)
            every = self.printed(tool, lines(range(1000)))
            for more in range(1000, 3000, 1000):
                deadline = time.monotonic() + 60
                while self.run_tool("query", "-c", path, stdin=every,
                                    expect=None) != f"{every.count(bytes([10]))}\n".encode():
                    self.assertLess(time.monotonic(), deadline, kind)
                    time.sleep(0.1)
                every += self.printed(tool, lines(range(more, more + 1000)))
            # Another one waits, and does not come in between.
            second = self.start("dedup", *options)
            self.wait_for_lock(path, waiting=True)
            tool.kill()
            tool.wait()
            out, err = second.communicate(lines(range(3000)), timeout=60)
            self.assertEqual(second.returncode, 0, err)
            self.assertLessEqual(set(out.split()), set(lines(range(2000, 3000)).split()), kind)
            self.assertEqual(self.run_tool("query", "-c", path, stdin=lines(range(3000))), b"3000\n")
            os.remove(path)

    def test_killed_while_it_saves_nothing_is_lost(self):
        """Each time it goes on where it was; every line is printed, few of them twice."""
        path, draw, out = self.path("seen"), random.Random(5), []
        options = ("--filter", path, "--capacity", "300000", "--save-every", "1s")
        for step in range(12):
            # Signals are noted; the second, and kill -9, end it at once.
            tool = self.start("dedup", *options)
            out.append(self.printed(tool, lines(range(1000 * step, 1000 * step + 1000))))
            time.sleep(1 + 0.02 * draw.random())
            tool.send_signal(signal.SIGKILL if step % 3 else signal.SIGTERM)
            tool.send_signal(signal.SIGKILL)
            tool.wait(timeout=60)
            seen = self.run_tool("query", path, stdin=b"".join(out), expect=None)
            self.assertLessEqual(set(seen.split()), set(b"".join(out).split()))
        rest = self.run_tool("dedup", *options, stdin=lines(range(12000)))
        self.assertEqual(set((b"".join(out) + rest).split()), set(lines(range(12000)).split()))
        self.run_tool("verify", path)
        self.assertEqual(self.run_tool("dedup", *options, stdin=lines(range(12000))), b"")

    def test_a_signal_while_the_output_is_blocked(self):
        """Lines that nobody has read are not recorded."""
        path = self.path("seen")
        tool = self.start("dedup", "--filter", path, "--capacity", "100000")
        writer = threading.Thread(target=self.feed_quietly, args=(tool, lines(range(100000))))
        writer.start()
        self.wait_for_lock(path)
        time.sleep(0.5)
        for _ in range(2):
            tool.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        self.assertEqual(tool.wait(timeout=60), -signal.SIGTERM)
        writer.join()
        self.assertIn(b"is unchanged", tool.stderr.read())
        self.assertEqual(self.run_tool("query", "-c", path, stdin=lines(range(100)), expect=1), b"0\n")

    def feed_quietly(self, tool, data):
        try:
            self.feed(tool, data)
        except BrokenPipeError:
            pass

    def test_what_save_every_takes(self):
        for wrong in ("5x", "-1s", "s", "1.5h", "", "99999999999h"):
            self.refuse("dedup", "--filter", self.path("s"), "--save-every", wrong, says=("--save-every",))
        self.refuse("dedup", "--save-every", "5s", says=("--filter",))
        for right in ("0", "90", "90s", "5m", "1h"):
            self.run_tool("dedup", "-q", "--filter", self.path("s"), "--save-every", right, stdin=b"a\n")

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
