"""The vectors that are files: portable ones, containers, other systems'; to read, to write and to refuse."""

from .. import container
from ..block import HALF_LINE, BlockBloom
from ..dialects import READERS, parquet_filter
from ..dialects import portable as portable_dialect
from ..errors import Refusal
from ..portable import PortableBloom
from ..portable_sizing import size_by_rate
from .report import maybe_digits, numbered, refusal_of
from .vectors_of_hashes import edge


def keys_of_portable_file(vectors):
    """The last line of `_comment` names the keys: the inputs of edge65, none, or PREFIX0 .. up to so many."""
    told = vectors["_comment"][-1]
    if "edge65" in told:
        return [edge(length) for length in range(vectors["inserted"])]
    prefix = told.removeprefix("Keys: ").split("0 ..")[0]
    return numbered(prefix, vectors["inserted"])


def check_portable_file(report, vectors):
    """The whole file is one case."""
    with report.case("the file") as case:
        m, k = size_by_rate(vectors["sized_for"]["keys"], vectors["sized_for"]["fpr"])
        case.expect("the size", (m, k), (vectors["bits"], vectors["hashes"]))
        filter = PortableBloom(m, k)
        keys = keys_of_portable_file(vectors)
        for key in keys:
            filter.insert(key)
        case.expect("ones", filter.ones(), vectors["ones"])
        case.expect("what is written", portable_dialect.encode(filter).hex(), vectors["hex"])
        again = portable_dialect.decode(bytes.fromhex(vectors["hex"]))
        case.expect("what is read and written", portable_dialect.encode(again).hex(), vectors["hex"])
        case.expect("whether it has its keys", all(again.may_contain(key) for key in keys), True)


def check_verdicts(report, vectors):
    """The whole file is one case."""
    with report.case("the file") as case:
        filter = portable_dialect.decode(bytes.fromhex(report.load(vectors["filter"])["hex"]))
        numbers = [i for i, key in enumerate(numbered("x", vectors["asked"])) if filter.may_contain(key)]
        case.expect("the list of numbers", numbers, vectors["numbers"])
        case.expect("maybe", len(numbers), vectors["maybe"])
        case.expect("whether it has k0 .. k999", all(map(filter.may_contain, numbered("k", 1000))), True)


def check_portable_hostile(report, vectors):
    for row in vectors["refused"]:
        with report.case(row["defect"]) as case:
            got = refusal_of(lambda: portable_dialect.decode(bytes.fromhex(row["hex"])))
            case.expect("the refusal", got, (row["error"], row["offset"]))
    for row in vectors["accepted"]:
        with report.case(row["oddity"]) as case:
            filter = portable_dialect.decode(bytes.fromhex(row["hex"]))
            for name, got in (("bits", filter.m), ("hashes", filter.k), ("ones", filter.ones()),
                              ("padding_is_clear", filter.padding_is_clear()),
                              ("hex", portable_dialect.encode(filter).hex())):
                case.expect(name, got, row[name])


def check_containers(report, vectors):
    for number, row in enumerate(vectors["cases"]):
        data = bytes.fromhex(row["container"])
        with report.case(f"case {number}, {row['kind']}") as case:
            try:
                contents = container.verify(data)
            except Refusal as refusal:
                if row["kind"] != "foreign" or refusal.code != "unsupported":
                    raise
                case.skip()
                continue
            case.expect("the kind", contents.kind.name, row["kind"])
            case.expect("the damage", contents.damaged, 0)
            if row["kind"] == "packed":
                check_packed(case, contents.filter, data)
                continue
            case.expect("maybe", maybe_digits(contents.filter.may_contain), row["maybe"])
            if row["kind"] != "foreign":
                has_all = all(map(contents.filter.may_contain, numbered("k", 10)))
                case.expect("whether it has its keys", has_all or contents.kind.forgets, True)
                written = container.write(contents.filter, capacity=contents.header.capacity)
                case.expect("what is written", written, data)


def check_packed(case, packed, data):
    """Members of 1, 2 and 3 blocks with one key each."""
    members = []
    for blocks, key in zip((1, 2, 3), numbered("k", 3)):
        members.append(BlockBloom(HALF_LINE, blocks))
        members[-1].insert(key)
    case.expect("what is written", container.write_packed(members), data)
    asked = numbered("k", 3) + numbered("x", 64)
    for number, member in enumerate(members):
        case.expect(f"member {number}", [packed.may_contain(key, number) for key in asked],
                    [member.may_contain(key) for key in asked])


def check_dialects(report, vectors):
    key_sets = {"k10": numbered("k", 10), "edges": [bytes.fromhex(key) for key in vectors["edges"]]}
    for row in vectors["cases"]:
        with report.case(f"{row['dialect']} {row['variant']}, {row['keys']}") as case:
            if row["dialect"] in READERS:
                check_dialect(case, row, key_sets[row["keys"]])
            else:
                case.skip()


def check_dialect(case, row, keys):
    image = bytes.fromhex(row["image"])
    filter = READERS[row["dialect"]](image, row["read"].get("variant"))
    case.expect("the variant", filter.variant, row["variant"])
    case.expect("bits", filter.cells(), row["bits"])
    case.expect("whether it has its keys", all(map(filter.may_contain, keys)), True)
    case.expect("maybe", maybe_digits(filter.may_contain), row["maybe"])
    made = parquet_filter.make(row["variant"], row["n"], row["p"])
    for key in keys:
        made.insert(key)
    case.expect("what is written", parquet_filter.encode(made), image)
    case.expect("what is read and written", parquet_filter.encode(filter), image)
