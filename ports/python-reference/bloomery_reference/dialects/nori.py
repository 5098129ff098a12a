"""spec/dialects/nori.md: which of its variants the bytes are."""

from ..errors import invalid_argument
from . import nori_bloom, nori_quotient, nori_table

VARIANTS = (nori_bloom.CURRENT, nori_bloom.OLD_MOD, "sstable", "quotient")


def decode(data, variant=None):
    """Without a variant, bytes with the table's mark are a table and all others a Bloom section."""
    if variant is not None and variant not in VARIANTS:
        raise invalid_argument(f"no variant {variant} of nori")
    if variant == "quotient":
        return nori_quotient.decode(data)
    if variant == "sstable" or (variant is None and nori_table.has_mark(data)):
        return nori_table.decode(data)
    return nori_bloom.decode(data, variant)
