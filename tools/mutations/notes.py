"""Notes of a container: dialects and their options, sources of keys, tags of others."""

from .container import DIALECT_TAG, SOURCE_TAG, record

NUMBERS = ("0", "1", "2", "3", "4", "7", "8", "10", "007", "00000000000000000000000000001", "4294967295", "4294967296",
           "18446744073709551613", "18446744073709551614", "18446744073709551615", "18446744073709551616",
           "99999999999999999999999", "-1", "+1", "1_0", "0x1", "1.0", "", " ", "1\n", "\xb2", "k")
VARIANTS = ("current", "old-mod", "sstable", "quotient", "words", "header", "bitset", "file", "(r)", "", "Current", "v=1",
            "current\0", "\xe9", "none")
SOURCES = ("integers", "hashes", "int32", "int32be", "int64be", "float32", "float64", "utf16", "bytes", "", "Integers",
           "integers ", "int64", "integers\0", "\xff")
ORDER = ("variant", "bits", "hashes", "seed", "form", "part")
# Dialects that not every implementation reads must not be named: whether they are read is left open.
STRANGERS = ("portable", "Nori", "nori\0", "", "native", "block", "\xfe")


def odd_value(rng, option):
    if option == "variant":
        return rng.choice(VARIANTS)
    if option == "form" and rng.random() < 0.6:
        return rng.choice("012")
    return rng.choice(NUMBERS)


def odd_dialect(rng, name, options):
    """`NAME variant=V ...`, with something wrong in it, or something that only looks so."""
    options = dict(options)
    for _ in range(rng.choice((0, 1, 1, 2))):
        option = rng.choice(ORDER)
        options[option] = odd_value(rng, option) if rng.random() < 0.7 else "0"
    words = [f"{option}={options[option]}" for option in ORDER if option in options]
    how = rng.randrange(20)
    if how == 0 and words:
        words.append(rng.choice(words))
    elif how == 1:
        rng.shuffle(words)
    elif how == 2:
        words.insert(rng.randrange(len(words) + 1), rng.choice(("", "x=1", "variant", "=", "Part=0", "part =0", "bits")))
    elif how == 3:
        name = rng.choice(STRANGERS)
    text = " ".join([name, *words])
    if how == 4:
        text = rng.choice((text + " ", " " + text, text.replace(" ", "  ", 1), text.replace(" ", "\t", 1), text + "\n"))
    return text.encode("latin-1")


def odd_records(rng, own):
    """Records before and after our own, some of which do not fit."""
    records = [own] if own is not None else []
    for _ in range(rng.choice((0, 1, 1, 2))):
        tag = rng.randrange(0x8000) if rng.random() < 0.5 else rng.choice(
            (0, 1, 2, 7, 0x7FFF, 0x8000, DIALECT_TAG, SOURCE_TAG, 0x8003, 0xFFFF))
        body = rng.choice((b"", b"nori", rng.choice(SOURCES).encode("latin-1"), rng.randbytes(rng.randrange(12))))
        records.insert(rng.randrange(len(records) + 1), record(tag, body))
    how = rng.randrange(14)
    if how == 0:
        tag, body = rng.choice((7, SOURCE_TAG, DIALECT_TAG)), rng.randbytes(4)
        length = rng.choice((0, 3, 5, 2**31, 2**32 - 1, 2**32 - 8))
        records.append(record(tag, body, length=length))
    elif how == 1:
        records.append(record(7, b"x", zero=rng.choice((1, 256, 65535))))
    elif how == 2:
        records.append(rng.randbytes(rng.randrange(1, 8)))
    elif how == 3 and records:
        records.append(rng.choice(records))
    return b"".join(records)


def odd_source(rng):
    """The record of a source of keys, or none."""
    if rng.random() < 0.3:
        return None
    named = SOURCES[:8] if rng.random() < 0.6 else SOURCES
    return record(SOURCE_TAG, rng.choice(named).encode("latin-1"))
