#!/usr/bin/env python3
"""What stable filters forget, predicted and measured: a table, and a picture.

    tools/forgetting.py build/release/bloomery docs/charts/forgetting.svg

Builds filters of numbered lines with the tool, asks for lines of several ages, and compares
what is missing with what `bloomery info` predicts.  The table goes to standard output.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

LINES = 1_200_000
# memory, target rate, gap
CASES = [("1MiB", 0.01, 100_000), ("1MiB", 0.1, 100_000), ("256KiB", 0.001, 5_000),
         ("64KiB", 0.01, 20_000), ("512KiB", 0.01, 150_000)]
# In the table only.
MORE = [(memory, rate, gap) for memory in ("64KiB", "256KiB", "1MiB")
        for rate in (0.1, 0.01, 0.001) for gap in (10_000, 60_000)][:15]
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b"]


def run(tool, *args, keys=None):
    done = subprocess.run([tool, *args], input=keys, capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    return done.stdout


def lines(first, count):
    return "".join(f"line {i}\n" for i in range(first, first + count))


def measure(tool, folder, memory, rate, gap):
    path = str(pathlib.Path(folder) / "stable.bloom")
    run(tool, "build", "-q", "--kind", "stable", "--gap", str(gap), "--memory", memory,
        "--fpr", str(rate), "-o", path, keys=lines(0, LINES))
    info = json.loads(run(tool, "info", "--json", path))
    points = []
    for point in info["forgetting"]:
        age = point["age"]
        some = max(20, min(age // 4, 20_000))
        if age + some >= LINES:
            continue
        # The last line has the age 0; these have the age on average.
        first = LINES - 1 - age - some // 2
        found = int(run(tool, "query", "-c", path, keys=lines(first, some)))
        points.append((age, point["forgotten"], 1 - found / some))
    return info, points


def table(cases):
    print("| memory, gap | rate: asked, now | d, Max, k, P | forgotten: age, predicted, measured |")
    print("|---|---|---|---|")
    for (memory, rate, gap), (info, points) in cases:
        shape = (f"{info['cell_bits']}, {info['cell_max']}, {info['hashes']}, "
                 f"{info['decrement']:.2f}")
        curve = "; ".join(f"{age:,}: {100 * p:.2f}, {100 * m:.2f} %"
                          for age, p, m in points if p > 1e-3)
        print(f"| {memory}, {gap:,} | {100 * rate:g} %, {100 * info['realised_fpr']:.4g} % | {shape} "
              f"| {curve} |")
    worst = max(abs(p - m) for _, (_, points) in cases for _, p, m in points)
    print(f"\nLargest difference: {100 * worst:.2f} % absolute.")


def picture(cases):
    import math
    width, height, left, bottom = 720, 360, 60, 40
    most = math.log10(1_000_000)
    least = math.log10(500)

    def at(age, share):
        x = left + (math.log10(max(age, 500)) - least) / (most - least) * (width - left - 20)
        return x, height - bottom - share * (height - bottom - 30)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="18" font-size="13">Stable filters: share of the keys '
           'that are forgotten, by age in inserts; lines: predicted, dots: measured</text>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        x, y = at(500, share)
        out.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{width - 20}" y2="{y:.1f}" '
                   'stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">'
                   f'{100 * share:.0f} %</text>')
    for age in (1000, 10_000, 100_000, 1_000_000):
        x, y = at(age, 0)
        out.append(f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">{age:,}</text>')
    for i, ((memory, rate, gap), (_, points)) in enumerate(cases):
        colour = COLOURS[i]
        path = " ".join("{:.1f},{:.1f}".format(*at(a, p)) for a, p, _ in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>')
        for age, _, share in points:
            x, y = at(age, share)
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        out.append(f'<text x="{left + 10}" y="{44 + 15 * i}" fill="{colour}">{memory} at '
                   f'{100 * rate:g} %, gap {gap:,}</text>')
    out.append("</svg>\n")
    return "\n".join(out)


def main():
    tool, svg = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        cases = [(case, measure(tool, folder, *case)) for case in CASES + MORE]
    table(cases)
    pathlib.Path(svg).write_text(picture(cases[:len(CASES)]), encoding="ascii")


if __name__ == "__main__":
    main()
