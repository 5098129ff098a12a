"""spec/container.md, section 7: notes, and in kind 128 the one that names the dialect (section 5)."""

import re

from ..errors import corrupt, unsupported
from ..words import little, put_little

DIALECT_TAG = 0x8001
MUST_BE_UNDERSTOOD = 0x8000

OPTION_ORDER = ("variant", "bits", "hashes", "seed", "form", "part")
FORMS = ("bytes", "text", "integer")


def pack(records):
    """records: (tag, bytes) pairs."""
    return b"".join(put_little(tag, 2) + put_little(0, 2) + put_little(len(body), 4) + body for tag, body in records)


def unpack(data, begin, end, understood):
    """A dict from tag to bytes. `understood`: the tags with the highest bit set that this reader knows."""
    notes = {}
    at = begin
    while at < end:
        if end - at < 8 or little(data, at + 4, 4) > end - at - 8 or little(data, at + 2, 2) != 0:
            raise corrupt(at, "a note that does not fit")
        tag, length = little(data, at, 2), little(data, at + 4, 4)
        if tag & MUST_BE_UNDERSTOOD and tag not in understood:
            raise unsupported(at, f"a note with the tag {tag:04x}, which must be understood")
        if tag in notes:
            raise corrupt(at, f"a second note with the tag {tag:04x}")
        notes[tag] = bytes(data[at + 8:at + 8 + length])
        at += 8 + length
    return notes


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
    if option == "variant":
        return value
    if not re.fullmatch("[0-9]{1,20}", value) or int(value) >= 2**64:
        raise unsupported(offset, f"{option}={value} is no number")
    if option == "form":
        if int(value) >= len(FORMS):
            raise unsupported(offset, f"form={value}")
        return FORMS[int(value)]
    return int(value)
