"""`container_hostile.json`, `dialect_hostile.json` and `dialect_files.json`: read as a script would read them."""

from . import on_bytes, on_filters
from .script import Machine, Operation, failed
from ..dialects import READERS
from ..errors import Refusal


class Attempt:
    """`decode` of conformance.md, section 4, applied to bytes, and then `query`."""

    def __init__(self, data, form, options):
        self.machine = Machine(None)
        self.machine.assign("B", data)
        words = "".join(f" {name}={value}" for name, value in options.items())
        self.operation = Operation(f"decode F B {form}{words}")
        self.refusal = None
        try:
            self.result = on_bytes.do_decode(self.machine, self.operation)
        except Refusal as refusal:
            self.refusal = refusal
            self.result = failed(self.operation, refusal)

    def answers(self, keys, member=""):
        return on_filters.do_query(self.machine, Operation(f"query F {keys}{member}"))


def check_row(case, attempt, row, member=""):
    """The refusal, or what is accepted and its answers for k0 .. k9 and x0 .. x15, or for the keys of `asked`."""
    if "error" in row:
        wanted = f"error {row['error']}"
        got = attempt.result
        if "offset" in row:
            wanted += f" at={row['offset']}"
        elif attempt.refusal is not None:
            got = f"error {attempt.refusal.code}"
        case.expect("what decode prints", got, wanted)
        return
    case.expect("what decode prints", attempt.result, f"ok {row['accepted']}")
    if attempt.refusal is None and "answers" in row:
        case.expect("the row of answers", attempt.answers(row.get("asked", "k[0..9] x[0..15]"), member), row["answers"])


def check_dialect_files(report, vectors):
    for number, row in enumerate(vectors["cases"]):
        with report.case(f"{row['dialect']}, case {number}, {row['what']}") as case:
            if row["dialect"] in READERS:
                check_row(case, Attempt(bytes.fromhex(row["image"]), row["dialect"], row.get("read", {})), row)
            else:
                case.skip()


def edited(base, row):
    """The base, made `length` long, then overwritten by the edits."""
    data = bytearray(base)
    length = row.get("length", len(data))
    data = data[:length] + bytes(max(0, length - len(data)))
    for offset, digits in row.get("edits", ()):
        new = bytes.fromhex(digits)
        data[offset:offset + len(new)] = new
    return bytes(data)


def names_another_dialect(attempt, data):
    """Whether a container of kind 128 is refused where its notes begin: it names a dialect that is not offered here."""
    notes = len(data) - 4 - int.from_bytes(data[96:100], "little")
    return data[10:11] == b"\x80" and attempt.result == f"error unsupported at={notes}"


def check_container_hostile(report, vectors):
    bases = {name: bytes.fromhex(digits) for name, digits in vectors["bases"].items()}
    for number, row in enumerate(vectors["cases"]):
        with report.case(f"case {number}, {row['base']}, {row['defect']}") as case:
            member = " member=0" if "kind=packed" in row.get("accepted", "") else ""
            data = edited(bases[row["base"]], row)
            attempt = Attempt(data, "native", {})
            if names_another_dialect(attempt, data) and row.get("error") != "unsupported":
                case.skip()  # what decides is behind the note that names the dialect
            else:
                check_row(case, attempt, row, member)
