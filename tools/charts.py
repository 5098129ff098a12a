#!/usr/bin/env python3
"""Draws the charts of docs/performance.md from what bench_report measured.

  bench_report --json FILE
  tools/charts.py FILE           writes docs/charts/*.svg and names them in the document
  tools/charts.py FILE FOLDER    writes FOLDER/*.svg
  tools/charts.py docs/model.md  writes docs/charts/static_sizes.svg, from the table that
                                 bench_static --write put there

Each chart carries its own background and both colour schemes, so it can be read wherever
it is shown.  Lines are named where they end, not in a legend.
"""
import json
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 880, 520
LEFT, RIGHT, TOP, BOTTOM = 70, 270, 72, 56  # margins: axis, names, title, axis
# A colour for the light scheme and one for the dark.  The first are ours.
OURS = [("#0b5cad", "#6cb6ff"), ("#00786c", "#4fd1c0"), ("#7a37b8", "#c99bff"),
        ("#a8328a", "#ff8fd8"), ("#3d5a00", "#b5d96b"), ("#00607a", "#7fd0ea")]
PEERS = [("#b3470b", "#ff9d5c"), ("#8a6500", "#e8c04a"), ("#b01e3c", "#ff7f96"),
         ("#5f5f00", "#d0d060"), ("#7d4a2d", "#d8a583"), ("#4f5b66", "#a9b7c6"),
         ("#2f6b2f", "#86d286"), ("#94395f", "#f0a0c0")]
INK, PAPER, GRID, QUIET = (("#1c2128", "#e6edf3"), ("#ffffff", "#161b22"),
                           ("#d8dee4", "#343b44"), ("#57606a", "#9aa5b1"))


def style(colours):
    def rules(scheme):
        ink, paper, grid, quiet = (c[scheme] for c in (INK, PAPER, GRID, QUIET))
        yield f".paper{{fill:{paper}}} .grid{{stroke:{grid}}} .axis{{stroke:{quiet}}}"
        yield f".ink{{fill:{ink}}} .quiet{{fill:{quiet}}} .floor{{stroke:{ink}}} .edge{{stroke:{paper}}}"
        for i, colour in enumerate(colours):
            yield (f".s{i}{{stroke:{colour[scheme]}}} .f{i}{{fill:{colour[scheme]}}}")
    return ("<style>text{font-family:system-ui,sans-serif;font-size:13px}"
            ".title{font-size:17px;font-weight:600}.bold{font-weight:600}"
            "polyline{fill:none}" + " ".join(rules(0)) +
            "@media (prefers-color-scheme:dark){" + " ".join(rules(1)) + "}</style>")


def text(x, y, what, classes="ink", anchor="start", turn=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}" text-anchor="{anchor}"'
            f'{turn}>{escape(what)}</text>')


def line(x1, y1, x2, y2, classes, width=1, dash=""):
    dash = f' stroke-dasharray="{dash}"' if dash else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'class="{classes}" stroke-width="{width}"{dash}/>')


def page(title, subtitle, height, colours, body):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>", style(colours),
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="6"/>',
        text(20, 28, title, "ink title"), text(20, 48, subtitle, "quiet"),
        *body, "</svg>", ""])


def short(n):
    for unit, name in (10**6, "M"), (10**3, "k"):
        if n >= unit and n % unit == 0:
            return f"{n // unit}{name}"
    return str(n)


def spread(wanted, gap, low, high):
    """Heights near the wanted ones, `gap` apart at least, between low and high."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    last = low - gap
    for i in order:
        last = placed[i] = max(wanted[i], last + gap)
    limit = high
    for i in reversed(order):
        limit = placed[i] = min(placed[i], limit)
        limit -= gap
    return placed


def names_in_order(rows):
    """Each filter once, ours first, with its colour."""
    ours = list(dict.fromkeys(r["filter"] for r in rows if r["ours"]))
    peers = list(dict.fromkeys(r["filter"] for r in rows if not r["ours"]))
    colours = [OURS[i % len(OURS)] for i in range(len(ours))]
    colours += [PEERS[i % len(PEERS)] for i in range(len(peers))]
    return ours + peers, colours, len(ours)


def decades(low, high):
    return [m * 10**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            for m in (1, 2, 5) if low <= m * 10**e <= high]


def by_size(rows, title, subtitle, value, floor, unit):
    """One line a filter over the number of keys, both axes logarithmic."""
    names, colours, ours = names_in_order(rows)
    series, sizes = {}, sorted({r["keys"] for r in rows})
    for name in names:
        series[name] = [(r["keys"], value(r)) for r in rows
                        if r["filter"] == name and value(r) is not None]
    floors = [(n, floor(next(r for r in rows if r["keys"] == n))) for n in sizes]
    every = [v for points in series.values() for _, v in points] + [v for _, v in floors]
    low, high = min(every) / 1.25, max(every) * 1.25

    def x(n):
        share = 0.5 if len(sizes) == 1 else math.log(n / sizes[0]) / math.log(sizes[-1] / sizes[0])
        return LEFT + 14 + share * (WIDTH - LEFT - RIGHT - 14)

    def y(v):
        return TOP + math.log(high / v) / math.log(high / low) * (HEIGHT - TOP - BOTTOM)

    body = []
    for v in decades(low, high):
        body += [line(LEFT, y(v), WIDTH - RIGHT, y(v), "grid"),
                 text(LEFT - 8, y(v) + 4, f"{v:g}", "quiet", "end")]
    for n in sizes:
        body += [line(x(n), HEIGHT - BOTTOM, x(n), HEIGHT - BOTTOM + 5, "axis"),
                 text(x(n), HEIGHT - BOTTOM + 20, short(n), "quiet", "middle")]
    body += [line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"),
             text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "keys in the filter", "ink", "middle"),
             text(0, 0, unit, "ink", "middle",
                  f' transform="translate(22 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"')]

    drawn = [(name, i, series[name]) for i, name in enumerate(names) if series[name]]
    drawn.append(("one random cache line", None, floors))
    heights = spread([y(points[-1][1]) for _, _, points in drawn], 18, TOP + 4, HEIGHT - BOTTOM)
    for (name, i, points), height in zip(drawn, heights):
        mine = i is not None and i < ours
        shape = " ".join(f"{x(n):.1f},{y(v):.1f}" for n, v in points)
        kind = "floor" if i is None else f"s{i}"
        dash = ' stroke-dasharray="6 4"' if i is None else ""
        body.append(f'<polyline points="{shape}" class="{kind}" '
                    f'stroke-width="{3 if mine else 1.6}"{dash}/>')
        if i is not None:
            body += [f'<circle cx="{x(n):.1f}" cy="{y(v):.1f}" r="{4 if mine else 2.8}" '
                     f'class="f{i}"/>' for n, v in points]
        end, last = x(points[-1][0]), points[-1][1]
        body += [line(end + 6, y(last), WIDTH - RIGHT + 22, height, kind, 0.8),
                 text(WIDTH - RIGHT + 27, height + 4, f"{name}: {last:.3g}",
                      "ink" + (" bold" if mine else ""))]
    return page(title, subtitle, HEIGHT, colours, body)


def space(rows, keys):
    """Bits a key as bars, with the least that a filter of the same rate needs."""
    names, colours, ours = names_in_order(rows)
    shown = [next((r for r in rows if r["filter"] == n and r["keys"] == keys), None) for n in names]
    bars = [(i, r) for i, r in enumerate(shown)
            if r and not r["one_key_only"] and "over_limit_percent" in r]
    bars.sort(key=lambda bar: bar[1]["over_limit_percent"])
    left, step = 220, 34
    height = TOP + 26 + step * len(bars) + BOTTOM
    most = math.ceil(max(r["bits_per_key"] for _, r in bars)) + 1
    right = WIDTH - 200

    def x(bits):
        return left + bits / most * (right - left)

    bottom = TOP + 20 + step * len(bars)
    body = []
    for bits in range(0, most + 1, 2):
        body += [line(x(bits), TOP + 10, x(bits), bottom, "grid"),
                 text(x(bits), bottom + 18, str(bits), "quiet", "middle")]
    body.append(text((left + right) / 2, bottom + 40, "bits per key", "ink", "middle"))
    for place, (i, r) in enumerate(bars):
        y = TOP + 18 + step * place
        rate, limit = r["measured_fpr"], math.log2(1 / r["measured_fpr"])
        body += [f'<rect x="{left}" y="{y}" width="{x(r["bits_per_key"]) - left:.1f}" '
                 f'height="20" rx="3" class="f{i}"/>',
                 line(x(limit), y - 4, x(limit), y + 24, "edge", 7),
                 line(x(limit), y - 5, x(limit), y + 25, "floor", 2.5),
                 text(left - 10, y + 15, r["filter"], "ink" + (" bold" if i < ours else ""), "end"),
                 text(right + 8, y + 15, f'{r["bits_per_key"]:.2f} at {100 * rate:.2f} %: '
                      f'{r["over_limit_percent"]:+.0f} %')]
    return page(f"Space of a filter of {short(keys)} keys",
                "The upright stroke is log2(1/p): no filter of the measured rate p needs less.",
                height, colours, body)


def static_rows(document):
    """The table of bench_static: [(keys, limit, [bits per key of each filter])], and their names."""
    table = document.split("<!-- bench_static: begin -->")[1].split("<!-- bench_static: end -->")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")]
            for row in table.splitlines() if row.startswith("|")]
    return ([(int(r[0]), float(r[2]), [float(c.split(",")[0]) for c in r[3:]]) for r in rows[2:]],
            rows[0][3:])


def size_by_rate(document, keys):
    """Bits per key over the rate, with the information limit: a line a filter."""
    rows, names = static_rows(document)
    rows = sorted((limit, bits) for n, limit, bits in rows if n == keys)
    most = math.ceil(max(max(bits) for _, bits in rows))
    low = math.floor(rows[0][0]) - 1

    def x(limit):
        return LEFT + (limit - low) / (rows[-1][0] - low) * (WIDTH - LEFT - RIGHT)

    def y(bits):
        return TOP + (most - bits) / (most - low) * (HEIGHT - TOP - BOTTOM)

    body = []
    for bits in range(low + 1, most + 1, 2):
        body += [line(LEFT, y(bits), WIDTH - RIGHT, y(bits), "grid"),
                 text(LEFT - 8, y(bits) + 4, str(bits), "quiet", "end")]
    for limit in range(math.ceil(rows[0][0]), math.floor(rows[-1][0]) + 1, 2):
        body += [line(x(limit), HEIGHT - BOTTOM, x(limit), HEIGHT - BOTTOM + 5, "axis"),
                 text(x(limit), HEIGHT - BOTTOM + 20, f"{100 * 2**-limit:.2g} %", "quiet", "middle")]
    body += [line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"),
             text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "target false-positive rate", "ink",
                  "middle"),
             text(0, 0, "bits per key", "ink", "middle",
                  f' transform="translate(22 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"')]
    drawn = [(name, i, [(limit, bits[i]) for limit, bits in rows]) for i, name in enumerate(names)]
    drawn.append(("limit, log2(1/p)", None, [(limit, limit) for limit, _ in rows]))
    heights = spread([y(points[-1][1]) for _, _, points in drawn], 18, TOP + 4, HEIGHT - BOTTOM)
    for (name, i, points), height in zip(drawn, heights):
        kind = "floor" if i is None else f"s{i}"
        shape = " ".join(f"{x(limit):.1f},{y(bits):.1f}" for limit, bits in points)
        dash = ' stroke-dasharray="6 4"' if i is None else ""
        body.append(f'<polyline points="{shape}" class="{kind}" stroke-width="2"{dash}/>')
        if i is not None:
            body += [f'<circle cx="{x(limit):.1f}" cy="{y(bits):.1f}" r="3" class="f{i}"/>'
                     for limit, bits in points]
        end, last = points[-1]
        body += [line(x(end) + 6, y(last), WIDTH - RIGHT + 22, height, kind, 0.8),
                 text(WIDTH - RIGHT + 27, height + 4, f"{name}: {last:.2f}", "ink")]
    return page(f"Size of filters of {short(keys)} keys that are only built",
                "Bits per key at the target rate; fuse and xor filters round it down to a power of 1/2.",
                HEIGHT, OURS[:len(names)], body)


def least(*names):
    return lambda r: min(r[n] for n in names)


def charts(rows):
    load = least("floor_ns", "floor_batched_ns")
    update = least("rmw_floor_ns", "rmw_floor_batched_ns")
    # Batches beside batches, single calls beside single calls.  A filter without batches
    # is missing from the first of two charts, not shown by its single calls.
    for name, what, floor in (
            ("absent", "Lookups of absent keys", load),
            ("present", "Lookups of present keys", load),
            ("mixed", "Lookups of keys of which half are present", load),
            ("insert", "Inserts into an empty filter", update)):
        yield name, by_size(
            rows, f"{what}, in batches",
            "The filters that have batch calls; less is better.  Ours are bold.",
            lambda r, n=name: r.get(f"{n}_batched_ns"), floor, "ns per key")
        yield f"{name}_one_by_one", by_size(
            rows, f"{what}, one call per key",
            "A v3 build is a program compiled for x86-64-v3; less is better.  Ours are bold.",
            lambda r, n=name: r.get(f"{n}_ns"), floor, "ns per key")
    yield "build", by_size(rows, "Building a filter from nothing",
                           "One thread; memory included; less is better.  Ours are bold.",
                           lambda r: r.get("build_ns"), update, "ns per key")
    sizes = sorted({r["keys"] for r in rows})
    yield "space", space(rows, 1_000_000 if 1_000_000 in sizes else sizes[-1])


def show_in(document, folder, titles):
    """Puts the images between the markers of the document."""
    begin, end = "<!-- charts: begin -->\n", "<!-- charts: end -->\n"
    before, rest = document.read_text("utf-8").split(begin)
    _, after = rest.split(end)
    images = [f"![{title}]({folder.name}/{name}.svg)\n" for name, title in titles]
    document.write_text(before + begin + "\n".join(images) + end + after, "utf-8")


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(arguments[1]) if arguments[1:] else root / "docs" / "charts"
    if arguments[0].endswith(".md"):
        folder.mkdir(parents=True, exist_ok=True)
        svg = size_by_rate(pathlib.Path(arguments[0]).read_text("utf-8"), 1_000_000)
        (folder / "static_sizes.svg").write_text(svg, "utf-8")
        print(f"charts: {folder / 'static_sizes.svg'}")
        return
    rows = json.loads(pathlib.Path(arguments[0]).read_text("utf-8"))["rows"]
    folder.mkdir(parents=True, exist_ok=True)
    titles = []
    for name, svg in charts(rows):
        (folder / f"{name}.svg").write_text(svg, "utf-8")
        titles.append((name, re.search("<title>(.*?)</title>", svg)[1]))
        print(f"charts: {folder / name}.svg")
    if not arguments[1:]:
        show_in(root / "docs" / "performance.md", folder, titles)


if __name__ == "__main__":
    main(sys.argv[1:])
