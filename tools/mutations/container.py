"""Containers (spec/container.md) whose checksums are made right, or left wrong."""

from . import spoil

HEADER, CHUNK = 128, 4096
FOREIGN, PACKED = 128, 129
DIALECT_TAG, SOURCE_TAG = 0x8001, 0x8002
# The numbers of the header.
NUMBERS = ((8, 2), (10, 1), (11, 1), (12, 4), (16, 1), (17, 1), (18, 1), (19, 1), (20, 4), (24, 8), (32, 8), (40, 8),
           (48, 8), (56, 8), (64, 8), (72, 8), (80, 8), (88, 8), (96, 4), (100, 8), (108, 8), (116, 8))
# What scalable, stable, window and quotient filters keep at 100 to 123.
PARAMETERS = {
    11: ((100, 8), (108, 1), (109, 1), (110, 1), (111, 1), (112, 1)),
    12: ((100, 8), (108, 4), (112, 4), (116, 4), (120, 1), (121, 1)),
    13: ((100, 4), (104, 4), (108, 8), (116, 8)),
    14: ((100, 8), (108, 8)),
}
CHECK_OF_XXH3 = bytes.fromhex("e8cfa57b9a594699")


def table_of_crc():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = table_of_crc()


def crc32c(data):
    crc, table = 0xFFFFFFFF, TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def little(data, at, width):
    return int.from_bytes(data[at:at + width], "little")


class Places:
    """Where the parts of a file lie, as its header says; `fit` if they lie in the file."""

    def __init__(self, data):
        self.payload, self.length = little(data, 72, 8), little(data, 80, 8)
        self.padding = self.payload + self.length
        self.sentinels = self.payload + (self.length + 63) // 64 * 64
        self.checksums = self.sentinels + 8 * data[18]
        self.chunks = -(-(self.sentinels - self.payload) // CHUNK)
        self.notes = self.checksums + 4 * self.chunks
        self.end = self.notes + little(data, 96, 4) + 4
        self.fit = self.end == len(data) and self.payload >= HEADER


def repair(data, chunks=True):
    """All checksums made right; those of the chunks only if asked for."""
    if len(data) < HEADER:
        return data
    data = bytearray(data)
    data[124:128] = crc32c(data[:124]).to_bytes(4, "little")
    place = Places(data)
    if place.fit:
        for i in range(place.chunks if chunks else 0):
            at = place.payload + CHUNK * i
            part = data[at:min(at + CHUNK, place.sentinels)]
            data[place.checksums + 4 * i:place.checksums + 4 * i + 4] = crc32c(part).to_bytes(4, "little")
        tail = data[HEADER:place.payload] + data[place.sentinels:place.end - 4]
        data[place.end - 4:] = crc32c(tail).to_bytes(4, "little")
    return bytes(data)


def record(tag, body, zero=0, length=None):
    length = len(body) if length is None else length
    return (tag.to_bytes(2, "little") + zero.to_bytes(2, "little")
            + (length % 2**32).to_bytes(4, "little") + body)


def wrapped(payload, notes, sentinels=0):
    """Foreign bytes in a container."""
    header = bytearray(HEADER)
    header[0:8] = bytes.fromhex("89424c4d0d0a1a0a")
    header[8], header[10], header[16], header[17], header[18] = 1, FOREIGN, 1, 12, sentinels
    header[40:48] = CHECK_OF_XXH3
    at = HEADER if len(payload) < 65536 else 4096
    header[72:80], header[80:88] = at.to_bytes(8, "little"), len(payload).to_bytes(8, "little")
    header[88:96] = int.from_bytes(payload, "little").bit_count().to_bytes(8, "little")
    header[96:100] = len(notes).to_bytes(4, "little")
    padded = payload + bytes(-len(payload) % 64)
    chunks = -(-len(padded) // CHUNK)
    tail = bytes(8 * sentinels) + bytes(4 * chunks) + notes + bytes(4)
    return repair(bytes(header) + bytes(at - HEADER) + padded + tail)


def with_notes(data, notes):
    """The file with other notes."""
    place = Places(data)
    data = spoil.put(data[:place.notes] + notes + bytes(4), 96, len(notes), 4)
    return repair(data, chunks=False)


def damaged(rng, data):
    """Some chunks that their checksums do not fit."""
    place = Places(data)
    for _ in range(rng.choice((1, 1, 2))):
        if place.chunks and rng.random() < 0.5:
            at = place.checksums + 4 * rng.randrange(place.chunks)
            data = spoil.flip(rng, data, at, at + 4)
        else:
            data = spoil.flip(rng, data, place.payload, place.sentinels)
    return repair(data, chunks=False)


def spoiled(rng, data):
    """A container that was changed somewhere, with checksums made right or not."""
    place = Places(data)
    how = rng.randrange(8)
    if how <= 2:
        data = spoil.change_number(rng, data, NUMBERS + PARAMETERS.get(data[10], ()))
    elif how == 3:
        data = spoil.flip(rng, data, place.payload, place.padding)
    elif how == 4:
        data = spoil.flip(rng, data, place.padding, place.notes)
    elif how == 5:
        return damaged(rng, data)
    else:
        data = spoil.spoil(rng, data)
    if rng.random() < 0.1:
        data = spoil.once(rng, data)
    return data if rng.random() < 0.15 else repair(data, chunks=rng.random() < 0.7)
