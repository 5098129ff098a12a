"""Two executors, one of which is killed in the middle: the bits of one process."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bloomery

HERE = pathlib.Path(__file__).resolve().parent
FULL = bool(os.environ.get("BLOOMERY_TEST_FULL"))
KEYS = 10_000_000 if FULL else 2_000_000
FILES = 16


def descendants(process):
    """Its children, theirs, and so on: (id, command line)."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended
            continue
        parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append((int(entry.name), command))
    found, level = [], [process]
    while level:
        level = [child for p in level for child in parents.get(p, [])]
        found += level
        level = [p for p, _ in level]
    return found


def executors(process):
    return [p for p, command in descendants(process) if "CoarseGrainedExecutorBackend" in command and "java" in command]


def written(folder, keys, files):
    """Strings in files; what one process builds from them."""
    f = bloomery.Filter(keys, 0.01)
    for i in range(files):
        numbers = np.arange(i * keys // files, (i + 1) * keys // files)
        column = pa.array(np.char.add("user-", numbers.astype("U9")))
        pq.write_table(pa.table({"k": column}), folder / f"{i:03}.parquet")
        f.update(column)
    return folder, f


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return written(tmp_path_factory.mktemp("keys"), KEYS, FILES)


@pytest.mark.parametrize("source", ["files", "frame"])
def test_local(spark, keys, source):
    from bloomery import spark as bs

    folder, expected = keys
    f = bs.build_filter(folder if source == "files" else spark.read.parquet(str(folder)), "k", KEYS, 0.01)
    assert f == expected and f.to_bytes() == expected.to_bytes()
    print(f"\n{KEYS:,} keys on local[2] from {source}: realised rate {f.realised_fpr():.5f}")


@pytest.mark.skipif(not FULL, reason="10^8 keys take minutes: BLOOMERY_TEST_FULL=1")
def test_a_hundred_million(spark, tmp_path):
    from bloomery import spark as bs

    folder, expected = written(tmp_path, 100_000_000, 100)
    f = bs.build_filter(folder, "k", 100_000_000, 0.01)
    assert f == expected and f.to_bytes() == expected.to_bytes() and f.realised_fpr() < 0.0101


@pytest.mark.parametrize("source", ["files", "frame"])
def test_an_executor_is_killed(keys, tmp_path, source):
    """The job runs in its own process, because a Java has one cluster; its executors are its children."""
    folder, expected = keys
    out = tmp_path / "built.filter"
    job = subprocess.Popen([sys.executable, str(HERE / "cluster_job.py"), source, str(folder), str(KEYS), str(out)],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tmp_path,
                           env={**os.environ, "PYTHONPATH": str(HERE)}, start_new_session=True)
    said = []
    reader = threading.Thread(target=lambda: said.extend(job.stdout), daemon=True)
    reader.start()
    killed = None
    try:
        deadline = time.monotonic() + 240
        while job.poll() is None and time.monotonic() < deadline:
            # Tasks leave a mark when they have read their keys.
            if killed is None and len(list(tmp_path.glob("mark-*"))) >= 3:
                found = executors(job.pid)
                assert len(found) == 2, said
                os.kill(found[0], signal.SIGKILL)
                killed = found[0]
            time.sleep(0.02)
        job.wait(timeout=max(1, deadline - time.monotonic()))
    finally:
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
    reader.join(10)
    assert job.returncode == 0, "".join(said[-60:])
    assert killed is not None, "the job was over before an executor was killed"
    # mark-TASK-ATTEMPT-ID: lost tasks are tried again, and those whose result was lost with the executor.
    marks = [m.name.split("-") for m in tmp_path.glob("mark-*")]
    assert len(marks) > FILES or max(int(m[2]) for m in marks) > 0, f"no task was tried twice: {marks}"
    built = bloomery.Filter.load(out)
    assert built == expected and out.read_bytes() == expected.to_bytes()
    print(f"\n{KEYS:,} keys on local-cluster from {source}, executor {killed} killed: {len(marks)} task attempts")
