"""spec/filters.md, section 15.4: remainders and counts in a run."""

MAX_COPIES = 2**48 - 1


def digits_of(values, begin, r):
    """(the digits of the counter that begins there, whether the last one is there)."""
    digits = []
    for value in values[begin:]:
        digits.append(value)
        if value < 2**(r - 1):
            return digits, True
    return digits, False


def number_in(digits, r):
    """In base 2^(r - 1), the lowest first; the bit that says that another follows does not count."""
    return sum((digit % 2**(r - 1)) << ((r - 1) * i) for i, digit in enumerate(digits))


def groups(values, r):
    """(remainder, copies) of each, by the steps of section 15.5: they are defined for any values."""
    i = 0
    while i < len(values):
        y = values[i]
        if values[i:i + 3] == [y, y, y]:
            digits, _ = digits_of(values, i + 3, r)
            yield y, min(3 + number_in(digits, r), MAX_COPIES)
            i += 3 + len(digits)
        else:
            copies = 2 if values[i:i + 2] == [y, y] else 1
            yield y, copies
            i += copies


def is_run(values, r):
    """Section 15.6: remainders ascend, each once; no group is cut off; counters are as short as they can be, and below 2^48."""
    i, least = 0, 0
    while i < len(values):
        y = values[i]
        if y < least:
            return False
        least = y + 1
        if values[i:i + 3] == [y, y, y]:
            digits, is_whole = digits_of(values, i + 3, r)
            if not is_whole or (len(digits) > 1 and digits[-1] == 0) or 3 + number_in(digits, r) > MAX_COPIES:
                return False
            i += 3 + len(digits)
        else:
            i += 2 if values[i:i + 2] == [y, y] else 1
    return True
