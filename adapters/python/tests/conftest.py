"""What all tests share: every kind of filter, made the way its kind is made."""

from __future__ import annotations

import pytest
from hypothesis import settings

import bloomery

settings.register_profile("bloomery", deadline=None, max_examples=60)
settings.load_profile("bloomery")

KINDS = [k["name"] for k in bloomery.kinds()]
CALLS = {k["name"]: set(k["calls"]) for k in bloomery.kinds()}
ROWS = {k["name"]: k for k in bloomery.kinds()}
FORGETTING = {k["name"] for k in bloomery.kinds() if k["forgets"]}


def filled(kind, keys, **options):
    """A filter of the kind with these keys in it."""
    if "build" in CALLS[kind]:
        return bloomery.Filter.build(keys, kind=kind, **options)
    f = bloomery.Filter(max(1, 2 * len(keys)), kind=kind, **options)
    f.update(keys)
    return f


def made(kind, **options):
    """A filter of the kind for a thousand keys: with two of them, where it is only built."""
    if "build" in CALLS[kind]:
        return bloomery.Filter.build(["alice", "bob"], capacity=1000, kind=kind, **options)
    return bloomery.Filter(1000, kind=kind, **options)


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param
