"""spec/container.md, sections 1, 2, 5 and 6: the same filter with the same notes always gives the same bytes."""

from ..crc32c import crc32c
from ..errors import Refusal, corrupt, incompatible, invalid_argument
from ..hash import Hasher
from ..kinds import FOREIGN, PACKED, PACKED_STATIC, kind_of
from ..words import count_ones, put_little
from . import builder_notes, layout
from . import notes as note_records
from .header import pack
from .layout import CHUNK, Header


def write(filter, asked=0.0, capacity=0, keys=0, sentinels=(), notes=()):
    """A container of one filter. sentinels: the smallest hashes of all its keys (builder_notes.smallest)."""
    kind, payload = kind_of(filter), filter.payload()
    if filter.damage:
        raise corrupt(None, "a damaged filter is not written again under checksums that are right")
    builder_notes.check(kind, asked, keys, sentinels)
    builder_notes.check_found(filter, sentinels)
    check_records(notes, kind)
    header = Header(kind.number, ones=count_ones(payload), **filter.header_fields())
    return assemble(header, filter.hasher, payload, asked, capacity, keys, sentinels,
                    (*note_records.pack_source(filter.hasher.source), *receipts_of(filter), *notes))


def receipts_of(filter):
    """Section 7: who dropped the record would let used receipts delete other keys."""
    return () if filter.receipts is None else ((note_records.RECEIPTS_TAG, bytes(filter.receipts)),)


def check_records(notes, kind):
    """Notes of the caller's own are those that a reader takes; what keys are is said by the filter alone."""
    data = note_records.pack(notes)
    try:
        records = note_records.unpack(data, 0, len(data), kind)
    except Refusal as refusal:
        raise invalid_argument(refusal.what) from None
    if note_records.SOURCE_TAG in records:
        raise invalid_argument("the source of the keys is that of the filter's hasher")
    if note_records.RECEIPTS_TAG in records:
        raise invalid_argument("the receipts that were used are those of the filter")


def write_foreign(image, dialect, options, capacity=0, keys=0, sentinels=()):
    """Section 5: the image byte for byte; the hash fields are those of XXH3 with seed 0.

    Sentinels are hashes under that, and not under the dialect's own: there is nothing to look them up in.
    """
    builder_notes.check(FOREIGN, 0.0, keys, sentinels)
    header = Header(FOREIGN.number, ones=count_ones(image))
    note = (note_records.DIALECT_TAG, note_records.pack_dialect(dialect, options))
    return assemble(header, Hasher(), bytes(image), 0.0, capacity, keys, sentinels, (note,))


def write_packed(members, capacity=0, keys=0):
    """Section 6: the blocks of all members, then the directory. A member is a filter, or None for no blocks."""
    filters = [member for member in members if member is not None]
    if not filters:
        raise invalid_argument("a packed set has a member that has blocks")
    first, kind = filters[0], kind_of(filters[0])
    if kind not in PACKED.members or first.profile not in PACKED.profiles:
        raise invalid_argument(f"a packed set has no members of kind {kind.name} and profile {first.profile.name}")
    blocks, directory = bytearray(), [0]
    for member in members:
        if member is not None:
            if (kind_of(member), member.profile, member.hasher) != (kind, first.profile, first.hasher):
                raise incompatible("the members of a packed set have one kind, one profile and one hasher")
            blocks += member.bits
        directory.append(directory[-1] + (member.blocks if member is not None else 0))
    payload = bytes(blocks) + b"".join(put_little(entry, 8) for entry in directory)
    fields = {**first.header_fields(), "units": len(members), "members": kind.number}
    header = Header(PACKED.number, ones=count_ones(payload), **fields)
    source = note_records.pack_source(first.hasher.source)
    return assemble(header, first.hasher, payload, 0.0, capacity, keys, (), source)


def write_packed_static(members, capacity=0, keys=0):
    """Section 6.1: the bytes of all members, each from a multiple of 8 on, then their entries."""
    kind, hasher = kind_of(members[0]), members[0].hasher
    if kind not in PACKED_STATIC.members:
        raise invalid_argument(f"a packed set of static filters has no members of kind {kind.name}")
    payload, directory = bytearray(), bytearray()
    for member in members:
        if (kind_of(member), member.hasher) != (kind, hasher):
            raise incompatible("the members of a packed set have one kind and one hasher")
        payload += member.payload()
        fields = member.header_fields()
        directory += (put_little(len(payload), 8) + put_little(fields["units"], 8) + put_little(fields["hashes"], 4) +
                      put_little(0, 4) + fields["parameters"])
        payload += bytes(-len(payload) % 8)
    payload = bytes(payload + directory)
    header = Header(PACKED_STATIC.number, units=len(members), members=kind.number, ones=count_ones(payload))
    return assemble(header, hasher, payload, 0.0, capacity, keys, (), note_records.pack_source(hasher.source))


def assemble(header, hasher, payload, asked, capacity, keys, sentinels, notes):
    note_bytes = note_records.pack(notes)
    header.hash, header.seed, header.check = hasher.id, hasher.seed, hasher.check()
    header.asked, header.capacity, header.keys = asked, capacity, keys
    header.sentinels = len(sentinels)
    header.payload_offset = layout.offset_for(header.kind, len(payload))
    header.payload_length = len(payload)
    header.notes_length = len(note_bytes)
    gap = bytes(header.payload_offset - layout.HEADER)
    body = payload + bytes(layout.padded(len(payload)) - len(payload))
    checksums = b"".join(put_little(crc32c(body[at:at + CHUNK]), 4) for at in range(0, len(body), CHUNK))
    tail = b"".join(put_little(h, 8) for h in sentinels) + checksums + note_bytes
    return pack(header) + gap + body + tail + put_little(crc32c(gap + tail), 4)
