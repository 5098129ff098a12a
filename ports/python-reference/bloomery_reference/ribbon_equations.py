"""spec/filters.md, section 9.3: from a key to its equation."""

from .hash import splitmix64
from .ribbon_layers import LAST_WINDOW
from .words import U64, mulhi


def equation(h, width, columns):
    """Section 9.3: the coefficients of a key, and its fingerprint."""
    g = (h * 0x9E3779B97F4A7C15) & U64
    g ^= g >> 32
    p = g * 0xF1357AEA2E62A9C5
    if width == 64:
        return p & U64 | 1, (p >> 64) % 2**columns
    return p | 1, (((g ^ (g >> 29)) * 0xD6E8FEB86659FD93 & U64) >> 32) % 2**columns


def place(h, layer):
    """Section 9.3: the slot of a layer where the window of a key begins."""
    product = h * layer.segments
    return (product >> 64) * layer.segment_slots + mulhi(product & U64, layer.places)


def place_in_last(h, last, seed, columns):
    """The same of the last layer, with the equation."""
    h = splitmix64((h + seed) & U64)
    coefficients, fingerprint = equation(h, LAST_WINDOW, columns)
    return mulhi(h, last.places), coefficients % 2**last.window, fingerprint


def described(h, layout, seed):
    """The equations of a key as vectors have them: in each layer, as if those before passed it on, and in the last layer."""
    found = {"layers": []}
    for layer in layout.layers:
        found["layers"].append(in_layer(h, layer))
        h = splitmix64(h)
    if layout.last is not None and layout.last.slots > 0:
        found["last"] = in_last(h, layout.last, seed)
    return found


def in_layer(h, layer):
    """All 32 bits of the fingerprint, of which as many count as there are columns."""
    slot = place(h, layer)
    coefficients, fingerprint = equation(h, layer.width, 32)
    return {"hash": f"{h:016x}", "segment": slot // layer.segment_slots, "start": slot % layer.segment_slots,
            "bucket": slot // layer.bucket, "position": slot % layer.bucket, "block": slot // layer.width,
            "shift": slot % layer.width, "columns": layer.columns_of(slot // layer.width),
            "coefficients": f"{coefficients:0{layer.width // 4}x}", "fingerprint": fingerprint}


def in_last(h, last, seed):
    start, coefficients, fingerprint = place_in_last(h, last, seed, 32)
    return {"hash": f"{splitmix64((h + seed) & U64):016x}", "start": start, "columns": last.columns_of(start),
            "coefficients": f"{coefficients:016x}", "fingerprint": fingerprint}
