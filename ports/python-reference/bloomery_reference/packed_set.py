"""spec/container.md, section 6: packed sets, many small filters of one kind, one profile and one hash."""

from .. import block, split_block
from ..errors import invalid_argument
from ..words import get_bit, little


class PackedSet:
    """Blocks of all members, then the directory; a member's filter is looked at only when it is asked."""

    def __init__(self, payload, members, profile_number, hasher, damaged):
        """damaged: (begin, end) ranges of the payload that are not to be believed."""
        self.payload = payload
        self.members = members
        self.profile_number = profile_number
        self.hasher = hasher
        self.damaged = damaged
        self.directory = len(payload) - 8 * (members + 1)

    def positions(self, h, blocks):
        if self.profile_number == split_block.PROFILE_NUMBER:
            return split_block.positions(h, blocks)
        return block.positions(h, blocks, block.profile_numbered(self.profile_number))

    def block_bytes(self):
        if self.profile_number == split_block.PROFILE_NUMBER:
            return split_block.BLOCK_BYTES
        return block.profile_numbered(self.profile_number).block_bytes

    def is_damaged(self, begin, end):
        return any(begin < damaged_end and damaged_begin < end for damaged_begin, damaged_end in self.damaged)

    def may_contain_hash(self, h, member):
        if not 0 <= member < self.members:
            raise invalid_argument(f"no member {member} among {self.members}")
        entry = self.directory + 8 * member
        first, last = little(self.payload, entry, 8), little(self.payload, entry + 8, 8)
        all_blocks = self.directory // self.block_bytes()
        fits = (first <= last <= all_blocks and (member != 0 or first == 0)
                and (member != self.members - 1 or last == all_blocks))
        if self.is_damaged(entry, entry + 16) or not fits:
            return True
        if first == last:
            return False
        base = first * self.block_bytes() * 8
        return all(self.bit_may_be_set(base + position) for position in self.positions(h, last - first))

    def bit_may_be_set(self, position):
        """A bit of a damaged chunk counts as set."""
        return self.is_damaged(position // 8, position // 8 + 1) or get_bit(self.payload, position) == 1

    def may_contain(self, key, member):
        return self.may_contain_hash(self.hasher.hash(key), member)
