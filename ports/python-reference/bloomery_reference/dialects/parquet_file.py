"""spec/dialects/parquet.md, "File": the filters in a whole Parquet file."""

from ..errors import corrupt, unsupported
from ..words import little
from . import parquet_filter, thrift
from .foreign_filter import ForeignFilter, set_range

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

    def parts(self):
        return len(self.part_list)

    def cells(self):
        return sum(part.filter.cells() for part in self.part_list)

    def form_ranges(self):
        headers = [(part.offset, part.offset + len(part.filter.header)) for part in self.part_list]
        return [(0, 4)] + headers + [(self.footer, self.end)]

    def take_damage(self, ranges):
        for part in self.part_list:
            set_range(part.filter.bits, part.offset + len(part.filter.header), ranges)

    def ask(self, key, part, form):
        """A key is asked of every filter, or of the one selected."""
        chosen = self.part_list if part is None else [self.part_list[part]]
        return any(self.ask_part(one, key, form) for one in chosen)

    def ask_part(self, part, key, form):
        """Of an integer, a column of INT32 takes the first four bytes."""
        if form == "integer" and part.type == INT32:
            key = key[:4]
        return part.filter.ask(key, None, form)


def decode(data):
    """Refused in the order of the table; "in the footer" is where the footer begins."""
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
        for id, type in reader.fields(1):
            if id == 4 and type == thrift.LIST:
                for group in range(self.list_of(thrift.STRUCT)):
                    self.row_group(group)
            else:
                reader.skip(type, 1)
        return self.found

    def list_of(self, type):
        size, element = self.reader.list_header()
        if size > 0 and element != type:
            raise self.reader.wrong("the footer is no such structure")
        return size

    def row_group(self, group):
        """Its field 1 lists the column chunks."""
        for id, type in self.reader.fields(3):
            if id == 1 and type == thrift.LIST:
                for _ in range(self.list_of(thrift.STRUCT)):
                    self.column(group)
            else:
                self.reader.skip(type, 3)

    def column(self, group):
        """Field 3 is its meta data; field 1, if not empty, names another file, fields 8 and 9 stand for encryption."""
        meta, elsewhere = {}, False
        for id, type in self.reader.fields(5):
            if id == 3 and type == thrift.STRUCT:
                meta = self.meta_data()
            elif id == 1 and type == thrift.BINARY:
                elsewhere = bool(self.reader.binary()) or elsewhere
            else:
                elsewhere = elsewhere or id in (8, 9)
                self.reader.skip(type, 5)
        if not elsewhere and "offset" in meta:
            self.found.append(self.part(group, meta))

    def meta_data(self):
        meta = {"path": []}
        for id, type in self.reader.fields(6):
            if id == 1 and type == thrift.I32:
                meta["type"] = self.reader.zigzag()
            elif id == 3 and type == thrift.LIST:
                meta["path"] = [self.reader.binary().decode("utf-8", "replace")
                                for _ in range(self.list_of(thrift.BINARY))]
            elif id == 14 and type == thrift.I64:
                meta["offset"] = self.reader.zigzag()
            elif id == 15 and type == thrift.I32:
                meta["length"] = self.reader.zigzag()
            else:
                self.reader.skip(type, 6)
        return meta

    def part(self, group, meta):
        begin, name = meta["offset"], f"row group {group}, column {'.'.join(meta['path'])}"
        if not len(MARK) <= begin < self.footer:
            raise corrupt(self.footer, f"{name}: a filter outside the data")
        header = parquet_filter.read_header(self.data, begin, self.footer)
        end = header.end + header.size
        self.total += end - begin
        if meta.get("length", end - begin) != end - begin or self.total > self.footer - len(MARK):
            raise corrupt(self.footer, f"{name}: a length that is not that of header and bitset, or too many filters")
        filter = parquet_filter.ParquetFilter("header", bytes(self.data[begin:header.end]), self.data[header.end:end])
        return Part(name, meta.get("type"), begin, filter)
