"""The toy kind in the package for Python: its keyword, its attribute, its refusals.  try.py runs it."""

import os

import pytest

import bloomery

ROW = next(kind for kind in bloomery.kinds() if kind["name"] == "toy")


def test_it_is_listed_with_its_option_and_its_field():
    assert [option["name"] for option in ROW["options"]] == ["stride"]
    assert "stride" in [field["name"] for field in ROW["fields"]]


def test_its_keyword_and_its_attribute():
    f = bloomery.Filter.build(["alice", "bob"], kind="toy", stride=5)
    assert "alice" in f and "bob" in f and f.kind == "toy"
    assert f.stride == 5 and f.info()["stride"] == 5
    assert bloomery.Filter.build(["alice"], kind="toy").stride == 1


def test_refusals():
    with pytest.raises(ValueError, match="the option stride takes a whole number from 1 to 16"):
        bloomery.Filter.build(["alice"], kind="toy", stride=17)
    with pytest.raises(Exception, match="only the kind toy has the option stride"):
        bloomery.Filter.build(["alice"], kind="bloom", stride=5)
    assert not hasattr(bloomery.Filter.build(["alice"], kind="bloom"), "stride")


def test_the_file_of_the_tool():
    f = bloomery.Filter.load(os.environ["TOY_FILE"])
    assert f.stride == 3 and all(f"key{i}" in f for i in range(1, 1001))
