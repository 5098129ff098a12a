"""spec/container.md, section 6: packed sets, many small filters of one kind, one profile and one hash."""

from .capabilities import Filter
from .errors import invalid_argument
from .words import get_bit, little


class PackedSet(Filter):
    """Blocks of all members, then the directory; a member's filter is looked at only when it is asked."""

    def __init__(self, member_type, profile, members, hasher, payload):
        """The bits of damaged chunks are set: an entry of the directory in one is beyond all blocks."""
        self.member_type = member_type
        self.profile = profile
        self.members = members
        self.hasher = hasher
        self.payload = payload
        self.directory = len(payload) - 8 * (members + 1)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(kind.kind_of_members(header).filter, kind.profile_of(header), header.units, hasher, payload)

    def may_contain_hash(self, h, member):
        if not 0 <= member < self.members:
            raise invalid_argument(f"no member {member} among {self.members}")
        entry = self.directory + 8 * member
        first, last = little(self.payload, entry, 8), little(self.payload, entry + 8, 8)
        all_blocks = self.directory // self.profile.block_bytes
        fits = (first <= last <= all_blocks and (member != 0 or first == 0)
                and (member != self.members - 1 or last == all_blocks))
        if not fits:
            return True
        if first == last:
            return False
        base = first * self.profile.block_bytes * 8
        positions = self.member_type.positions_in_blocks(h, last - first, self.profile)
        return all(get_bit(self.payload, base + position) for position in positions)

    def may_contain(self, key, member):
        return self.may_contain_hash(self.hasher.hash(key), member)
