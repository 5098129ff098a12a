"""`receipts.json`: spec/hash.md, section 8."""

from ..hash import receipt, receipt_check, receipt_scope
from .vectors_of_hashes import hasher_of


def check_receipts(report, vectors):
    for row in vectors["scopes"]:
        with report.case(f"scope {row['scope']}") as case:
            scope = receipt_scope(row["kind"], *(int(row[name], 16) for name in ("units", "shape", "identity")))
            case.expect("scope", f"{scope:016x}", row["scope"])
    for row in vectors["receipts"]:
        with report.case(f"receipt {row['receipt']}") as case:
            hasher, scope = hasher_of(row["hasher"]), int(row["scope"], 16)
            hash = hasher.hash(row["text"].encode("ascii"))
            case.expect("hash", f"{hash:016x}", row["hash"])
            case.expect("check", f"{receipt_check(hasher, hash, scope):016x}", row["check"])
            case.expect("receipt", receipt(hasher, hash, scope).hex(), row["receipt"] + 16 * "0")
    for row in vectors["numbered"]:
        with report.case(f"receipt {row['receipt']}") as case:
            hasher, scope, number = hasher_of(row["hasher"]), int(row["scope"], 16), int(row["number"], 16)
            hash = hasher.hash(row["text"].encode("ascii"))
            case.expect("receipt", receipt(hasher, hash, scope, number).hex(), row["receipt"])
