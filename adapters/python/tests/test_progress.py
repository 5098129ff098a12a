"""Builds that report their progress, and can be interrupted."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import bloomery
from conftest import KINDS

MANY = 8_000_000  # some calls in each half of the work, on a fast machine too


def calls_of(keys, **options):
    seen = []
    f = bloomery.Filter.build(keys, 0.01, source="integers", progress=lambda *a: seen.append(a), **options)
    return f, seen


@pytest.mark.parametrize("kind", KINDS)
def test_the_filter_is_the_same(kind):
    f, seen = calls_of(range(5000), kind=kind)
    assert f == bloomery.Filter.build(list(range(5000)), 0.01, kind=kind) and seen[-1] == (10_000, 10_000)


@pytest.mark.parametrize("options", [{}, {"memory_limit": 8 << 20}, {"threads": 3}])
def test_it_counts_up(options, tmp_path):
    if "memory_limit" in options:
        options["temp_dir"] = tmp_path
    f, seen = calls_of(range(MANY), kind="ribbon", **options)
    assert f.may_contain(range(0, MANY, 1001)).all()
    assert seen == sorted(seen) and seen[-1] == (2 * MANY, 2 * MANY)
    assert {total for _, total in seen} == {2 * MANY}
    assert any(done < MANY for done, _ in seen) and any(MANY < done < 2 * MANY for done, _ in seen)


def test_the_total_of_an_iterator_is_unknown_at_first():
    _, seen = calls_of(iter(range(MANY)))
    assert seen[0][1] is None and seen[-1] == (2 * MANY, 2 * MANY)


@pytest.mark.parametrize("part", [0.2, 0.7])
@pytest.mark.parametrize("options", [{}, {"memory_limit": 8 << 20}])
def test_an_exception_ends_the_build(part, options, tmp_path):
    if options:
        options["temp_dir"] = tmp_path

    def stop(done, total):
        if done >= part * total:
            raise ZeroDivisionError(done)

    with pytest.raises(ZeroDivisionError) as e:
        bloomery.Filter.build(range(MANY), kind="ribbon", source="integers", progress=stop, **options)
    assert e.value.args[0] < 2 * MANY and not list(tmp_path.iterdir())


def test_an_exception_of_the_last_call_comes_through():
    def stop(done, total):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bloomery.Filter.build(["a", "b"], progress=stop)


def test_a_builder_is_empty_afterwards():
    b = bloomery.Builder(source="integers")
    b.update(range(100_000))
    with pytest.raises(ZeroDivisionError):
        b.finish(kind="ribbon", progress=lambda done, total: 1 // 0)
    assert b.count() == 0
    b.update([1, 2, 3])
    seen = []
    assert b.finish(kind="ribbon", progress=lambda *a: seen.append(a)).may_contain([1, 2, 3]).all()
    assert seen == [(6, 6)]


def test_the_callback_cannot_use_the_builder():
    keys = np.arange(MANY)
    b = bloomery.Builder(source="integers")
    for call in (b.count, lambda: b.update([1]), b.finish):
        b.update(keys)
        with pytest.raises(ValueError, match="cannot use it"):
            b.finish(kind="ribbon", progress=lambda done, total, call=call: call())
    # The last call comes when the filter is there: the builder is empty and free.
    counts = []
    b.update([1, 2, 3])
    b.finish(progress=lambda done, total: counts.append(b.count()))
    assert counts == [0]


def test_the_callback_may_build_and_fork():
    """Other filters, and processes: nothing waits for the build that it is called by."""
    made = []

    def use(done, total):
        made.append(bloomery.Filter.build(["alice"], kind="ribbon"))
        child = os.fork()
        if child == 0:
            os._exit(0 if "alice" in made[-1] else 1)
        assert os.waitpid(child, 0)[1] == 0

    bloomery.Filter.build(np.arange(MANY), kind="ribbon", progress=use)
    assert made and all("alice" in f for f in made)


@pytest.mark.parametrize("wrong", [5, "text", []])
def test_what_is_no_callback(wrong):
    with pytest.raises(TypeError, match="progress: a function"):
        bloomery.Filter.build(["a"], progress=wrong)


INTERRUPTED = """
import os, signal, sys, time
import bloomery
def at(done, total):
    if done >= float(sys.argv[1]) * total:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
try:
    bloomery.Filter.build(range(8_000_000), kind="ribbon", source="integers", progress=at)
except KeyboardInterrupt:
    print("interrupted")
f = bloomery.Filter.build([1, 2, 3], kind="ribbon")
assert 2 in f
"""


@pytest.mark.parametrize("part", ["0.1", "0.6"])
def test_ctrl_c(part):
    said = subprocess.run([sys.executable, "-c", INTERRUPTED, part], capture_output=True, text=True, check=False, timeout=120)
    assert said.stdout == "interrupted\n", said.stderr


def test_a_signal_without_a_callback():
    program = "import bloomery\nprint('begins', flush=True)\nbloomery.Filter.build(range(10**9), source='integers', memory_limit=1 << 26)"
    run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "begins\n"
    threading.Timer(0.5, lambda: os.kill(run.pid, signal.SIGINT)).start()
    _, error = run.communicate(timeout=30)
    assert "KeyboardInterrupt" in error
