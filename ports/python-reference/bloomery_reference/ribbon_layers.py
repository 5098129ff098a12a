"""spec/filters.md, sections 9.1 and 9.2: the shape of a ribbon filter, and where its bytes lie."""

from types import SimpleNamespace

from .words import bytes_for

WIDTHS = {
    64: SimpleNamespace(bucket=128, segment=512, limits=(0, 16, 40, 128)),
    128: SimpleNamespace(bucket=512, segment=256, limits=(0, 40, 96, 512)),
}
LAST_WINDOW = 64
LAYERS = 4


def segments(buckets, width):
    """S; the buckets of a layer are a multiple of it."""
    return max(1, buckets // WIDTHS[width].segment)


class Layer:
    """b buckets, whose blocks begin at the byte `at` of the payload, and whose thresholds come after `earlier` others."""

    def __init__(self, buckets, width, columns, narrow, at, earlier):
        self.buckets = buckets
        self.width = width
        self.columns = columns
        self.at = at
        self.earlier = earlier
        self.bucket = WIDTHS[width].bucket
        self.limits = WIDTHS[width].limits
        self.segments = segments(buckets, width)
        self.segment_slots = buckets // self.segments * self.bucket  # q * B
        self.places = self.segment_slots - width + 1  # A
        self.narrow_blocks = self.segments * self.places * narrow // 2**32 // width  # X
        self.slots = buckets * self.bucket
        self.end = at + self.offset_of(self.slots // width)

    def offset_of(self, block):
        """From the first byte of the layer on."""
        return self.width // 8 * (block * self.columns - min(block, self.narrow_blocks))

    def columns_of(self, block):
        return self.columns - (block < self.narrow_blocks)


class LastLayer:
    """m slots without thresholds, from the byte `at` on, column after column."""

    def __init__(self, slots, columns, narrow, at):
        self.slots = slots
        self.columns = columns
        self.at = at
        self.places = slots - LAST_WINDOW + 1 if slots >= LAST_WINDOW else 1  # A
        self.window = min(slots, LAST_WINDOW)
        self.narrow_slots = self.places * narrow // 2**32  # X
        self.end = at + bytes_for(columns * slots - self.narrow_slots)

    def columns_of(self, start):
        return self.columns - (start < self.narrow_slots)

    def first_bit(self, start, column):
        """The first bit of a window in a column."""
        return column * self.slots + start - (self.narrow_slots if column == self.columns - 1 else 0)


class Layout:
    """The layout of all parts: `layers`, then thresholds, then what is left, from `rest_at` on."""

    def __init__(self, width, columns, buckets, narrow, rest, kept):
        self.layers = []
        at, earlier = 0, 0
        for count in filter(None, buckets):
            self.layers.append(Layer(count, width, columns, narrow, at, earlier))
            at, earlier = self.layers[-1].end, earlier + count
        self.thresholds_at = at
        self.rest_at = at + bytes_for(2 * earlier)
        self.last = None if kept else LastLayer(rest, columns, narrow, self.rest_at)
        self.length = self.rest_at + 8 * rest if kept else self.last.end
