"""The vectors of positions and of whole filters: spec/filters.md."""

from .. import container
from ..hash import FNV1A_SPLITMIX, XXH3, Hasher
from ..portable import positions
from .report import numbered


def check_positions(report, vectors, hasher, positions_of):
    for number, row in enumerate(vectors["cases"]):
        with report.case(f"case {number}") as case:
            if "text" in row:
                case.expect("the hash", f"{hasher.hash(row['text'].encode('ascii')):016x}", row["hash"])
            got = positions_of(int(row["hash"], 16), row)
            if isinstance(got, dict):  # by the names of the row
                case.expect("what a key has", got, {name: row[name] for name in got})
                continue
            wanted = row["positions"] if "positions" in row else [row["tag"], row["first"], row["second"]]
            case.expect("the list of positions", list(got), wanted)


def check_portable_positions(report, vectors):
    """Section 1.1. After m positions all repeat (1.2), so the list is completed by its period."""
    def positions_of(h, row):
        walked = positions(h, row["bits"], row["hashes"])
        return [walked[i % len(walked)] for i in range(row["hashes"])]
    check_positions(report, vectors, Hasher(FNV1A_SPLITMIX), positions_of)


def shape_in(row, kind):
    return [row[name] for name in kind.filter.shape]


def shape_of_positions(row, kind):
    """What the positions of a key depend on, where that is not the whole shape."""
    return [row[name] for name in getattr(kind.filter, "shape_of_positions", kind.filter.shape)]


def default_hasher(kind):
    """Section 5: `xxh3` with seed 0 where any hasher will do."""
    return Hasher(XXH3 if XXH3 in kind.hashes else kind.hashes[0])


def positions_checker(kind):
    """The checker of KIND_positions.json."""
    def check(report, vectors):
        check_positions(report, vectors, default_hasher(kind),
                        lambda h, row: kind.filter.positions_in(h, *shape_of_positions(row, kind)))
    return check


def filters_checker(kind):
    """The checker of KIND_filters.json."""
    def check(report, vectors):
        if not {"insert", "try_insert", "build"} & set(kind.can):
            check_read_filters(report, vectors, kind)
            return
        check_filters(report, vectors, lambda row: kind.filter.make(default_hasher(kind), *shape_in(row, kind)))
    return check


def check_filters(report, vectors, make):
    """Filters that are made, filled, asked, and folded into all others of the same keys (section 2.4)."""
    made = []
    for number, row in enumerate(vectors["cases"]):
        with report.case(f"case {number}") as case:
            filter, keys = make(row), numbered(row["prefix"], row["inserted"])
            for key in keys:
                filter.insert(key)
            case.expect("the array", filter.bits.hex(), row["hex"])
            case.expect("ones", filter.ones(), row["ones"])
            case.expect("maybe", sum(filter.may_contain(key) for key in numbered("x", 1000)), row["maybe"])
            case.expect("whether it has its keys", all(filter.may_contain(key) for key in keys), True)
            for smaller_row, smaller in made:
                if same_keys(row, smaller_row) and filter.blocks % smaller.blocks == 0:
                    folded = filter.fold(filter.blocks // smaller.blocks)
                    case.expect(f"the array folded to {smaller.blocks} blocks", folded.bits, smaller.bits)
            if "blocks" in row:
                made.append((row, filter))


def check_read_filters(report, vectors, kind):
    """Filters of a kind that is only read: what they hold is in their bytes."""
    for number, row in enumerate(vectors["cases"]):
        with report.case(f"case {number}") as case:
            made = kind.filter.make(Hasher(), *shape_in(row, kind))
            array = bytes.fromhex(row["hex"])
            case.expect("the length", len(array), len(made.array))
            made.array[:] = array
            data = container.write(made)
            filter, keys = container.verify(data).filter, numbered(row.get("prefix", "k"), row.get("inserted", 0))
            case.expect("what is written", container.write(filter), data)
            case.expect("maybe", sum(filter.may_contain(key) for key in numbered("x", 1000)), row["maybe"])
            case.expect("the keys it has", *found(row, [filter.may_contain(key) for key in keys]))
            wanted = [int(count, 16) if isinstance(count, str) else count for count in row.get("counts", ())]
            case.expect("the list of counts", [filter.count(key) for key in numbered(row.get("prefix", "k"), len(wanted))], wanted)
            for name, value in filter.figures().items():
                if name in row:
                    case.expect(name, value, row[name])
            for name, rate in (("realised", kind.rates.realised), ("estimated", kind.rates.keys)):
                if name in row:
                    case.expect_near(name, rate(filter), float(row[name]), 1e-6)


def found(row, answers):
    """(what there is, what there must be): all keys, unless the filter forgets; then as many as the row says, or which."""
    wanted = row.get("found", len(answers))
    return ("".join("01"[answer] for answer in answers) if isinstance(wanted, str) else sum(answers)), wanted


def same_keys(row, other):
    return all(row.get(name) == other.get(name) for name in ("profile", "prefix", "inserted"))
