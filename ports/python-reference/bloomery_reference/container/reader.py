"""spec/container.md, sections 4 and 8: a whole container, checked in the order of the table."""

from ..crc32c import crc32c
from ..damage import Damage
from ..errors import corrupt, incompatible
from ..hash import BYTES, SIPHASH13, Hasher
from ..kind import ONES, POSSIBLY_PRESENT
from ..kinds import FOREIGN, KINDS
from ..words import count_ones, little
from . import foreign, layout, notes
from .builder_notes import first_missing
from .header import inspect
from .layout import Layout


class Contents:
    """What was read. `damaged`: how many chunks are; `filter` answers "possibly present" wherever it would need them."""

    def __init__(self, header, filter, damaged, notes):
        self.header = header
        self.kind = KINDS[header.kind]
        self.filter = filter
        self.damaged = damaged
        self.notes = notes


ANY = "any"  # as the source to read: what the record says, or bytes


def read(data, secret=None, expected_kind=None, source=BYTES):
    """expected_kind: a number. source: the keys that will be asked (section 7)."""
    header = inspect(data)
    kind, place = KINDS[header.kind], Layout(header)
    check_gap_and_tail(data, header, place)
    records = notes.unpack(data, place.notes, place.tail_crc, kind)
    if expected_kind not in (None, header.kind):
        raise incompatible_at(10, f"a filter of kind {header.kind}, not {expected_kind}")
    hasher = hasher_of(header, secret).of(source_of(records, source))
    if kind is FOREIGN:
        name, options = foreign.named_dialect(records, place.notes)
    damaged = damaged_chunks(data, place)
    check_padding(data, place, damaged)
    if kind is FOREIGN:
        filter = foreign.open_payload(data, place, name, options, damaged)
    else:
        filter = open_filter(data, header, kind, place, hasher, damaged)
        if hasattr(filter, "identity"):  # kinds that erase
            filter.receipts = notes.receipts_in(records, filter.identity)
    if kind.is_one_filter:
        check_sentinels(data, header, place, filter)
    return Contents(header, filter, len(damaged), records)


def verify(data, secret=None, source=BYTES):
    """Reads, and compares the ones it counts with those of the header where no chunk is damaged."""
    contents = read(data, secret, source=source)
    place = Layout(contents.header)
    ones = count_ones(data[place.payload:place.padding])
    if contents.damaged == 0 and ones != contents.header.ones:
        raise corrupt(88, f"{ones} ones, not {contents.header.ones}")
    return contents


def incompatible_at(offset, what):
    refusal = incompatible(what)
    refusal.offset = offset
    return refusal


def check_gap_and_tail(data, header, place):
    if any(data[layout.HEADER:place.payload]):
        raise corrupt(layout.HEADER, "the gap is not zero")
    tail = data[layout.HEADER:place.payload] + data[place.sentinels:place.tail_crc]
    if crc32c(tail) != little(data, place.tail_crc, 4):
        raise corrupt(place.sentinels, "the CRC of the tail differs")


def hasher_of(header, secret):
    """Section 2, "Hash check": a changed hash function, a wrong seed and a wrong secret are noticed here."""
    if (header.hash == SIPHASH13) != (secret is not None):
        raise incompatible_at(16, "a keyed hash needs its secret, and no other hash takes one")
    hasher = Hasher(header.hash, header.seed, secret)
    if hasher.check() != header.check:
        if header.hash == SIPHASH13:
            raise incompatible_at(40, "another secret made this filter")
        raise corrupt(40, "the hash check differs")
    return hasher


def source_of(records, asked):
    """Section 7: the record must be what the caller says; where there is none, the caller's word counts."""
    note = records.get(notes.SOURCE_TAG)
    if note is None:
        return BYTES if asked == ANY else asked
    recorded = notes.source_in(note)
    if asked not in (ANY, recorded):
        raise incompatible_at(note.at, f"its keys are {recorded}, and {asked} were to be asked")
    return recorded


def damaged_chunks(data, place):
    """(begin, end) of every chunk whose CRC differs, as offsets of the file."""
    return [(begin, end) for i, (begin, end) in enumerate(place.chunks())
            if crc32c(data[begin:end]) != little(data, place.checksums + 4 * i, 4)]


def check_padding(data, place, damaged):
    """All padding lies in the last chunk: it is shorter than 64 bytes."""
    in_damage = bool(damaged) and damaged[-1][1] == place.sentinels
    if any(data[place.padding:place.sentinels]) and not in_damage:
        raise corrupt(place.padding, "the padding is not zero")


def open_filter(data, header, kind, place, hasher, damaged):
    """Section 4: a damaged chunk means what the kind's rule says, up to the end of the payload."""
    payload = bytearray(data[place.payload:place.padding])
    damage = Damage((begin - place.payload, min(end, place.padding) - place.payload) for begin, end in damaged)
    if kind.damage == ONES:
        damage.fill_with_ones(payload)
    filter = kind.open(header, hasher, payload)
    if not damaged and not filter.is_sound():
        raise corrupt(place.payload, "bytes that no filter of this kind has")
    if kind.damage == POSSIBLY_PRESENT:
        filter.damage = damage
    return filter


def check_sentinels(data, header, place, filter):
    """Section 4: damage is no reason to miss one."""
    sentinels = [little(data, place.sentinels + 8 * i, 8) for i in range(header.sentinels)]
    missing = first_missing(filter, sentinels)
    if missing is not None:
        raise corrupt(place.sentinels + 8 * missing, "a sentinel is not found")
