"""spec/dialects/nori.md, "Table": the variant `sstable`."""

from bisect import bisect_right

from ..crc32c import crc32c
from ..errors import at_offset, corrupt, unsupported
from ..words import little
from . import nori_bloom, nori_quotient
from .foreign_filter import ForeignFilter, set_range, touch

FOOTER = 64
MIN_BLOCK = 6
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

    def hashes(self):
        return self.bloom.hashes()

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

    def __init__(self, first_keys, filters, form):
        self.first_keys = first_keys
        self.filters = filters  # (begin, end with its size, filter), or None
        self.form = form
        self.doubted = set()  # parts that answer every key

    def parts(self):
        return len(self.filters)

    def cells(self):
        return sum(entry[2].cells() for entry in self.filters if entry is not None)

    def hashes(self):
        return 1

    def form_ranges(self):
        return self.form

    def take_damage(self, ranges):
        """One filter of several: damage to any byte of it, or to its size, is damage to all of it."""
        for part, entry in enumerate(self.filters):
            if entry is not None and touch(ranges, entry[0], entry[1]):
                self.doubted.add(part)

    def ask(self, key, part, form):
        """The last block whose first key is not above the key; before the first block there is nothing."""
        if part is None:
            part = bisect_right(self.first_keys, bytes(key)) - 1
        if part < 0:
            return False
        entry = self.filters[part]
        return entry is None or part in self.doubted or entry[2].ask(key, None, form)


def decode(data):
    """Refused in the order of the table."""
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
    if format == 2:
        return decode_quotients(data, footer)
    begin, end = section(data, footer, 16)
    if end > footer:
        raise corrupt(footer + 16, "a Bloom section that does not lie before the footer")
    return BloomTable(at_offset(begin, lambda: nori_bloom.decode(data[begin:end])), begin, footer)


def section(data, footer, field):
    """(begin, end) of a section, which the footer gives as offset and size."""
    begin = little(data, footer + field, 8)
    return begin, begin + little(data, footer + field + 8, 8)


def decode_quotients(data, footer):
    if data[footer + 32] != 0:
        raise unsupported(footer + 32, "compressed blocks, which have the filters inside")
    begin, end = section(data, footer, 0)
    if end > footer or end - begin < 4:
        raise corrupt(footer, "an index that is too small or does not lie before the footer")
    entries_end = end - 4
    first_keys, filters, at, low = [], [], begin, 0
    for _ in range(little(data, entries_end, 4)):
        first_key, offset, size, at = read_entry(data, at, entries_end)
        place = at - 12
        if first_keys and first_key <= first_keys[-1]:
            raise corrupt(place, "a first key that is not above the one before")
        if size < MIN_BLOCK or offset < low or offset + size > begin:
            raise corrupt(place, "a block that is too small, overlaps, or reaches into the index")
        low = offset + size
        first_keys.append(first_key)
        filters.append(read_block(data, offset, size))
    if at != entries_end:
        raise corrupt(at, "entries left over")
    return QuotientTable(first_keys, filters, [(begin, end), (footer, footer + FOOTER)])


def read_entry(data, at, end):
    """(first key, offset, size, where the next entry begins). Blamed: behind the last field that fits."""
    length, at = read_varint(data, at, end)
    for size in (length, 8, 4):
        if size > end - at:
            raise corrupt(at, "an entry that ends after the index")
        at += size
    key_end = at - 12
    return bytes(data[key_end - length:key_end]), little(data, key_end, 8), little(data, key_end + 8, 4), at


def read_varint(data, begin, end):
    """Seven bits a byte, the lowest first, at most 64 of them."""
    value, at, shift = 0, begin, 0
    while at < end and shift < 64:
        value |= (data[at] & 0x7F) << shift
        at += 1
        shift += 7
        if data[at - 1] < 0x80 and value < 2**64:
            return value, at
    raise corrupt(begin, "an entry that ends after the index")


def read_block(data, offset, size):
    """A block ends in its quotient filter and a u16, the size of that filter; 0 means there is none."""
    end = offset + size - 2
    filter_size = little(data, end, 2)
    if filter_size == 0:
        return None
    if filter_size > size - 2:
        raise corrupt(end, "a quotient filter larger than its block")
    begin = end - filter_size
    return begin, end + 2, nori_quotient.decode(data, begin, end)
