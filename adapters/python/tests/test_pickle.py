"""pickle and copy; and pickles that nobody should have written."""

import copy
import pickle
import pickletools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bloomery
from conftest import filled

NAMES = [f"name-{i}" for i in range(300)]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_every_kind(kind, protocol):
    f = filled(kind, NAMES)
    g = pickle.loads(pickle.dumps(f, protocol))
    assert g == f and g.may_contain(NAMES).all() and g.capacity == f.capacity
    assert copy.copy(f) == copy.deepcopy(f) == f
    assert copy.deepcopy([f, f])[0] == f


def test_subclasses_stay_what_they_are():
    f = Mine(10)
    f.add("x")
    assert type(pickle.loads(pickle.dumps(f))) is Mine


class Mine(bloomery.Filter):
    pass


def test_the_class_is_named_as_users_know_it():
    assert b"bloomery._core" not in pickle.dumps(bloomery.Filter(10))
    assert "c" in pickletools.__doc__ and bloomery.Filter.__module__ == "bloomery"


def test_receipts():
    r = bloomery.Filter(10, kind="cuckoo").add_with_receipt("x")
    assert pickle.loads(pickle.dumps(r)) == r and hash(r) == hash(bloomery.Receipt(bytes(r)))


def test_a_secret_is_not_pickled():
    f = bloomery.Filter(10, secret=bloomery.random_secret())
    with pytest.raises(bloomery.UnsupportedError, match="secret"):
        pickle.dumps(f)
    assert copy.deepcopy(f) == f


def test_state_is_set_once():
    f = bloomery.Filter(10)
    f.add("x")
    state = bloomery.Filter(20).__getstate__()
    with pytest.raises((TypeError, RuntimeError)):
        f.__setstate__(state)
    assert "x" in f and f.capacity == 10


@pytest.mark.parametrize("state", [None, 5, "text", [], {}, b"", b"x" * 1000])
def test_foreign_states(state):
    for cls in (bloomery.Filter, bloomery.ForeignFilter, bloomery.Receipt):
        empty = cls.__new__(cls)
        with pytest.raises((TypeError, ValueError)):
            empty.__setstate__(state)


@given(st.data())
def test_changed_pickles(data):
    f = bloomery.Filter(100)
    f.update(NAMES[:50])
    raw = bytearray(pickle.dumps(f))
    for _ in range(data.draw(st.integers(1, 5))):
        # The bytes of the filter, not the program around it: that may name any function.
        raw[data.draw(st.integers(80, len(raw) - 10))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        g = pickle.loads(bytes(raw))
    except (bloomery.Error, pickle.UnpicklingError, EOFError):
        return
    assert g.may_contain(NAMES[:50]).all()


@given(st.binary(max_size=300))
def test_any_bytes_are_no_filter(data):
    with pytest.raises(bloomery.Error):
        bloomery.Filter.from_bytes(data)


@given(kind=st.sampled_from([k["name"] for k in bloomery.kinds()]), data=st.data())
def test_headers_that_lie(kind, data):
    raw = bytearray(bytes(filled(kind, NAMES[:100])))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        f = bloomery.Filter.from_bytes(raw)
    except bloomery.Error:
        return
    assert f.may_contain(NAMES[:100]).all()
    f.realised_fpr(), repr(f), f.fill()
