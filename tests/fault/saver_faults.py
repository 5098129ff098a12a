"""Processes killed while they save, and disks that are full: the program is in SAVER."""

import os
import random
import resource
import signal
import subprocess
import tempfile
import time
import unittest

SAVER = os.environ["SAVER"]
FULL = os.environ.get("BLOOMERY_TEST_FULL") == "1"
KILLS = 200 if FULL else 20


class Saver(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "filter.bloom")

    def check(self):
        done = subprocess.run([SAVER, self.path, "check"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def files(self):
        return sorted(os.listdir(self.folder))


class Killed(Saver):
    def test_leaves_the_old_file_or_the_new_one(self):
        """A file has no name until it is whole; between linkat and rename it has two, of
        which the second, .bloomery-PID-N.tmp, may stay behind: whole, and documented."""
        seed = random.randrange(2**32)
        print(f"seed {seed}", flush=True)
        chance = random.Random(seed)
        left, during = 0, 0
        for _ in range(KILLS):
            with subprocess.Popen([SAVER, self.path, "4"],
                                  stdout=subprocess.PIPE) as process:
                self.assertEqual(process.stdout.readline(), b"saved\n")
                time.sleep(chance.random() * 0.05)
                process.send_signal(signal.SIGKILL)
                process.communicate()
                self.assertEqual(process.returncode, -signal.SIGKILL)
            self.check()
            for name in self.files():
                if name == "filter.bloom":
                    continue
                self.assertRegex(name, rf"^\.bloomery-{process.pid}-\d+\.tmp$")
                os.unlink(os.path.join(self.folder, name))
                left += 1
            during += 1
        print(f"cases: kills {during}\ncases: names_left {left}", flush=True)


class FullDisk(Saver):
    def limited(self, size):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # EFBIG instead of an end
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return subprocess.run([SAVER, self.path, "1", "once"], preexec_fn=limit,
                              capture_output=True, check=False)

    def test_leaves_the_old_file_wherever_it_is_full(self):
        self.assertEqual(self.limited(resource.RLIM_INFINITY).returncode, 0)
        whole = os.path.getsize(self.path)
        with open(self.path, "rb") as file:
            old = file.read()
        sizes = [0, 1, 127, 128, 129, 4095, 4096, 4097, whole // 2, whole - 1]
        if FULL:
            sizes += range(0, whole, 4093)
        for size in sizes:
            done = self.limited(size)
            self.assertEqual(done.returncode, 1, size)
            self.assertIn(b"cannot write (27)", done.stderr)
            with open(self.path, "rb") as file:
                self.assertTrue(file.read() == old, size)
            self.assertEqual(self.files(), ["filter.bloom"])
        self.assertEqual(self.limited(whole).returncode, 0)
        print(f"cases: full_disks {len(sizes)}", flush=True)


if __name__ == "__main__":
    unittest.main()
