"""Threads: batches run without the GIL, and nobody sees a filter that is being changed."""

import os
import signal
import threading
import time

import numpy as np
import pyarrow as pa
import pytest

import bloomery


def together(*calls):
    wrong = []

    def run(call):
        try:
            call()
        except BaseException as e:  # noqa: BLE001  shown below
            wrong.append(e)

    threads = [threading.Thread(target=run, args=(c,)) for c in calls]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong, wrong


def test_others_run_while_a_batch_does():
    f = bloomery.Filter(4_000_000, source="integers")
    keys = np.arange(4_000_000, dtype=np.uint64)
    ticks, done = 0, threading.Event()

    def work():
        f.update(keys)
        done.set()

    t = threading.Thread(target=work)
    t.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0)
    t.join()
    assert ticks > 0 and f.may_contain(keys).all()


@pytest.mark.parametrize("kind", ["block", "cuckoo", "scalable", "quotient"])
def test_one_plain_filter_of_many_threads(kind):
    """The same as one after the other: calls take turns."""
    f = bloomery.Filter(40_000, kind=kind)
    parts = [pa.array([f"{p}-{i}" for i in range(5000)]) for p in range(4)]

    def insert(part):
        for start in range(0, 5000, 500):
            f.update(part.slice(start, 500))
            assert f.may_contain(part.slice(start, 500)).all()
            assert f"{part[start]}" in f

    together(*[lambda p=p: insert(p) for p in parts], lambda: [f.realised_fpr() for _ in range(50)],
             lambda: [bytes(f) for _ in range(20)])
    for part in parts:
        assert f.may_contain(part).all()


def test_two_that_are_united_both_ways():
    a, b = bloomery.Filter(500_000), bloomery.Filter(500_000)
    a.update([f"a{i}" for i in range(1000)])
    b.update([f"b{i}" for i in range(1000)])
    together(lambda: [a.merge(b) for _ in range(100)], lambda: [b.merge(a) for _ in range(100)])
    assert a == b


@pytest.mark.parametrize("policy", ["wait-free", "locked"])
def test_concurrent_filters(policy, tmp_path):
    f = bloomery.ConcurrentFilter(40_000, policy=policy)
    parts = [pa.array([f"{p}-{i}" for i in range(5000)]) for p in range(4)]
    together(*[lambda p=p: f.update(p) for p in parts], lambda: [f.snapshot() for _ in range(10)])
    plain = bloomery.Filter(40_000)
    for part in parts:
        assert f.may_contain(part).all()
        plain.update(part)
    assert f.snapshot() == plain and f.kind == "block"
    f.save(tmp_path / "f")
    assert bloomery.Filter.load(tmp_path / "f") == plain
    assert f.realised_fpr() == plain.realised_fpr() and "Concurrent" in repr(f)


def test_of_two_threads_one_is_first():
    f = bloomery.ConcurrentFilter(100_000, 1e-6)
    keys = pa.array([f"k{i}" for i in range(20_000)])
    new = []
    together(*[lambda: new.append(f.update_if_absent(keys)) for _ in range(3)])
    assert (sum(n.astype(int) for n in new) <= 1).all()
    assert sum(n.sum() for n in new) > 19_900


def test_concurrent_kinds():
    for k in bloomery.kinds():
        try:
            f = bloomery.ConcurrentFilter(1000, kind=k["name"])
        except bloomery.UnsupportedError:
            assert k["name"] not in ("block", "bloom", "counting", "cuckoo", "scalable", "partitioned")
            continue
        f.add("x"), f.insert("y")
        f.update(["a", "b"])
        assert "x" in f and f.may_contain(["a", "b", "y"]).all() and f.capacity == 1000
        assert f.snapshot().kind == k["name"]
        if f.snapshot().supports("erase"):
            f.erase_present("x")
            assert "x" not in f
        else:
            with pytest.raises(bloomery.UnsupportedError, match=k["name"]):
                f.erase_present("x")


def test_concurrent_merge_and_adopt():
    plain = bloomery.Filter(1000)
    plain.add("x")
    f = bloomery.ConcurrentFilter.of(plain)
    other = bloomery.Filter(1000)
    other.add("y")
    f |= other
    assert "x" in f and "y" in f and "y" not in plain
    with pytest.raises(bloomery.IncompatibleError):
        f.merge(bloomery.Filter(1000, kind="bloom"))
    with pytest.raises(ValueError):
        bloomery.ConcurrentFilter(10, policy="hopeful")
    with pytest.raises(bloomery.UnsupportedError):
        bloomery.ConcurrentFilter(10, kind="bloom", policy="locked")
    with pytest.raises(bloomery.SourceError):
        f.add(3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("kind", ["block", "cuckoo", "quotient"])
def test_a_fork_while_another_thread_is_in_a_batch(kind):
    """The child has whole batches, and can use the filter: nobody else has a turn there."""
    f = bloomery.Filter(2_000_000, kind=kind, source="integers")
    batches = [np.arange(i * 50_000, (i + 1) * 50_000, dtype=np.uint64) for i in range(40)]
    done = 0

    def work():
        nonlocal done
        for batch in batches:
            f.update(batch)
            assert f.may_contain(batch).all()
            done += 1

    t = threading.Thread(target=work)
    t.start()
    children = 0
    while t.is_alive() and children < 25:
        pid = os.fork()
        if pid == 0:
            signal.alarm(60)  # a turn that never ends would be waited for
            here = done
            ok = all(f.may_contain(b).all() for b in batches[:here])
            f.update(batches[39])
            f.add(1 << 40)
            os._exit(0 if ok and f.may_contain(batches[39]).all() and (1 << 40) in f else 1)
        children += 1
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    t.join()
    assert children > 0 and f.may_contain(np.concatenate(batches)).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_while_a_file_is_verified(tmp_path):
    """A chunk that another thread was checking would never be done."""
    f = bloomery.Filter(40_000_000)
    f.add("alice")
    f.save(tmp_path / "f")
    for _ in range(5):
        m = bloomery.MappedFilter(tmp_path / "f")
        t = threading.Thread(target=m.verify)
        t.start()
        pid = os.fork()
        if pid == 0:
            signal.alarm(60)
            os._exit(0 if "alice" in m and m.verify() == 0 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        t.join()
