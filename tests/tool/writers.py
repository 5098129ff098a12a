"""Tools that run beside each other and write to one filter file."""

import os
import subprocess
import time

from tool import ToolTest


class WriterTest(ToolTest):
    def setUp(self):
        super().setUp()
        if not os.path.exists("/proc/locks"):
            self.skipTest("no /proc/locks to wait for")

    def start(self, *args):
        # Both pipes are read at the end: what a tool says fits them.
        tool = subprocess.Popen([os.environ["BLOOMERY"], *args], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        def stop():
            tool.kill()
            tool.wait()
            for pipe in (tool.stdin, tool.stdout, tool.stderr):
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass
        self.addCleanup(stop)
        return tool

    def feed(self, tool, data):
        tool.stdin.write(data)
        tool.stdin.close()

    def wait_for_lock(self, path, waiting=False):
        """Until some process holds the lock of the file, or waits for it; it may create the file first."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            inode = f":{os.stat(path).st_ino} " if os.path.exists(path) else "no file"
            with open("/proc/locks", encoding="ascii") as locks:
                if any(" FLOCK " in line and inode in line and ("->" in line) == waiting
                       for line in locks):
                    return
            time.sleep(0.005)
        self.fail(f"{path}: {'nobody waits' if waiting else 'not locked'}")
