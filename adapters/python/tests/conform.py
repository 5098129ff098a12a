#!/usr/bin/env python3
"""spec/conformance.md, section 1: the program `conform`, through the package bloomery.

    conform.py script FILE [--files DIR]   one script; its trace on standard output

A binding has filters and bytes, no table of vectors.
"""

from __future__ import annotations

import math
import os
import re
import sys
import tempfile

import bloomery

OPTION = re.compile(r"([a-z][a-z-]*)=(.*)", re.DOTALL)
RANGE = re.compile(r"([A-Za-z]*)\[([0-9]+)\.\.([0-9]+)\]")
DIALECTS = ("nori", "atomicbloom", "parquet")


class NotAScript(Exception):
    """The script does not parse, or a file is missing."""


# --- keys: (sort, value), the sort being that of a source ---
def keys_of(word):
    kind, colon, rest = word.partition(":")
    if colon and kind == "t":
        return [("bytes", rest.encode("ascii"))]
    if colon and kind == "x":
        return [("bytes", bytes.fromhex(rest))]
    if colon and kind == "p":
        return [("bytes", bytes(i % 251 for i in range(int(rest))))]
    if colon and kind == "u":
        return [("integers", int(rest))]
    if colon and kind == "h":
        return [("hashes", int(rest, 16))]
    found = RANGE.fullmatch(word)
    if not found:
        raise NotAScript(f"{word} is no key")
    return [("bytes", f"{found[1]}{i}".encode()) for i in range(int(found[2]), int(found[3]) + 1)]


def all_keys(words):
    return [key for word in words for key in keys_of(word)]


def hash_options(word):
    name, _, rest = word.partition(":")
    if name == "siphash13":
        return {"hash": name, "secret": bytes.fromhex(rest)}
    return {"hash": name, "seed": int(rest, 16)} if rest else {"hash": name}


def hashed(key, options, source="bytes"):
    """By the hash of these options.  A filter of bytes takes all sorts, any other its own."""
    sort, value = key
    if source == "bytes" and sort == "hashes":
        return value
    own = sort if source == "bytes" else source
    if source != "bytes" and sort != (source if source in ("integers", "hashes") else "bytes"):
        raise bloomery.SourceError("a key of another source")
    return bloomery.Filter(1, source=own, **options).hash_key(value)


class Held:
    """A filter in a variable, and the options of its hash."""

    def __init__(self, filter_, options):
        self.filter, self.options = filter_, options

    def hashes(self, keys):
        return [hashed(key, self.options, self.filter.source) for key in keys]


def options_of(f, secret=None):
    if f.hash == "siphash13":
        return {"hash": f.hash, "secret": secret}
    return {"hash": f.hash, "seed": f.seed} if f.seed else {"hash": f.hash}


class Machine:
    def __init__(self, folder):
        self.folder, self.variables = folder, {}

    def filter(self, name, types=(bloomery.Filter,)):
        held = self.variables.get(name)
        if not isinstance(held, Held) or not isinstance(held.filter, types):
            raise NotAScript(f"{name} holds no such filter")
        return held

    def bytes(self, name):
        if not isinstance(self.variables.get(name), bytes):
            raise NotAScript(f"{name} holds no bytes")
        return self.variables[name]

    def assign(self, name, data):
        self.variables[name] = bytes(data)
        return f"{len(data)} {crc32c(data):08x}"


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def crc_entry(x):
    for _ in range(8):
        x = x >> 1 ^ (0x82F63B78 if x & 1 else 0)
    return x


CRC_TABLE = [crc_entry(i) for i in range(256)]


def real(x):
    return "inf" if math.isinf(x) else f"{x:.3e}"


# --- operations ---
def do_hash(_, words, __):
    return " ".join(f"{hashed(key, hash_options(words[0])):016x}" for key in all_keys(words[1:]))


def do_check(_, words, __):
    return f"{bloomery.Filter(1, **hash_options(words[0])).hash_check:016x}"


def do_size(_, __, o):
    rule = {"fpr": float, "bits-per-key": float, "memory": int}
    rules = {name.replace("-", "_"): kind(o[name]) for name, kind in rule.items() if name in o}
    s = bloomery.size(int(o["keys"]), kind="portable", force=True, **rules)
    return f"bits={s['bits']} hashes={s['hashes']}"


def do_promise(_, __, o):
    p = bloomery.portable_promise(int(o["keys"]), float(o["fpr"]))
    return f"{'refused' if p['is_refused'] else 'kept' if p['is_kept'] else 'warned'} {real(p['true_fpr'])}"


def hashes_of(f):
    """The number of hashes; for kinds without, what their header has in that place."""
    return f.hashes if hasattr(f, "hashes") else bloomery.inspect(f.to_bytes())["hashes"]


def do_make(m, words, o):
    name, kind = words
    options = hash_options(o["hash"]) if "hash" in o else {}
    arguments = {"kind": kind, "source": o.get("source", "bytes"), **options}
    if "keys" in o:
        arguments |= {"capacity": int(o["keys"]), "fpr": float(o["fpr"]), "force": o.get("force") == "1"}
    else:
        units = next(o[n] for n in ("bits", "blocks", "slice") if n in o)
        arguments |= {"capacity": int(o.get("capacity", "0")), "units": int(units)}
        arguments |= {n: o[n] for n in ("profile",) if n in o}
        arguments |= {"hashes": int(o["hashes"])} if "hashes" in o else {}
    f = bloomery.Filter(**arguments)
    m.variables[name] = Held(f, options_of(f, options.get("secret")))
    return f"ok bits={f.bits} hashes={hashes_of(f)}"


def do_insert(m, words, _):
    held = m.filter(words[0])
    for h in held.hashes(all_keys(words[1:])):
        held.filter.update_hashes([h])
    return "ok"


def do_insert_batch(m, words, _):
    held, keys = m.filter(words[0]), all_keys(words[1:])
    if held.filter.source == "bytes" and all(sort == "bytes" for sort, _ in keys):
        held.filter.update([value for _, value in keys])
    else:
        held.filter.update_hashes(held.hashes(keys))
    return "ok"


def answers(m, words, o):
    held = m.filter(words[0], (bloomery.Filter, bloomery.ForeignFilter, bloomery.PackedSet))
    f, keys = held.filter, all_keys(words[1:])
    if isinstance(f, bloomery.ForeignFilter):
        return [value in f for _, value in keys]
    if isinstance(f, bloomery.PackedSet):
        if f.source != "bytes" and any(sort != f.source for sort, _ in keys):
            raise bloomery.SourceError("a key of another source")
        return [f.may_contain(int(o["member"]), value) for _, value in keys]
    if f.source == "bytes" and all(sort == "bytes" for sort, _ in keys):
        one_by_one = [value in f for _, value in keys]
        assert one_by_one == f.may_contain([value for _, value in keys]).tolist()
        return one_by_one
    return f.may_contain_hashes(held.hashes(keys)).tolist()


def do_info(m, words, _):
    f = m.filter(words[0]).filter
    return (f"kind={f.kind} bits={f.bits} hashes={hashes_of(f)} capacity={f.capacity} ones={f.ones()} "
            f"bytes={f.size_in_bytes} hash={f.hash} check={f.hash_check:016x}")


def do_rate(m, words, _):
    f = m.filter(words[0]).filter
    return f"realised={real(f.realised_fpr())} keys={real(f.estimated_keys())}"


def do_merge(m, words, _):
    m.filter(words[0]).filter.merge(m.filter(words[1]).filter)
    return "ok"


def do_fold(m, words, _):
    f = m.filter(words[0]).filter
    f.fold(int(words[1]))
    return f"ok blocks={bloomery.inspect(f.to_bytes())['units']}"


def do_clear(m, words, _):
    m.filter(words[0]).filter.clear()
    return "ok"


def do_encode(m, words, o):
    name, source, form = words
    held = m.filter(source)
    if form == "portable":
        return m.assign(name, held.filter.to_bytes("portable"))
    notes = {}
    if "fpr" in o:
        notes["asked_fpr"] = float(o["fpr"])
    if "keys" in o:
        notes["distinct_keys"] = int(o["keys"])
    if "sentinels" in o:
        notes["sentinels"] = held.hashes(keys_of(o["sentinels"]))
    return m.assign(name, held.filter.to_bytes(**notes))


def dialect_words(f):
    return f"dialect={f.dialect} variant={f.variant} bits={f.bits} parts={f.parts}"


def do_decode(m, words, o):
    name, source, form = words
    data = m.bytes(source)
    if form in DIALECTS:
        options = {"variant": o.get("variant"), "key_form": o.get("form")}
        f = bloomery.ForeignFilter.from_bytes(form, data, part=int(o["part"]) if "part" in o else None, **options)
        m.variables[name] = Held(f, {})
        return f"ok {dialect_words(f)}"
    asked = o.get("source", "bytes")
    reading = {"source": None if asked == "any" else asked}
    secret = bytes.fromhex(o["secret"]) if "secret" in o else None
    if form == "portable":
        f = bloomery.Filter.from_bytes(data, form, **reading)
        m.variables[name] = Held(f, options_of(f))
        return "ok kind=portable damaged=0"
    kind = kind_in(data)
    if kind.startswith("packed"):
        f = packed(data, secret, reading)
        m.variables[name] = Held(f, {})
        return f"ok kind={kind} damaged={f.verify()} members={len(f)}"
    if kind == "foreign":
        f = bloomery.ForeignFilter.from_container(data)
        m.variables[name] = Held(f, {})
        return f"ok kind=foreign damaged={f.damaged_chunks} {dialect_words(f)}"
    f = bloomery.Filter.from_bytes(data, secret=secret, **reading)
    m.variables[name] = Held(f, options_of(f, secret))
    return f"ok kind={f.kind} damaged={f.damaged_chunks}"


def kind_in(data):
    """By the header; of bytes that have none, whatever refuses them."""
    try:
        return bloomery.inspect(data)["kind"]
    except bloomery.Error:
        return "block"


def packed(data, secret, reading):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return bloomery.PackedSet(file.name, secret=secret, **reading)


def do_inspect(m, words, _):
    h = bloomery.inspect(m.bytes(words[0]))
    return (f"kind={h['kind']} hashes={h['hashes']} units={h['units']} payload={h['payload_at']}+{h['payload_bytes']} "
            f"sentinels={h['sentinels']} notes={h['notes_bytes']} keys={h['keys']}")


def changed(m, name, change):
    data = bytearray(m.bytes(name))
    change(data)
    return m.assign(name, data)


def do_flip(m, words, _):
    bit = int(words[1])
    return changed(m, words[0], lambda data: data.__setitem__(bit // 8, data[bit // 8] ^ 1 << bit % 8))


def do_put(m, words, _):
    at, new = int(words[1]), bytes.fromhex(words[2])
    return changed(m, words[0], lambda data: data.__setitem__(slice(at, at + len(new)), new))


def do_read(m, words, _):
    with open(os.path.join(m.folder, words[1]), "rb") as file:
        return m.assign(words[0], file.read())


def do_write(m, words, _):
    with open(os.path.join(m.folder, words[1]), "wb") as file:
        file.write(m.bytes(words[0]))
    return "ok"


OPERATIONS = {
    "hash": do_hash, "check": do_check, "size": do_size, "promise": do_promise, "make": do_make,
    "insert": do_insert, "insert-batch": do_insert_batch,
    "query": lambda *a: "".join("01"[x] for x in answers(*a)),
    "query-batch": lambda *a: "".join("01"[x] for x in answers(*a)),
    "count": lambda *a: str(sum(answers(*a))),
    "info": do_info, "source": lambda m, w, _: m.filter(w[0]).filter.source, "rate": do_rate,
    "expect": lambda m, w, _: real(m.filter(w[0]).filter.expected_fpr(int(w[1]))),
    "merge": do_merge, "fold": do_fold, "clear": do_clear,
    "equal": lambda m, w, _: "yes" if m.filter(w[0]).filter == m.filter(w[1]).filter else "no",
    "encode": do_encode, "decode": do_decode, "inspect": do_inspect, "read": do_read, "write": do_write,
    "bytes": lambda m, w, _: m.assign(w[0], b"" if w[1] == "-" else bytes.fromhex(w[1])),
    "show": lambda m, w, _: m.bytes(w[0]).hex(),
    "flip": do_flip, "put": do_put,
    "cut": lambda m, w, _: m.assign(w[0], m.bytes(w[0])[:int(w[1])]),
    "add": lambda m, w, _: m.assign(w[0], m.bytes(w[0]) + bytes.fromhex(w[1])),
}


def run(path, folder):
    machine = Machine(folder)
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        verb, *rest = line.split(" ")
        options = {}
        words = []
        for word in rest:
            option = OPTION.fullmatch(word)
            if option:
                options[option[1]] = option[2]
            else:
                words.append(word)
        try:
            result = OPERATIONS[verb](machine, words, options)
        except bloomery.Error as e:
            result = f"error {e.code}" + (f" at={e.offset}" if verb in ("decode", "inspect") else "")
        print(number, result)


def main(arguments):
    try:
        if len(arguments) == 2 and arguments[0] == "script":
            run(arguments[1], ".")
            return 0
        if len(arguments) == 4 and arguments[0] == "script" and arguments[2] == "--files":
            run(arguments[1], arguments[3])
            return 0
    except (NotAScript, KeyError, ValueError, OSError) as problem:
        print(repr(problem), file=sys.stderr)
        return 2
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
