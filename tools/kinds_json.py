#!/usr/bin/env python3
"""Options and fields in spec/kinds.json, from the tables of the kinds themselves.

  tools/kinds_json.py --tool BLOOMERY           compare; exit status 1 if they differ
  tools/kinds_json.py --tool BLOOMERY --write   write those of every row

All other members of a row are the specification's, and are left as they are.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "spec" / "kinds.json"
# From the line of "options" or "fields" to the end of the row.
DERIVED = re.compile(r',\n      "options": .*?\n      \](?=\n    \})', re.S)


def lines_of(kind):
    """The derived members of a row, one option or field per line."""
    def member(name, items):
        if not items:
            return f'      "{name}": []'
        rows = ",\n".join(f"        {json.dumps(item)}" for item in items)
        return f'      "{name}": [\n{rows}\n      ]'
    return ",\n" + member("options", kind["options"]) + ",\n" + member("fields", kind["fields"])


def filled(text, kinds):
    """The page with the options and fields of these kinds."""
    head, rows = text.split('"kinds": [\n', 1)
    out = []
    for row in re.split(r"(?<=\n    \}),\n(?=    \{)", rows.rsplit("\n  ]\n}", 1)[0]):
        row = DERIVED.sub("", row)
        number = int(re.search(r'"kind": (\d+)', row)[1])
        if number in kinds:
            row = row[:row.rindex("\n    }")] + lines_of(kinds[number]) + "\n    }"
        out.append(row)
    return head + '"kinds": [\n' + ",\n".join(out) + "\n  ]\n}\n"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tool", required=True)
    options.add_argument("--page", default=PAGE, type=pathlib.Path)
    options.add_argument("--write", action="store_true")
    o = options.parse_args()
    told = json.loads(subprocess.run([o.tool, "kinds", "--json"], check=True,
                                     capture_output=True, text=True).stdout)
    text = o.page.read_text("utf-8")
    new = filled(text, {kind["kind"]: kind for kind in told})
    if o.write:
        o.page.write_text(new, "utf-8")
        return 0
    if new != text:
        print(f"{o.page.name}: options or fields are not those of the kinds: "
              "tools/kinds_json.py --tool build/dev/bloomery --write", file=sys.stderr)
        return 1
    print(f"kinds_json: options and fields of {len(told)} kinds are those of the library")
    return 0


if __name__ == "__main__":
    sys.exit(main())
