"""Filters of kinds that are only read, filled by the tests: bit by bit, as the pages describe the arrays."""

from functools import partial

from bloomery_reference.bloom import positions as classic_positions
from bloomery_reference.counting import CountingFilter
from bloomery_reference.cuckoo import SLOTS, CuckooFilter, places
from bloomery_reference.fuse import FuseFilter
from bloomery_reference.hash import splitmix64
from bloomery_reference.quotient import SLOTS as SLOTS_OF_BLOCK
from bloomery_reference.quotient import QuotientFilter, fingerprint
from bloomery_reference.ribbon import RibbonFilter
from bloomery_reference.scalable import ScalableBloom
from bloomery_reference.stable import StableBloom, decreased_cells
from bloomery_reference.window import WindowBloom
from bloomery_reference.words import set_bit
from bloomery_reference.xor import XorFilter

from .solving import build_ribbon, build_slots


def put_tag(filter, h):
    """Into the first empty slot of the two buckets; there must be one, because nothing is moved."""
    tag, *buckets = places(h, filter.buckets, filter.tag_bits)
    bucket, slot = next((bucket, slot) for bucket in buckets for slot in range(SLOTS) if filter.slots(bucket)[slot] == 0)
    first = filter.tag_bits * (SLOTS * bucket + slot)
    for bit in range(filter.tag_bits):
        if tag >> bit & 1:
            set_bit(filter.array, first + bit)


def set_cell(filter, i, value):
    number = int.from_bytes(filter.array, "little") & ~((2**filter.width - 1) << (filter.width * i))
    filter.array[:] = (number | value << (filter.width * i)).to_bytes(len(filter.array), "little")


def count_up(filter, h):
    for i in filter.positions(h):
        set_cell(filter, i, min(filter.cell(i) + 1, filter.sticky()))


def one_by_one(put, filter, hashes):
    for h in hashes:
        put(filter, h)


def into_levels(filter, hashes):
    """Each level in its turn, so that all have some."""
    for number, h in enumerate(hashes):
        for position in filter.parts[number % len(filter.parts)].positions(splitmix64(h)):
            set_bit(filter.array, position)


def remember(filter, h):
    """Section 13.1."""
    start, steps = decreased_cells(filter.cells, filter.decrement, filter.fraction, filter.seed, filter.inserts)
    for step in range(steps):
        i = (start + step) % filter.cells
        set_cell(filter, i, max(0, filter.cell(i) - 1))
    for i in classic_positions(h, filter.cells, filter.k):
        set_cell(filter, i, filter.most)
    filter.inserts += 1


def rotate(filter):
    filter.current = (filter.current + 1) % len(filter.parts)
    part = filter.parts[filter.current]
    filter.array[part.begin:part.end] = bytes(part.end - part.begin)
    filter.count_of_current = 0


def into_window(filter, h):
    """Section 14."""
    if filter.generation_keys and filter.count_of_current >= filter.generation_keys:
        rotate(filter)
    for position in filter.parts[filter.current].positions(h):
        set_bit(filter.array, position)
    filter.count_of_current += 1


def group_of(x, copies, r):
    """Section 15.4: the values of a remainder with so many copies."""
    if copies < 3:
        return [x] * copies
    values, rest, base = [x] * 3, copies - 3, 2**(r - 1)
    while rest >= base:
        values.append(base + rest % base)
        rest //= base
    return [*values, rest]


def assemble(filter, multiset):
    """Sections 15.1 to 15.4: the bytes of {fingerprint: copies}; False if there is no room."""
    words = [[0] * (filter.r + 2) for _ in range(filter.blocks)]
    runs = {}
    for f, copies in sorted(multiset.items()):
        runs.setdefault(f >> filter.r, []).extend(group_of(f % 2**filter.r, copies, filter.r))
    first, ends = 0, {}
    for quotient, values in runs.items():
        first = max(first, quotient)
        if first + len(values) > SLOTS_OF_BLOCK * filter.blocks:
            return False
        words[quotient // SLOTS_OF_BLOCK][0] |= 1 << (quotient % SLOTS_OF_BLOCK)
        for slot, value in enumerate(values, first):
            for j in range(filter.r):
                words[slot // SLOTS_OF_BLOCK][2 + j] |= (value >> j & 1) << (slot % SLOTS_OF_BLOCK)
        first += len(values)
        words[(first - 1) // SLOTS_OF_BLOCK][1] |= 1 << ((first - 1) % SLOTS_OF_BLOCK)
        ends[quotient] = first - 1
    offsets = bytearray(-(-filter.blocks // 8) * 8)
    for block in range(filter.blocks):
        used = max((end for quotient, end in ends.items() if quotient < SLOTS_OF_BLOCK * block), default=-1)
        offsets[block] = min(255, max(0, used + 1 - SLOTS_OF_BLOCK * block))
    filter.array[:] = b"".join(word.to_bytes(8, "little") for block in words for word in block) + offsets
    return True


def build_quotient(filter, hashes):
    multiset = {}
    for h in hashes:
        f = fingerprint(h, filter.quotients, filter.r)
        multiset[f] = multiset.get(f, 0) + 1
    assert assemble(filter, multiset), "there is no room"


# For every read-only type: filler(filter, hashes) of an empty one.
FILLERS = {CuckooFilter: partial(one_by_one, put_tag), CountingFilter: partial(one_by_one, count_up), RibbonFilter: build_ribbon,
           FuseFilter: build_slots, XorFilter: build_slots, ScalableBloom: into_levels, StableBloom: partial(one_by_one, remember),
           WindowBloom: partial(one_by_one, into_window), QuotientFilter: build_quotient}
