"""spec/dialects.md, section 0: what every filter of another system offers."""

from ..capabilities import Filter
from ..errors import invalid_argument

class ForeignFilter:
    """One file of a dialect. Subclasses say what their parts are and how a part is asked."""

    dialect = None
    variant = None
    forms = ("bytes",)  # a dialect that hashes all forms alike takes only bytes

    def parts(self):
        return 1

    def cells(self):
        """The bits of all parts."""
        raise NotImplementedError

    def hashes(self):
        """How many cells a lookup reads in one part, as the bytes say."""
        raise NotImplementedError

    def form_ranges(self):
        """(begin, end) of the bytes that give the filter its form; damage there refuses a container."""
        raise NotImplementedError

    def take_damage(self, ranges):
        """Cells in these ranges are not to be believed: set where only insertion sets them, else "possibly present"."""
        raise NotImplementedError

    def ask(self, key, part, form):
        """`part` is None or the number of a part that is there."""
        raise NotImplementedError

    def may_contain(self, key, part=None, form="bytes"):
        self.check_asked(part, form)
        return self.ask(key, part, form)

    def check_asked(self, part, form):
        if form not in self.forms:
            raise invalid_argument(f"{self.dialect} takes no keys of the form {form}")
        if part is not None and not 0 <= part < self.parts():
            raise invalid_argument(f"no part {part} among {self.parts()}")


class ForeignWithOptions(Filter):
    """A filter of a dialect, asked with the options that came with its file."""

    def __init__(self, filter, options):
        self.filter = filter
        self.part = options.get("part")
        self.form = options.get("form", "bytes")

    def may_contain(self, key):
        return self.filter.may_contain(key, self.part, self.form)


def touch(ranges, begin, end):
    """Whether any of the ranges has a byte of those from begin to end."""
    return any(begin < range_end and range_begin < end for range_begin, range_end in ranges)


def set_range(bits, begin, ranges):
    """Sets every bit of `bits`, which lie at `begin` of the file, that falls into one of the ranges."""
    for damaged_begin, damaged_end in ranges:
        for at in range(max(damaged_begin - begin, 0), min(damaged_end - begin, len(bits))):
            bits[at] = 0xFF
