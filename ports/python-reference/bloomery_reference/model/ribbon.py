"""spec/model.md, section 10: the rate of a ribbon filter, from its thresholds and its shape."""

from .realised import Rates


def ribbon_keys(filter):
    """E: the slots of all layers and of the last, or the hashes that are kept."""
    return float(sum(layer.slots for layer in filter.layout.layers) + filter.given.rest)


def places_of(layer, bucket):
    """The slots of a bucket where a window may begin: none reaches into the next segment."""
    first = bucket * layer.bucket
    return range(first, min(first + layer.bucket, first // layer.segment_slots * layer.segment_slots + layer.places))


def counted(filter, layer):
    """(sum of the rates of the places that are not passed, number of those that are)."""
    rates, passed = 0.0, 0
    for bucket in range(layer.buckets):
        threshold = filter.threshold(layer, bucket)
        for slot in places_of(layer, bucket):
            if threshold is None:
                rates += 1.0
            elif slot % layer.bucket < layer.limits[threshold]:
                passed += 1
            else:
                rates += 1.0 if filter.reads_damage(layer, slot) else 2.0**-layer.columns_of(slot // layer.width)
    return rates, passed


def rate_of_last(filter):
    """The rate of the keys that no layer keeps."""
    last, begin = filter.layout.last, filter.layout.rest_at
    if filter.damage.touches(begin, filter.layout.length - begin):
        return 1.0
    if last is None or last.slots == 0:
        return 0.0
    narrow = last.narrow_slots
    return (narrow * 2.0**-(last.columns - 1) + (last.places - narrow) * 2.0**-last.columns) / last.places


def ribbon_realised(filter):
    reach, rate = 1.0, 0.0
    for layer in filter.layout.layers:
        places = layer.segments * layer.places
        rates, passed = counted(filter, layer)
        rate += reach * rates / places
        reach *= passed / places
    rate += reach * rate_of_last(filter)
    return min(1.0, rate + ribbon_keys(filter) / 2**64)


RATES = Rates(ribbon_keys, ribbon_realised)
