"""A server for a test: its own folder, a free port of loopback, stopped at the end.

BLOOMERY_REDIS_MODULE: the module.  BLOOMERY_REDIS_MODULE_ASAN: the same under AddressSanitizer.
Debian's package redis-tools holds the server: redis-check-rdb is the same program, and which of the
two it is depends on the name that it is started by.
"""
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from resp import Client, Refused

MODULE = os.environ.get("BLOOMERY_REDIS_MODULE", "")
ASAN_MODULE = os.environ.get("BLOOMERY_REDIS_MODULE_ASAN", "")
FULL = os.environ.get("BLOOMERY_TEST_FULL") == "1"


def redis_server():
    """The program, or None."""
    found = os.environ.get("BLOOMERY_REDIS_SERVER") or shutil.which("redis-server") or shutil.which("redis-check-rdb")
    return found and os.path.realpath(found)


def free_port():
    """Below those that the system gives away, and with 10,000 to spare: a cluster's nodes use a second port."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Server:
    def __init__(self, *words, module=MODULE, arguments=(), env=None, program=None, name="redis-server", port=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bloomery-redis-"))
        self.program = self.folder / name
        self.program.symlink_to(program or redis_server())
        self.words, self.module, self.arguments, self.env = words, module, arguments, env
        self.port = port or free_port()
        self.log = self.folder / "log"
        self.process = None
        self.clients = []
        self.start()

    def start(self):
        # A port that was free may be taken by now: then by another test, so try the next.
        for _ in range(5):
            self._start()
            if self._is_up():
                return self
            if "Address already in use" not in self.text():
                break
            self.port = free_port()
        said = self.text()[-4000:]
        self.stop()
        raise RuntimeError(f"the server did not start:\n{said}")

    def _start(self):
        load = ["--loadmodule", self.module, *map(str, self.arguments)] if self.module else []
        words = [str(w) for w in self.words]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(self.program), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder),
                 "--enable-debug-command", "local", "--save", "", *words, *load],
                stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env={**os.environ, **(self.env or {})})

    def _is_up(self):
        for _ in range(600):
            if self.process.poll() is not None:
                return False
            try:
                with Client(self.port) as c:
                    if c.ask("PING") == "PONG":
                        return True
            except OSError:
                pass
            time.sleep(0.05)
        return False

    def client(self, protocol=2):
        self.clients.append(Client(self.port, protocol))
        return self.clients[-1]

    def text(self):
        return self.log.read_text(errors="replace")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def _close(self):
        for c in self.clients:
            c.close()
        self.clients = []

    def is_alive(self):
        return self.process.poll() is None

    def stop(self, keep=False):
        self._close()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)


class ServerTest(unittest.TestCase):
    """A class with one server for all its tests, emptied before each."""

    words = ()
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.words, arguments=cls.arguments)
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        self.r = self.server.client()
        self.r("FLUSHALL")
        self.settle()

    def settle(self):
        """Valkey frees what FLUSHALL leaves on another thread: until that is done counts and memory still change."""
        wait_until(lambda: b"lazyfree_pending_objects:0" in self.r("INFO", "memory"), what="the end of freeing")

    def assertRefused(self, text, *words, client=None):
        reply = (client or self.r).ask(*words)
        self.assertIsInstance(reply, Refused, words)
        self.assertEqual(str(reply), text, words)

    def digest(self, *keys, client=None):
        return (client or self.r)("DEBUG", "DIGEST-VALUE", *keys)


def wait_until(holds, seconds=60, what="it"):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen in {seconds} s")
        time.sleep(0.02)
