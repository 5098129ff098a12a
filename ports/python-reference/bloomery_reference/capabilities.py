"""The calls of `can` in spec/kinds.json, a small class each: a kind has a call if its filter defines the method.

Until it does, the method refuses (unsupported), and its text names the kinds that have the call.
"""

from .damage import NO_DAMAGE


def lacking(filter, call):
    from . import kinds  # here, because the table imports the filters, which import this module
    return kinds.lacking(filter, call)


class Inserts:
    """There is always room."""

    def insert_hash(self, h):
        raise lacking(self, "insert")

    def insert(self, key):
        self.insert_hash(self.hasher.hash(key))


class TriesInserting:
    """There may be no room: refused (full, too_many_copies), and then nothing has changed."""

    def try_insert_hash(self, h):
        raise lacking(self, "try_insert")

    def try_insert(self, key):
        self.try_insert_hash(self.hasher.hash(key))


class InsertsIfAbsent:
    """Whether the key was definitely not present, and was inserted; False: it was possibly present, and nothing has changed."""

    def insert_if_absent_hash(self, h):
        raise lacking(self, "insert_if_absent")

    def insert_if_absent(self, key):
        return self.insert_if_absent_hash(self.hasher.hash(key))


class Erases:
    """One copy of the key is deleted, or it is refused (not_present), and then nothing has changed."""

    def erase_hash(self, h):
        raise lacking(self, "erase")

    def erase(self, key):
        self.erase_hash(self.hasher.hash(key))


class Counts:
    """How many copies of the key there are, or more."""

    def count_hash(self, h):
        raise lacking(self, "count")

    def count(self, key):
        return self.count_hash(self.hasher.hash(key))


class Merges:
    """The filter becomes that of both sets of keys."""

    def merge(self, other):
        raise lacking(self, "merge")


class Folds:
    """A smaller filter of the same keys."""

    def fold(self, factor):
        raise lacking(self, "fold")


class Intersects:
    """The filter still has every key of both sets."""

    def intersect(self, other):
        raise lacking(self, "intersect")


class Iterates:
    """What the filter keeps of each key, one after the other."""

    def iterate(self):
        raise lacking(self, "iterate")


class Builds:
    """All keys at once, into an empty filter; such a kind takes keys in no other way."""

    def build(self, hashes):
        raise lacking(self, "build")


class Rotates:
    """The oldest generation is forgotten, and takes keys again."""

    def rotate(self):
        raise lacking(self, "rotate")


class Grows:
    """A filter of twice the size, with the same answers."""

    def grow(self):
        raise lacking(self, "grow")


class Forgets:
    """Which share of the keys of an age is forgotten."""

    def forgetting(self, gap):
        raise lacking(self, "forgetting")


class Publishes:
    """The filter of bits that the same keys make."""

    def publish(self):
        raise lacking(self, "publish")


class Filter(Inserts, TriesInserting, InsertsIfAbsent, Erases, Counts, Merges, Folds, Intersects, Iterates, Builds, Rotates, Grows,
             Forgets, Publishes):
    """What every row of the table of kinds has as its filter. A subclass has a `hasher`, and can be asked."""

    damage = NO_DAMAGE  # under the rule `possibly-present`: what a lookup must not believe
    receipts = None  # the record of numbered receipts that its file had, of kinds that erase

    def is_sound(self):
        """Whether undamaged bytes are such as a writer makes. For most kinds any bytes are a filter."""
        return True


REFUSALS = {
    "insert": Inserts.insert_hash,
    "try_insert": TriesInserting.try_insert_hash,
    "insert_if_absent": InsertsIfAbsent.insert_if_absent_hash,
    "erase": Erases.erase_hash,
    "count": Counts.count_hash,
    "merge": Merges.merge,
    "fold": Folds.fold,
    "intersect": Intersects.intersect,
    "iterate": Iterates.iterate,
    "build": Builds.build,
    "rotate": Rotates.rotate,
    "grow": Grows.grow,
    "forgetting": Forgets.forgetting,
    "publish": Publishes.publish,
}


def calls_of(filter_type):
    """The calls that a type of filters has: those whose refusal it replaced."""
    return tuple(call for call, refusal in REFUSALS.items() if getattr(filter_type, refusal.__name__) is not refusal)
