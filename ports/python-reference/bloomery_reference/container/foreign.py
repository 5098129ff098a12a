"""spec/container.md, section 5: another system's bytes, whole, in a container."""

from ..dialects import READERS, read
from ..dialects.foreign_filter import ForeignWithOptions, touch
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
    filter = at_offset(place.payload, lambda: read(name, image, options))
    ranges = [(begin - place.payload, end - place.payload) for begin, end in damaged]
    if any(touch(ranges, begin, end) for begin, end in filter.form_ranges()):
        raise corrupt(damaged[0][0], "damage in bytes that give the filter its form")
    filter.take_damage(ranges)
    return ForeignWithOptions(filter, options)
