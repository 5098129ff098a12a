#!/usr/bin/env python3
"""Measures filters built in Spark on two cores beside Spark's own BloomFilter, from the same files.

  spark_bench.py [--keys N] [--files F] [--rounds R] [--work FOLDER]

N strings in F Parquet files, capacity N, 1 %.  Rounds of all builds take turns, so that a slow moment
of the machine hurts all of them; the first round warms up and does not count.  Spark's own filter is
built through its JVM interface, as by default, and with its two limits raised.  Needs PySpark and a Java.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import sys
import tempfile
import time

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from pyspark.sql import SparkSession

import bloomery
from bloomery import spark as bs

RATE = 0.01
LIMITS = "spark.sql.optimizer.runtime.bloomFilter."
DEFAULTS = {LIMITS + "maxNumBits": "67108864", LIMITS + "maxNumItems": "4000000"}
RAISED = {LIMITS + "maxNumBits": "100000000000", LIMITS + "maxNumItems": "10000000000"}


def cpu():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def write(folder, keys, files):
    for i in range(files):
        numbers = np.arange(i * keys // files, (i + 1) * keys // files)
        pq.write_table(pa.table({"k": pa.array(np.char.add("user-", numbers.astype("U12")))}), folder / f"{i:03}.parquet")


def absent_share(f, n=1_000_000):
    """Measured: keys that are not in the filter, and are called possibly present."""
    return float(f.may_contain(pa.array(np.char.add("absent-", np.arange(n).astype("U12")))).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=10_000_000)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path)
    args = parser.parse_args()
    held = tempfile.TemporaryDirectory(dir=args.work)
    folder = pathlib.Path(held.name) / "keys"
    folder.mkdir()
    write(folder, args.keys, args.files)
    builder = SparkSession.builder.master("local[2]").config("spark.local.dir", held.name)
    for name, value in {"ui.enabled": "false", "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1",
                        "driver.memory": "4g", "log.level": "ERROR"}.items():
        builder = builder.config("spark." + name, value)
    spark = builder.getOrCreate()
    frame = spark.read.parquet(str(folder))

    def own(limits):
        for name, value in limits.items():
            spark.conf.set(name, value)
        return frame._jdf.stat().bloomFilter("k", args.keys, RATE)

    def single(**options):
        f = bloomery.Filter(args.keys, RATE, **options)
        for path in sorted(folder.iterdir()):
            for batch in pq.ParquetFile(path).iter_batches(1 << 16, columns=["k"]):
                f.update(batch.column(0))
        return f

    def crossing():
        """The same way through Spark's rows, and nothing inserted."""
        return frame.mapInArrow(count_only, "n long").collect()

    builds = {
        "bloomery, from files": lambda: bs.build_filter(folder, "k", args.keys, RATE),
        "bloomery, from the DataFrame": lambda: bs.build_filter(frame, "k", args.keys, RATE),
        "  of it rows to Arrow to Python": crossing,
        "bloomery, hashed by Spark": lambda: bs.build_filter(frame, "k", args.keys, RATE, **bs.SPARK_HASH),
        "Spark's own, as by default": lambda: own(DEFAULTS),
        "Spark's own, limits raised": lambda: own(RAISED),
        "bloomery, one process, no Spark": single,
    }
    seconds = {name: [] for name in builds}
    results = {}
    for round_ in range(args.rounds + 1):
        for name, build in builds.items():
            begin = time.perf_counter()
            results[name] = build()
            if round_ > 0:
                seconds[name].append(time.perf_counter() - begin)

    print(f"{args.keys:,} strings in {args.files} Parquet files, {RATE:.0%}; local[2], {cpu()}; PySpark {pyspark.__version__}, "
          f"Python {platform.python_version()}; best and worst of {args.rounds} rounds")
    print(f"{'':34}{'seconds':>15}{'bits':>15}{'rate by its bits':>18}{'measured':>10}")
    for name in builds:
        times = f"{min(seconds[name]):.2f} - {max(seconds[name]):.2f}"
        if name.startswith("  "):
            print(f"{name:34}{times:>15}")
            continue
        f = bs.from_spark(results[name]) if name.startswith("Spark") else results[name]
        print(f"{name:34}{times:>15}{f.bits:>15,}{f.realised_fpr():>18.5f}{absent_share(f):>10.5f}")
    ours = ["bloomery, from files", "bloomery, from the DataFrame", "bloomery, hashed by Spark"]
    own_ones = [name for name in builds if name.startswith("Spark")]
    for name in ours:
        ratios = [f"{min(seconds[own_]) / min(seconds[name]):.2f} times the speed of {own_}" for own_ in own_ones]
        print(f"{name}: {'; '.join(ratios)}")
    usual, hashed = results["bloomery, one process, no Spark"], single(**bs.SPARK_HASH)
    for name in ours:
        same = results[name].to_bytes() == (hashed if name.endswith("by Spark") else usual).to_bytes()
        print(f"{name}: {'the bytes of' if same else 'NOT the bytes of'} one process")
    join(spark, frame, args.rounds)
    spark.stop()
    held.cleanup()


def join(spark, frame, rounds):
    """All keys joined with one in a hundred, as usual and pruned by a filter of these; no side is broadcast."""
    from pyspark.sql import functions as F

    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    spark.conf.set("spark.sql.optimizer.runtime.bloomFilter.enabled", "false")
    some = frame.filter(F.crc32(F.encode("k", "utf-8")) % 100 == 0).withColumn("side", F.lit(1)).persist()
    keys = some.count()
    f = bs.build_filter(some, "k", keys, RATE)
    rows = frame.withColumn("text", F.concat(F.lit("a row with "), F.col("k"), F.lit(" and more of its text")))
    pruned = bs.filter_semi(rows, "k", f)
    ways = {"as usual": rows, "pruned": pruned}
    seconds = {name: [] for name in ways}
    for round_ in range(rounds + 1):
        for name, left in ways.items():
            begin = time.perf_counter()
            joined = left.join(some, "k").select(F.sum(F.length("text")), F.count("*")).first()
            if round_ > 0:
                seconds[name].append(time.perf_counter() - begin)
            print(f"join, {name}: {joined[1]:,} rows joined, round {round_}", file=sys.stderr)
    for name, left in ways.items():
        print(f"join with {keys:,} keys, {name}: {left.count():,} rows go in, {min(seconds[name]):.2f} - {max(seconds[name]):.2f} s")


def count_only(batches):
    yield pa.record_batch({"n": [sum(b.num_rows for b in batches)]})


if __name__ == "__main__":
    main()
