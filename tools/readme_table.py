#!/usr/bin/env python3
"""README's tables of speeds: some rows of those that bench programs wrote into docs/performance.md.

  tools/readme_table.py            fails if README has other figures than docs/performance.md
  tools/readme_table.py --write    copies them; tools/check_docs.py does both, too

First the calls with a user's keys (bench_end_to_end_v3), then those with keys hashed before
(bench_report).  A table that was not measured yet is left out.

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


# The calls with a user's keys.  Heading -> library, row of docs/performance.md.  Each library has its own hash.
USER_COLUMNS = {
    "`block_bloom`": ("ours", "**block**"),
    "Boost `fast_multiblock64`": ("Boost", "Boost mb64"),
    "Boost `fast_multiblock32`": ("Boost", "Boost mb32"),
}
USER_SIZES = ["1M", "10M"]
# What README calls it, what docs/performance.md does.
USER_KEYS = [("integers (u64)", "u64"), ("texts of 16 bytes", "text, 16 bytes")]
USER_ROWS = [("absent lookup one by one", "absent"), ("absent lookup in batches", "absent, batched"),
             ("insert one by one", "insert"), ("insert in batches", "insert, batched")]


class Wrong(Exception):
    pass


def section(text, name):
    """What a bench program wrote between its markers; nothing if it has not run yet."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    if begin not in text or end not in text:
        raise Wrong(f"docs/performance.md has no place for {name}")
    return text.split(begin)[1].split(end)[0].strip()


def cells_of(lines):
    """Rows of a table in Markdown, the heading first."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()]
    return cells[:1] + cells[2:]


def measured_users(text):
    """(key, keys, filter) -> {column: cell}, and the lines above that table; None if it was not measured yet."""
    written = section(text, "end_to_end_v3")
    if not written:
        return None, ""
    about, _, table_lines = written.partition("\n\n| key | keys | filter |")
    if not table_lines:
        raise Wrong("docs/performance.md: end_to_end_v3 has no table of bench_end_to_end_v3")
    cells = cells_of("| key | keys | filter |" + table_lines.split("\n\n")[0])
    return {tuple(row[:3]): dict(zip(cells[0], row)) for row in cells[1:]}, about


def measured(text):
    """(keys, filter) -> {column: cell} of docs/performance.md, and the lines above that table."""
    try:
        section = text.split("<!-- bench_report: begin -->")[1].split("<!-- bench_report: end -->")[0]
        about, table = section.split("\n\n| keys | filter |", 1)
    except (IndexError, ValueError):
        raise Wrong("docs/performance.md has no table of bench_report") from None
    cells = cells_of("| keys | filter |" + table.split("\n\n")[0])
    return {(row[0], row[1]): dict(zip(cells[0], row)) for row in cells[1:]}, about


def figure(rows, where, column):
    """Nanoseconds, or nothing where the library has no such call."""
    cell = rows.get(where, {}).get(column, "-").split(" ")[0]
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


def about_machine(about, what):
    """The sentence below a table, which says so if the machine was not quiet."""
    cpu = re.search(r"^- CPU: (.*?) cores visible", about, re.M)
    load = re.search(r"load average at the start: ([\d.]+)", about)
    if not cpu or not load:
        raise Wrong("docs/performance.md does not say on which machine it was measured")
    said = (f"Nanoseconds per key at a false-positive rate of 1 %, {what}, measured by\n"
            f"`make bench-docs` (CPU: {cpu[1]} cores; load average at the start: {load[1]}).\n"
            f"Bold: more than {TIE:.0%} ahead of every other library; less is a tie.".replace("10%", "10 %"))
    if float(load[1]) > QUIET:
        said += ("\n**Other programs were running on this machine**: take the ratios, not the nanoseconds, until they are measured "
                 "again.")
    return said


def heading(columns):
    return ["| | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]


def bits_row(bits):
    return "| bits per key | " + " | ".join("-" if b is None else f"{b:.1f}" for b in bits) + " |"


def user_table(text):
    """The calls with a user's keys; empty if they were not measured yet."""
    rows, about = measured_users(text)
    if rows is None:
        return ""
    if missing := [(key, keys, name) for _, key in USER_KEYS for keys in USER_SIZES for _, name in USER_COLUMNS.values()
                   if (key, keys, name) not in rows]:
        raise Wrong(f"docs/performance.md: end_to_end_v3 has no row of {', '.join(missing[0])}")
    lines = heading(USER_COLUMNS)
    lines.append(bits_row([figure(rows, (USER_KEYS[0][1], USER_SIZES[0], name), "bits/key")
                           for _, name in USER_COLUMNS.values()]))
    for keys in USER_SIZES:
        for what, key in USER_KEYS:
            for title, column in USER_ROWS:
                lines.append(speed_row(f"{keys} {what}: {title}",
                                       [(library, figure(rows, (key, keys, name), column))
                                        for library, name in USER_COLUMNS.values()]))
    said = about_machine(about, "each library with its own hash within the call, callers compiled for x86-64-v3")
    return "\n".join(lines) + "\n\n" + said + "\n\n"


def hashed_table(text):
    """Keys hashed before."""
    rows, about = measured(text)
    lines = heading(COLUMNS)
    lines.append(bits_row([figure(rows, (SIZES[0], batched), "bits/key") for _, batched, _ in COLUMNS.values()]))
    for keys in SIZES:
        for title, column, single in ROWS:
            lines.append(speed_row(f"{keys} keys: {title}",
                                   [(library, figure(rows, (keys, one if single else batched), column))
                                    for library, batched, one in COLUMNS.values()]))
    return "\n".join(lines) + "\n\n" + about_machine(about, "keys hashed before") + "\n"


def table(text):
    """What README has between its markers."""
    return user_table(text) + hashed_table(text)


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
