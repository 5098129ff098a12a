"""Six nodes, slots that move under load, a primary that is killed: what was confirmed is found."""
import random
import threading
import time
import unittest

from resp import Client, Refused
from server import Server, wait_until

SLOTS = 16384


def slot_of(key):
    """CRC16/XMODEM modulo the slots, of what is in braces."""
    begin = key.find(b"{")
    if begin >= 0 and (end := key.find(b"}", begin + 1)) > begin + 1:
        key = key[begin + 1:end]
    crc = 0
    for b in key:
        crc ^= b << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xffff
    return crc % SLOTS


class Router:
    """Sends a command to the node that has the key, and follows where it is sent."""

    def __init__(self, ports):
        self.ports, self.nodes, self.owner = ports, {}, {}

    def node(self, port):
        if port not in self.nodes:
            self.nodes[port] = Client(port, timeout=5)
        return self.nodes[port]

    def forget(self, port):
        self.nodes.pop(port, None)

    def __call__(self, key, *words, then=()):
        """The reply, and those of `then` on the same connection."""
        slot, asking = slot_of(key.encode()), False
        port = self.owner.get(slot, random.choice(self.ports))
        for _ in range(400):
            try:
                c = self.node(port)
                if asking:
                    c("ASKING")
                reply = c.ask(*words)
                if isinstance(reply, Refused):
                    kind, *rest = str(reply).split()
                    if kind in ("MOVED", "ASK"):
                        port, asking = int(rest[1].rsplit(":")[-1]), kind == "ASK"
                        if kind == "MOVED":
                            self.owner[slot] = port
                        continue
                    if kind in ("CLUSTERDOWN", "TRYAGAIN", "LOADING"):
                        time.sleep(0.05)
                        continue
                    raise reply
                return [reply, *(c(*w) for w in then)]
            except (OSError, ConnectionError):
                self.forget(port)
                port, asking = random.choice(self.ports), False
                time.sleep(0.05)
        raise AssertionError(f"no node took {words}")

    def close(self):
        for c in self.nodes.values():
            c.close()


class Cluster(unittest.TestCase):
    def setUp(self):
        self.nodes = []
        for _ in range(6):
            s = Server("--cluster-enabled", "yes", "--cluster-node-timeout", "1500", "--appendonly", "yes",
                       "--repl-diskless-sync-delay", "0", "--cluster-replica-validity-factor", "0")
            self.addCleanup(s.stop)
            self.nodes.append(s)
        self.c = [s.client() for s in self.nodes]
        for i in range(3):
            share = range(i * SLOTS // 3, (i + 1) * SLOTS // 3)
            self.c[i]("CLUSTER", "ADDSLOTSRANGE", share[0], share[-1])
        for i, c in enumerate(self.c):
            c("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
        for s in self.nodes[1:]:
            self.c[0]("CLUSTER", "MEET", "127.0.0.1", s.port)
        wait_until(lambda: all(b"cluster_known_nodes:6" in c("CLUSTER", "INFO") for c in self.c))
        self.ids = [c("CLUSTER", "MYID") for c in self.c]
        for i in range(3):
            wait_until(lambda: not isinstance(self.c[i + 3].ask("CLUSTER", "REPLICATE", self.ids[i]), Refused))
        wait_until(lambda: all(b"cluster_state:ok" in c("CLUSTER", "INFO") for c in self.c))
        wait_until(lambda: all(b"master_link_status:up" in c("INFO", "replication") for c in self.c[3:]))

    def test_confirmed_additions_are_found(self):
        ports = [s.port for s in self.nodes]
        confirmed, errors, stop = [], [], threading.Event()

        def add(seed):
            rng, router = random.Random(seed), Router(ports)
            mine, n = [], 0
            try:
                while not stop.is_set() or len(mine) < 200:
                    key, item = f"f{rng.randrange(200)}", f"{seed}-{n}"
                    n += 1
                    added, copies = router(key, "BF.ADD", key, item, then=[("WAIT", 1, 1000)])
                    if copies >= 1:
                        mine.append((key, item))
            except BaseException as e:  # noqa: BLE001: reported by the test
                errors.append(e)
            confirmed.extend(mine)
            router.close()

        threads = [threading.Thread(target=add, args=(i,)) for i in range(2)]
        for t in threads:
            t.start()
        try:
            wait_until(lambda: sum(c("DBSIZE") for c in self.c[:3]) > 190, what="keys in all slots")
            moved = self.move_slots(0, 1, self.slots_of(0)) + self.move_slots(2, 0, self.slots_of(2))
            self.nodes[1].kill()
            wait_until(lambda: self.c[4]("ROLE")[0] == b"master", what="the failover")
            time.sleep(2)
        finally:
            stop.set()
            for t in threads:
                t.join()
        self.assertEqual(errors, [])
        self.assertGreater(moved, 20)
        router = Router([p for p in ports if p != self.nodes[1].port])
        missing = [(k, i) for k, i in confirmed if router(k, "BF.EXISTS", k, i) != [1]]
        router.close()
        self.assertEqual(missing, [])
        self.assertGreaterEqual(len(confirmed), 400)
        print(f"cases: confirmed {len(confirmed)}")

    @staticmethod
    def slots_of(node):
        """Every second slot of a node that one of the keys is in."""
        used = sorted({slot_of(f"f{i}".encode()) for i in range(200)})
        return [s for s in used if node * SLOTS // 3 <= s < (node + 1) * SLOTS // 3][::2]

    def move_slots(self, source, target, slots):
        """How many keys went with them."""
        a, b, moved = self.c[source], self.c[target], 0
        for slot in slots:
            b("CLUSTER", "SETSLOT", slot, "IMPORTING", self.ids[source])
            a("CLUSTER", "SETSLOT", slot, "MIGRATING", self.ids[target])
            while keys := a("CLUSTER", "GETKEYSINSLOT", slot, 100):
                a("MIGRATE", "127.0.0.1", self.nodes[target].port, "", 0, 5000, "KEYS", *keys)
                moved += len(keys)
            for c in (b, a, self.c[({0, 1, 2} - {source, target}).pop()]):
                c("CLUSTER", "SETSLOT", slot, "NODE", self.ids[target])
        return moved


if __name__ == "__main__":
    unittest.main()
