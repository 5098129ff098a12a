"""spec/dialects/parquet.md, "File": the filters in a whole Parquet file."""

from ..errors import at_offset, corrupt, unsupported
from ..words import little
from . import parquet_filter, thrift
from .foreign_filter import ForeignFilter, set_range

MARK = b"PAR1"
ENCRYPTED_MARK = b"PARE"
INT32 = 1  # Parquet's number of the physical type


def has_mark(data):
    return len(data) >= 12 and data[:4] == MARK and data[-4:] == MARK


class Column:
    """What the footer tells of a column chunk: field 3 of it, its meta data."""

    def __init__(self):
        self.type = None
        self.path = []
        self.offset = None
        self.length = None
        self.has_meta = False
        self.elsewhere = False


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
    if len(data) < 12 or data[:4] not in (MARK, ENCRYPTED_MARK):
        raise corrupt(0, "not the mark of a Parquet file")
    if data[-4:] == ENCRYPTED_MARK or data[:4] == ENCRYPTED_MARK:
        raise unsupported(len(data) - 4, "an encrypted footer")
    if data[-4:] != MARK:
        raise corrupt(len(data) - 4, "not the mark of a Parquet file")
    length = little(data, len(data) - 8, 4)
    if length > len(data) - 12:
        raise corrupt(len(data) - 8, "a footer longer than the file")
    footer = len(data) - 8 - length
    parts, total = [], 0
    for group, columns in enumerate(read_footer(data, footer, len(data) - 8)):
        for column in columns:
            if column.elsewhere or not column.has_meta or column.offset is None:
                continue
            part = read_part(data, column, group, footer)
            total += len(part.filter.header) + len(part.filter.bits)
            if total > footer - 4:
                raise corrupt(part.offset, "filters that together are larger than the data")
            parts.append(part)
    if not parts:
        raise unsupported(footer, "no filter that can be read")
    return ParquetFile(parts, footer, len(data))


def read_part(data, column, group, footer):
    name = f"row group {group}, column {'.'.join(column.path)}"
    if not 4 <= column.offset < footer:
        raise corrupt(footer, f"{name}: a filter outside the data")
    begin, size = parquet_filter.read_header(data, column.offset, footer)
    if size > footer - begin:
        raise corrupt(column.offset, f"{name}: a filter outside the data")
    if column.length is not None and column.length != begin + size - column.offset:
        raise corrupt(footer, f"{name}: a length that is not that of header and bitset")
    at_offset(column.offset, lambda: parquet_filter.check_blocks(size, 0))
    filter = parquet_filter.ParquetFilter("header", bytes(data[column.offset:begin]), data[begin:begin + size])
    return Part(name, column.type, column.offset, filter)


def read_footer(data, begin, end):
    """Field 4 lists the row groups: for each the columns that its field 1 lists."""
    reader = thrift.Reader(data, begin, end)
    groups = None
    for id, type in reader.fields(1):
        if id == 4 and type == thrift.LIST:
            groups = read_structs(reader, lambda: read_row_group(reader))
        else:
            reader.skip(type, 1)
    if groups is None or reader.at != end:
        raise reader.wrong("the footer is no such structure")
    return groups


def read_structs(reader, read_one):
    size, element = reader.list_header()
    if size > 0 and element != thrift.STRUCT:
        raise reader.wrong()
    return [read_one() for _ in range(size)]


def read_row_group(reader):
    columns = []
    for id, type in reader.fields(3):
        if id == 1 and type == thrift.LIST:
            columns = read_structs(reader, lambda: read_column(reader))
        else:
            reader.skip(type, 3)
    return columns


def read_column(reader):
    """Field 1 names another file; fields 8 and 9 stand for encrypted meta data."""
    column = Column()
    for id, type in reader.fields(5):
        if id == 3 and type == thrift.STRUCT:
            column.has_meta = True
            read_meta(reader, column)
        else:
            if (id == 1 and type == thrift.BINARY) or id in (8, 9):
                column.elsewhere = True
            reader.skip(type, 5)
    return column


def read_meta(reader, column):
    for id, type in reader.fields(6):
        if id == 1 and type == thrift.I32:
            column.type = reader.zigzag()
        elif id == 3 and type == thrift.LIST:
            size, element = reader.list_header()
            if size > 0 and element != thrift.BINARY:
                raise reader.wrong()
            column.path = [reader.binary().decode("utf-8", "replace") for _ in range(size)]
        elif id == 14 and type == thrift.I64:
            column.offset = reader.zigzag()
        elif id == 15 and type == thrift.I32:
            column.length = reader.zigzag()
        else:
            reader.skip(type, 6)
