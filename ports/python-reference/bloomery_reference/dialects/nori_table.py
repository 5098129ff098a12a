"""spec/dialects/nori.md, "Table": the variant `sstable`."""

from bisect import bisect_right

from ..crc32c import crc32c
from ..errors import at_offset, corrupt, unsupported
from ..words import little
from . import nori_bloom, nori_quotient
from .foreign_filter import ForeignFilter, set_range

FOOTER = 64
MARK = b"NORISSTL"


def has_mark(data):
    return len(data) >= FOOTER and data[len(data) - 12:len(data) - 4] == MARK


class BloomTable(ForeignFilter):
    """Formats 0 and 1: the filter is the Bloom section."""

    dialect = "nori"
    variant = "sstable"

    def __init__(self, bloom, begin, footer):
        self.bloom = bloom
        self.begin = begin
        self.footer = footer

    def cells(self):
        return self.bloom.cells()

    def form_ranges(self):
        return [(self.begin, self.begin + nori_bloom.HEADER), (self.footer, self.footer + FOOTER)]

    def take_damage(self, ranges):
        set_range(self.bloom.bits, self.begin + nori_bloom.HEADER, ranges)

    def ask(self, key, part, form):
        return self.bloom.ask(key, None, form)


class QuotientTable(ForeignFilter):
    """Format 2: each block is a part, with a quotient filter of its own or none."""

    dialect = "nori"
    variant = "sstable"

    def __init__(self, first_keys, filters, ranges):
        self.first_keys = first_keys
        self.filters = filters  # (offset, filter), or None
        self.ranges = ranges

    def parts(self):
        return len(self.filters)

    def cells(self):
        return sum(entry[1].cells() for entry in self.filters if entry is not None)

    def form_ranges(self):
        return self.ranges

    def take_damage(self, ranges):
        for entry in self.filters:
            if entry is not None:
                entry[1].take_damage([(begin - entry[0], end - entry[0]) for begin, end in ranges])

    def ask(self, key, part, form):
        """The last block whose first key is not above the key; before the first block there is nothing."""
        if part is None:
            part = bisect_right(self.first_keys, bytes(key)) - 1
        if part < 0:
            return False
        entry = self.filters[part]
        return True if entry is None else entry[1].ask(key, None, form)


def decode(data):
    if len(data) < FOOTER:
        raise corrupt(len(data), "fewer bytes than a footer has")
    footer = len(data) - FOOTER
    if not has_mark(data):
        raise corrupt(footer + 52, "not the mark of a table")
    if crc32c(data[footer:footer + 60]) != little(data, footer + 60, 4):
        raise corrupt(footer + 60, "the checksum of the footer differs")
    format = data[footer + 45]
    if format > 2:
        raise unsupported(footer + 45, f"format {format}")
    index = section(data, footer, 0)
    bloom = section(data, footer, 16)
    if format == 2:
        return decode_quotients(data, footer, index)
    begin, end = bloom
    section_bytes = data[begin:end]
    return BloomTable(at_offset(begin, lambda: nori_bloom.decode(section_bytes)), begin, footer)


def section(data, footer, field):
    """(begin, end) of a section, which lies before the footer."""
    offset, size = little(data, footer + field, 8), little(data, footer + field + 8, 8)
    if offset > footer or size > footer - offset:
        raise corrupt(footer + field, "a section that does not lie before the footer")
    return offset, offset + size


def decode_quotients(data, footer, index):
    if data[footer + 32] != 0:
        raise unsupported(footer + 32, "compressed blocks, which have the filters inside")
    begin, end = index
    if end - begin < 4:
        raise corrupt(begin, "an index without a number of blocks")
    count, entries_end = little(data, end - 4, 4), end - 4
    first_keys, filters, ranges, at, low = [], [], [(begin, end), (footer, footer + FOOTER)], begin, 0
    while at < entries_end:
        first_key, offset, size, next_at = read_entry(data, at, entries_end)
        if first_keys and first_key <= first_keys[-1]:
            raise corrupt(at, "first keys that do not ascend")
        if offset < low or offset > begin or size > begin - offset:
            raise corrupt(at, "blocks that overlap or reach into the index")
        low = offset + size
        first_keys.append(first_key)
        filters.append(read_block(data, offset, size, ranges))
        at = next_at
    if count != len(first_keys):
        raise corrupt(end - 4, f"{count} blocks, but {len(first_keys)} entries")
    return QuotientTable(first_keys, filters, ranges)


def read_entry(data, at, end):
    """(first key, offset, size, where the next entry begins)."""
    begin, length, shift = at, 0, 0
    while True:
        if at >= end or shift > 63:
            raise corrupt(begin, "an entry of the index that does not fit")
        length |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            break
    if length > end - at or end - at - length < 12:
        raise corrupt(begin, "an entry of the index that does not fit")
    key_end = at + length
    return bytes(data[at:key_end]), little(data, key_end, 8), little(data, key_end + 8, 4), key_end + 12


def read_block(data, offset, size, ranges):
    """A block ends in its quotient filter and a u16, the size of that filter; 0 means there is none."""
    if size < 2:
        raise corrupt(offset, "a block too small for the size of its filter")
    end = offset + size
    filter_size = little(data, end - 2, 2)
    ranges.append((end - 2, end))
    if filter_size == 0:
        return None
    if filter_size > size - 2:
        raise corrupt(end - 2, "a filter larger than its block")
    begin = end - 2 - filter_size
    ranges.append((begin, begin + nori_quotient.HEADER))
    return begin, nori_quotient.decode(data, begin, end - 2)
