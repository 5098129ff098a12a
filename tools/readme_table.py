#!/usr/bin/env python3
"""README's table of speeds: some rows of the one that bench_report wrote into docs/performance.md.

  tools/readme_table.py            fails if README has other figures than docs/performance.md
  tools/readme_table.py --write    copies them; tools/check_docs.py does both, too

`make bench-docs` measures, refuses to above a load average of 0.5, and writes both.

A figure is bold if it is more than TIE below those of every other library: what is within TIE is a
tie, and whoever is ahead is shown ahead.  Rows are for two sizes, as not all lead at both.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIE = 0.10
QUIET = 0.5  # load average, as in bench/kit/document.cpp
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"

# Heading -> library, row of docs/performance.md for batches and for single calls.  Boost is built for
# x86-64-v3, and so are our single calls; batches do not depend on it.
COLUMNS = {
    "`block_bloom`": ("ours", "**block**", "**block, v3 build**"),
    "`split_block_bloom`": ("ours", "**split-block**", "**split-block, v3 build**"),
    "Boost `fast_multiblock64`": ("Boost", "Boost fast_multiblock64", "Boost fast_multiblock64"),
    "Boost `fast_multiblock32`": ("Boost", "Boost fast_multiblock32", "Boost fast_multiblock32"),
    "RocksDB": ("RocksDB", "RocksDB", "RocksDB"),
    "fastbloom (Rust)": ("fastbloom", "fastbloom (Rust)", "fastbloom (Rust)"),
    "bits-and-blooms (Go)": ("bits-and-blooms", "bits-and-blooms (Go)", "bits-and-blooms (Go)"),
}
SIZES = ["10M", "100M"]
# What README calls it, its column in docs/performance.md, whether it is a single call.
ROWS = [("absent lookup in batches", "absent, batched", False), ("absent lookup one by one", "absent", True),
        ("insert in batches", "insert, batched", False), ("insert one by one", "insert", True)]


class Wrong(Exception):
    pass


def measured(text):
    """(keys, filter) -> {column: cell} of docs/performance.md, and the lines above that table."""
    try:
        section = text.split("<!-- bench_report: begin -->")[1].split("<!-- bench_report: end -->")[0]
        about, table = section.split("\n\n| keys | filter |", 1)
    except (IndexError, ValueError):
        raise Wrong("docs/performance.md has no table of bench_report") from None
    lines = ("| keys | filter |" + table.split("\n\n")[0]).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {(row[0], row[1]): dict(zip(cells[0], row)) for row in cells[2:]}, about


def figure(rows, keys, name, column):
    """Nanoseconds, or nothing where the library has no such call."""
    cell = rows.get((keys, name), {}).get(column, "-").split(" ")[0]
    return None if cell in ("", "-") else float(cell)


def is_ahead(mine, others):
    """More than a tie ahead of all others, of which there is one at least."""
    return bool(others) and all(mine < (1 - TIE) * other for other in others)


def speed_row(title, figures):
    """figures: (library, nanoseconds or None) of each column."""
    cells = []
    for library, ns in figures:
        others = [other for owner, other in figures if owner != library and other is not None]
        cells.append("-" if ns is None else f"**{ns:.1f}**" if is_ahead(ns, others) else f"{ns:.1f}")
    return f"| {title} | " + " | ".join(cells) + " |"


def about_machine(about):
    """The sentence below the table, which says so if the machine was not quiet."""
    cpu = re.search(r"^- CPU: (.*?) cores visible", about, re.M)
    load = re.search(r"load average at the start: ([\d.]+)", about)
    if not cpu or not load:
        raise Wrong("docs/performance.md does not say on which machine it was measured")
    said = (f"Nanoseconds per key at a false-positive rate of 1 %, measured by `make bench-docs` (CPU: {cpu[1]} cores; load\n"
            f"average at the start: {load[1]}). Bold: more than {TIE:.0%} ahead of every other library; less is a tie."
            .replace("10%", "10 %"))
    if float(load[1]) > QUIET:
        said += ("\n**Other programs were running on this machine**: take the ratios, not the nanoseconds, until they are measured "
                 "again.")
    return said


def table(text):
    """What README has between its markers."""
    rows, about = measured(text)
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---|" + "--:|" * len(COLUMNS)]
    bits = [figure(rows, SIZES[0], batched, "bits/key") for _, batched, _ in COLUMNS.values()]
    lines.append("| bits per key | " + " | ".join("-" if b is None else f"{b:.1f}" for b in bits) + " |")
    for keys in SIZES:
        for title, column, single in ROWS:
            lines.append(speed_row(f"{keys} keys: {title}",
                                   [(library, figure(rows, keys, one if single else batched, column))
                                    for library, batched, one in COLUMNS.values()]))
    return "\n".join(lines) + "\n\n" + about_machine(about) + "\n"


def filled(readme, text):
    head, begin, rest = readme.partition(BEGIN + "\n")
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise Wrong(f"README.md has no place for it between {BEGIN} and {END}")
    return head + begin + table(text) + end + tail


def files():
    return (ROOT / "README.md").read_text("utf-8"), (ROOT / "docs" / "performance.md").read_text("utf-8")


def problems():
    try:
        readme, text = files()
        if filled(readme, text) != readme:
            yield "README.md: the table of speeds is not that of docs/performance.md: tools/readme_table.py --write"
    except Wrong as wrong:
        yield str(wrong)


def write():
    readme, text = files()
    if (new := filled(readme, text)) != readme:
        (ROOT / "README.md").write_text(new, "utf-8")
        print("readme_table: written: README.md")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    wrong = list(problems())
    print("\n".join(wrong) or "readme_table: README.md has the figures of docs/performance.md")
    sys.exit(bool(wrong))
