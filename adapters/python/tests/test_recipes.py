"""The recipes of docs/python.md run as they stand, each in its own folder."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
README = re.findall(r"^```python\n(.*?)^```", (ROOT / "adapters" / "python" / "README.md").read_text(), re.M | re.S)


def test_there_are_ten_and_the_first_example():
    assert len(BLOCKS) == 16 and README  # and progress, rbloom's two others, options and fields


@pytest.mark.parametrize("block", [*BLOCKS, *README], ids=lambda b: b.strip().splitlines()[-1][:40])
def test_recipe(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "recipe", "exec"), {"__name__": "recipe"})
