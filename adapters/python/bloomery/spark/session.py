"""The session of a call that was given none."""

from __future__ import annotations

from typing import Any


def session_of(spark: Any) -> Any:
    if spark is not None:
        return spark
    from pyspark.sql import SparkSession  # type: ignore[import-not-found,import-untyped,unused-ignore]

    active = SparkSession.getActiveSession()
    if active is None:
        raise RuntimeError("no session of Spark is active: start one, or pass spark=")
    return active
