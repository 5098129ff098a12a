"""spec/container.md: the native container, read and written."""

from .builder_notes import smallest
from .header import inspect
from .reader import ANY, read, verify
from .writer import write, write_foreign, write_packed, write_packed_static
