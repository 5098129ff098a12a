"""Answers while keys still arrive: each is there before the next key is written."""

import os
import pty
import select
import signal
import subprocess
import termios

from tool import PORTABLE, ToolTest

# Far beyond any machine's pauses: a missing flush waits for ever, not for this long.
PATIENCE = 60


class Streaming(ToolTest):
    def setUp(self):
        super().setUp()
        self.filter = self.make("f", ["alice", "bob", "carol"])

    def start(self, *args, stdin=subprocess.PIPE, stdout=subprocess.PIPE):
        done = subprocess.Popen([os.environ["BLOOMERY"], *args], stdin=stdin,
                                stdout=stdout, stderr=subprocess.PIPE)
        self.addCleanup(done.stderr.close)
        self.addCleanup(done.wait)
        self.addCleanup(done.kill)
        return done

    def read_line(self, fd, end=b"\n"):
        line = b""
        while not line.endswith(end):
            ready, _, _ = select.select([fd], [], [], PATIENCE)
            self.assertTrue(ready, f"no answer; so far {line!r}")
            got = os.read(fd, 1)
            self.assertNotEqual(got, b"", "the tool has ended")
            line += got
        return line

    def converse(self, *options, answers, end=b"\n"):
        """A key, its answer, the next key: without an end of input."""
        tool = self.start("query", self.filter, *options)
        for key, answer in answers:
            tool.stdin.write(key)
            tool.stdin.flush()
            if answer:
                self.assertEqual(self.read_line(tool.stdout.fileno(), end), answer)
        tool.stdin.close()
        self.assertEqual(tool.stdout.read(), b"")
        tool.stdout.close()
        self.assertEqual(tool.wait(PATIENCE), 0)

    def test_a_key_is_answered_before_the_next_is_written(self):
        self.converse(answers=((b"alice\n", b"alice\n"), (b"nobody\nbob\n", b"bob\n"),
                               (b"car", b""), (b"ol\n", b"carol\n")))

    def test_when_it_is_insisted_on(self):
        self.converse("--line-buffered", answers=((b"alice\n", b"alice\n"),
                                                  (b"bob\n", b"bob\n")))

    def test_numbers_and_records_that_end_in_nul(self):
        self.converse("-0", "-n", end=b"\0", answers=((b"alice\0", b"1:alice\0"),
                                                      (b"x\0bob\0", b"3:bob\0")))

    def test_several_filters(self):
        other = self.make("g", ["bob"])
        self.converse("--also", other, "-v", answers=(
            (b"alice\n", f"{other}:alice\n".encode()),
            (b"carol\n", f"{other}:carol\n".encode())))

    def test_at_a_terminal(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        mode = termios.tcgetattr(theirs)
        mode[1] &= ~termios.OPOST
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, mode)
        tool = self.start("query", self.filter, stdin=theirs, stdout=theirs)
        os.close(theirs)
        for key in (b"alice\n", b"bob\n"):
            os.write(ours, key)
            self.assertEqual(self.read_line(ours), key)
        os.write(ours, b"\x04")
        self.assertEqual(tool.wait(PATIENCE), 0)

    def test_quiet_ends_at_the_first_key(self):
        tool = self.start("query", "-q", self.filter)
        tool.stdin.write(b"nobody\nalice\n")
        tool.stdin.flush()
        self.assertEqual(tool.wait(PATIENCE), 0)  # the input has not ended
        self.assertEqual(tool.stdout.read(), b"")
        tool.stdin.close()
        tool.stdout.close()

    def test_a_reader_that_goes_away_ends_the_tool(self):
        tool = self.start("query", self.filter)
        tool.stdin.write(b"alice\n")
        tool.stdin.flush()
        self.assertEqual(self.read_line(tool.stdout.fileno()), b"alice\n")
        tool.stdout.close()
        tool.stdin.write(b"bob\n")
        tool.stdin.flush()
        self.assertEqual(tool.wait(PATIENCE), -signal.SIGPIPE)
        tool.stdin.close()

    def test_of_another_system(self):
        self.filter = self.build("p", ["alice"])
        self.converse(*PORTABLE, answers=((b"alice\n", b"alice\n"),))
