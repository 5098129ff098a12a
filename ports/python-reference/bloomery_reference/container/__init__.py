"""spec/container.md: the native container, read and written."""

from .header import inspect
from .reader import read, verify
from .writer import write, write_foreign, write_packed
