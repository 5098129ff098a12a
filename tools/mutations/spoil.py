"""Changes to bytes whose meaning does not matter."""

EDGES = (0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 4095, 4096, 65535, 65536,
         2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**48, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)


def odd_number(rng, width, now=0):
    """A number of so many bytes at which something may turn over."""
    near = rng.choice((now + 1, now - 1, 2 * now, now ^ 1, now ^ (1 << rng.randrange(8 * width))))
    return (near if rng.random() < 0.4 else rng.choice(EDGES)) % (1 << (8 * width))


def put(data, at, number, width):
    return data[:at] + number.to_bytes(width, "little") + data[at + width:]


def change_number(rng, data, places):
    """One of the numbers of a layout: (offset, width)."""
    at, width = rng.choice(places)
    if at + width > len(data):
        return data
    return put(data, at, odd_number(rng, width, int.from_bytes(data[at:at + width], "little")), width)


def flip(rng, data, begin=0, end=None):
    end = len(data) if end is None else end
    if begin >= end:
        return data
    at = rng.randrange(begin, end)
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]


def once(rng, data):
    """One change. Places near the ends, where headers and footers are, are drawn more often."""
    if not data:
        return rng.randbytes(rng.randrange(1, 40))
    at = rng.randrange(len(data))
    if rng.random() < 0.5:
        at = rng.choice((min(at, rng.randrange(32)), max(at, len(data) - 1 - rng.randrange(96)), at))
    at = min(max(at, 0), len(data) - 1)
    size = rng.randrange(1, 9)
    how = rng.randrange(9)
    if how <= 2:
        return flip(rng, data, at, at + 1)
    if how == 3:
        return data[:at] + bytes([rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF))]) + data[at + 1:]
    if how == 4:
        width = rng.choice((1, 2, 4, 8))
        return change_number(rng, data, [(min(at, max(0, len(data) - width)), width)])
    if how == 5:
        return data[:at]
    if how == 6:
        return data + rng.randbytes(size)
    if how == 7:
        return data[:at] + data[at + size:]
    return data[:at] + rng.choice((bytes(size), rng.randbytes(size), data[at:at + size])) + data[at:]


def spoil(rng, data):
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = once(rng, data)
    return data
