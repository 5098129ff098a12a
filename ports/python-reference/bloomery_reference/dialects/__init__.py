"""spec/dialects.md: files of other systems. Those that this package reads; to read one more is one line more."""

from . import atomicbloom, nori, parquet

READERS = {"nori": nori.decode, "atomicbloom": atomicbloom.decode, "parquet": parquet.decode}
