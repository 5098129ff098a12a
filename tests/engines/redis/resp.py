"""A client of Redis and Valkey: RESP2 and RESP3, pipelines, replies as Python values.

Errors are values too (Refused), as they are elements of arrays in some replies.
"""
import socket


class Refused(Exception):
    """An error reply; equal if the text is."""

    def __eq__(self, other):
        return isinstance(other, Refused) and self.args == other.args

    def __hash__(self):
        return hash(self.args)

    def __str__(self):
        return self.args[0]


class Client:
    def __init__(self, port, protocol=2, timeout=120):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb", buffering=1 << 16)
        if protocol == 3:
            self("HELLO", "3")

    def close(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __call__(self, *words):
        """The reply; raises an error that is the whole reply."""
        reply = self.ask(*words)
        if isinstance(reply, Refused):
            raise reply
        return reply

    def ask(self, *words):
        """The reply, an error too."""
        self.send(words)
        return self.read()

    def send(self, *commands):
        self.socket.sendall(b"".join(encoded(c) for c in commands))

    def pipe(self, commands, at_once=1000):
        """The replies of many commands."""
        replies = []
        for i in range(0, len(commands), at_once):
            some = commands[i:i + at_once]
            self.send(*some)
            replies += [self.read() for _ in some]
        return replies

    def read(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        mark, rest = line[:1], line[1:-2]
        if mark == b"+":
            return rest.decode()
        if mark == b"-":
            return Refused(rest.decode())
        if mark == b":":
            return int(rest)
        if mark == b"_":
            return None
        if mark == b"#":
            return rest == b"t"
        if mark == b",":
            return float(rest)
        if mark == b"$" or mark == b"=":
            n = int(rest)
            return None if n < 0 else self.file.read(n + 2)[:-2]
        if mark in (b"*", b"~", b">"):
            n = int(rest)
            return None if n < 0 else [self.read() for _ in range(n)]
        if mark == b"%":
            return {self.read(): self.read() for _ in range(int(rest))}
        raise ConnectionError(f"not RESP: {line!r}")


def encoded(words):
    parts = [b"*%d\r\n" % len(words)]
    for w in words:
        b = w if isinstance(w, bytes) else str(w).encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(b), b))
    return b"".join(parts)
