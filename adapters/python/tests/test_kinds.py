"""Every kind: keys are found, rates are sane, calls that it lacks are refused by name."""

import json
import pathlib
import pickle

import pytest

import bloomery
from conftest import CALLS, FORGETTING, KINDS, filled

NAMES = [f"name-{i}" for i in range(500)]
OTHERS = [f"other-{i}" for i in range(2000)]
ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_kinds_are_those_of_the_specification():
    table = json.loads((ROOT / "spec" / "kinds.json").read_text())
    assert {k["name"] for k in table["kinds"]} >= set(KINDS)
    assert len(KINDS) >= 14


def test_every_key_is_found(kind):
    f = filled(kind, NAMES)
    assert all(name in f for name in NAMES)
    assert f.may_contain(NAMES).all()
    assert f.kind == kind


def test_few_others_are(kind):
    f = filled(kind, NAMES)
    assert f.may_contain(OTHERS).sum() < 100
    assert 0 < f.realised_fpr() < 0.05


def test_numbers(kind):
    f = filled(kind, NAMES)
    assert f.size_in_bytes > 0
    assert f.source == "bytes"
    assert 0 < f.expected_fpr(500) < 0.05
    assert 0 < f.fill() <= 1
    assert f.estimated_keys() == pytest.approx(500, rel=0.2)
    assert kind in repr(f) and "bytes" in repr(f)


def test_integers(kind):
    f = filled(kind, list(range(300)), source="integers")
    assert all(i in f for i in range(300))
    assert f.source == "integers"
    with pytest.raises(bloomery.SourceError):
        "1" in f


ONE_CALL = {
    "insert": lambda f: f.add("x"),
    "insert_if_absent": lambda f: f.add_if_absent("x"),
    "erase": lambda f: f.add_with_receipt("x"),
    "count": lambda f: f.count("x"),
    "merge": lambda f: f.merge(f.copy()),
    "fold": lambda f: f.fold(1),
    "intersect": lambda f: f.intersect(f.copy()),
    "iterate": lambda f: f.fingerprints(),
    "rotate": lambda f: f.rotate(),
    "grow": lambda f: f.grow(),
    "forgetting": lambda f: f.forgetting(10),
    "publish": lambda f: f.published(),
}


@pytest.mark.parametrize("call", ONE_CALL)
def test_what_a_kind_lacks_is_refused_by_name(kind, call):
    f = filled(kind, NAMES)
    has = call in CALLS[kind] or (call == "insert" and "try_insert" in CALLS[kind])
    assert f.supports(call) == (call in CALLS[kind])
    if has:
        ONE_CALL[call](f)
        return
    before = bytes(f)
    with pytest.raises(bloomery.UnsupportedError, match=kind) as e:
        ONE_CALL[call](f)
    assert e.value.code == "unsupported" and isinstance(e.value, NotImplementedError)
    assert bytes(f) == before


def test_bytes_and_back(kind, tmp_path):
    f = filled(kind, NAMES)
    g = bloomery.Filter.from_bytes(f.to_bytes())
    assert g == f and g.kind == kind and g.damaged_chunks == 0
    f.save(tmp_path / "f.bloom")
    assert bloomery.Filter.load(tmp_path / "f.bloom") == f
    m = bloomery.MappedFilter(str(tmp_path / "f.bloom"))
    assert m.may_contain(NAMES).all() and m.kind == kind
    assert m.realised_fpr() == f.realised_fpr()
    assert m.verify() == 0 and m.is_verified and m.unchanged()


def test_copies(kind):
    f = filled(kind, NAMES)
    g = f.copy()
    assert g == f
    if "insert" in CALLS[kind]:
        g.update(OTHERS)
        assert g != f
    assert (f == "f") is False


def test_unions():
    for kind in KINDS:
        if "merge" not in CALLS[kind] or kind in FORGETTING or "build" in CALLS[kind]:
            continue
        a, b = bloomery.Filter(4000, kind=kind), bloomery.Filter(4000, kind=kind)
        a.update(NAMES)
        b.update(OTHERS)
        both = a | b
        assert both.may_contain(NAMES + OTHERS).all()
        a |= b
        assert a == both


def test_a_union_with_itself_is_one_with_a_copy(kind):
    f, g = filled(kind, NAMES), filled(kind, NAMES)
    copy = g.copy()
    if "merge" not in CALLS[kind]:
        with pytest.raises(bloomery.UnsupportedError, match="merge"):
            f.merge(f)
        assert f == g
        return
    try:
        g |= copy
    except bloomery.FullError:
        with pytest.raises(bloomery.FullError):
            f |= f
    else:
        f |= f
    assert f == g


def test_a_key_that_is_in_twice_is_erased_twice():
    f = bloomery.Filter(4000, kind="counting")
    f.update(NAMES)
    f |= f
    for name in NAMES:
        f.erase_present(name)
    assert all(name in f for name in NAMES)


def test_intersections():
    for kind in KINDS:
        if "intersect" not in CALLS[kind]:
            continue
        a, b = bloomery.Filter(4000, kind=kind), bloomery.Filter(4000, kind=kind)
        a.update(NAMES + OTHERS)
        b.update(NAMES)
        assert (a & b).may_contain(NAMES).all()
        a &= b
        assert a.may_contain(OTHERS).sum() < 100


def test_filters_that_do_not_fit_together():
    a = bloomery.Filter(1000)
    for b in (bloomery.Filter(1000, seed=1), bloomery.Filter(1000, kind="bloom"), bloomery.Filter(77777)):
        with pytest.raises(bloomery.IncompatibleError):
            a | b
    with pytest.raises(TypeError):
        a | {"x"}


def test_sizes_differ_and_are_folded():
    a, b = bloomery.Filter(1000, foldable=True), bloomery.Filter(3000, foldable=True)
    a.update(NAMES)
    b.update(OTHERS)
    a.merge(b, fold=True)
    assert a.may_contain(NAMES + OTHERS).all()


def test_receipts():
    for kind in KINDS:
        if "erase" not in CALLS[kind]:
            continue
        f = bloomery.Filter(1000, kind=kind)
        r = f.add_with_receipt("x")
        stored = bytes(r)
        assert len(stored) == 24 and r and bloomery.Receipt(stored) == r
        f.erase(r)
        assert "x" not in f and not r
        with pytest.raises(bloomery.NotPresentError, match="this receipt has been used"):
            f.erase(r)
        with pytest.raises(bloomery.NotPresentError) as e:
            f.erase(bloomery.Receipt(stored))
        assert isinstance(e.value, KeyError) and "not" in str(e.value)
        with pytest.raises(bloomery.IncompatibleError):
            f.erase(bloomery.Receipt(b"0" * 24))
        with pytest.raises(ValueError):
            bloomery.Receipt(b"short")
        # Numbered: the filter, its copies, bytes and pickles know that it was used.
        numbered = [f.add_with_receipt("n", numbered=True) for _ in range(3)]
        stored = [bytes(n) for n in numbered]
        f.erase(numbered[0])
        for g in (f, f.copy(), bloomery.Filter.from_bytes(f.to_bytes()), pickle.loads(pickle.dumps(f))):
            with pytest.raises(bloomery.NotPresentError, match="used"):
                g.erase(bloomery.Receipt(stored[0]))
            g.erase(bloomery.Receipt(stored[1]))
            with pytest.raises(bloomery.NotPresentError, match="used"):
                g.erase(bloomery.Receipt(stored[1]))
            assert "n" in g
        # Another filter of the same options refuses it.
        other = bloomery.Filter(1000, kind=kind)
        other.add("n")
        with pytest.raises(bloomery.IncompatibleError, match="issued no receipt"):
            other.erase(bloomery.Receipt(stored[2]))
        other.add_with_receipt("o")
        with pytest.raises(bloomery.IncompatibleError, match="another filter"):
            other.erase(bloomery.Receipt(stored[2]))
        f.erase(numbered[2])
        f.add("y")
        f.erase_present("y")
        assert "y" not in f
        f.update(NAMES)
        assert f.erase_present_all(NAMES).all()
        assert f.may_contain(NAMES).sum() < 20


def test_counts():
    for kind in KINDS:
        if "count" in CALLS[kind]:
            f = bloomery.Filter(1000, kind=kind)
            f.add("x")
            f.add("x")
            assert f.count("x") == 2 and f.count("y") == 0


def test_a_full_filter_says_how_many_keys_are_in():
    f = bloomery.Filter(100, kind="cuckoo")
    with pytest.raises(bloomery.FullError) as e:
        f.update([f"k{i}" for i in range(10_000)])
    done = e.value.keys_done
    assert 100 <= done < 10_000
    assert f.may_contain([f"k{i}" for i in range(done)]).all()


def test_filters_that_forget():
    f = bloomery.Filter(1000, kind="window", generations=2)
    f.update(NAMES)
    f.rotate()
    assert f.may_contain(NAMES).all()
    f.rotate()
    assert f.may_contain(NAMES).sum() < 50
    s = bloomery.Filter(1000, 0.01, kind="stable", memory=1 << 16)
    assert 0 <= s.forgetting(10) <= s.forgetting(100_000) <= 1
    with pytest.raises(bloomery.UnsupportedError, match="block"):
        bloomery.Filter(10).rotate()


def test_counting_filters_are_published():
    f = filled("counting", NAMES)
    p = f.published()
    assert p.kind in ("block", "bloom") and p.may_contain(NAMES).all()
    with pytest.raises(bloomery.UnsupportedError):
        bloomery.Filter(10).published()


def test_clear_and_empty_like(kind):
    f = filled(kind, NAMES)
    if "build" in CALLS[kind]:
        with pytest.raises(bloomery.UnsupportedError):
            f.clear()
        return
    e = f.empty_like()
    assert e.may_contain(NAMES).sum() == 0
    f.clear()
    assert f.may_contain(NAMES).sum() == 0
