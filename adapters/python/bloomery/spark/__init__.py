"""Filters in Apache Spark: built where the keys are, and asked there.

    from bloomery import spark as bs

    f = bs.build_filter(orders, "customer", capacity=10_000_000, fpr=0.01)
    pruned = bs.filter_semi(events, "customer", f)          # before a join with orders
    fresh = bs.filter_left_anti(events, "customer", f)      # fresh.expected_lost rows are missing

The package has to be installed where the executors run, as pyarrow does; docs/spark.md has
the rest.  Nothing of Spark is imported before a call needs it.
"""

from .build import build_filter
from .joins import AntiJoin, filter_left_anti, filter_semi
from .keys import SPARK_HASH
from .lookup import may_contain
from .own import from_spark, to_spark
from .shards import ShardedFilter

__all__ = [
    "SPARK_HASH",
    "AntiJoin",
    "ShardedFilter",
    "build_filter",
    "filter_left_anti",
    "filter_semi",
    "from_spark",
    "may_contain",
    "to_spark",
]
