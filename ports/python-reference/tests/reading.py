"""Filters of kinds that are only read, filled by the tests: bit by bit, as the pages describe the arrays."""

from functools import partial

from bloomery_reference.counting import CountingFilter
from bloomery_reference.cuckoo import SLOTS, CuckooFilter, places
from bloomery_reference.fuse import FuseFilter
from bloomery_reference.ribbon import RibbonFilter
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


# Of every type that is only read: filler(filter, hashes) of an empty one.
FILLERS = {CuckooFilter: partial(one_by_one, put_tag), CountingFilter: partial(one_by_one, count_up), RibbonFilter: build_ribbon,
           FuseFilter: build_slots, XorFilter: build_slots}
