"""spec/conformance.md, sections 1 and 2: every JSON file of a folder, by the checker of its name."""

import fnmatch
import json
import os

from ..block import LANES16
from ..kinds import BLOCK, kinds_of_one_filter
from . import (vectors_of_files, vectors_of_filters, vectors_of_hashes, vectors_of_hostile_files, vectors_of_rates,
               vectors_of_receipts)
from .report import Report

CHECKERS = (
    ("hash.json", vectors_of_hashes.check_hash),
    ("hash_long.json", vectors_of_hashes.check_hash),
    ("receipts.json", vectors_of_receipts.check_receipts),
    ("portable_positions.json", vectors_of_filters.check_portable_positions),
    ("portable_sizing.json", vectors_of_rates.check_sizing),
    ("portable_model.json", vectors_of_rates.check_model),
    ("portable_verdicts.json", vectors_of_files.check_verdicts),
    ("portable_hostile.json", vectors_of_files.check_portable_hostile),
    ("portable_*_n*_p*.json", vectors_of_files.check_portable_file),
    ("containers.json", vectors_of_files.check_containers),
    ("dialects.json", vectors_of_files.check_dialects),
    ("dialect_files.json", vectors_of_hostile_files.check_dialect_files),
    ("dialect_hostile.json", vectors_of_hostile_files.check_dialect_files),
    ("container_hostile.json", vectors_of_hostile_files.check_container_hostile),
)


def checkers_of_kinds():
    """The positions and the filters of every kind: split_block_positions.json; and of a profile that came later."""
    for name, kind in (*((kind.name, kind) for kind in kinds_of_one_filter()), (LANES16.name, BLOCK)):
        name = name.replace("-", "_")
        yield f"{name}_positions.json", vectors_of_filters.positions_checker(kind)
        yield f"{name}_filters.json", vectors_of_filters.filters_checker(kind)


def check_file(folder, name):
    """The report of one file. One that is not known is a failure, so that nothing new is overlooked."""
    report = Report(folder)
    for pattern, checker in (*CHECKERS, *checkers_of_kinds()):
        if fnmatch.fnmatchcase(name, pattern):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                contents = json.load(file)
            checker(report, contents)
            overlooked = count_cases(contents) - report.passed - len(report.skipped) - len(report.failed)
            if overlooked:
                report.failed.append(f"{overlooked} cases were overlooked")
            return report
    report.failed.append("no checker knows this file")
    return report


def count_cases(vectors):
    """How many cases a file has: objects in arrays that are its members, or one if there are none."""
    arrays = [value for value in vectors.values() if isinstance(value, list)]
    return sum(isinstance(row, dict) for array in arrays for row in array) or 1


def names(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".json"))
