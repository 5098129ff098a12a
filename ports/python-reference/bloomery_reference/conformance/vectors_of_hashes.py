"""`hash.json`, `hash_long.json`: spec/hash.md."""

from ..hash import (FNV1A_SPLITMIX, INTEGERS, SIPHASH13, XXH3, XXH64, Hasher, fnv1a64, splitmix64)

SECRET = bytes(range(16))


def edge(length):
    """The input of `edge65` with this length."""
    return bytes((31 * length + 7 * j + 128) % 256 for j in range(length))


def pattern(length):
    """p(n) of hash.md: byte i is i mod 251."""
    return bytes(i % 251 for i in range(length))


def hasher_of(column):
    """The hasher that a column is named after, or None."""
    name, _, seed = column.partition("_")
    if name in ("xxh3", "xxh64"):
        return Hasher(XXH3 if name == "xxh3" else XXH64, SEEDS[seed])
    return {"fnv1a-splitmix": Hasher(FNV1A_SPLITMIX), "siphash13": Hasher(SIPHASH13, secret=SECRET)}.get(column)


def hash_named(column, data):
    if column == "fnv1a64":
        return fnv1a64(data)
    return hasher_of(column).hash(data)


INPUTS = {"edge65": lambda row: edge(row["length"]), "texts": lambda row: row["text"].encode("ascii"),
          "patterns": lambda row: pattern(row["length"])}
SEEDS = {"0": 0, "1": 1, "f": 2**64 - 1}


def check_hash(report, vectors):
    for section, rows in vectors.items():
        for row in rows if section != "_comment" else ():
            with report.case(f"{section}, {list(row.values())[0]!r}") as case:
                check_row(case, section, row)


def check_row(case, section, row):
    if section == "splitmix64":
        case.expect("splitmix64", f"{splitmix64(int(row['x'], 16)):016x}", row["result"])
        return
    if section not in INPUTS and section != "integers":
        case.problems.append("this section is not known")
        return
    for column, wanted in row.items():
        if column in ("length", "text", "x") or column.startswith("murmur"):  # of dialects that are not read here
            continue
        if section == "integers":
            got = hasher_of(column).of(INTEGERS).hash_integer(int(row["x"], 16))
        else:
            got = hash_named(column, INPUTS[section](row))
        case.expect(column, f"{got:016x}", wanted)
