"""The examples in the docstrings of bloomery.spark run."""

import doctest
import inspect

import pytest

import bloomery
import bloomery.spark

EXAMPLES = {name: inspect.getdoc(getattr(bloomery.spark, name)) for name in bloomery.spark.__all__
            if callable(getattr(bloomery.spark, name))}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(spark, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"bloomery": bloomery, "bs": bloomery.spark, "spark": spark}
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], names, name, None, 0)
    assert test.examples
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)
