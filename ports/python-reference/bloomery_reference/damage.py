"""spec/container.md, section 4: bytes of a payload that are not to be believed, because the CRC of their chunk differs."""

from .errors import corrupt


class Damage:
    """ranges: (begin, end) of each damaged chunk, as offsets of the payload."""

    def __init__(self, ranges=()):
        self.ranges = tuple(ranges)

    def __bool__(self):
        return bool(self.ranges)

    def touches(self, offset, length):
        """Under the rule `possibly-present`, a lookup that reads these bytes answers "possibly present", whatever they are."""
        return any(begin < offset + length and offset < end for begin, end in self.ranges)

    def check_unharmed(self, offset, length):
        """For calls that would change these bytes."""
        if self.touches(offset, length):
            raise corrupt(None, "the bytes to be changed lie in a damaged chunk")

    def fill_with_ones(self, payload):
        """The rule `ones`: bits that only insertion sets count as set."""
        for begin, end in self.ranges:
            payload[begin:end] = b"\xff" * (end - begin)


NO_DAMAGE = Damage()
