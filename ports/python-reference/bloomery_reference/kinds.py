"""The table of kinds: what spec/kinds.json says (kinds_table.py, which is made from it), and what each kind's own module adds.

Whatever depends on a kind (header, reader, writer, scripts, vectors, laws) takes it from here.
"""

import importlib

from . import block, split_block
from .dialects.foreign_filter import ForeignWithOptions
from .errors import unsupported
from .kind import ENTRIES, ENTRY_UNITS, FILE, MEMBER_UNITS, MEMBERS, NO_UNITS, Kind
from .kinds_table import FACTS, FILTERS
from .model.realised import BLOCK_RATES, CLASSIC_RATES, PORTABLE_RATES
from .packed_set import PackedSet
from .packed_static_set import PackedStaticSet


# The rates of the first Bloom kinds: model.md is about them, and its modules import theirs.
RATES = {"portable": PORTABLE_RATES, "block": BLOCK_RATES, "split-block": BLOCK_RATES, "bloom": CLASSIC_RATES}


def row_of(name):
    """The kind of a module: its file is named after it."""
    module = importlib.import_module("." + name.replace("-", "_"), __package__)
    return Kind(name=name, **FACTS[name], **{"rates": RATES.get(name), **module.ROW})


ROWS = {name: row_of(name) for name in FILTERS}
PORTABLE, BLOCK, SPLIT_BLOCK = ROWS["portable"], ROWS["block"], ROWS["split-block"]

FOREIGN = Kind(name="foreign", filter=ForeignWithOptions, units=NO_UNITS, payload=FILE, **FACTS["foreign"])

PACKED = Kind(
    name="packed", filter=PackedSet, units=MEMBER_UNITS, payload=MEMBERS, members=(BLOCK, SPLIT_BLOCK),
    profiles=block.PACKED_PROFILES + (split_block.PROFILE,), **FACTS["packed"])

PACKED_STATIC = Kind(
    name="packed-static", filter=PackedStaticSet, units=ENTRY_UNITS, payload=ENTRIES,
    members=tuple(kind for kind in ROWS.values() if kind.built), **FACTS["packed-static"])

SETS = (PACKED, PACKED_STATIC)

KINDS = {kind.number: kind for kind in (*ROWS.values(), FOREIGN, *SETS)}


def kind_of(filter):
    return next(kind for kind in KINDS.values() if kind.filter is type(filter))


def kind_named(name):
    """None if there is none."""
    return next((kind for kind in KINDS.values() if kind.name == name), None)


def kinds_of_one_filter():
    return [kind for kind in KINDS.values() if kind.is_one_filter]


def lacking(filter, call):
    """The refusal of a call that the kind of this filter does not have."""
    having = ", ".join(kind.name for kind in KINDS.values() if call in kind.can)
    return unsupported(None, f"{kind_of(filter).name} filters have no {call}; kinds that have it: {having or 'none'}")
