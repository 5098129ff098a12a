"""What is drawn: case i of a seed is always the same."""

import json
import random

from . import container, nori, notes, parquet, spoil

VARIANTS = {"nori": ("current", "old-mod", "sstable", "quotient"), "atomicbloom": ("words",),
            "parquet": ("header", "bitset", "file")}
SOURCES = ("any", "any", "any", "any", "bytes", "integers", "hashes", "int32", "utf16")


class Case:
    """Bytes, and the words of `decode` after their name: a form and options."""

    def __init__(self, family, how, data):
        self.family, self.how, self.data = family, how, data


class Pool:
    """Files that spec/vectors has."""

    def __init__(self, vectors):
        def rows(name):
            return json.loads((vectors / f"{name}.json").read_text())

        self.containers = [bytes.fromhex(b) for b in rows("container_hostile")["bases"].values()]
        self.containers += [bytes.fromhex(row["container"]) for row in rows("containers")["cases"]]
        # Which dialects an implementation reads is left open.
        self.containers = [c for c in self.containers if c[10] != container.FOREIGN or b"nori" in c]
        self.packed = next(c for c in self.containers if c[10] == container.PACKED)
        self.foreign = []
        for name in ("dialects", "dialect_files", "dialect_hostile"):
            for row in rows(name)["cases"]:
                if row["dialect"] in VARIANTS:
                    self.foreign.append((row["dialect"], row.get("read", {}), bytes.fromhex(row["image"])))
        portable = rows("portable_hostile")
        self.portable = [bytes.fromhex(row["hex"]) for row in portable["refused"] + portable["accepted"]]


# What each is: a dialect, the variant that must be named, and bytes.
MAKERS = (
    lambda rng, odd: ("nori", None, nori.section(rng)),
    lambda rng, odd: ("nori", "quotient", nori.quotient(rng, odd=odd)),
    lambda rng, odd: ("nori", None, nori.bloom_table(rng, odd)),
    lambda rng, odd: ("nori", None, nori.block_table(rng, odd)),
    lambda rng, odd: ("nori", None, nori.block_table(rng, odd)),
    lambda rng, odd: ("atomicbloom", None, nori.words(rng)),
    lambda rng, odd: ("parquet", None, parquet.filter_alone(rng, odd=odd)),
    lambda rng, odd: ("parquet", None, parquet.filter_alone(rng, odd=odd)),
    lambda rng, odd: ("parquet", "bitset", parquet.bitset(rng, rng.choice((1, 2, 3)))),
    lambda rng, odd: ("parquet", None, parquet.file(rng, odd)),
    lambda rng, odd: ("parquet", None, parquet.file(rng, odd)),
    lambda rng, odd: ("parquet", None, parquet.file(rng, odd)),
)
# Files of more than one chunk, otherwise valid: the damage is to be what matters.
LARGE_MAKERS = (
    lambda rng: ("nori", None, nori.section(rng, 9000)),
    lambda rng: ("nori", "quotient", nori.quotient(rng, 11, odd=False)),
    lambda rng: ("nori", None, nori.bloom_table(rng, False, 5000, rng.choice((100, 5000)))),
    lambda rng: ("nori", None, nori.block_table(rng, False, rng.choice((9, 10)), 3)),
    lambda rng: ("atomicbloom", None, nori.words(rng, 1100)),
    lambda rng: ("parquet", None, parquet.filter_alone(rng, 300, odd=False)),
    lambda rng: ("parquet", None, parquet.file(rng, False, rng.choice((60, 130)))),
)


def options_of(rng, dialect, needed):
    """variant, part and form of a bare file, mostly such as can be."""
    options = {}
    if needed is not None and rng.random() < 0.97:
        options["variant"] = needed
    elif rng.random() < 0.2:
        options["variant"] = rng.choice((*VARIANTS[dialect], rng.choice(("none", "Current", "(r)"))))
    if rng.random() < 0.2:
        options["part"] = rng.choice((0, 0, 1, 1, 2, 3, 7, 2**32, 2**63, 2**64 - 2))
    if rng.random() < 0.15:
        options["form"] = rng.choice(("bytes", "text", "integer", "integer"))
    return options


def foreign(rng, pool):
    """A dialect, the variant to name, bytes."""
    if rng.random() < 0.3:
        dialect, read, data = rng.choice(pool.foreign)
        return dialect, read.get("variant"), spoil.spoil(rng, data)
    how = rng.random()
    dialect, variant, data = rng.choice(MAKERS)(rng, how < 0.7)
    return dialect, variant, spoil.spoil(rng, data) if how > 0.85 else data


def bare(rng, pool):
    if rng.random() < 0.05:
        return Case("bare portable", "portable", spoil.spoil(rng, rng.choice(pool.portable)))
    dialect, variant, data = foreign(rng, pool)
    options = options_of(rng, dialect, variant)
    return Case(f"bare {dialect}", " ".join([dialect, *(f"{k}={v}" for k, v in options.items())]), data)


def note_options(rng, dialect, variant):
    options = options_of(rng, dialect, variant)
    if "form" in options:
        options["form"] = ("bytes", "text", "integer").index(options["form"])
    return options


def in_container(rng, pool):
    dialect, variant, data = foreign(rng, pool)
    options = note_options(rng, dialect, variant)
    text = notes.odd_dialect(rng, dialect, options) if rng.random() < 0.6 else " ".join(
        [dialect, *(f"{k}={options[k]}" for k in notes.ORDER if k in options)]).encode()
    own = container.record(container.DIALECT_TAG, text)
    records = notes.odd_records(rng, own) if rng.random() < 0.25 else own
    made = container.wrapped(data, records, rng.choice((0, 0, 0, 1, 8)))
    if rng.random() < 0.15:
        made = container.damaged(rng, made)
    elif rng.random() < 0.1:
        made = container.spoiled(rng, made)
    return Case("wrapped", "native" + source_word(rng, 0.1), made)


def large_damaged(rng, _):
    dialect, variant, data = rng.choice(LARGE_MAKERS)(rng)
    options = {} if variant is None else {"variant": variant}
    if rng.random() < 0.3:
        options["part"] = rng.choice((0, 0, 1, 2))
    text = " ".join([dialect, *(f"{k}={v}" for k, v in options.items())]).encode()
    made = container.wrapped(data, container.record(container.DIALECT_TAG, text))
    return Case("damaged foreign", "native", container.damaged(rng, made))


def source_word(rng, often):
    return f" source={rng.choice(SOURCES)}" if rng.random() < often else ""


def own_kind(rng, pool):
    data = container.spoiled(rng, rng.choice(pool.containers))
    return Case("container", "native" + source_word(rng, 0.2), data)


def with_notes(rng, pool):
    data = rng.choice(pool.containers)
    made = container.with_notes(data, notes.odd_records(rng, notes.odd_source(rng)))
    return Case("notes", "native" + source_word(rng, 0.6), made)


FAMILIES = ((bare, 40), (in_container, 30), (large_damaged, 6), (own_kind, 14), (with_notes, 10))


def draw(pool, seed, i):
    rng = random.Random(f"{seed} {i}")
    family = rng.choices([f for f, _ in FAMILIES], [w for _, w in FAMILIES])[0]
    return family(rng, pool)
