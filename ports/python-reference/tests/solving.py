"""Ribbon, fuse and xor filters, built by the tests: the equations of all keys, solved by elimination."""

from bloomery_reference.hash import splitmix64
from bloomery_reference.ribbon_equations import equation, place, place_in_last
from bloomery_reference.words import U64, put_little, set_bit


def solve(rows):
    """rows: (slots as the bits of a number, their exclusive or). The values of slots, those that are not 0; None if there are none."""
    pivots = {}
    for mask, value in rows:
        while mask and mask & -mask in pivots:
            other, its_value = pivots[mask & -mask]
            mask, value = mask ^ other, value ^ its_value
        if mask:
            pivots[mask & -mask] = (mask, value)
        elif value:
            return None
    values = {}
    for low in sorted(pivots, reverse=True):  # all other slots of the row lie above it
        mask, value = pivots[low]
        for slot in bits_of(mask ^ low):
            value ^= values.get(slot, 0)
        values[low.bit_length() - 1] = value
    return values


def bits_of(number):
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def solve_columns(rows, columns):
    """rows: (mask, fingerprint, how many of its columns count): all, or all but the last. Pairs (slot, column) that are 1."""
    lower = solve([(mask, value % 2**(columns - 1)) for mask, value, _ in rows])
    upper = solve([(mask, value >> (columns - 1)) for mask, value, n in rows if n == columns])
    if lower is None or upper is None:
        return None
    return [(slot, j) for slot, value in lower.items() for j in bits_of(value)] + [
        (slot, columns - 1) for slot, value in upper.items() if value]


def put_hashes(filter, hashes):
    """Writes the hashes that are kept as they are: as many as the shape says, the last one repeatedly if there are too few."""
    residue = filter.residue
    for i in range(residue.count):
        at = residue.at + 8 * i
        filter.array[at:at + 8] = put_little(hashes[min(i, len(hashes) - 1)] if hashes else U64, 8)


def build_slots(filter, hashes):
    """As many of the keys as there are places go to the residue, the others to their slots."""
    hashes = sorted(set(hashes))
    put_hashes(filter, hashes)
    for shard in range(filter.shards):
        own = [h for h in hashes[filter.residue.count:] if filter.shard_of(h) == shard]
        values, q = next((values, q) for q in range(256) if (values := solve(rows_of(filter, own, q))) is not None)
        filter.array[filter.rounds_at + shard] = q
        for slot, value in values.items():
            for bit in bits_of(value):
                set_bit(filter.array, filter.slot_bits * slot + bit)


def rows_of(filter, hashes, q):
    for h in hashes:
        fingerprint, slots = filter.places(h, q)
        mask = 0
        for slot in slots:
            mask ^= 1 << slot
        yield mask, fingerprint


def build_ribbon(filter, hashes):
    """With thresholds 1, 2, 0, 1, .. in the buckets of a layer, all one higher for each time that cannot be solved."""
    hashes = sorted(set(hashes))
    for layer in filter.layout.layers:
        solved, least = None, 0
        while solved is None:
            thresholds = [min(3, least + ((bucket + 1) % 3 if filter.given.rest else 0)) for bucket in range(layer.buckets)]
            rows, passed = [], []
            for h in hashes:
                slot = place(h, layer)
                if slot % layer.bucket < layer.limits[thresholds[slot // layer.bucket]]:
                    passed.append(splitmix64(h))
                    continue
                c, f = equation(h, layer.width, filter.columns)
                rows.append((c << slot, f, layer.columns_of(slot // layer.width)))
            solved, least = solve_columns(rows, filter.columns), least + 1
        for bucket, threshold in enumerate(thresholds):
            for bit in bits_of(threshold << 2 * (layer.earlier + bucket)):
                set_bit(filter.array, 8 * filter.layout.thresholds_at + bit)
        for slot, j in solved:
            at = layer.at + layer.offset_of(slot // layer.width) + j * layer.width // 8
            set_bit(filter.array, 8 * at + slot % layer.width)
        hashes = passed
    build_rest(filter, sorted(hashes))


def build_rest(filter, hashes):
    last = filter.layout.last
    if last is None:
        assert len(hashes) <= filter.given.rest
        put_hashes(filter, hashes)
        return
    for seed in range(256 if last.slots else 1):
        placed = [place_in_last(h, last, seed, filter.columns) for h in hashes]
        solved = solve_columns([(c << start, f, last.columns_of(start)) for start, c, f in placed], filter.columns)
        if solved is not None:
            break
    assert solved is not None and (last.slots or not hashes)
    filter.given = filter.given._replace(seed=seed)
    for slot, j in solved:
        set_bit(filter.array, 8 * last.at + last.first_bit(slot, j))
