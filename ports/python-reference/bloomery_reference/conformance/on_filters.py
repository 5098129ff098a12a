"""spec/conformance.md, section 4: the operations that hash, make, fill, ask and combine filters."""

import math

from ..errors import unsupported
from ..hash import Hasher
from ..hash.hasher import NAMES
from ..kinds import FOREIGN, PORTABLE, SETS, kind_named, kind_of
from ..model import portable_fpr, promise
from ..model.attainable import size_checked
from ..portable_sizing import size_by_bits_per_key, size_by_memory, size_by_rate
from .words_of_keys import NotAScript, hasher_of, keys_of, source_of, whole_number


class Held:
    """A filter in a variable, with what is not in its bits."""

    def __init__(self, filter, capacity=0, damaged=0):
        self.filter = filter
        self.capacity = capacity
        self.damaged = damaged


def real(value):
    """As C's `%.3e`, and `inf`."""
    return "inf" if math.isinf(value) else f"{value:.3e}"


def real_number(text):
    try:
        return float(text)
    except ValueError:
        raise NotAScript(f"{text} is no number") from None


def all_keys(words):
    return [key for word in words for key in keys_of(word)]


def own_filter(machine, name):
    """Packed sets and foreign filters are only asked."""
    held = machine.filter(name)
    if not kind_of(held.filter).is_one_filter:
        raise NotAScript(f"{name} can only be asked")
    return held


def do_hash(machine, operation):
    words = operation.take(2)
    hasher = hasher_of(words[0])
    return " ".join(f"{key.hashed(hasher):016x}" for key in all_keys(words[1:]))


def do_check(machine, operation):
    return f"{hasher_of(operation.take(1, 1)[0]).check():016x}"


def do_size(machine, operation):
    operation.take(0, 0)
    n = whole_number(operation.options["keys"])
    if "fpr" in operation.options:
        m, k = size_by_rate(n, real_number(operation.options["fpr"]))
    elif "bits-per-key" in operation.options:
        m, k = size_by_bits_per_key(n, real_number(operation.options["bits-per-key"]))
    else:
        m, k = size_by_memory(n, whole_number(operation.options["memory"]))
    return f"bits={m} hashes={k}"


def do_promise(machine, operation):
    verdict, true = promise(whole_number(operation.options["keys"]), real_number(operation.options["fpr"]))
    return f"{verdict} {real(true)}"


def do_make(machine, operation):
    name, kind_word = operation.take(2, 2)
    options = operation.options
    kind = kind_named(kind_word)
    if kind is None or not kind.is_one_filter:
        raise NotAScript(f"no filter {kind_word}")
    hasher = hasher_of(options["hash"]) if "hash" in options else Hasher()
    capacity = whole_number(options.get("capacity", "0"))
    if kind is PORTABLE and "keys" in options:
        capacity = whole_number(options["keys"])
        numbers = size_checked(capacity, real_number(options["fpr"]), options.get("force") == "1")
    else:
        numbers = [options[word] if word == "profile" else whole_number(options[word]) for word in kind.filter.shape]
    filter = kind.filter.make(hasher.of(source_of(options)), *numbers)
    machine.assign(name, Held(filter, capacity))
    m, k = filter.size()
    return f"ok bits={m} hashes={k}"


def do_insert(machine, operation):
    words = operation.take(2)
    filter = own_filter(machine, words[0]).filter
    hashes = [key.hashed(filter.hasher) for key in all_keys(words[1:])]  # all are taken, or none
    for h in hashes:
        filter.insert_hash(h)
    return "ok"


def answers(machine, operation):
    words = operation.take(2)
    filter = machine.filter(words[0]).filter
    keys = all_keys(words[1:])
    if kind_of(filter) is FOREIGN:
        return [filter.may_contain(key.as_bytes()) for key in keys]
    if kind_of(filter) in SETS:
        member = whole_number(operation.options["member"])
        return [filter.may_contain_hash(key.hashed(filter.hasher), member) for key in keys]
    return [filter.may_contain_hash(key.hashed(filter.hasher)) for key in keys]


def do_query(machine, operation):
    return "".join("1" if answer else "0" for answer in answers(machine, operation))


def do_count(machine, operation):
    return str(sum(answers(machine, operation)))


def do_info(machine, operation):
    held = own_filter(machine, operation.take(1, 1)[0])
    filter = held.filter
    m, k = filter.size()
    return (f"kind={kind_of(filter).name} bits={m} hashes={k} capacity={held.capacity} ones={filter.ones()} "
            f"bytes={len(filter.payload())} hash={NAMES[filter.hasher.id]} check={filter.hasher.check():016x}")


def do_source(machine, operation):
    return own_filter(machine, operation.take(1, 1)[0]).filter.hasher.source


def do_rate(machine, operation):
    filter = own_filter(machine, operation.take(1, 1)[0]).filter
    rates = kind_of(filter).rates
    return f"realised={real(rates.realised(filter))} keys={real(rates.keys(filter))}"


def do_expect(machine, operation):
    name, n = operation.take(2, 2)
    filter = own_filter(machine, name).filter
    if kind_of(filter) is not PORTABLE:
        raise unsupported(None, "only portable filters tell what they expect")
    return real(portable_fpr(filter.m, filter.k, whole_number(n)))


def do_merge(machine, operation):
    name, other = operation.take(2, 2)
    held = own_filter(machine, name)
    with_what = own_filter(machine, other)
    held.filter.merge(with_what.filter)
    held.damaged += with_what.damaged
    return "ok"


def do_fold(machine, operation):
    name, factor = operation.take(2, 2)
    held = own_filter(machine, name)
    held.filter = held.filter.fold(whole_number(factor))
    return f"ok blocks={held.filter.blocks}"


def do_clear(machine, operation):
    own_filter(machine, operation.take(1, 1)[0]).filter.clear()
    return "ok"


def do_equal(machine, operation):
    a, b = (own_filter(machine, name).filter for name in operation.take(2, 2))
    same = (kind_of(a) is kind_of(b) and a.size() == b.size() and a.hasher == b.hasher and a.payload() == b.payload())
    return "yes" if same else "no"


OPERATIONS = {"hash": do_hash, "check": do_check, "size": do_size, "promise": do_promise, "make": do_make,
              "insert": do_insert, "insert-batch": do_insert, "query": do_query, "query-batch": do_query,
              "count": do_count, "info": do_info, "source": do_source, "rate": do_rate, "expect": do_expect,
              "merge": do_merge, "fold": do_fold, "clear": do_clear, "equal": do_equal}
