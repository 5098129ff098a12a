"""A filter that is overwritten in place under a command: noticed before a wrong answer is
printed.  One that is replaced, renamed or copied to memory is none of its business."""

import array
import fcntl
import os
import shutil
import subprocess
import termios
import time

from tool import PORTABLE, ToolTest, lines

LARGE = ("--memory", "8M")  # mapped; the default size of these filters is copied
# The second, if it looked something up at the moment when cp had emptied the file.
CHANGED = r"live\.bloom: was changed .* by mv|a file was truncated"
KEYS = [f"user{i}" for i in range(200_000)]


class Changed(ToolTest):
    def setUp(self):
        super().setUp()
        self.path_of = self.path("live.bloom")

    def make_both(self, *options):
        """The live filter, and another of the same size that has the same keys too."""
        self.make("live.bloom", KEYS, *options)
        other = self.make("new.bloom", KEYS + ["another"], *options, "--seed", "7")
        for file in (self.path_of, other):
            os.utime(file, (1_000_000_000, 1_000_000_000))
        self.assertEqual(os.path.getsize(self.path_of), os.path.getsize(other))
        return other

    def start(self, *args):
        """A command that has answered its first block of keys and waits for more."""
        tool = subprocess.Popen([os.environ["BLOOMERY"], *args], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        tool.stdin.write(lines(KEYS[:20_000]))
        tool.stdin.flush()
        # The pipe is empty: it has opened the filter, and looks the keys up.
        unread = array.array("i", [1])
        while unread[0] != 0:
            fcntl.ioctl(tool.stdin, termios.FIONREAD, unread)
            self.assertIsNone(tool.poll())
        time.sleep(0.1)  # nothing depends on it: most likely it waits for more by now
        return tool

    def end(self, tool, keys):
        out, err = tool.communicate(lines(keys), timeout=60)
        return tool.returncode, out, err.decode()

    def ask_while(self, change, *options, expect=2):
        tool = self.start("query", *options, self.path_of)
        change()
        code, out, err = self.end(tool, KEYS[20_000:])
        self.assertEqual(code, expect, err)
        # What is printed is right, up to where it ends: no key is left out.
        self.assertEqual(out, lines(KEYS)[:len(out)])
        if expect == 2:
            self.assertRegex(err, CHANGED)
        else:
            self.assertEqual(out, lines(KEYS))
            self.assertEqual(err, "")

    def overwrite(self):
        shutil.copyfile(self.path("new.bloom"), self.path_of)

    def test_a_copy_over_it_is_refused(self):
        self.make_both(*LARGE)
        self.ask_while(self.overwrite)

    def test_a_copy_with_the_old_time_is_refused(self):
        self.make_both(*LARGE)
        self.ask_while(lambda: (self.overwrite(), shutil.copystat(self.path("new.bloom"),
                                                                  self.path_of)))

    def zero_half(self):
        """As one who hides it: checksums at the end and the time stay as they were."""
        status = os.stat(self.path_of)
        with open(self.path_of, "r+b") as file:
            file.seek(100 * 4096)
            file.write(bytes(status.st_size // 2))
        os.utime(self.path_of, ns=(status.st_atime_ns, status.st_mtime_ns))

    def test_zeros_under_the_old_checksums_and_time_are_refused(self):
        self.make_both(*LARGE)
        self.ask_while(self.zero_half)

    def test_a_link_does_not_excuse_them(self):
        def change():
            self.zero_half()
            os.link(self.path_of, self.path("link"))
        self.make_both(*LARGE)
        self.ask_while(change)

    def test_nor_in_a_mapped_file_of_another_system(self):
        def change():
            self.zero_half()
            os.link(self.path_of, self.path("link"))
        dialect = ("--dialect", "parquet")
        self.make("live.bloom", KEYS, *dialect, "--bits", str(1 << 28))
        os.utime(self.path_of, (1_000_000_000, 1_000_000_000))
        self.ask_while(change, *dialect)

    def test_one_byte_written_to_it_is_refused(self):
        def write():
            with open(self.path_of, "r+b") as file:
                file.seek(1 << 20)
                file.write(b"\0")
        self.make_both(*LARGE)
        self.ask_while(write)

    def test_a_mapped_file_of_another_system_is_refused(self):
        dialect = ("--dialect", "parquet")
        self.make("live.bloom", KEYS, *dialect, "--bits", str(1 << 28))
        os.utime(self.path_of, (1_000_000_000, 1_000_000_000))
        self.assertGreater(os.path.getsize(self.path_of), 16 << 20)
        shutil.copyfile(self.path_of, self.path("new.bloom"))
        self.ask_while(self.overwrite, *dialect)

    def test_a_file_that_is_replaced_or_renamed_is_kept(self):
        other = self.make_both(*LARGE)
        self.ask_while(lambda: os.replace(other, self.path_of), expect=0)
        self.make_both(*LARGE)
        self.ask_while(lambda: os.rename(self.path_of, self.path("old.bloom")), expect=0)
        self.make_both(*LARGE)
        self.ask_while(lambda: os.chmod(self.path_of, 0o600), expect=0)
        self.ask_while(lambda: os.link(self.path_of, self.path("link")), expect=0)

    def test_a_small_container_is_a_copy(self):
        self.make_both()
        self.assertLess(os.path.getsize(self.path_of), 4 << 20)
        self.ask_while(self.overwrite, expect=0)

    def test_a_small_bare_file_is_a_copy(self):
        self.make("live.bloom", KEYS, *PORTABLE)
        self.make("new.bloom", ["another"], *PORTABLE)
        self.ask_while(self.overwrite, *PORTABLE, expect=0)

    def test_verify_does_not_report_keys_missing_that_are_in_both(self):
        self.make_both(*LARGE)
        tool = self.start("verify", self.path_of, "--keys", "-")
        self.overwrite()
        code, out, err = self.end(tool, KEYS[20_000:])
        self.assertEqual((code, out), (2, b""), err)
        self.assertRegex(err, CHANGED)

    def test_verify_of_a_small_container_that_is_replaced(self):
        other = self.make_both()
        tool = self.start("verify", self.path_of, "--keys", "-")
        os.replace(other, self.path_of)
        code, _, err = self.end(tool, KEYS[20_000:])
        self.assertEqual((code, err), (0, ""))

    def test_a_count_is_not_printed(self):
        self.make_both(*LARGE)
        tool = self.start("query", "-c", self.path_of)
        self.overwrite()
        code, out, err = self.end(tool, KEYS[20_000:])
        self.assertEqual((code, out), (2, b""), err)

    def test_a_change_after_the_last_key_is_told(self):
        self.make_both(*LARGE)
        tool = self.start("query", self.path_of)
        self.overwrite()
        code, _, err = self.end(tool, [])
        self.assertEqual(code, 2, err)
