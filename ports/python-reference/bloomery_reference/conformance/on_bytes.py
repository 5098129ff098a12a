"""spec/conformance.md, section 4: the operations that write, spoil and read bytes."""

import os

from .. import container
from ..crc32c import crc32c
from ..dialects import READERS, read
from ..dialects import portable as portable_dialect
from ..dialects.foreign_filter import ForeignWithOptions
from ..errors import corrupt, unsupported
from ..hash import BYTES
from ..kinds import FOREIGN, KINDS, PORTABLE, SETS, kind_of
from .on_filters import Held, own_filter, real_number
from .words_of_keys import NotAScript, hex_bytes, keys_of, source_to_read, whole_number


def described(data):
    """`LENGTH CRC`."""
    return f"{len(data)} {crc32c(data):08x}"


def assigned(machine, name, data):
    machine.assign(name, bytes(data))
    return described(data)


def optional_number(operation, name):
    return whole_number(operation.options[name]) if name in operation.options else None


def do_encode(machine, operation):
    name, source, form = operation.take(3, 3)
    held = own_filter(machine, source)
    if held.damaged:
        raise corrupt(None, "a damaged filter is not written again as if it were whole")
    if form == "portable":
        if kind_of(held.filter) is not PORTABLE:
            raise unsupported(None, "only portable filters have the portable form")
        return assigned(machine, name, portable_dialect.encode(held.filter))
    if form != "native":
        raise NotAScript(f"no form {form}")
    options = operation.options
    keys = keys_of(options["sentinels"]) if "sentinels" in options else ()
    sentinels = container.smallest(key.hashed(held.filter.hasher) for key in keys)
    asked = real_number(options["fpr"]) if "fpr" in options else 0.0
    data = container.write(held.filter, asked, held.capacity, optional_number(operation, "keys") or 0, sentinels)
    return assigned(machine, name, data)


def do_bytes(machine, operation):
    name, digits = operation.take(2, 2)
    return assigned(machine, name, b"" if digits == "-" else hex_bytes(digits))


def do_show(machine, operation):
    return machine.bytes(operation.take(1, 1)[0]).hex()


def do_flip(machine, operation):
    name, bit = operation.take(2, 2)
    data, bit = bytearray(machine.bytes(name)), whole_number(bit)
    if bit >= 8 * len(data):
        raise NotAScript(f"{name} has no bit {bit}")
    data[bit // 8] ^= 1 << (bit % 8)
    return assigned(machine, name, data)


def do_put(machine, operation):
    name, offset, digits = operation.take(3, 3)
    data, at, new = bytearray(machine.bytes(name)), whole_number(offset), hex_bytes(digits)
    if at + len(new) > len(data):
        raise NotAScript(f"{name} has no {len(new)} bytes at {at}")
    data[at:at + len(new)] = new
    return assigned(machine, name, data)


def do_cut(machine, operation):
    name, length = operation.take(2, 2)
    if whole_number(length) > len(machine.bytes(name)):
        raise NotAScript(f"{name} is shorter than {length} bytes")
    return assigned(machine, name, machine.bytes(name)[:whole_number(length)])


def do_add(machine, operation):
    name, digits = operation.take(2, 2)
    return assigned(machine, name, machine.bytes(name) + hex_bytes(digits))


def dialect_words(filter):
    return f"dialect={filter.dialect} variant={filter.variant} bits={filter.cells()} parts={filter.parts()}"


def do_decode(machine, operation):
    name, source, form = operation.take(3, 3)
    data = machine.bytes(source)
    if form == "portable":
        asked = source_to_read(operation.options)
        machine.assign(name, Held(portable_dialect.decode(data, BYTES if asked == container.ANY else asked)))
        return "ok kind=portable damaged=0"
    if form == "native":
        return decode_native(machine, name, data, operation)
    if form not in READERS:
        raise NotAScript(f"no form {form}")
    options = operation.options
    asked = {"part": optional_number(operation, "part"), "form": options.get("form", "bytes"), "variant": options.get("variant")}
    filter = read(form, data, asked)
    machine.assign(name, Held(ForeignWithOptions(filter, asked)))
    return f"ok {dialect_words(filter)}"


def decode_native(machine, name, data, operation):
    secret = hex_bytes(operation.options["secret"]) if "secret" in operation.options else None
    contents = container.read(data, secret, source=source_to_read(operation.options))
    machine.assign(name, Held(contents.filter, contents.header.capacity, contents.damaged))
    result = f"ok kind={contents.kind.name} damaged={contents.damaged}"
    if contents.kind in SETS:
        result += f" members={contents.filter.members}"
    if contents.kind is FOREIGN:
        result += f" {dialect_words(contents.filter.filter)}"
    return result


def do_inspect(machine, operation):
    header = container.inspect(machine.bytes(operation.take(1, 1)[0]))
    return (f"kind={KINDS[header.kind].name} hashes={header.hashes} units={header.units} "
            f"payload={header.payload_offset}+{header.payload_length} sentinels={header.sentinels} "
            f"notes={header.notes_length} keys={header.keys}")


def do_write(machine, operation):
    source, name = operation.take(2, 2)
    with open(os.path.join(machine.folder, name), "wb") as file:
        file.write(machine.bytes(source))
    return "ok"


def do_read(machine, operation):
    target, name = operation.take(2, 2)
    try:
        with open(os.path.join(machine.folder, name), "rb") as file:
            data = file.read()
    except OSError as problem:
        raise NotAScript(f"{name}: {problem.strerror}") from None
    return assigned(machine, target, data)


OPERATIONS = {"encode": do_encode, "bytes": do_bytes, "show": do_show, "flip": do_flip, "put": do_put, "cut": do_cut,
              "add": do_add, "decode": do_decode, "inspect": do_inspect, "write": do_write, "read": do_read}
