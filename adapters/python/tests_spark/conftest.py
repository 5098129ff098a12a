"""A session of Spark on two cores of this machine, and the keys of most tests."""

from __future__ import annotations

import os
import sys

# Before pyspark starts a Java: workers of this interpreter, and loopback only.
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import bloomery

KEYS = 100_000


def session(master, folder, **settings):
    builder = SparkSession.builder.master(master).appName("bloomery tests")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.log.level": "ERROR",
        **settings,
    }.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    s = session("local[2]", tmp_path_factory.mktemp("local"))
    yield s
    s.stop()


@pytest.fixture(scope="session")
def words():
    """Keys with nulls, duplicates, an empty one and text beyond ASCII."""
    return [None if i % 1000 == 7 else f"käse-{i % 90_000}" for i in range(KEYS - 2)] + ["", "x" * 1000]


@pytest.fixture(scope="session")
def numbers():
    return [None if i % 1000 == 7 else (i - 50_000) * 12_345_678_901 for i in range(KEYS)]


@pytest.fixture(scope="session")
def table(words, numbers):
    return pa.table({"word": words, "number": numbers, "small": [n and n % 128 for n in numbers],
                     "bytes": pa.array([w and w.encode() for w in words], pa.binary())})


@pytest.fixture(scope="session")
def folder(table, tmp_path_factory):
    """The table in five Parquet files of unequal size, and what Spark leaves beside them."""
    here = tmp_path_factory.mktemp("parquet")
    for i, (a, b) in enumerate([(0, 10), (10, 30_000), (30_000, 30_000), (30_000, 99_000), (99_000, KEYS)]):
        pq.write_table(table.slice(a, b - a), here / f"part-{i}.parquet", row_group_size=20_000)
    (here / "_SUCCESS").write_text("")
    (here / ".hidden.parquet").write_text("no Parquet file")
    return here


@pytest.fixture(scope="session")
def frame(spark, folder):
    return spark.read.parquet(str(folder))


def single(column, capacity, fpr, **options):
    """The build of one process."""
    f = bloomery.Filter(capacity, fpr, **options)
    f.update(column)
    return f
