"""spec/container.md, section 6.1: packed sets of filters that are built from all keys at once."""

from .capabilities import Filter
from .damage import NO_DAMAGE
from .errors import Refusal, invalid_argument
from .words import little

ENTRY = 48


def next_begin(end):
    """Members begin at multiples of 8."""
    return (end + 7) // 8 * 8


class PackedStaticSet(Filter):
    """Bytes of all members, then the directory; a member's filter is made only when it is asked."""

    damage = NO_DAMAGE

    def __init__(self, member_kind, header, hasher, payload):
        self.member_kind = member_kind
        self.header = header
        self.members = header.units
        self.hasher = hasher
        self.payload = payload
        self.directory = len(payload) - ENTRY * self.members

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(kind.kind_of_members(header), header, hasher, payload)

    def may_contain_hash(self, h, member):
        if not 0 <= member < self.members:
            raise invalid_argument(f"no member {member} among {self.members}")
        filter = self.filter_of(member)
        return filter is None or filter.may_contain_hash(h)

    def may_contain(self, key, member):
        return self.may_contain_hash(self.hasher.hash(key), member)

    def filter_of(self, member):
        """None: it answers "possibly present" for every key."""
        at = self.directory + ENTRY * member
        first = at - ENTRY if member > 0 else at
        if self.damage.touches(first, at + ENTRY - first):
            return None
        before = little(self.payload, at - ENTRY, 8) if member > 0 else 0
        begin, end = next_begin(before), little(self.payload, at, 8)
        if not begin <= end <= self.directory or little(self.payload, at + 20, 4) != 0:
            return None
        if member == self.members - 1 and next_begin(end) != self.directory:
            return None
        header = self.header_of(at, end - begin)
        if header is None or end > begin and self.damage.touches(begin, end - begin):
            return None
        return self.member_kind.open(header, self.hasher, self.payload[begin:end])

    def header_of(self, at, length):
        """That of a container of this member alone; None if a reader would refuse it."""
        from .container.header import check_against_kind  # which needs the table of kinds, and so this file
        from .container.layout import Header
        header = Header(self.member_kind.number, hash=self.header.hash, seed=self.header.seed,
                        units=little(self.payload, at + 8, 8), hashes=little(self.payload, at + 16, 4),
                        payload_length=length, parameters=bytes(self.payload[at + 24:at + ENTRY]))
        if any(header.parameters[self.member_kind.parameters_length():]):
            return None
        try:
            check_against_kind(header, self.member_kind)
        except Refusal:
            return None
        return header
