"""The table of kinds: spec/container.md, section 3, and spec/kinds.json, against which it is tested.

Whatever depends on a kind (header, reader, writer, scripts, vectors, laws) takes it from here.
"""

from . import (block, bloom, chain, counting, cuckoo, fuse, partitioned, portable, portable_sizing, quotient, ribbon,
               scalable, slots, split_block, stable, window, xor)
from .dialects.foreign_filter import ForeignWithOptions
from .errors import unsupported
from .hash import FNV1A_SPLITMIX, SIPHASH13, XXH3, XXH64
from .kind import (BITS, BLOCKS, DIALECT, ENTRIES, ENTRY_UNITS, FILE, MEMBER_UNITS, MEMBERS, NO_UNITS, NONE, ONES, PERHAPS,
                   PROFILE, Kind, blocks_up_to, up_to)
from .model.realised import BLOCK_RATES, CLASSIC_RATES, PORTABLE_RATES
from .packed_set import PackedSet
from .packed_static_set import PackedStaticSet
from .words import U32

ANY_HASH = (XXH3, FNV1A_SPLITMIX, XXH64, SIPHASH13)

PORTABLE = Kind(
    1, "portable", portable.PortableBloom, hashes=(FNV1A_SPLITMIX,), seed=False, k=(1, U32),
    units=up_to("bits", portable_sizing.MAX_BITS), payload=BITS, damage=ONES, sentinels=True, keys=True,
    rates=PORTABLE_RATES)

BLOCK = Kind(
    2, "block", block.BlockBloom, hashes=ANY_HASH, seed=True, profiles=block.PROFILES, k=PROFILE,
    units=blocks_up_to(block.MAX_BYTES), payload=BLOCKS, damage=ONES, sentinels=True, keys=True, rates=BLOCK_RATES)

SPLIT_BLOCK = Kind(
    3, "split-block", split_block.SplitBlockBloom, hashes=(XXH64,), seed=False, profiles=(split_block.PROFILE,), k=PROFILE,
    units=up_to("blocks", split_block.MAX_BLOCKS), payload=BLOCKS, damage=ONES, sentinels=True, keys=True,
    rates=BLOCK_RATES)

BLOOM = Kind(
    4, "bloom", bloom.ClassicBloom, hashes=ANY_HASH, seed=True, k=(1, bloom.MAX_HASHES),
    units=up_to("bits", bloom.MAX_BITS), payload=BITS, damage=ONES, sentinels=True, keys=True, rates=CLASSIC_RATES)

PARTITIONED = Kind(
    5, "partitioned", partitioned.PartitionedBloom, hashes=ANY_HASH, seed=True, k=(1, partitioned.MAX_HASHES),
    units=partitioned.SLICE_BITS, payload=partitioned.SLICES, damage=ONES, sentinels=True, keys=True,
    rates=partitioned.RATES)

CUCKOO = Kind(
    6, "cuckoo", cuckoo.CuckooFilter, hashes=ANY_HASH, seed=True, k=cuckoo.TAG_BITS, units=cuckoo.BUCKETS,
    payload=cuckoo.BYTES_OF_BUCKETS, parameters=(cuckoo.IDENTITY,), damage=PERHAPS, sentinels=False, keys=False,
    rates=cuckoo.RATES)

COUNTING = Kind(
    7, "counting", counting.CountingFilter, hashes=ANY_HASH, seed=True, profiles=counting.PROFILES,
    k=(1, counting.MAX_HASHES), units=counting.CELLS, payload=counting.BYTES_OF_CELLS, parameters=counting.PARAMETERS,
    damage=PERHAPS, sentinels=False, keys=False, rates=counting.RATES)

RIBBON = Kind(
    8, "ribbon", ribbon.RibbonFilter, hashes=ANY_HASH, seed=True, k=ribbon.COLUMNS, units=ribbon.BUCKETS,
    payload=ribbon.BYTES_OF_LAYERS, parameters=ribbon.PARAMETERS, order=ribbon.ORDER, damage=PERHAPS, sentinels=True,
    keys=True, rates=ribbon.RATES)

FUSE = Kind(
    9, "fuse", fuse.FuseFilter, hashes=ANY_HASH, seed=True, damage=PERHAPS, sentinels=True, keys=True, rates=slots.RATES,
    **slots.facts(fuse.LAYOUTS))

XOR = Kind(
    10, "xor", xor.XorFilter, hashes=ANY_HASH, seed=True, damage=PERHAPS, sentinels=True, keys=True, rates=slots.RATES,
    **slots.facts(xor.LAYOUTS))

SCALABLE = Kind(
    11, "scalable", scalable.ScalableBloom, hashes=ANY_HASH, seed=True, k=scalable.LEVELS, units=scalable.LINES,
    payload=scalable.BYTES_OF_LEVELS, parameters=scalable.PARAMETERS, order=scalable.ORDER, damage=ONES, sentinels=True,
    keys=True, rates=chain.RATES)

STABLE = Kind(
    12, "stable", stable.StableBloom, hashes=ANY_HASH, seed=True, k=(1, stable.MAX_HASHES), units=stable.CELLS,
    payload=stable.BYTES_OF_CELLS, parameters=stable.PARAMETERS, order=stable.ORDER, damage=PERHAPS, sentinels=False,
    keys=False, forgets=True, rates=stable.RATES)

WINDOW = Kind(
    13, "window", window.WindowBloom, hashes=ANY_HASH, seed=True, profiles=window.PROFILES, k=PROFILE, units=window.BLOCKS,
    payload=BLOCKS, parameters=window.PARAMETERS, order=window.ORDER, damage=ONES, sentinels=False, keys=False,
    forgets=True, rates=chain.RATES)

QUOTIENT = Kind(
    14, "quotient", quotient.QuotientFilter, hashes=ANY_HASH, seed=True, k=quotient.REMAINDER_BITS,
    units=quotient.QUOTIENTS, payload=quotient.BYTES_OF_BLOCKS, parameters=quotient.PARAMETERS, damage=PERHAPS,
    sentinels=False, keys=False, rates=quotient.RATES)

FOREIGN = Kind(
    128, "foreign", ForeignWithOptions, hashes=(XXH3,), seed=False, k=NONE,
    units=NO_UNITS, payload=FILE, damage=DIALECT, sentinels=True, keys=True)

PACKED = Kind(
    129, "packed", PackedSet, hashes=ANY_HASH, seed=True, profiles=block.PACKED_PROFILES + SPLIT_BLOCK.profiles, k=PROFILE,
    units=MEMBER_UNITS, payload=MEMBERS, damage=ONES, sentinels=True, keys=True, members=(BLOCK, SPLIT_BLOCK))

PACKED_STATIC = Kind(
    130, "packed-static", PackedStaticSet, hashes=ANY_HASH, seed=True, k=NONE, units=ENTRY_UNITS, payload=ENTRIES,
    damage=PERHAPS, sentinels=True, keys=True, members=(RIBBON, FUSE, XOR))

SETS = (PACKED, PACKED_STATIC)

KINDS = {kind.number: kind for kind in (PORTABLE, BLOCK, SPLIT_BLOCK, BLOOM, PARTITIONED, CUCKOO, COUNTING, RIBBON,
                                         FUSE, XOR, SCALABLE, STABLE, WINDOW, QUOTIENT, FOREIGN, *SETS)}


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
