"""spec/container.md, section 7: notes; the source of the keys, and in kind 128 the dialect (section 5)."""

from ..errors import corrupt, unsupported
from ..hash import BYTES, SOURCES
from ..kinds import FOREIGN
from ..words import little, put_little

DIALECT_TAG, SOURCE_TAG, RECEIPTS_TAG = 0x8001, 0x8002, 3
MAX_RANGES = 4095
MUST_BE_UNDERSTOOD = 0x8000

OPTION_ORDER = ("variant", "bits", "hashes", "seed", "form", "part")
FORMS = ("bytes", "text", "integer")
LIMITS = {"variant": 0, "bits": 2**64, "hashes": 2**32, "seed": 2**64, "form": len(FORMS), "part": 2**64 - 1}


def pack(records):
    """records: (tag, bytes) pairs."""
    return b"".join(put_little(tag, 2) + put_little(0, 2) + put_little(len(body), 4) + body for tag, body in records)


class Note(bytes):
    """What a record holds, and `at`, where it begins."""

    def __new__(cls, body, at):
        note = super().__new__(cls, body)
        note.at = at
        return note


def understood_in(kind):
    """Section 8: tags with the highest bit set that this reader knows."""
    return (DIALECT_TAG,) if kind is FOREIGN else (SOURCE_TAG,)


def unpack(data, begin, end, kind):
    """A dict from tag to Note."""
    notes = {}
    at = begin
    while at < end:
        if end - at < 8 or little(data, at + 4, 4) > end - at - 8 or little(data, at + 2, 2) != 0:
            raise corrupt(at, "a note that does not fit")
        tag, length = little(data, at, 2), little(data, at + 4, 4)
        if tag & MUST_BE_UNDERSTOOD and tag not in understood_in(kind):
            raise unsupported(at, f"a note with the tag {tag:04x}, which must be understood")
        if tag in notes:
            raise corrupt(at, f"a second note with the tag {tag:04x}")
        notes[tag] = Note(data[at + 8:at + 8 + length], at)
        if tag == SOURCE_TAG:
            source_in(notes[tag])
        at += 8 + length
    return notes


def pack_source(source):
    """The records that say what keys are: none where they are bytes."""
    return () if source == BYTES else ((SOURCE_TAG, source.encode("ascii")),)


def source_in(note):
    """Bytes are said by saying nothing."""
    source = note.decode("latin-1")
    if source not in SOURCES or source == BYTES:
        raise unsupported(note.at, f"a source of keys, {source!r}, that is not known")
    return source


def receipts_in(records, identity):
    """The record of numbered receipts of a filter, as it is; None if there is none. What else may be written in its place is refused."""
    note = records.get(RECEIPTS_TAG)
    if note is not None and (identity == 0 or not is_record(note)):
        raise corrupt(note.at, "a record of receipts that no filter wrote")
    return note


def is_record(note):
    """How many were issued, then ascending ranges of those that were used, with others between them."""
    if len(note) % 16 != 8 or len(note) > 8 + 16 * MAX_RANGES:
        return False
    issued, *bounds = (little(note, at, 8) for at in range(0, len(note), 8))
    ranges = list(zip(bounds[::2], bounds[1::2]))
    return (0 < issued < 2**64 - 1 and all(first < end <= issued + 1 for first, end in ranges) and
            all(before < first for before, (first, _) in zip([0] + bounds[1::2], ranges)))


def pack_dialect(name, options):
    """`NAME [variant=V] [bits=N] [hashes=N] [seed=N] [form=N] [part=N]`; form: 0 bytes, 1 text, 2 integer."""
    words = [name]
    for option in OPTION_ORDER:
        if options.get(option) is not None:
            value = FORMS.index(options[option]) if option == "form" else options[option]
            words.append(f"{option}={value}")
    return " ".join(words).encode("ascii")


def unpack_dialect(note, offset):
    """(name, options); `offset`, where the notes begin, is to blame for everything."""
    if not note:
        raise corrupt(offset, "no note names the dialect")
    words = note.decode("latin-1").split(" ")
    options = {}
    order = list(OPTION_ORDER)
    for word in words[1:]:
        option, equals, value = word.partition("=")
        if not equals or option not in order:
            raise unsupported(offset, f"the option {word} of a dialect")
        del order[:order.index(option) + 1]
        options[option] = option_value(option, value, offset)
    return words[0], options


def option_value(option, value, offset):
    """A value that is not empty; of a number, decimal digits below LIMITS."""
    if option == "variant" and value:
        return value
    number = decimal(value)
    if number is None or number >= LIMITS[option]:
        raise unsupported(offset, f"{option}={value} is not such a number")
    return FORMS[number] if option == "form" else number


def decimal(digits):
    """None if there are others, or more than 64 bits take; leading zeros do not count."""
    if not digits or set(digits) - set("0123456789"):
        return None
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= 20 else None
