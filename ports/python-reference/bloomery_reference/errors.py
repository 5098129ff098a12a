"""What a refusal is: a code, a sentence, and for bytes the offset to blame (spec/conformance.md, section 1)."""

INVALID_ARGUMENT = "invalid_argument"
TOO_LARGE = "too_large"
OUT_OF_MEMORY = "out_of_memory"
UNATTAINABLE = "unattainable"
CORRUPT = "corrupt"
UNSUPPORTED = "unsupported"
INCOMPATIBLE = "incompatible"
IO = "io"
FULL = "full"
NOT_PRESENT = "not_present"
TOO_MANY_COPIES = "too_many_copies"

CODES = (INVALID_ARGUMENT, TOO_LARGE, OUT_OF_MEMORY, UNATTAINABLE, CORRUPT, UNSUPPORTED, INCOMPATIBLE, IO,
         FULL, NOT_PRESENT, TOO_MANY_COPIES)


class Refusal(Exception):
    """The only exception that this package raises on purpose, whatever it is given."""

    def __init__(self, code, what, offset=None):
        assert code in CODES
        super().__init__(what)
        self.code = code
        self.what = what
        self.offset = offset

    def __str__(self):
        place = "" if self.offset is None else f" at byte {self.offset}"
        return f"{self.code}{place}: {self.what}"


def corrupt(offset, what):
    return Refusal(CORRUPT, what, offset)


def unsupported(offset, what):
    return Refusal(UNSUPPORTED, what, offset)


def invalid_argument(what):
    return Refusal(INVALID_ARGUMENT, what)


def too_large(what):
    return Refusal(TOO_LARGE, what)


def incompatible(what):
    return Refusal(INCOMPATIBLE, what)


def full(what):
    return Refusal(FULL, what)


def not_present(what):
    return Refusal(NOT_PRESENT, what)


def too_many_copies(what):
    return Refusal(TOO_MANY_COPIES, what)


def at_offset(base, decode_part):
    """What a part refuses, with the place in the whole that begins `base` bytes earlier, where a byte is to blame."""
    try:
        return decode_part()
    except Refusal as refusal:
        offset = None if refusal.offset is None else base + refusal.offset
        raise Refusal(refusal.code, refusal.what, offset) from None
