"""Thrift's compact protocol, as much of it as spec/dialects/parquet.md needs: structures are walked, never built."""

from ..errors import corrupt

STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID = range(14)

# What has a depth: the outermost structure 1, each of these one more than what it lies in.
NESTING = (LIST, SET, MAP, STRUCT)
MAX_DEPTH = 32


class Reader:
    """Walks over data[at:end]. Whatever is no such structure is refused with `blame`, where the structure begins."""

    def __init__(self, data, at, end):
        self.data = data
        self.at = at
        self.end = end
        self.blame = at

    def wrong(self, what="no Thrift structure"):
        return corrupt(self.blame, what)

    def byte(self):
        if self.at >= self.end:
            raise self.wrong()
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
            if shift >= 70:
                raise self.wrong()
        if value >> 64:
            raise self.wrong()
        return value

    def zigzag(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def binary(self):
        length = self.varint()
        if length > self.end - self.at:
            raise self.wrong()
        self.at += length
        return self.data[self.at - length:self.at]

    def fields(self):
        """The (id, type) of each field; the caller consumes its value before the next."""
        last = 0
        while True:
            head = self.byte()
            if head == STOP:
                return
            type, delta = head & 0x0F, head >> 4
            if type == STOP or type > UUID:
                raise self.wrong()
            last = last + delta if delta else self.zigzag()
            if not -0x8000 <= last <= 0x7FFF:
                raise self.wrong("a field number of more than 16 bits")
            yield last, type

    def list_header(self):
        """(size, type of the elements), for lists and sets."""
        head = self.byte()
        size, type = head >> 4, head & 0x0F
        if size == 15:
            size = self.varint()
        if size > self.end - self.at:  # an element takes a byte at least
            raise self.wrong()
        return size, type

    def skip(self, type, depth, in_collection=False):
        """depth: of what the value lies in."""
        if type in NESTING and depth >= MAX_DEPTH:
            raise self.wrong("structures nested deeper than 32")
        if type in (TRUE, FALSE):
            if in_collection:
                self.byte()
        elif type == BYTE:
            self.byte()
        elif type in (I16, I32, I64):
            self.varint()
        elif type in (DOUBLE, UUID):
            for _ in range(8 if type == DOUBLE else 16):
                self.byte()
        elif type == BINARY:
            self.binary()
        elif type in (LIST, SET):
            self.skip_elements(*self.list_header(), depth + 1)
        elif type == MAP:
            self.skip_map(depth)
        elif type == STRUCT:
            for _, field_type in self.fields():
                self.skip(field_type, depth + 1)
        else:
            raise self.wrong()

    def skip_elements(self, size, type, depth):
        for _ in range(size):
            self.skip(type, depth, in_collection=True)

    def skip_map(self, depth):
        size = self.varint()
        if size == 0:
            return
        if size > (self.end - self.at) // 2 + 1:
            raise self.wrong()
        types = self.byte()
        for _ in range(size):
            self.skip(types >> 4, depth + 1, in_collection=True)
            self.skip(types & 0x0F, depth + 1, in_collection=True)
