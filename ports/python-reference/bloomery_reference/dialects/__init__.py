"""spec/dialects.md: files of other systems. Those that this package reads; to read one more is one line more."""

from ..errors import invalid_argument
from . import atomicbloom, nori, parquet

READERS = {"nori": nori.decode, "atomicbloom": atomicbloom.decode, "parquet": parquet.decode}

# A dialect that hashes all forms alike takes only bytes.
FORMS = {"parquet": ("bytes", "integer")}


def read(name, data, options):
    """A filter of a dialect, refused in the order of spec/container.md, section 5."""
    form, hashes = options.get("form", "bytes"), options.get("hashes")
    if form not in FORMS.get(name, ("bytes",)):
        raise invalid_argument(f"{name} takes no keys of the form {form}")
    filter = READERS[name](data, options.get("variant"))
    if hashes not in (None, filter.hashes()):
        raise invalid_argument(f"{hashes} hashes, and the bytes tell {filter.hashes()}")
    filter.check_asked(options.get("part"), form)
    return filter
