"""spec/container.md, section 5: another system's bytes, whole, in a container."""

from ..dialects import READERS
from ..dialects.foreign_filter import ForeignWithOptions
from ..errors import at_offset, corrupt, unsupported
from . import notes


def named_dialect(records, notes_offset):
    """(name, options) from the note with tag 0x8001; a dialect that is not known is refused here."""
    name, options = notes.unpack_dialect(records.get(notes.DIALECT_TAG), notes_offset)
    if name not in READERS:
        raise unsupported(notes_offset, f"the dialect {name}")
    return name, options


def open_payload(data, place, name, options, damaged):
    image = data[place.payload:place.padding]
    filter = at_offset(place.payload, lambda: READERS[name](image, options.get("variant")))
    ranges = [(begin - place.payload, end - place.payload) for begin, end in damaged]
    for form_begin, form_end in filter.form_ranges():
        if any(begin < form_end and form_begin < end for begin, end in ranges):
            raise corrupt(damaged[0][0], "damage in bytes that give the filter its form")
    filter.take_damage(ranges)
    opened = ForeignWithOptions(filter, options)
    at_offset(place.payload, lambda: filter.check_asked(opened.part, opened.form))
    return opened
