"""One budget for several filters: the levels of a storage engine."""

import pytest

import bloomery

LEVELS = [1_000, 10_000, 100_000, 1_000_000]


@pytest.mark.parametrize("kind", ["block", "ribbon", "fuse"])
def test_it_wastes_half_the_reads_of_equal_bits(kind):
    plan = bloomery.budget(LEVELS, 10, kind=kind)
    used = sum(n * b for n, b in zip(LEVELS, plan["bits_per_key"]))
    assert used == pytest.approx(plan["bits"])
    assert used <= 10 * sum(LEVELS) * (1 + 1e-9)
    equal = sum(bloomery.budget([n], 10, kind=kind)["wasted_reads"] for n in LEVELS)
    assert plan["wasted_reads"] < 0.5 * equal


def test_lookups_and_kinds_of_each():
    plan = bloomery.budget([1000, 1000], 12, lookups=[0, 3], kind=["ribbon", "block"])
    assert plan["bits_per_key"][0] == 0
    assert plan["bits_per_key"][1] > 20
    assert bloomery.budget([])["wasted_reads"] == 0


@pytest.mark.parametrize("wrong", [{"lookups": [1]}, {"kind": "nothing"}, {"bits_per_key": -1},
                                   {"lookups": [1, -1]}, {"kind": ["block"]}])
def test_what_is_no_budget(wrong):
    with pytest.raises(bloomery.InvalidArgumentError):
        bloomery.budget([1, 2], **wrong)
