"""spec/dialects/parquet.md, "File": the filters in a whole Parquet file."""

from ..errors import corrupt, unsupported
from ..words import little
from . import parquet_filter, thrift
from .foreign_filter import ForeignFilter, touch

MARK = b"PAR1"
ENCRYPTED_MARK = b"PARE"
INT32 = 1  # Parquet's number of the physical type


def has_mark(data):
    return len(data) >= 12 and data[:4] == data[-4:] and data[:4] in (MARK, ENCRYPTED_MARK)


class Part:
    def __init__(self, name, type, offset, filter):
        self.name = name
        self.type = type
        self.offset = offset
        self.filter = filter


class ParquetFile(ForeignFilter):
    dialect = "parquet"
    variant = "file"
    forms = ("bytes", "integer")

    def __init__(self, parts, footer, end):
        self.part_list = parts
        self.footer = footer
        self.end = end
        self.doubted = set()  # parts that answer every key

    def parts(self):
        return len(self.part_list)

    def cells(self):
        return sum(part.filter.cells() for part in self.part_list)

    def hashes(self):
        return 8

    def form_ranges(self):
        return [(0, 4), (self.footer, self.end)]

    def take_damage(self, ranges):
        """One filter of several: damage to its header or its bits is damage to all of it."""
        for part in self.part_list:
            end = part.offset + len(part.filter.header) + len(part.filter.bits)
            if touch(ranges, part.offset, end):
                self.doubted.add(part)

    def ask(self, key, part, form):
        """A key is asked of every filter, or of the one selected."""
        chosen = self.part_list if part is None else [self.part_list[part]]
        return any(self.ask_part(one, key, form) for one in chosen)

    def ask_part(self, part, key, form):
        """A column of INT32 takes the first four bytes of an integer."""
        if part in self.doubted:
            return True
        if form == "integer" and part.type == INT32:
            key = key[:4]
        return part.filter.ask(key, None, form)


def decode(data):
    """Refused in the order of the table."""
    if len(data) < 12:
        raise corrupt(len(data), "fewer bytes than a Parquet file has")
    if data[:4] != data[-4:] or data[:4] not in (MARK, ENCRYPTED_MARK):
        raise corrupt(0, "not the marks of a Parquet file")
    if data[:4] == ENCRYPTED_MARK:
        raise unsupported(len(data) - 4, "an encrypted footer")
    length = little(data, len(data) - 8, 4)
    if length > len(data) - 12:
        raise corrupt(len(data) - 8, "a footer longer than the file")
    footer = len(data) - 8 - length
    parts = FooterWalk(data, footer).parts()
    if not parts:
        raise unsupported(footer, "no filter that can be read")
    return ParquetFile(parts, footer, len(data))


class FooterWalk:
    """Walks through the footer; a column's filter is read when the column has been walked through."""

    def __init__(self, data, footer):
        self.data = data
        self.footer = footer
        self.reader = thrift.Reader(data, footer, len(data) - 8)
        self.found = []
        self.total = 0

    def parts(self):
        """Field 4 of the footer lists the row groups."""
        reader = self.reader
        for id, type in reader.fields():
            if id == 4 and type == thrift.LIST:
                for group in range(self.list_of(thrift.STRUCT, 2)):
                    self.row_group(group)
            else:
                reader.skip(type, 1)
        return self.found

    def list_of(self, type, depth):
        """How many elements there are; of another type than this, none: they are skipped."""
        size, element = self.reader.list_header()
        if element == type:
            return size
        self.reader.skip_elements(size, element, depth)
        return 0

    def row_group(self, group):
        """Its field 1 lists the column chunks."""
        for id, type in self.reader.fields():
            if id == 1 and type == thrift.LIST:
                for _ in range(self.list_of(thrift.STRUCT, 4)):
                    self.column(group)
            else:
                self.reader.skip(type, 3)

    def column(self, group):
        """Field 3 is its meta data; field 1, if not empty, names another file, fields 8 and 9 stand for encryption."""
        meta, elsewhere, encrypted = {"path": []}, False, False
        for id, type in self.reader.fields():
            if id == 3 and type == thrift.STRUCT:
                self.meta_data(meta)
            elif id == 1 and type == thrift.BINARY:
                elsewhere = bool(self.reader.binary())
            else:
                encrypted = encrypted or id in (8, 9)
                self.reader.skip(type, 5)
        if not elsewhere and not encrypted and "offset" in meta:
            self.found.append(self.part(group, meta))

    def meta_data(self, meta):
        """Those that come twice are read into the same, field by field."""
        for id, type in self.reader.fields():
            if id == 1 and type == thrift.I32:
                meta["type"] = self.reader.zigzag()
            elif id == 3 and type == thrift.LIST:
                meta["path"] = [self.reader.binary().decode("utf-8", "replace")
                                for _ in range(self.list_of(thrift.BINARY, 7))]
            elif id == 14 and type == thrift.I64:
                meta["offset_at"], meta["offset"] = self.reader.at, self.reader.zigzag()
            elif id == 15 and type == thrift.I32:
                meta["length_at"], meta["length"] = self.reader.at, self.reader.zigzag()
            else:
                self.reader.skip(type, 6)

    def part(self, group, meta):
        begin, name = meta["offset"], f"row group {group}, column {'.'.join(meta['path'])}"
        if not len(MARK) <= begin < self.footer:
            raise corrupt(meta["offset_at"], f"{name}: a filter outside the data")
        header = parquet_filter.read_header(self.data, begin, self.footer)
        end = header.end + header.size
        self.total += end - begin
        if meta.get("length", end - begin) != end - begin:
            raise corrupt(meta["length_at"], f"{name}: a length that is not that of header and bitset")
        if self.total > self.footer - len(MARK):
            raise corrupt(meta["offset_at"], f"{name}: filters that together are larger than the data")
        filter = parquet_filter.ParquetFilter("header", bytes(self.data[begin:header.end]), self.data[header.end:end])
        return Part(name, meta.get("type"), begin, filter)
