"""`portable_sizing.json` and `portable_model.json`: spec/filters.md 1.4 and 1.5, spec/model.md."""

import math

from ..errors import Refusal
from ..kinds import PORTABLE
from ..model import portable_fpr, promise
from ..portable import PortableBloom
from ..portable_sizing import size_by_bits_per_key, size_by_memory, size_by_rate
from .report import numbered

TOLERANCE = 1e-6  # spec/model.md: within 1e-6, relatively

SIZINGS = {"by_rate": (size_by_rate, "fpr"), "by_bits_per_key": (size_by_bits_per_key, "bits_per_key"),
           "by_memory": (size_by_memory, "bytes")}


def check_sizing(report, vectors):
    for section, (size, parameter) in SIZINGS.items():
        for row in vectors[section]:
            with report.case(f"{section}, {row['keys']} keys, {row[parameter]}") as case:
                try:
                    got = size(row["keys"], row[parameter])
                except Refusal as refusal:
                    got = refusal.code
                case.expect("the size", got, row["error"] if "error" in row else (row["bits"], row["hashes"]))


def check_model(report, vectors):
    for row in vectors["expected"]:
        with report.case(f"expected, {row}") as case:
            case.expect_near("the rate", portable_fpr(row["bits"], row["hashes"], row["keys"]), row["fpr"], TOLERANCE)
    for row in vectors["promises"]:
        with report.case(f"promises, {row}") as case:
            verdict, true = promise(row["keys"], row["asked"])
            case.expect("the verdict", verdict, row["verdict"])
            case.expect_near("the true rate", true, row["true"], TOLERANCE)
    for row in vectors["realised"]:
        with report.case(f"realised, {row}") as case:
            check_realised(case, row)


def check_realised(case, row):
    """`estimated_keys` is null where it is infinite."""
    filter = PortableBloom(row["bits"], row["hashes"])
    for key in numbered("k", row["inserted"]):
        filter.insert(key)
    keys = math.inf if row["estimated_keys"] is None else row["estimated_keys"]
    case.expect("ones", filter.ones(), row["ones"])
    case.expect_near("the rate", PORTABLE.rates.realised(filter), row["fpr"], TOLERANCE)
    case.expect_near("the number of keys", PORTABLE.rates.keys(filter), keys, TOLERANCE)
