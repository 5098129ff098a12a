"""spec/filters.md, section 15: the quotient filter, as it is read; rates: spec/model.md, section 15."""

import math

from .capabilities import Filter
from .errors import invalid_argument, too_large
from .hash import Hasher
from .kind import Parameter, Payload, Units
from .model.realised import Rates
from .quotient_groups import MAX_COPIES, groups, is_run
from .words import U64, count_ones, little, mulhi, put_little, zeroed

REMAINDER_BITS = (2, 32)
MAX_FINGERPRINTS = 2**60
MAX_WORDS = 2**42
SLOTS = 64
SATURATED = 255
LOOKUP_BLOCKS = 4096  # section 15.5: what a lookup goes through, whatever the bytes are
LOOKUP_RUN = 1024  # slots
UNKNOWN = U64  # the count of a key that needs a damaged byte


def blocks_for(quotients):
    return -(-quotients // SLOTS)


def length(blocks, r):
    """Section 15.1: blocks, offsets, zeros."""
    return 8 * blocks * (r + 2) + 8 * -(-blocks // 8)


def blocks_fit(blocks, quotients, r):
    return blocks >= blocks_for(quotients) and blocks * (r + 3) <= MAX_WORDS


def blocks_in(header):
    return little(header.parameters, 8, 8)


QUOTIENTS = Units("quotients", lambda kind, header: 1 <= header.units <= MAX_FINGERPRINTS >> header.hashes,
                  {"max_units": MAX_FINGERPRINTS >> REMAINDER_BITS[0]})
PARAMETERS = (Parameter("identity", 8, lambda value, header: True),
              Parameter("blocks", 8, lambda value, header: blocks_fit(value, header.units, header.hashes)))
BYTES_OF_BLOCKS = Payload("quotient", lambda kind, header: header.payload_length == length(blocks_in(header), header.hashes))


def fingerprint(h, quotients, r):
    """Section 15.2."""
    return mulhi(h, quotients << r)


class Unseen(Exception):
    """A byte is damaged: the answer is "possibly present"."""


class Missing(Unseen):
    """A slot that is looked for does not exist: the bytes are such as no writer makes, and the answer is the same."""


class TooFar(Unseen):
    """A lookup does not go so far, and the answer is the same."""


class QuotientFilter(Filter):
    """Keys are inserted and erased, and filters merged and doubled, by the program that made it."""

    shape = ("quotients", "remainder_bits", "blocks")
    shape_of_positions = ("quotients", "remainder_bits")

    def __init__(self, quotients, r, blocks, hasher=None, array=None, identity=0):
        if quotients << r > MAX_FINGERPRINTS or blocks * (r + 3) > MAX_WORDS:
            raise too_large("a quotient filter has at most 2^60 fingerprints, and 2^42 words in blocks")
        if quotients < 1 or not REMAINDER_BITS[0] <= r <= REMAINDER_BITS[1] or not blocks_fit(blocks, quotients, r):
            raise invalid_argument("a quotient filter has remainders of 2 to 32 bits, and a slot for each quotient")
        self.quotients = quotients
        self.r = r
        self.blocks = blocks
        self.identity = identity
        self.block_bytes = 8 * (r + 2)
        self.offsets_at = blocks * self.block_bytes
        self.hasher = Hasher() if hasher is None else hasher
        self.array = zeroed(length(blocks, r)) if array is None else bytearray(array)

    @classmethod
    def make(cls, hasher, *shape):
        return cls(*shape, hasher=hasher)

    @classmethod
    def open(cls, kind, header, hasher, payload):
        return cls(header.units, header.hashes, blocks_in(header), hasher, payload, little(header.parameters, 0, 8))

    @staticmethod
    def positions_in(h, quotients, r):
        """By the names of the vectors."""
        f = fingerprint(h, quotients, r)
        return {"fingerprint": f"{f:016x}", "quotient": f >> r, "remainder": f % 2**r}

    def figures(self):
        """What vectors have of a filter, by their names."""
        return {"ones": self.ones(), "used": census(self)[2], "list": [list(pair) for pair in self.iterate()]}

    def header_fields(self):
        parameters = put_little(self.identity, 8) + put_little(self.blocks, 8) + bytes(8)
        return {"hashes": self.r, "units": self.quotients, "parameters": parameters}

    def payload(self):
        return bytes(self.array)

    def size(self):
        return 8 * len(self.array), self.r

    def ones(self):
        return count_ones(self.array)

    def clear(self):
        self.array = bytearray(len(self.array))
        self.identity, self.receipts = 0, None  # those issued before are for keys that are gone

    # What the bytes say (section 15.1).

    def word(self, block, number):
        return little(self.array, block * self.block_bytes + 8 * number, 8)

    def is_occupied(self, quotient):
        return self.word(quotient // SLOTS, 0) >> (quotient % SLOTS) & 1 == 1

    def is_end(self, slot):
        return self.word(slot // SLOTS, 1) >> (slot % SLOTS) & 1 == 1

    def value(self, slot):
        return sum((self.word(slot // SLOTS, 2 + j) >> (slot % SLOTS) & 1) << j for j in range(self.r))

    def values(self, first, last):
        return [self.value(slot) for slot in range(first, last + 1)]

    # What damage hides (section 15.8): each before it is used.

    def see_block(self, block):
        if block >= self.blocks:
            raise Missing
        if self.damage.touches(block * self.block_bytes, self.block_bytes):
            raise Unseen

    def offset(self, block):
        if self.damage.touches(self.offsets_at + block, 1):
            raise Unseen
        return self.array[self.offsets_at + block]

    def end(self, begin, n, before=math.inf):
        """The n-th slot from one on that is the last of a run, in a block before another."""
        slot = begin
        while True:
            if slot // SLOTS >= before:
                raise TooFar
            self.see_block(slot // SLOTS)
            ends = self.word(slot // SLOTS, 1) >> (slot % SLOTS)
            if ends.bit_count() >= n:
                break
            n -= ends.bit_count()
            slot = (slot // SLOTS + 1) * SLOTS
        while not self.is_end(slot) or n > 1:
            n -= self.is_end(slot)
            slot += 1
        return slot

    # Section 15.5.

    def first(self, b, most):
        """Step 2: (a, the first slot that runs of the quotients below 64 b do not use)."""
        a = b
        while a > 0 and self.offset(a) == SATURATED:
            if b - a == most - 1:
                raise TooFar
            a -= 1
        p = SLOTS * a + self.offset(a) if a > 0 else 0
        for c in range(a, b):
            self.see_block(c)
            occupied = self.word(c, 0).bit_count()
            if occupied > 0:
                p = 1 + self.end(p, occupied, a + most)
            p = max(p, SLOTS * (c + 1))
        return a, p

    def run(self, quotient, most=math.inf, longest=math.inf):
        """Steps 1 to 3: the first and the last slot of the run, or None if there is none. `most`: blocks; `longest`: slots."""
        b = quotient // SLOTS
        self.see_block(b)
        if not self.is_occupied(quotient):
            return None
        a, p = self.first(b, most)
        k = (self.word(b, 0) & (2 << (quotient % SLOTS)) - 1).bit_count()
        u = p if k == 1 else 1 + self.end(p, k - 1, a + most)
        s = max(quotient, u)
        e = self.end(s, 1, a + most)
        if e - s >= longest:
            raise TooFar
        for block in range(a, e // SLOTS + 1):
            self.see_block(block)
        return s, e

    def count_hash(self, h):
        f = fingerprint(h, self.quotients, self.r)
        try:
            run = self.run(f >> self.r)
        except Missing:
            return MAX_COPIES
        except Unseen:
            return UNKNOWN
        if run is None:
            return 0
        return next((copies for x, copies in groups(self.values(*run), self.r) if x == f % 2**self.r), 0)

    def may_contain_hash(self, h):
        f = fingerprint(h, self.quotients, self.r)
        try:
            run = self.run(f >> self.r, LOOKUP_BLOCKS, LOOKUP_RUN)
        except Unseen:
            return True
        return run is not None and any(x == f % 2**self.r for x, _ in groups(self.values(*run), self.r))

    def may_contain(self, key):
        return self.may_contain_hash(self.hasher.hash(key))

    def iterate(self):
        """Section 15.7, List: (fingerprint, copies), ascending. What damage hides is left out."""
        for quotient, s, e in Follower(self).runs():
            for x, copies in groups(self.values(s, e), self.r):
                yield quotient << self.r | x, copies

    # Section 15.6.

    def is_unused(self, begin, end):
        return not any(self.is_end(slot) or self.value(slot) for slot in range(begin, end))

    def is_sound(self):
        """Exactly what sections 15.3 and 15.4 say of the fingerprints."""
        p = 0
        for b in range(self.blocks):
            if self.array[self.offsets_at + b] != min(SATURATED, p - SLOTS * b):
                return False
            for quotient in occupied_in(self, b):
                s = max(p, quotient)
                try:
                    e = self.end(s, 1)
                except Unseen:
                    return False
                if quotient >= self.quotients or not self.is_unused(p, s) or not is_run(self.values(s, e), self.r):
                    return False
                p = e + 1
            if not self.is_unused(p, SLOTS * (b + 1)):
                return False
            p = max(p, SLOTS * (b + 1))
        return not any(self.array[self.offsets_at + self.blocks:])


def occupied_in(filter, block):
    return [quotient for quotient in range(SLOTS * block, SLOTS * (block + 1)) if filter.is_occupied(quotient)]


class Follower:
    """All runs, quotient by quotient. `lost`: quotients for which a lookup reads a damaged byte (section 15.8).

    Bytes that are left after damage need not fit together: no run is followed that begins before the end of the one before.
    """

    def __init__(self, filter):
        self.filter = filter
        self.p = 0
        self.a = 0  # the block from which on a lookup goes
        self.is_known = True
        self.done = 0
        self.lost = 0

    def runs(self):
        """(quotient, first slot, last slot) of each."""
        filter = self.filter
        for block in range(blocks_for(filter.quotients)):
            try:
                filter.see_block(block)
            except Unseen:
                self.lost += min(SLOTS, filter.quotients - SLOTS * block)
                self.is_known = False
                continue
            self.begin(block)
            for quotient in occupied_in(filter, block):
                run = self.run(quotient)
                if quotient < filter.quotients:
                    self.lost += run is None
                    if run is not None:
                        yield quotient, *run

    def begin(self, block):
        """p: where the runs of a block begin, by its offset; if that is saturated, where those before ended."""
        try:
            offset = self.filter.offset(block) if block > 0 else 0
        except Unseen:
            self.is_known = False
            return
        if offset != SATURATED:
            self.p, self.a, self.is_known = SLOTS * block + offset, block, True
        self.p = max(self.p, SLOTS * block)

    def is_far(self, s, e):
        """Whether a lookup does not go through the run that was followed last."""
        return e - s >= LOOKUP_RUN or e // SLOTS - self.a >= LOOKUP_BLOCKS

    def run(self, quotient):
        """None if it cannot be followed; then none of its block can that comes after."""
        s = max(self.p, quotient)
        try:
            if not self.is_known or s < self.done:
                raise Unseen
            e = self.filter.end(s, 1)
            for crossed in range(quotient // SLOTS, e // SLOTS + 1):
                self.filter.see_block(crossed)
        except Unseen:
            self.is_known = False
            return None
        self.p = self.done = e + 1
        return s, e


def census(filter):
    """(fingerprints of near runs, copies of all, slots in use, x: the share of the quotients that are lost, y: of those that are far)."""
    follower = Follower(filter)
    near, copies, slots, far = 0, 0, 0, 0
    for _, s, e in follower.runs():
        counts = [count for _, count in groups(filter.values(s, e), filter.r)]
        is_far = follower.is_far(s, e)
        near += 0 if is_far else len(counts)
        far += is_far
        copies += sum(counts)
        slots += e - s + 1
    return near, copies, slots, follower.lost / filter.quotients, far / filter.quotients


def quotient_keys(filter):
    _, copies, _, lost, _ = census(filter)
    return copies / (1 - lost) if lost < 1 else math.inf


def quotient_realised(filter):
    """D / (S * 2^r), and lookups of the quotients that are lost or far."""
    near, _, _, lost, far = census(filter)
    return min(1.0, lost + far + near / (filter.quotients << filter.r))


def quotient_fpr(n, quotients, r):
    """Before it is filled: exact."""
    return -math.expm1(n * math.log1p(-1 / (quotients << r)))


RATES = Rates(quotient_keys, quotient_realised)


# What is special to the kind; the rest is in kinds_table.py.
ROW = {"filter": QuotientFilter, "units": QUOTIENTS, "payload": BYTES_OF_BLOCKS, "parameters": PARAMETERS, "rates": RATES}
