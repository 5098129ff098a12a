"""spec/conformance.md, section 1: what came of the cases of one vector file."""

import json
import os
from contextlib import contextmanager

from ..errors import Refusal
from .words_of_keys import NotAScript


class Case:
    """One row of a vector file: it passes if all of it does."""

    def __init__(self, what):
        self.what = what
        self.problems = []
        self.is_skipped = False

    def expect(self, what, got, wanted):
        if got != wanted:
            self.problems.append(f"{what} is {shortened(got)}, not {shortened(wanted)}")

    def expect_near(self, what, got, wanted, tolerance):
        """Within the tolerance, relatively."""
        if not (got == wanted or abs(got - wanted) <= tolerance * abs(wanted)):
            self.problems.append(f"{what} is {got}, not {wanted}")

    def skip(self):
        self.is_skipped = True


class Report:
    """What came of the cases of one vector file."""

    def __init__(self, folder):
        self.folder = folder
        self.passed = 0
        self.skipped = []
        self.failed = []

    @contextmanager
    def case(self, what):
        case = Case(what)
        try:
            yield case
        except Refusal as refusal:
            case.problems.append(str(refusal))
        except (KeyError, ValueError, NotAScript) as problem:
            case.problems.append(f"a row that is not understood: {problem!r}")
        if case.problems:
            self.failed.append(f"{what}: {'; '.join(case.problems)}")
        elif case.is_skipped:
            self.skipped.append(what)
        else:
            self.passed += 1

    def load(self, name):
        """Another vector file, which this one names."""
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return json.load(file)


def shortened(value):
    text = value.hex() if isinstance(value, (bytes, bytearray)) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def refusal_of(attempt):
    """(code, offset) of what an attempt refuses; None if it does not."""
    try:
        attempt()
    except Refusal as refusal:
        return refusal.code, refusal.offset
    return None


def numbered(prefix, count):
    return [f"{prefix}{i}".encode("ascii") for i in range(count)]


def maybe_digits(may_contain, count=64):
    """`maybe`: whether x0 .. x63 are possibly present."""
    return "".join("1" if may_contain(key) else "0" for key in numbered("x", count))
