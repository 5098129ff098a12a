"""`portable_sizing.json` and `portable_model.json`: spec/filters.md 1.4 and 1.5, spec/model.md."""

from ..errors import Refusal
from ..portable_sizing import size_by_bits_per_key, size_by_memory, size_by_rate

SIZINGS = {"by_rate": (size_by_rate, "fpr"), "by_bits_per_key": (size_by_bits_per_key, "bits_per_key"),
           "by_memory": (size_by_memory, "bytes")}


def check_sizing(report, vectors):
    for section, (size, parameter) in SIZINGS.items():
        for row in vectors[section]:
            try:
                got = size(row["keys"], row[parameter])
            except Refusal as refusal:
                got = refusal.code
            wanted = row["error"] if "error" in row else (row["bits"], row["hashes"])
            report.expect(f"{section}: {row['keys']} keys, {row[parameter]}", got, wanted)
