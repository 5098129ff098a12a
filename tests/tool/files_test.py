"""Files that are missing, forbidden or full: the old output stays as it was."""

import os
import resource
import signal
import stat
import subprocess
import unittest

from tool import PORTABLE, ToolTest, lines, portable

NOBODY = 65534
OLD = portable(3, 100)


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


class Files(ToolTest):
    def refuse_build(self, out, *says, stdin=b"a\n", **popen):
        self.refuse("build", *PORTABLE, "--capacity", "1000", "-o", out, stdin=stdin,
                    says=says, **popen)

    def assert_only(self, *names):
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))

    def test_missing_files(self):
        self.refuse("info", *PORTABLE, self.path("no"), says=("no", "No such file"))
        self.refuse("query", self.path("no"), "a", says=("No such file",))
        self.refuse("build", *PORTABLE, self.path("no"), "-o", self.path("out"),
                    says=("no", "No such file"))
        self.assert_only()

    def test_directories(self):
        self.refuse("info", *PORTABLE, self.folder, says=("is a directory",))
        self.refuse("build", *PORTABLE, self.folder, "-o", self.path("out"),
                    says=("Is a directory",))
        self.refuse_build(self.folder, "is a directory")
        self.refuse_build(self.path("no/such/out"), "no directory")
        self.assert_only()

    def test_a_full_device(self):
        self.refuse_build("/dev/full", "No space left")

    def test_standard_output_that_cannot_be_written(self):
        path = self.build("f", ["a"])
        with open("/dev/full", "wb") as full:
            done = subprocess.run([os.environ["BLOOMERY"], "query", *PORTABLE, path, "a"],
                                  stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"No space left", done.stderr)

    def test_a_failure_does_not_wait_for_input_that_may_never_come(self):
        path = self.build("f", ["a"])
        with open("/dev/full", "wb") as full:
            tool = subprocess.Popen([os.environ["BLOOMERY"], "query", *PORTABLE, path],
                                    stdin=subprocess.PIPE, stdout=full,
                                    stderr=subprocess.PIPE)
        try:
            tool.stdin.write(b"a\n" * 100000)
            tool.stdin.flush()  # and it stays open
        except BrokenPipeError:
            pass  # it has ended already
        self.assertEqual(tool.wait(timeout=60), 2)
        self.assertIn(b"No space left", tool.stderr.read())
        tool.stderr.close()
        try:
            tool.stdin.close()
        except BrokenPipeError:
            pass

    def test_a_full_file_system_keeps_the_old_file(self):
        mount = self.path("small")
        os.mkdir(mount)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", mount],
                              capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("cannot mount a tmpfs here")
        self.addCleanup(subprocess.run, ["umount", mount], check=True)
        out = os.path.join(mount, "f.bloom")
        self.run_tool("build", *PORTABLE, "-q", "--capacity", "1000", "-o", out, stdin=b"a\n")
        old = self.read("small/f.bloom")
        self.refuse("build", *PORTABLE, "--capacity", "1000000", "-o", out, stdin=b"b\n",
                    says=("f.bloom", "No space left"))
        self.assertEqual(self.read("small/f.bloom"), old)
        self.assertEqual(os.listdir(mount), ["f.bloom"])

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become somebody else")
    def test_no_permission(self):
        path = self.write("secret", portable(3, 100))
        os.chmod(path, 0)
        os.chmod(self.folder, 0o755)
        self.refuse("info", *PORTABLE, path, says=("Permission denied",),
                    preexec_fn=as_nobody)
        self.refuse_build(self.path("out"), "Permission denied", preexec_fn=as_nobody)
        self.assert_only("secret")

    def test_bad_keys_leave_the_old_output(self):
        self.write("out", OLD)
        self.refuse("build", *PORTABLE, "--hex", "-o", self.path("out"), stdin=b"00\nq\n")
        self.assertEqual(self.read("out"), OLD)
        self.assert_only("out")

    def test_a_link_is_followed_and_the_mode_is_kept(self):
        self.write("real", OLD)
        os.chmod(self.path("real"), 0o640)
        os.symlink("real", self.path("link"))
        self.build("link", ["a"])
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertNotEqual(self.read("real"), OLD)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("real")).st_mode), 0o640)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to give files away")
    def test_root_keeps_owner_group_and_mode(self):
        path = self.write("f", OLD)
        os.chmod(path, 0o640)
        os.chown(path, 1234, 2345)
        self.build("f", ["a"])
        now = os.stat(path)
        self.assertEqual((now.st_uid, now.st_gid, stat.S_IMODE(now.st_mode)),
                         (1234, 2345, 0o640))

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become somebody else")
    def test_others_do_not_make_it_more_readable(self):
        """The group cannot be kept: the new one may do what everybody may."""
        os.chmod(self.folder, 0o777)
        for mode, becomes in ((0o664, 0o644), (0o660, 0o600), (0o666, 0o666),
                              (0o4755, 0o755)):
            path = self.write("f", OLD)
            os.chmod(path, mode)
            self.run_tool("build", *PORTABLE, "-q", "-o", path, stdin=b"a\n",
                          preexec_fn=as_nobody)
            now = os.stat(path)
            self.assertEqual((now.st_uid, now.st_gid, stat.S_IMODE(now.st_mode)),
                             (NOBODY, NOBODY, becomes))
            os.remove(path)

    def test_killed_while_reading_leaves_nothing(self):
        self.write("out", OLD)
        tool = subprocess.Popen([os.environ["BLOOMERY"], "build", *PORTABLE, "-o",
                                 self.path("out")], stdin=subprocess.PIPE)
        tool.stdin.write(lines(range(100000)))
        tool.stdin.flush()
        tool.send_signal(signal.SIGKILL)
        tool.stdin.close()
        tool.wait()
        self.assertEqual(self.read("out"), OLD)
        self.assert_only("out")

    def test_standard_error_that_cannot_be_written_changes_nothing(self):
        keys = self.write("keys", b"a\n")
        with open("/dev/full", "wb") as full:
            for args, code in ((("info", "no"), 2), (("info",), 2),
                               (("build", *PORTABLE, keys, "-o", self.path("o")), 0)):
                done = subprocess.run([os.environ["BLOOMERY"], *args], stderr=full,
                                      stdin=subprocess.DEVNULL, check=False)
                self.assertEqual(done.returncode, code, args)
        self.assertTrue(os.path.exists(self.path("o")))

    def test_the_keys_are_not_replaced_by_their_filter(self):
        keys = self.write("keys", b"a\n")
        self.refuse("build", *PORTABLE, keys, "-o", keys, says=("keys it is made from",))
        self.assertEqual(self.read("keys"), b"a\n")

    def test_appending_to_standard_output_keeps_what_is_there(self):
        self.build("f", ["a"], "--capacity", "100")
        for out in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.write("log", b"before")
            with open(self.path("log"), "ab") as log:
                subprocess.run([os.environ["BLOOMERY"], "build", *PORTABLE, "-q",
                                "--capacity", "100", "-o", out], input=b"a\n", stdout=log,
                               check=True)
            self.assertEqual(self.read("log"), b"before" + self.read("f"))

    def test_a_limit_on_file_sizes_leaves_nothing(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10240, 10240))
        self.refuse("build", *PORTABLE, "--capacity", "1000000", "-o", self.path("o"),
                    stdin=b"a\n", says=("File too large",), preexec_fn=small_files)
        self.assert_only()

    def test_the_longest_name(self):
        self.build("n" * 255, ["a"])
        self.assert_only("n" * 255)

    def test_a_link_to_nothing_is_refused(self):
        os.symlink("nowhere", self.path("link"))
        self.refuse_build(self.path("link"), "link to nothing")
        self.assertTrue(os.path.islink(self.path("link")))

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become somebody else")
    def test_a_directory_that_may_be_written_but_not_read(self):
        os.mkdir(self.path("drop"))
        os.chmod(self.path("drop"), 0o733)
        os.chmod(self.folder, 0o755)
        self.run_tool("build", *PORTABLE, "-q", "-o", self.path("drop/f"), stdin=b"a\n",
                      preexec_fn=as_nobody)
        self.assertEqual(os.listdir(self.path("drop")), ["f"])

    def test_a_named_pipe_is_no_filter_and_nobody_waits(self):
        os.mkfifo(self.path("pipe"))
        self.refuse("info", self.path("pipe"), says=("not a regular file",))
        self.refuse("info", *PORTABLE, self.path("pipe"), says=("not a regular file",))

    def test_a_filter_cut_short_under_a_query_is_an_error(self):
        path = self.make("f", range(100), "--memory", "8M", "--capacity", "100")
        tool = subprocess.Popen([os.environ["BLOOMERY"], "query", "-c", path],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        tool.stdin.write(lines(range(50)))
        tool.stdin.flush()
        with open(f"/proc/{tool.pid}/maps", encoding="ascii") as maps:
            while path not in maps.read() and tool.poll() is None:
                maps.seek(0)
        os.truncate(path, 4096)
        out, err = tool.communicate(lines(range(50, 100)), timeout=60)
        self.assertEqual((tool.returncode, out), (2, b""), err)
        self.assertRegex(err, b"was changed|truncated")

    def test_writing_to_a_pipe(self):
        tool = subprocess.run(
            f"printf 'a\\n' | '{os.environ['BLOOMERY']}' build --dialect portable -q "
            "--capacity 100 -o /dev/stdout | cat", shell=True, capture_output=True,
            check=True)
        self.build("f", ["a"], "--capacity", "100")
        self.assertEqual(tool.stdout, self.read("f"))
