"""What came of the cases of one vector file."""

import json
import os

from ..errors import Refusal


class Report:
    def __init__(self, folder):
        self.folder = folder
        self.passed = 0
        self.skipped = []
        self.failed = []

    def expect(self, what, got, wanted):
        if got == wanted:
            self.passed += 1
        else:
            self.failed.append(f"{what}: {shortened(got)}, not {shortened(wanted)}")

    def expect_near(self, what, got, wanted, tolerance):
        """Within the tolerance, relatively."""
        near = got == wanted or abs(got - wanted) <= tolerance * abs(wanted)
        self.expect(what, wanted if near else got, wanted)

    def skip(self, what):
        self.skipped.append(what)

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
    """`maybe`: whether x0 .. x63 are perhaps present."""
    return "".join("1" if may_contain(key) else "0" for key in numbered("x", count))
