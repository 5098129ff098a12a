"""The vectors that are files: portable ones, containers, other systems'; to read, to write and to refuse."""

from .. import container
from ..block import HALF_LINE, BlockBloom
from ..dialects import READERS, atomicbloom, nori_bloom, parquet_filter
from ..dialects import portable as portable_dialect
from ..errors import Refusal
from ..portable import PortableBloom
from ..portable_sizing import size_by_rate
from .report import maybe_digits, numbered, refusal_of
from .vectors_of_hashes import edge


def keys_of_portable_file(vectors):
    """The last line of `_comment` tells the keys: the inputs of edge65, none, or PREFIX0 .. up to so many."""
    told = vectors["_comment"][-1]
    if "edge65" in told:
        return [edge(length) for length in range(vectors["inserted"])]
    prefix = told.removeprefix("Keys: ").split("0 ..")[0]
    return numbered(prefix, vectors["inserted"])


def check_portable_file(report, vectors):
    m, k = size_by_rate(vectors["sized_for"]["keys"], vectors["sized_for"]["fpr"])
    report.expect("bits", m, vectors["bits"])
    report.expect("hashes", k, vectors["hashes"])
    filter = PortableBloom(m, k)
    keys = keys_of_portable_file(vectors)
    for key in keys:
        filter.insert(key)
    report.expect("ones", filter.ones(), vectors["ones"])
    report.expect("bytes written", portable_dialect.encode(filter).hex(), vectors["hex"])
    again = portable_dialect.decode(bytes.fromhex(vectors["hex"]))
    report.expect("read and written", portable_dialect.encode(again).hex(), vectors["hex"])
    report.expect("its keys", all(again.may_contain(key) for key in keys), True)


def check_verdicts(report, vectors):
    filter = portable_dialect.decode(bytes.fromhex(report.load(vectors["filter"])["hex"]))
    numbers = [i for i, key in enumerate(numbered("x", vectors["asked"])) if filter.may_contain(key)]
    report.expect("numbers", numbers, vectors["numbers"])
    report.expect("maybe", len(numbers), vectors["maybe"])
    report.expect("k0 .. k999", all(filter.may_contain(key) for key in numbered("k", 1000)), True)


def check_portable_hostile(report, vectors):
    for row in vectors["refused"]:
        got = refusal_of(lambda: portable_dialect.decode(bytes.fromhex(row["hex"])))
        report.expect(row["defect"], got, (row["error"], row["offset"]))
    for row in vectors["accepted"]:
        filter = portable_dialect.decode(bytes.fromhex(row["hex"]))
        for name, got in (("bits", filter.m), ("hashes", filter.k), ("ones", filter.ones()),
                          ("padding_is_clear", filter.padding_is_clear()),
                          ("hex", portable_dialect.encode(filter).hex())):
            report.expect(f"{row['oddity']}, {name}", got, row[name])


def check_containers(report, vectors):
    for number, row in enumerate(vectors["cases"]):
        what, data = f"case {number}, {row['kind']}", bytes.fromhex(row["container"])
        try:
            contents = container.read(data)
        except Refusal as refusal:
            if row["kind"] == "foreign" and refusal.code == "unsupported":
                report.skip(f"{what}: {refusal.what}")
            else:
                report.failed.append(f"{what}: {refusal}")
            continue
        report.expect(f"{what}, kind", contents.kind, row["kind"])
        report.expect(f"{what}, damaged", contents.damaged, 0)
        if row["kind"] == "packed":
            check_packed(report, what, contents.filter, data)
            continue
        report.expect(f"{what}, maybe", maybe_digits(contents.filter.may_contain), row["maybe"])
        if row["kind"] != "foreign":
            report.expect(f"{what}, its keys", all(map(contents.filter.may_contain, numbered("k", 10))), True)
            report.expect(f"{what}, written", container.write(contents.filter, capacity=contents.header.capacity), data)


def check_packed(report, what, packed, data):
    """Members of 1, 2 and 3 blocks with one key each."""
    members = []
    for blocks, key in zip((1, 2, 3), numbered("k", 3)):
        members.append(BlockBloom(HALF_LINE, blocks))
        members[-1].insert(key)
    report.expect(f"{what}, written", container.write_packed(members), data)
    for number, member in enumerate(members):
        asked = numbered("k", 3) + numbered("x", 64)
        report.expect(f"{what}, member {number}", [packed.may_contain(key, number) for key in asked],
                      [member.may_contain(key) for key in asked])


def made_like(row):
    """A filter sized as its owner would for n keys at rate p, and the writer of its form."""
    if row["dialect"] == "nori":
        return nori_bloom.make(row["variant"], row["n"], row["p"]), nori_bloom.encode
    if row["dialect"] == "atomicbloom":
        return atomicbloom.make(row["n"], row["p"]), atomicbloom.encode
    return parquet_filter.make(row["variant"], row["n"], row["p"]), parquet_filter.encode


def check_dialects(report, vectors):
    key_sets = {"k10": numbered("k", 10), "edges": [bytes.fromhex(key) for key in vectors["edges"]]}
    for row in vectors["cases"]:
        what = f"{row['dialect']} {row['variant']}, {row['keys']}"
        if row["dialect"] not in READERS:
            report.skip(what)
            continue
        keys, image = key_sets[row["keys"]], bytes.fromhex(row["image"])
        filter = READERS[row["dialect"]](image, row["read"].get("variant"))
        report.expect(f"{what}, variant", filter.variant, row["variant"])
        report.expect(f"{what}, bits", filter.cells(), row["bits"])
        report.expect(f"{what}, its keys", all(map(filter.may_contain, keys)), True)
        report.expect(f"{what}, maybe", maybe_digits(filter.may_contain), row["maybe"])
        made, encode = made_like(row)
        for key in keys:
            made.insert(key)
        report.expect(f"{what}, written", encode(made), image)
        report.expect(f"{what}, read and written", encode(filter), image)
