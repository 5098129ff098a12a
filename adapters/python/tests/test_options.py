"""Options of kinds: the library's tables decide, with the sentences of the tool."""

import pathlib
import subprocess
import sys

import pytest

import bloomery
from conftest import CALLS, KINDS, ROWS, made

TABLE = {k["name"]: {o["name"]: o for o in k["options"]} for k in bloomery.kinds()}
NAMES = list(dict.fromkeys(name for options in TABLE.values() for name in options))
LACKED = [(kind, name) for kind in KINDS for name in NAMES if name not in TABLE[kind]]
TOOL_NAMES = {"cell_bits": "cells", "max_growth": "growth", "growth": "growth-factor"}


def some_row(name):
    return next(options[name] for options in TABLE.values() if name in options)


def a_value(row):
    """One that the option can have, and that is not its default."""
    if row["choices"]:
        return row["choices"][-1]
    return {"count": max(int(row["min"] or 0), 3), "real": 100.0, "flag": True}[row["type"]]


def wrong_values(row):
    return {"count": ["3", 1.5, True], "real": ["3", True], "flag": [1, "yes"], "name": [3, True]}[row["type"]]


def run_tool(*words, cwd):
    return subprocess.run([sys.executable, "-m", "bloomery", *words], capture_output=True, text=True, check=False, cwd=cwd)


def test_there_are_some():
    assert len(NAMES) >= 10 and {"profile", "arity", "cell_bits", "identity"} <= set(NAMES)
    for kind in KINDS:
        for row in TABLE[kind].values():
            assert set(row) == {"name", "type", "help", "choices", "min", "max", "default", "default_help"}
            assert row["type"] in ("count", "real", "flag", "name") and row["help"]


@pytest.mark.parametrize("kind, name", [(kind, name) for kind in KINDS for name in TABLE[kind]])
def test_an_option_of_the_kind_is_taken(kind, name):
    row = TABLE[kind][name]
    made(kind, **{name: None})
    for choice in row["choices"] or [a_value(row)]:
        f = made(kind, **{name: choice})
        if name in {field["name"] for field in ROWS[kind]["fields"]} and row["choices"]:
            assert f.info()[name] == choice
    if row["type"] in ("count", "real"):
        made(kind, **{name: 0})  # the default
    for value in wrong_values(row):
        with pytest.raises(TypeError, match=name):
            made(kind, **{name: value})
    if row["type"] in ("count", "real"):
        with pytest.raises(ValueError):
            made(kind, **{name: -1})


@pytest.mark.parametrize("kind, name", [(kind, name) for kind in KINDS for name in TABLE[kind]])
def test_values_that_it_cannot_have(kind, name):
    row = TABLE[kind][name]
    if row["type"] == "name":
        with pytest.raises(ValueError, match=f"the option {name} takes"):
            made(kind, **{name: "sideways"})
    elif row["choices"] or (row["max"] or 2.0**64) < 2**32:
        with pytest.raises(ValueError, match=f"the option {name} takes"):
            made(kind, **{name: 1_000_000})
        with pytest.raises(ValueError, match=f"{name}: below"):
            made(kind, **{name: 1 << 40})


@pytest.mark.parametrize("kind, name", LACKED)
def test_an_option_that_the_kind_lacks(kind, name):
    having = [k for k in KINDS if name in TABLE[k]]
    with pytest.raises(bloomery.UnsupportedError) as e:
        made(kind, **{name: a_value(some_row(name))})
    assert str(e.value).startswith("only the kind") and f"the option {name}" in str(e.value)
    assert all(k in str(e.value) for k in having)
    made(kind, **{name: None})


@pytest.mark.parametrize("name", NAMES)
def test_the_tool_says_the_same(name, tmp_path):
    (tmp_path / "keys").write_text("alice\nbob\n")
    kind = next(k for k, other in LACKED if other == name)
    value = a_value(some_row(name))
    with pytest.raises(bloomery.UnsupportedError) as e:
        made(kind, **{name: value})
    option = "--" + TOOL_NAMES.get(name, name).replace("_", "-")
    words = [option] if value is True else [option, f"{value:g}" if isinstance(value, float) else str(value)]
    said = run_tool("build", "keys", "--kind", kind, *words, "-o", "f.bloom", cwd=tmp_path)
    assert said.returncode == 2
    sentence = str(e.value).partition(" (")[0]  # then code and number, as in every error
    assert said.stderr.endswith(f": {sentence}\n")


def test_neutral_values_are_taken_by_every_kind(kind):
    made(kind, identity=0, foldable=False)


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(TypeError, match="no option 'fprr'") as e:
        bloomery.Filter(10, fprr=0.1)
    words = str(e.value).replace(",", " ").split()
    common = ["capacity", "fpr", "bits_per_key", "memory", "units", "hashes", "force", "kind", "hash", "seed", "secret", "source"]
    assert set(words) >= {*NAMES, *common}


def test_sizes_take_the_same_options(kind):
    for name, row in TABLE[kind].items():
        s = bloomery.size(10_000, **{"kind": kind, name: a_value(row)})
        assert s["kind"] == kind and s["size_in_bytes"] > 0
    assert CALLS[kind]


def test_stubs_and_documents_have_the_tables():
    tool = pathlib.Path(__file__).resolve().parents[1] / "tools" / "make_stubs.py"
    said = subprocess.run([sys.executable, "-B", str(tool), "--check"], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.parametrize("option", ["capacity", "memory", "units", "seed"])
def test_numbers_that_are_too_large(option):
    with pytest.raises(bloomery.InvalidArgumentError, match=rf"{option}: below 2\*\*64"):
        bloomery.Filter(**{"capacity": 10, option: 2**64})
    with pytest.raises(bloomery.InvalidArgumentError, match=r"hashes: below 2\*\*32"):
        bloomery.Filter(units=8, hashes=2**32)


@pytest.mark.parametrize("make", [lambda x: bloomery.Filter.build(["a"], memory_limit=x), lambda x: bloomery.Builder(x)])
def test_memory_limits_that_are_none(make):
    for wrong in (-1, 2**64, 10):
        with pytest.raises(bloomery.InvalidArgumentError):
            make(wrong)
    for wrong in ("1 GiB", 1.5, True):
        with pytest.raises(TypeError, match="memory_limit: an int"):
            make(wrong)
