"""Fields of kinds: info(), attributes, and the tool's info --json say the same."""

import json
import subprocess
import sys

import pytest

import bloomery
from conftest import KINDS, ROWS, filled

KEYS = [f"name-{i}" for i in range(500)]
FIELDS = {kind: {f["name"]: f for f in ROWS[kind]["fields"]} for kind in KINDS}
# Calls that Filter has under a name of a field, for what is the same or something else.
OWN = {"hash", "seed", "capacity", "fill", "realised_fpr", "fingerprints", "load"}


def tool_info(path):
    said = subprocess.run([sys.executable, "-m", "bloomery", "info", "--json", str(path)],
                          capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


@pytest.mark.parametrize("source", ["bytes", "integers"])
def test_the_tool_says_the_same(kind, source, tmp_path):
    f = filled(kind, KEYS if source == "bytes" else list(range(500)), source=source)
    f.save(tmp_path / "f.bloom")
    theirs = tool_info(tmp_path / "f.bloom")
    mapped = bloomery.MappedFilter(tmp_path / "f.bloom")
    for ours in (f.info(), mapped.info(), bloomery.Filter.load(tmp_path / "f.bloom").info()):
        assert list(ours) == ["kind", *FIELDS[kind]]
        assert ours == {name: theirs[name] for name in ours}


def test_tables_are_lists_of_their_columns(kind):
    info = filled(kind, KEYS).info()
    for name, field in FIELDS[kind].items():
        if field["columns"]:
            assert info[name] and all(list(row) == [c["name"] for c in field["columns"]] for row in info[name])
        else:
            assert info[name] is None or isinstance(info[name], (int, float, str))


def test_every_field_is_an_attribute(kind, tmp_path):
    f = filled(kind, KEYS)
    f.save(tmp_path / "f.bloom")
    m = bloomery.MappedFilter(tmp_path / "f.bloom")
    info = f.info()
    for name, field in FIELDS[kind].items():
        if field["columns"] or name in OWN:
            continue
        for any_filter in (f, m):
            value = getattr(any_filter, name)
            assert (value if field["group"] == "layout" else value()) == info[name], name


def test_own_calls_agree(kind):
    f = filled(kind, KEYS)
    info = f.info()
    assert (f.fill(), f.realised_fpr()) == (info["fill"], info["realised_fpr"])
    assert (f.hash, f.seed, f.capacity) == (info["hash"], info["seed"], info["capacity"] or 0)
    assert f.estimated_keys() == info["keys_estimate"]
    assert f.size_in_bytes == info["bytes"] == f.bytes
    if "fingerprints" in info:
        assert len(f.fingerprints()) == info["fingerprints"]


def test_the_layout_of_a_mapped_filter_checks_nothing(kind, tmp_path):
    filled(kind, KEYS).save(tmp_path / "f.bloom")
    m = bloomery.MappedFilter(tmp_path / "f.bloom")
    verified = m.is_verified
    for name, field in FIELDS[kind].items():
        if field["group"] == "layout" and not field["columns"]:
            getattr(m, name)
    assert m.is_verified == verified
    m.info()
    assert m.is_verified


def test_what_a_kind_lacks(kind):
    f = filled(kind, KEYS)
    lacked = 0
    for other in KINDS:
        for name, field in FIELDS[other].items():
            if name in FIELDS[kind] or name in OWN or field["columns"]:
                continue
            lacked += 1
            if field["group"] == "layout":
                assert not hasattr(f, name)
                with pytest.raises(AttributeError, match=f"{kind} has no {name}.*{other}"):
                    getattr(f, name)
            else:
                with pytest.raises(bloomery.UnsupportedError, match=f"{kind} has no {name}.*{other}"):
                    getattr(f, name)()
    assert lacked > 10


def test_an_unknown_value_is_none():
    f = bloomery.Filter(units=4, profile="line")
    assert f.info()["capacity"] is None and f.info()["design_fpr"] is None and f.design_fpr() is None
    full = bloomery.Filter(kind="bloom", units=8, hashes=1)
    full.update(str(i) for i in range(1000))
    assert full.keys_estimate() is None and full.ones() == 8 == full.bits


def test_the_table_of_fields(kind):
    for field in ROWS[kind]["fields"]:
        assert set(field) == {"name", "unit", "help", "group", "columns"} and field["help"]
        assert field["group"] in ("layout", "counts", "rates")
    assert {"bits", "bytes", "ones", "fill", "realised_fpr"} <= set(FIELDS[kind])
