"""The code of docs/spark.md runs as it stands, in one session."""

import pathlib
import re

import pytest

TEXT = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "spark.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)


def test_there_is_code():
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_block(spark, block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "docs/spark.md", "exec"), {"__name__": "docs"})
