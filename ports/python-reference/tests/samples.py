"""Small filters of every kind and dialect, with the keys that went in: what the laws are tried on."""

from bloomery_reference import container
from bloomery_reference.capabilities import Filter
from bloomery_reference.crc32c import crc32c
from bloomery_reference.dialects import parquet_filter
from bloomery_reference.dialects import portable as portable_dialect
from bloomery_reference.hash import SIPHASH13, XXH3, Hasher, xxh64
from bloomery_reference.kinds import BLOCK, FOREIGN, PACKED, PACKED_STATIC, kind_of, kinds_of_one_filter
from bloomery_reference.portable import PortableBloom

from .reading import FILLERS

KEYS = [b"k%d" % i for i in range(10)]
SECRET = bytes(range(16))
KEYED = Hasher(SIPHASH13, secret=SECRET)
SEEDED = Hasher(XXH3, seed=77)

# Every kind by its name: the numbers of its shape, and the hasher where it is not the default.
SMALL = {
    "portable": (((96, 7), None), ((5, 9), None)),
    "block": ((("half-line", 3), None), (("line", 3), None), (("two-lines", 3), None), (("lanes16", 3), None), (("line", 2), KEYED),
              (("line", 2), SEEDED)),
    "split-block": (((3,), None),),
    "bloom": (((97, 7), None),),
    "partitioned": (((16, 6), None), ((13, 7), SEEDED)),
    "cuckoo": (((10, 12), None), ((14, 9), SEEDED), ((10, 31), None)),
    "counting": (((128, 8, 4, "line"), None), ((101, 5, 4, "flat"), SEEDED), ((41, 5, 8, "flat"), None),
                 ((16, 3, 32, "flat"), None)),
    "ribbon": (((1, 3, 64, 0, 0, 2**31, 20), None), (((1, 1, 0, 0), 2, 64, 0, 1, 0, 5), SEEDED), ((0, 8, 64, 0, 0, 2**31, 70), None),
               ((0, 5, 64, 0, 0, 0, 13), KEYED), ((0, 1, 128, 0, 1, 0, 10), None), ((1, 1, 128, 0, 0, 0, 0), None)),
    "fuse": (((14, 8, 1, 0, 0, 0), None), ((26, 9, 2, 0, 0, 0), SEEDED), ((48, 5, 1, 3, 3, 3), None), ((96, 3, 2, 4, 2, 0), KEYED),
             ((0, 7, 1, 0, 0, 10), None)),
    "xor": (((14, 8, 1, 0, 0, 0), None), ((60, 7, 2, 3, 0, 2), SEEDED)),
    "scalable": (((1, 2, 0.01, 2, "equal", 5, 1, 1), None), ((1, 1, 0.5, 4, "geometric", 0, 0, 48), SEEDED),
                 ((1, 1, 1e-9, 16, "dynamic", 0, 48, 48), KEYED)),
    "stable": (((101, 5, 2, 3, 0, 2**31, 7), None), ((61, 3, 1, 1, 0, 0, 0), SEEDED), ((67, 4, 4, 15, 5, 0, 2**32 - 1), None)),
    "window": ((("half-line", 3, 1, 4, 0, 0), None), (("line", 2, 1, 0, 1, 0), SEEDED), (("two-lines", 2, 1, 5, 0, 0), None)),
    "quotient": (((60, 7, 1), None), ((1, 2, 1), SEEDED), ((66, 8, 2), None)),
    "fingerprints": (((40, 1), None), ((40, 3), SEEDED)),
}

# A random value for every number of a shape.
RANDOM = {
    "bits": lambda source: source.randint(1, 400),
    "hashes": lambda source: source.randint(1, 64),
    "blocks": lambda source: source.randint(1, 6),
    "profile": lambda source: source.choice(("half-line", "line", "two-lines", "lanes16")),
    "slice": lambda source: source.randint(1, 60),
    "slots": lambda source: source.randint(1, 400),
    "width": lambda source: source.randint(1, 3),
}

# Random shapes of kinds whose numbers depend on each other.
RANDOM_SHAPES = {
    "cuckoo": lambda source: (2 * source.randint(10, 100), source.randint(6, 32)),
    "counting": lambda source: source.choice((
        (128 * source.randint(1, 5), 8, source.choice((4, 8, 32)), "line"),
        (source.randint(1, 400), source.randint(1, 64), source.choice((4, 8, 32)), "flat"))),
    "ribbon": lambda source: source.choice((
        ((source.randint(1, 5), source.randint(0, 2), 0, 0), source.randint(2, 32), 64, 0, 0, source.getrandbits(32),
         source.randint(35, 200)),
        (source.randint(0, 3), source.randint(1, 32), source.choice((64, 128)), 0, 1, 0, 20),
        ((1, 2, 1, 1), source.randint(1, 32), 128, 0, 0, 0, 40))),
    "fuse": lambda source: source.choice((
        (source.randint(30, 60), source.randint(1, 32), 1, 0, 0, source.randint(0, 5)),
        (96 * source.randint(1, 4), source.randint(1, 32), source.choice((1, 2)), source.choice((3, 4)), 3, 0))),
    "xor": lambda source: source.choice((
        (source.randint(30, 60), source.randint(1, 32), 1, 0, 0, source.randint(0, 5)),
        (6 * source.randint(14, 50), source.randint(1, 32), source.choice((1, 2)), 3, 0, source.randint(0, 5)))),
    "scalable": lambda source: (
        source.randint(1, 3), source.randint(1, 3), 0.01, source.choice((2, 4, 8)), source.choice(("geometric", "dynamic")), 0,
        source.randint(0, 2), source.randint(2, 4)),
    "stable": lambda source: source.choice((  # which forget nothing
        (source.randint(1, 400), source.randint(1, 64), 1, 1, 0, 0, source.getrandbits(32)),
        (source.randint(20, 400), source.randint(1, 9), 4, 15, 0, 2**29, source.getrandbits(32)))),
    "window": lambda source: (
        source.choice(("half-line", "line", "two-lines")), source.randint(2, 5), source.randint(1, 4), source.choice((0, 10, 20)), 0, 0),
    "quotient": lambda source: (source.randint(1, 100), source.randint(2, 32), source.randint(2, 5)),
}


def random_shape(kind, source):
    if kind.name in RANDOM_SHAPES:
        return RANDOM_SHAPES[kind.name](source)
    return [RANDOM[word](source) for word in kind.filter.shape]


def filled(filter, keys=KEYS):
    """By the call that its kind has for it."""
    calls = kind_of(filter).can if isinstance(filter, Filter) else ("insert",)
    if "build" in calls:
        filter.build([filter.hasher.hash(key) for key in keys])
        return filter
    if type(filter) in FILLERS:
        return with_hashes(filter, [filter.hasher.hash(key) for key in keys])
    insert = filter.insert if "insert" in calls else filter.try_insert
    for key in keys:
        insert(key)
    return filter


def with_hashes(filter, hashes):
    """Puts hashes into an empty filter of any kind, if it has room."""
    if type(filter) in FILLERS:
        FILLERS[type(filter)](filter, hashes)
    else:
        for h in hashes:
            filter.insert_hash(h)
    return filter


def shapes_of(kind):
    """The shapes of a kind; none for a new kind until SMALL has some."""
    return SMALL.get(kind.name, ()) if kind.number > 14 else SMALL[kind.name]


def empty(kind):
    """A small one, under the default hasher of its kind."""
    numbers, hasher = SMALL[kind.name][0]
    return kind.filter.make(hasher or Hasher(), *numbers)


def own_filters():
    """(name, filter with KEYS): of every kind that has shapes above; the first 14 have."""
    for kind in kinds_of_one_filter():
        for numbers, hasher in shapes_of(kind):
            filter = kind.filter.make(hasher or Hasher(), *numbers)
            yield f"{kind.name} {numbers} {hasher or ''}", filled(filter)


def thrift_field(delta, type, value=b""):
    return bytes([delta << 4 | type]) + value


def parquet_file(keys):
    """spec/dialects/parquet.md, "File": one row group, one column of INT32 or so with a filter, one without."""
    filter = parquet_filter.encode(filled(parquet_filter.make("header", len(keys)), keys))
    zigzag = parquet_filter.zigzag_varint
    meta = (thrift_field(1, 5, zigzag(6)) + thrift_field(2, 9, b"\x28\x01a\x01b") + thrift_field(11, 6, zigzag(4))
            + thrift_field(1, 5, zigzag(len(filter))) + b"\0")
    bare = thrift_field(1, 5, zigzag(1)) + b"\0"
    columns = b"".join(thrift_field(3, 12, column) + b"\0" for column in (meta, bare))
    group = thrift_field(1, 9, b"\x2c" + columns) + b"\0"
    meta_data = thrift_field(1, 5, zigzag(1)) + thrift_field(3, 9, b"\x1c" + group) + b"\0"
    return b"PAR1" + filter + meta_data + len(meta_data).to_bytes(4, "little") + b"PAR1"


def images():
    """(dialect, variant that must be named or None, bytes of a file with KEYS)."""
    yield "parquet", None, parquet_filter.encode(filled(parquet_filter.make("header", 10)))
    yield "parquet", "bitset", parquet_filter.encode(filled(parquet_filter.make("bitset", 10)))
    yield "parquet", None, parquet_file(KEYS)


class Sample:
    """A container with KEYS. answers(what was read): whether each of its keys is possibly present."""

    def __init__(self, name, kind, data, secret=None, asked=tuple((key,) for key in KEYS)):
        self.name = name
        self.kind = kind
        self.data = data
        self.secret = secret
        self.asked = asked

    def answers(self, read):
        return [read.filter.may_contain(*words) for words in self.asked]


def own_container(filter):
    """With all that its kind carries."""
    kind = kind_of(filter)
    keys = len(KEYS) if kind.keys else 0
    sentinels = container.smallest(filter.hasher.hash(key) for key in KEYS) if kind.sentinels else ()
    return container.write(filter, 0.01, 10, keys, sentinels, notes=((7, b"a note"),))


def containers():
    """At least one container of every kind."""
    for name, filter in own_filters():
        yield Sample(name, kind_of(filter), own_container(filter), filter.hasher.secret)
    for dialect, variant, image in images():
        data = container.write_foreign(image, dialect, {"variant": variant}, 10, 10)
        yield Sample(f"foreign, {dialect} {variant}", FOREIGN, data)
    yield packed()
    yield from packed_static()


def packed():
    """A packed set whose members have one key each, but the third, which has no blocks."""
    members = [filled(BLOCK.filter.make(Hasher(), "half-line", blocks), [key]) for blocks, key in zip((1, 2, 3), KEYS)]
    members.insert(2, None)
    return Sample("packed", PACKED, container.write_packed(members),
                  asked=((KEYS[0], 0), (KEYS[1], 1), (KEYS[2], 3)))


def packed_static():
    """Sets of each kind that can be a member: some with all keys, in the shapes of the samples."""
    for kind in PACKED_STATIC.members:
        members = [filter for _, filter in own_filters() if kind_of(filter) is kind and filter.hasher == Hasher()]
        asked = [(key, member) for member, filter in enumerate(members) for key in KEYS if filter.may_contain(key)]
        yield Sample(f"packed {kind.name}", PACKED_STATIC, container.write_packed_static(members), asked=asked)


def portable_image():
    return portable_dialect.encode(filled(PortableBloom(96, 7)))
