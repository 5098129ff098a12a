"""The vectors of positions and of whole filters: spec/filters.md, sections 1 to 4."""

from .. import block, bloom, portable, split_block
from ..hash import FNV1A_SPLITMIX, XXH3, XXH64, Hasher
from .report import numbered


def check_positions(report, vectors, hasher, positions_of):
    for row in vectors["cases"]:
        h = int(row["hash"], 16)
        if "text" in row:
            report.expect(f"hash of {row['text']!r}", f"{hasher.hash(row['text'].encode('ascii')):016x}", row["hash"])
        report.expect(f"positions of {row['hash']}", positions_of(h, row), row["positions"])


def check_portable_positions(report, vectors):
    """Section 1.1. After m positions all repeat (1.2), so the list is completed by its period."""
    def positions_of(h, row):
        walked = portable.positions(h, row["bits"], row["hashes"])
        return [walked[i % len(walked)] for i in range(row["hashes"])]
    check_positions(report, vectors, Hasher(FNV1A_SPLITMIX), positions_of)


def check_block_positions(report, vectors):
    check_positions(report, vectors, Hasher(XXH3),
                    lambda h, row: block.positions(h, row["blocks"], block.profile_named(row["profile"])))


def check_split_block_positions(report, vectors):
    check_positions(report, vectors, Hasher(XXH64), lambda h, row: split_block.positions(h, row["blocks"]))


def check_bloom_positions(report, vectors):
    check_positions(report, vectors, Hasher(XXH3), lambda h, row: bloom.positions(h, row["bits"], row["hashes"]))


def check_filters(report, vectors, make):
    """Filters that are made, filled and asked. Gives them back by their row's number."""
    made = []
    for number, row in enumerate(vectors["cases"]):
        filter = make(row)
        keys = numbered(row["prefix"], row["inserted"])
        for key in keys:
            filter.insert(key)
        report.expect(f"case {number}, bits", filter.bits.hex(), row["hex"])
        report.expect(f"case {number}, ones", filter.ones(), row["ones"])
        report.expect(f"case {number}, maybe", sum(filter.may_contain(key) for key in numbered("x", 1000)), row["maybe"])
        report.expect(f"case {number}, its keys", all(filter.may_contain(key) for key in keys), True)
        made.append((row, filter))
    return made


def check_folds(report, made):
    """Section 2.4: a filter folds into every other of the same keys whose blocks divide its own."""
    for row, filter in made:
        for other_row, other in made:
            same_keys = all(row.get(name) == other_row.get(name) for name in ("profile", "prefix", "inserted"))
            if same_keys and filter.blocks % other.blocks == 0:
                folded = filter.fold(filter.blocks // other.blocks)
                report.expect(f"{filter.blocks} blocks folded to {other.blocks}", folded.bits, other.bits)


def check_block_filters(report, vectors):
    check_folds(report, check_filters(
        report, vectors, lambda row: block.BlockBloom(block.profile_named(row["profile"]), row["blocks"])))


def check_split_block_filters(report, vectors):
    check_folds(report, check_filters(report, vectors, lambda row: split_block.SplitBlockBloom(row["blocks"])))


def check_bloom_filters(report, vectors):
    check_filters(report, vectors, lambda row: bloom.ClassicBloom(row["bits"], row["hashes"]))
