# The compiled module.  Written by tools/make_stubs.py from stubs/ and from bloomery.kinds(): edit those.
import os
import uuid
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, NoReturn, Protocol, TypedDict, Union, type_check_only

import numpy
import numpy.typing
from typing_extensions import Buffer, Literal, Self, TypeAlias, Unpack

__version__: str

_Key: TypeAlias = Union[str, bytes, bytearray, memoryview, int, uuid.UUID]
_Text: TypeAlias = Union[str, bytes, bytearray, memoryview]
_Path: TypeAlias = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
_Source: TypeAlias = Literal[
    "bytes", "integers", "hashes", "int32", "int32be", "int64be", "float32", "float64", "utf16"
]
_Hash: TypeAlias = Literal["xxh3", "xxh64", "fnv1a-splitmix", "siphash13"]
_Form: TypeAlias = Literal["container", "portable", "bitset"]
_Hashes: TypeAlias = numpy.typing.NDArray[numpy.uint64]
_Bools: TypeAlias = numpy.typing.NDArray[numpy.bool_]

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = ...) -> tuple[object, object]: ...

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = ...) -> object: ...

_Keys: TypeAlias = Union[Iterable[_Key], _ArrowArray, _ArrowStream, Buffer]
_Texts: TypeAlias = Union[Iterable[_Text], _ArrowArray, _ArrowStream, Buffer]

@type_check_only
class _HashOptions(TypedDict, total=False):
    source: _Source | None
    hash: _Hash | None
    seed: int | None
    secret: bytes | None

@type_check_only
class _KindOptions(TypedDict, total=False):
    profile: Literal["half-line", "line", "two-lines", "lanes16"] | None
    foldable: bool | None
    max_growth: float | None
    growth: int | None
    dynamic: bool | None
    cell_bits: int | None
    layout: Literal["line", "flat"] | None
    identity: int | None
    ribbon_width: int | None
    arity: int | None
    generations: int | None

@type_check_only
class _Fields:
    @property
    def key_source(self) -> str | None:
        """What its keys are made from.  Kinds: all.

        >>> isinstance(bloomery.Filter.build(["alice", "bob"], kind="block").key_source, object)
        True
        """

    @property
    def bits(self) -> int:
        """Bits of its array.  Kinds: all.

        >>> bloomery.Filter.build(["alice", "bob"], kind="block").bits
        512
        """

    @property
    def profile(self) -> str:
        """How the bits of a key lie in cache lines.  Kinds: block, window.

        >>> bloomery.Filter.build(["alice", "bob"], kind="block").profile
        'line'
        """

    @property
    def hashes(self) -> int:
        """Bits that each key sets.  Kinds: block, split-block, bloom, partitioned, counting, stable, window, portable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="block").hashes
        8
        """

    @property
    def blocks(self) -> int:
        """Blocks of that profile.  Kinds: block, split-block, window.

        >>> bloomery.Filter.build(["alice", "bob"], kind="block").blocks
        1
        """

    @property
    def bytes(self) -> int:
        """Size in memory.  Kinds: all.

        >>> bloomery.Filter.build(["alice", "bob"], kind="block").bytes
        64
        """

    def ones(self) -> int:
        """Bits that are set.  Kinds: all.

        >>> bloomery.Filter.build(["alice", "bob"], kind="block").ones()
        16
        """

    def keys_estimate(self) -> float | None:
        """Keys in it, from its bits.  Kinds: all.

        >>> round(bloomery.Filter.build(["alice", "bob"], kind="block").keys_estimate(), 4)
        2.016
        """

    def design_fpr(self) -> float | None:
        """Rate it was sized for: what it has when full.  Kinds: all.

        >>> round(bloomery.Filter.build(["alice", "bob"], kind="block").design_fpr(), 4)
        0.0
        """

    @property
    def slice_bits(self) -> int:
        """Bits of a slice.  Kinds: partitioned.

        >>> bloomery.Filter.build(["alice", "bob"], kind="partitioned").slice_bits
        6
        """

    @property
    def policy(self) -> str:
        """How the rate is divided among the levels.  Kinds: scalable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="scalable").policy
        'geometric'
        """

    @property
    def growth(self) -> int:
        """A level is so many times the one before.  Kinds: scalable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="scalable").growth
        2
        """

    @property
    def max_levels(self) -> int:
        """Levels it may have.  Kinds: scalable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="scalable").max_levels
        48
        """

    @property
    def lines(self) -> int:
        """Cache lines of the first level.  Kinds: scalable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="scalable").lines
        1
        """

    @property
    def cells(self) -> int:
        """Counters.  Kinds: counting, stable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="counting").cells
        128
        """

    @property
    def cell_bits(self) -> int:
        """Bits of a counter.  Kinds: counting, stable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="counting").cell_bits
        4
        """

    @property
    def layout(self) -> str:
        """Where the counters of a key lie.  Kinds: counting, fuse, xor.

        >>> bloomery.Filter.build(["alice", "bob"], kind="counting").layout
        'line'
        """

    @property
    def identity(self) -> int:
        """Number that its receipts are for.  Kinds: counting, cuckoo, quotient.

        >>> bloomery.Filter.build(["alice", "bob"], kind="counting").identity
        0
        """

    def stuck_cells(self) -> int:
        """Counters that have reached their limit and stay.  Kinds: counting.

        >>> bloomery.Filter.build(["alice", "bob"], kind="counting").stuck_cells()
        0
        """

    @property
    def tag_bits(self) -> int:
        """Bits of a tag.  Kinds: cuckoo.

        >>> bloomery.Filter.build(["alice", "bob"], kind="cuckoo").tag_bits
        8
        """

    @property
    def slots(self) -> int:
        """Room for tags, four in a bucket.  Kinds: cuckoo, quotient, fuse, xor.

        >>> bloomery.Filter.build(["alice", "bob"], kind="cuckoo").slots
        8
        """

    def max_copies(self) -> int:
        """Largest number of equal tags in the two buckets of a key.  Kinds: cuckoo, quotient.

        >>> bloomery.Filter.build(["alice", "bob"], kind="cuckoo").max_copies()
        2
        """

    @property
    def quotients(self) -> int:
        """Home slots.  Kinds: quotient.

        >>> bloomery.Filter.build(["alice", "bob"], kind="quotient").quotients
        13
        """

    @property
    def remainder_bits(self) -> int:
        """Bits stored for each fingerprint.  Kinds: quotient.

        >>> bloomery.Filter.build(["alice", "bob"], kind="quotient").remainder_bits
        4
        """

    def copies(self) -> int:
        """Keys with their copies.  Kinds: quotient.

        >>> bloomery.Filter.build(["alice", "bob"], kind="quotient").copies()
        2
        """

    def longest_run(self) -> int:
        """Slots of one quotient at the most.  Kinds: quotient.

        >>> bloomery.Filter.build(["alice", "bob"], kind="quotient").longest_run()
        1
        """

    def longest_cluster(self) -> int:
        """Slots in use side by side at the most.  Kinds: quotient.

        >>> bloomery.Filter.build(["alice", "bob"], kind="quotient").longest_cluster()
        1
        """

    @property
    def columns(self) -> int:
        """Bits of a fingerprint.  Kinds: ribbon.

        >>> bloomery.Filter.build(["alice", "bob"], kind="ribbon").columns
        7
        """

    @property
    def ribbon_width(self) -> int:
        """Slots of a key's window.  Kinds: ribbon.

        >>> bloomery.Filter.build(["alice", "bob"], kind="ribbon").ribbon_width
        64
        """

    @property
    def fingerprint_bits(self) -> int:
        """Bits of a slot.  Kinds: fuse, xor.

        >>> bloomery.Filter.build(["alice", "bob"], kind="fuse").fingerprint_bits
        7
        """

    @property
    def shards(self) -> int:
        """Parts that were built separately.  Kinds: fuse, xor.

        >>> bloomery.Filter.build(["alice", "bob"], kind="fuse").shards
        1
        """

    @property
    def residue(self) -> int:
        """Keys that are stored whole.  Kinds: fuse, xor.

        >>> bloomery.Filter.build(["alice", "bob"], kind="fuse").residue
        0
        """

    @property
    def cell_max(self) -> int:
        """What an insert sets its cells to.  Kinds: stable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="stable").cell_max
        3
        """

    @property
    def decrement(self) -> float:
        """Cells that an insert decreases, on average.  Kinds: stable.

        >>> round(bloomery.Filter.build(["alice", "bob"], kind="stable").decrement, 4)
        29.8567
        """

    @property
    def inserts(self) -> int:
        """Inserts so far.  Kinds: stable.

        >>> bloomery.Filter.build(["alice", "bob"], kind="stable").inserts
        2
        """

    def stable_fpr(self) -> float | None:
        """Rate that it has after any number of inserts.  Kinds: stable.

        >>> round(bloomery.Filter.build(["alice", "bob"], kind="stable").stable_fpr(), 4)
        0.01
        """

    @property
    def generations(self) -> int:
        """Parts that are forgotten one after the other.  Kinds: window.

        >>> bloomery.Filter.build(["alice", "bob"], kind="window").generations
        4
        """

    @property
    def generation_keys(self) -> int:
        """Inserts into each; 0: they change by call.  Kinds: window.

        >>> bloomery.Filter.build(["alice", "bob"], kind="window").generation_keys
        1
        """

    @property
    def current(self) -> int:
        """The generation that takes inserts.  Kinds: window.

        >>> bloomery.Filter.build(["alice", "bob"], kind="window").current
        1
        """

    @property
    def current_keys(self) -> int:
        """Inserts into it so far.  Kinds: window.

        >>> bloomery.Filter.build(["alice", "bob"], kind="window").current_keys
        1
        """

    @property
    def retained(self) -> int:
        """The newest keys, which it finds for certain.  Kinds: window.

        >>> bloomery.Filter.build(["alice", "bob"], kind="window").retained
        4
        """

@type_check_only
class _Options(_HashOptions, _KindOptions, total=False):
    kind: str | None
    bits_per_key: float | None
    memory: int | None
    units: int | None
    hashes: int | None
    force: bool | None

@type_check_only
class _ForeignOptions(TypedDict, total=False):
    variant: str | None
    bits: int | None
    hashes: int | None
    seed: int | None
    part: int | None
    key_form: Literal["bytes", "text", "integer"] | None

@type_check_only
class _ForeignParams(_ForeignOptions, total=False):
    capacity: int | None
    fpr: float | None
    bits_per_key: float | None
    growth: int | None

@type_check_only
class _Size(TypedDict):
    kind: str
    units: int
    hashes: int
    bits: int
    size_in_bytes: int
    expected_fpr: float

@type_check_only
class _Budget(TypedDict):
    bits_per_key: list[float]
    wasted_reads: float
    bits: float

@type_check_only
class _Promise(TypedDict):
    true_fpr: float
    is_kept: bool
    is_refused: bool

@type_check_only
class _Option(TypedDict):
    name: str
    type: Literal["count", "real", "flag", "name"]
    help: str
    choices: list[int | str]
    min: int | float | None
    max: int | float | None
    default: int | bool | str | None
    default_help: str | None

@type_check_only
class _Field(TypedDict):
    name: str
    unit: str
    help: str
    group: Literal["layout", "counts", "rates"]
    columns: list[_Field]

@type_check_only
class _Kind(TypedDict):
    name: str
    summary: str
    calls: list[str]
    hash: str
    takes_hash: bool
    forgets: bool
    units: str
    options: list[_Option]
    fields: list[_Field]

@type_check_only
class _Dialect(TypedDict):
    name: str
    summary: str
    hash: str
    variants: list[str]
    needs: list[str]
    writes: bool
    builds: bool

@type_check_only
class _Header(TypedDict):
    kind: str
    member: str
    hash: str
    seed: int
    hash_check: int
    hashes: int
    units: int
    asked_fpr: float
    capacity: int
    keys: int
    payload_at: int
    payload_bytes: int
    sentinels: int
    notes_bytes: int
    chunks: int
    file_bytes: int

@type_check_only
class _Verified(_Header):
    source: str
    damaged_chunks: int
    first_damage_at: int

# What several classes have: the same calls, written once.
@type_check_only
class _Asked:
    def __contains__(self, key: _Key, /) -> bool: ...
    def may_contain(self, keys: _Keys) -> _Bools:
        """Looks up many keys: a NumPy array of bool; without NumPy, `Answers`.

        True is possibly present, False definitely not.  `keys` is a list, any iterable, or an array of
        NumPy or Arrow.  A null is False.  For one key write `key in f`.

        >>> f = bloomery.Filter.build(["alice", "bob"])
        >>> f.may_contain(["alice", "carol"]).tolist()
        [True, False]
        """

    def may_contain_arrow(self, keys: _Keys) -> Answers:
        """The same as an Arrow array of booleans, in which a null stays null.

        >>> f = bloomery.Filter.build(["alice", "bob"])
        >>> f.may_contain_arrow(["alice", "carol"]).tolist()
        [True, False]
        """

@type_check_only
class _Hashed:
    @property
    def source(self) -> _Source:
        """What its keys are: "bytes" (text too), "integers", "hashes", or a form of another system.

        >>> bloomery.Filter.build([1, 2, 3]).source
        'integers'
        """

    @property
    def hash(self) -> _Hash:
        """The hash function of its keys.

        >>> bloomery.Filter(1000).hash
        'xxh3'
        """

    @property
    def seed(self) -> int | None:
        """The seed of the hash; None: it has a secret instead.

        >>> bloomery.Filter(1000, seed=7).seed
        7
        """

    @property
    def hash_check(self) -> int:
        """A hash of a fixed text: other programs compare it with theirs.

        >>> bloomery.Filter(10).hash_check == bloomery.Filter(20).hash_check
        True
        """

@type_check_only
class _Sized:
    @property
    def capacity(self) -> int:
        """How many keys it was sized for; 0: unknown.

        >>> bloomery.Filter(1000).capacity
        1000
        """

    @property
    def size_in_bytes(self) -> int:
        """Bytes of the filter, without the header of a file.

        >>> bloomery.Filter(1000, 0.01).size_in_bytes
        1280
        """

@type_check_only
class _Rated:
    def fill(self) -> float:
        """The part of its bits, cells or slots that are in use.  Reads all of them.

        >>> bloomery.Filter(1000).fill()
        0.0
        """

    def estimated_keys(self) -> float:
        """How many distinct keys are in it, estimated from the bits.

        >>> f = bloomery.Filter(1000)
        >>> f.update(f"user-{i}" for i in range(500))
        >>> 450 < f.estimated_keys() < 550
        True
        """

    def realised_fpr(self) -> float:
        """The rate of false positives that it has now, computed from its bits.

        >>> f = bloomery.Filter.build([f"user-{i}" for i in range(1000)], 0.01)
        >>> 0.005 < f.realised_fpr() < 0.015
        True
        """

@type_check_only
class _Measured(_Sized, _Rated):
    def expected_fpr(self, keys: int) -> float:
        """The rate of false positives that it would have with so many keys.

        >>> f = bloomery.Filter(1000, 0.01)
        >>> f.expected_fpr(1000) <= 0.01 < f.expected_fpr(2000)
        True
        """

class Answers:
    """One bool per key of a batch; an Arrow boolean array, and a buffer of bools.

    Calls that answer for many keys return it where there is no NumPy; those that end in
    `_arrow` always do.

    >>> f = bloomery.Filter.build(["alice", "bob"])
    >>> f.may_contain_arrow(["alice", "carol"])
    <bloomery.Answers: 1 of 2 possibly present>
    """

    def __init__(self) -> NoReturn: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> bool | None: ...
    def tolist(self) -> list[bool | None]:
        """The answers as a list; None, where the key was null.

        >>> bloomery.Filter(10).may_contain_arrow(["alice", "bob"]).tolist()
        [False, False]
        """

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class Hashes:
    """The hashes of a batch, where there is no NumPy: a buffer of 64-bit integers.

    >>> hashes = bloomery.Filter(10).hash_keys(["alice", "bob"])    # an array, where there is NumPy
    >>> len(hashes)
    2
    """

    def __init__(self) -> NoReturn: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class Receipt:
    """Proof that a key was inserted: 24 bytes, which `Filter.erase` takes.

    A filter refuses the receipts of every other filter.  If stored bytes are used a second time, those
    of a numbered receipt raise NotPresentError and change nothing; those of a receipt without a
    number may delete another key, which becomes a false negative (docs/cpp.md, "Erase keys").

    >>> f = bloomery.Filter(1000, kind="cuckoo")
    >>> receipt = f.add_with_receipt("alice", numbered=True)
    >>> stored = bytes(receipt)
    >>> f.erase(bloomery.Receipt(stored))
    >>> "alice" in f
    False
    """

    def __init__(self, stored: bytes) -> None: ...
    def __bytes__(self) -> bytes: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, stored: bytes, /) -> None: ...

class Filter(_Fields, _Asked, _Hashed, _Measured):
    """A filter of any kind: keys go in, and `key in f` says whether a key may be in.

    False is definitely not present; True is possibly present, wrong for about `fpr` of other keys.

    Filter(capacity, fpr) is empty, for so many keys at that rate (0.01, if nothing is said).
    Filter.build(keys, fpr) has all keys, and is sized for them.  Other rules of size, one of
    them: bits_per_key, memory (bytes), or units and hashes.  Further options: kind (`kinds()` lists
    them with their own options), source, hash, seed, secret, force.

    Keys are str (its UTF-8), bytes and uuid.UUID (its 16 bytes); or int, of a filter with
    source="integers".

    >>> seen = bloomery.Filter(1_000_000, 0.01)
    >>> seen.add("alice")
    >>> "alice" in seen, "bob" in seen
    (True, False)
    >>> seen
    <bloomery.Filter: block, for 1,000,000 keys, 1.2 MiB, keys are bytes, hash xxh3>
    """

    def __init__(
        self, capacity: int | None = None, fpr: float | None = None, **options: Unpack[_Options]
    ) -> None: ...
    @staticmethod
    def build(
        keys: _Keys,
        fpr: float | None = None,
        capacity: int | None = None,
        threads: int = 1,
        memory_limit: int | None = None,
        temp_dir: _Path | None = None,
        progress: Callable[[int, int | None], object] | None = None,
        **options: Unpack[_Options],
    ) -> Filter:
        """A filter of all these keys, sized for the distinct ones.

        Of a list or array of integers it is one of integers; of other iterables say source="integers".
        With `memory_limit` (bytes) keys that do not fit are sorted in files in `temp_dir`.
        `progress(done, total)` is called about ten times per second and at the end; total is None
        while an iterator is read, as the number of keys is unknown.  An exception in it ends the build,
        and so does Ctrl-C.

        >>> f = bloomery.Filter.build(["alice", "bob"], 0.001, kind="ribbon")
        >>> "alice" in f, f.kind
        (True, 'ribbon')
        >>> calls = []
        >>> f = bloomery.Filter.build(range(1000), source="integers",
        ...                           progress=lambda done, total: calls.append((done, total)))
        >>> calls[-1]
        (2000, 2000)
        """

    def add(self, key: _Key, /) -> None:
        """Inserts one key.

        >>> f = bloomery.Filter(1000)
        >>> f.add("alice")
        >>> "alice" in f
        True
        """

    def insert(self, key: _Key, /) -> None:
        """The name of `add` in the other languages.

        >>> f = bloomery.Filter(1000)
        >>> f.insert("alice")
        >>> "alice" in f
        True
        """

    def add_if_absent(self, key: _Key, /) -> bool:
        """Inserts one key.  True: it was definitely not present before.

        >>> f = bloomery.Filter(1000)
        >>> f.add_if_absent("alice"), f.add_if_absent("alice")
        (True, False)
        """

    def update(self, *batches: _Keys) -> None:
        """Inserts many keys: of lists, iterables, NumPy arrays, Arrow arrays.  Nulls are skipped.

        >>> f = bloomery.Filter(1000)
        >>> f.update(["alice", b"bob"], (f"user-{i}" for i in range(10)))
        >>> "user-7" in f
        True
        """

    def update_if_absent(self, keys: _Keys) -> _Bools:
        """Inserts many keys, and returns which of them were definitely not present before.

        >>> f = bloomery.Filter(1000)
        >>> f.update_if_absent(["alice", "bob", "alice"]).tolist()
        [True, True, False]
        """

    def add_with_receipt(self, key: _Key, *, numbered: bool = False) -> Receipt:
        """Inserts one key, and returns the receipt that `erase` takes.

        The use of numbered receipts is recorded, in the filter, its copies and its file: they can be
        used again without harm, and suit keys that are erased together.  The use of others is not:
        use each once.  docs/cpp.md, "Erase keys", has the rules.

        >>> f = bloomery.Filter(1000, kind="cuckoo")
        >>> receipt = f.add_with_receipt("alice", numbered=True)
        >>> f.erase(receipt)
        >>> "alice" in f
        False
        """

    def erase(self, receipt: Receipt) -> None:
        """Erases the key of a receipt, which is used up then.

        Refused, and nothing changes: the receipt of another filter (IncompatibleError), this object
        a second time, and a numbered receipt whose use is recorded (NotPresentError).  Stored bytes of a
        receipt without a number may be used once only: a second time they may delete another key.

        >>> f = bloomery.Filter(1000, kind="counting")
        >>> receipt = f.add_with_receipt("alice")
        >>> f.erase(receipt)
        >>> "alice" in f, bool(receipt)
        (False, False)
        """

    def erase_present(self, key: _Key) -> None:
        """Erases a key that you know to be in.  A key that never was may delete another one.

        >>> f = bloomery.Filter(1000, kind="cuckoo")
        >>> f.add("alice")
        >>> f.erase_present("alice")
        >>> "alice" in f
        False
        """

    def erase_present_all(self, keys: _Keys) -> _Bools:
        """Erases many keys that you know to be in; False for those that are definitely not.

        >>> f = bloomery.Filter(1000, kind="cuckoo")
        >>> f.update(["alice", "bob"])
        >>> f.erase_present_all(["alice", "bob"]).tolist()
        [True, True]
        """

    def count(self, key: _Key) -> int:
        """How often a key is in, at most: 0 is definitely not present.

        >>> f = bloomery.Filter(1000, kind="counting")
        >>> f.update(["alice", "alice", "bob"])
        >>> f.count("alice"), f.count("carol")
        (2, 0)
        """

    def fingerprints(self) -> list[tuple[int, int]]:
        """Every fingerprint in the filter, and how often; of kinds that can list them.

        >>> f = bloomery.Filter(1000, kind="quotient")
        >>> f.update(["alice", "alice", "bob"])
        >>> sorted(copies for fingerprint, copies in f.fingerprints())
        [1, 2]
        """

    def hash_key(self, key: _Key) -> int:
        """The 64-bit hash that the filter has of a key.

        >>> f = bloomery.Filter(1000)
        >>> f.hash_key("alice") == int(f.hash_keys(["alice"])[0])
        True
        """

    def hash_keys(self, keys: _Keys) -> _Hashes:
        """The hashes of many keys, for `update_hashes` and `may_contain_hashes`.

        >>> f, g = bloomery.Filter(1000), bloomery.Filter(2000)
        >>> hashes = f.hash_keys(["alice", "bob"])       # hashed once
        >>> f.update_hashes(hashes)
        >>> g.update_hashes(hashes)
        >>> "alice" in f and "alice" in g
        True
        """

    def update_hashes(self, hashes: _Keys) -> None:
        """Inserts keys by their hashes, as `hash_keys` has them.

        >>> f = bloomery.Filter(1000)
        >>> f.update_hashes(f.hash_keys(["alice"]))
        >>> "alice" in f
        True
        """

    def may_contain_hashes(self, hashes: _Keys) -> _Bools:
        """Looks up keys by their hashes, as `hash_keys` has them.

        >>> f = bloomery.Filter.build(["alice"])
        >>> f.may_contain_hashes(f.hash_keys(["alice", "bob"])).tolist()
        [True, False]
        """

    def merge(self, other: Filter, *, fold: bool = False) -> None:
        """Puts the keys of another filter into this one, as `f |= g`.

        Both need the same kind, size and hash.  fold=True: block filters of different sizes, the
        larger one is folded; sizes where one divides the other fit.

        >>> f, g = bloomery.Filter(1000), bloomery.Filter(1000)
        >>> g.add("alice")
        >>> f.merge(g)
        >>> "alice" in f
        True
        """

    def intersect(self, other: Filter) -> None:
        """Keeps what is in both, and false positives of both, as `f &= g`.

        >>> f, g = bloomery.Filter(1000), bloomery.Filter(1000)
        >>> f.update(["alice", "bob"])
        >>> g.add("alice")
        >>> f.intersect(g)
        >>> "alice" in f, "bob" in f
        (True, False)
        """

    def __or__(self, other: Filter, /) -> Filter: ...
    def __and__(self, other: Filter, /) -> Filter: ...
    def __ior__(self, other: Filter, /) -> Self: ...
    def __iand__(self, other: Filter, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def fold(self, divisor: int) -> None:
        """Makes a block filter smaller by a whole factor, for more false positives.

        >>> f = bloomery.Filter(10_000, units=1000, hashes=8, profile="line")
        >>> f.fold(2)
        >>> f.blocks
        500
        """

    def clear(self) -> None:
        """Removes all keys.

        >>> f = bloomery.Filter(1000)
        >>> f.add("alice")
        >>> f.clear()
        >>> "alice" in f
        False
        """

    def empty_like(self) -> Filter:
        """An empty filter of the same kind, size and hash.

        >>> f = bloomery.Filter(1000)
        >>> f.empty_like() == f
        True
        """

    def copy(self) -> Filter:
        """A filter with the same keys, that changes separately.

        >>> f = bloomery.Filter(1000)
        >>> g = f.copy()
        >>> g.add("alice")
        >>> "alice" in f
        False
        """

    def __copy__(self) -> Filter: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Filter: ...
    def rotate(self) -> None:
        """Forgets the oldest generation of a window now.

        >>> f = bloomery.Filter(1000, kind="window", generations=2)
        >>> f.add("alice")
        >>> f.rotate()
        >>> "alice" in f
        True
        >>> f.rotate()
        >>> "alice" in f
        False
        """

    def forgetting(self, gap: int) -> float:
        """How likely a key is forgotten after so many others; of kinds that forget.

        >>> f = bloomery.Filter(1000, kind="stable")
        >>> f.forgetting(0) < f.forgetting(10_000)
        True
        """

    def grow(self) -> None:
        """Doubles a quotient filter without its keys: one bit of each remainder less, so twice the rate.

        >>> f = bloomery.Filter(1000, 0.001, kind="quotient")
        >>> quotients, bits = f.quotients, f.remainder_bits
        >>> f.grow()
        >>> f.quotients == 2 * quotients, f.remainder_bits == bits - 1
        (True, True)
        """

    def published(self) -> Filter:
        """A block filter of the same keys without the counters of a counting one, for readers.

        >>> f = bloomery.Filter(1000, kind="counting")
        >>> f.add("alice")
        >>> "alice" in f.published()
        True
        """

    def supports(self, call: str) -> bool:
        """Whether its kind has a call; `kinds()` lists the names.

        >>> bloomery.Filter(1000).supports("merge"), bloomery.Filter(1000).supports("count")
        (True, False)
        """

    @property
    def kind(self) -> str:
        """The name of its kind.

        >>> bloomery.Filter(1000).kind
        'block'
        """

    @property
    def damaged_chunks(self) -> int:
        """Parts of its file whose checksum was wrong: keys in them are possibly present.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> bloomery.Filter.load("seen.bloom").damaged_chunks
        0
        """

    def info(self) -> dict[str, Any]:
        """All that it reports about itself, as `bloomery info --json` does.

        >>> bloomery.Filter(1000).info()["blocks"]
        20
        """

    def to_bytes(
        self,
        form: _Form = "container",
        *,
        asked_fpr: float | None = None,
        distinct_keys: int | None = None,
        sentinels: Iterable[int] | Buffer | None = None,
    ) -> bytes:
        """The filter as bytes: a container, or one of the bare forms of its kind.

        The rest goes into the container's header: what the filter was asked for, and some
        hashes of its keys, which `verify` looks up.

        >>> f = bloomery.Filter.build(["alice"])
        >>> bloomery.Filter.from_bytes(f.to_bytes()) == f
        True
        """

    def __bytes__(self) -> bytes: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    @staticmethod
    def from_bytes(
        data: Buffer,
        form: _Form = "container",
        *,
        secret: bytes | None = None,
        source: _Source | None = None,
        max_bytes: int | None = None,
    ) -> Filter:
        """The filter of such bytes.  `max_bytes`: larger filters are refused.

        >>> f = bloomery.Filter.build(["alice"])
        >>> "alice" in bloomery.Filter.from_bytes(bytes(f))
        True
        """

    def save(self, path: _Path, form: _Form = "container") -> None:
        """Writes a file, whole or not at all.

        >>> bloomery.Filter.build(["alice"]).save("seen.bloom")
        >>> "alice" in bloomery.Filter.load("seen.bloom")
        True
        """

    @staticmethod
    def load(
        path: _Path,
        form: _Form = "container",
        *,
        secret: bytes | None = None,
        source: _Source | None = None,
        max_bytes: int | None = None,
    ) -> Filter:
        """Reads a file into memory.  `MappedFilter` opens it in place; `bloomery.load` opens any container.

        >>> bloomery.Filter.build(["alice"]).save("seen.bloom")
        >>> "alice" in bloomery.Filter.load("seen.bloom")
        True
        """

    def __getstate__(self) -> bytes: ...
    def __setstate__(self, state: Buffer, /) -> None: ...

class _ObjectKeys:
    """What bloomery.rbloom.Bloom derives from: keys that are any objects, one by one."""

    def _hold(self, filter: Filter, key_of: Callable[[Any], bytes] | None, /) -> None: ...
    def add(self, obj: Any, /) -> None:
        """Inserts an object.

        >>> from bloomery.rbloom import Bloom
        >>> bf = Bloom(200, 0.01)
        >>> bf.add(("a tuple", 1))
        >>> ("a tuple", 1) in bf
        True
        """

    def __contains__(self, obj: Any, /) -> bool: ...

class Builder:
    """All keys first, in parts, then a filter that is sized for the distinct ones.

    With `memory_limit` (bytes) keys that do not fit are sorted in files in `temp_dir`.  Options: hash,
    seed, secret and source; the rest are given to `finish`.

    >>> keys = bloomery.Builder()
    >>> keys.update(["alice", "bob"])
    >>> keys.update(["bob", "carol"])
    >>> f = keys.finish(0.001, kind="ribbon")
    >>> "carol" in f
    True
    """

    def __init__(
        self,
        memory_limit: int | None = None,
        temp_dir: _Path | None = None,
        **options: Unpack[_HashOptions],
    ) -> None: ...
    def update(self, *batches: _Keys) -> None:
        """Takes more keys.

        >>> keys = bloomery.Builder(source="integers")
        >>> keys.update([1, 2, 3], range(100))
        >>> keys.count()
        100
        """

    def update_hashes(self, hashes: _Keys) -> None:
        """Takes more keys by their hashes, as `Filter.hash_keys` has them.

        >>> keys = bloomery.Builder()
        >>> keys.update_hashes(bloomery.Filter(10).hash_keys(["alice"]))
        >>> "alice" in keys.finish()
        True
        """

    def count(self) -> int:
        """How many distinct keys there are so far.

        >>> keys = bloomery.Builder()
        >>> keys.update(["alice", "bob", "alice"])
        >>> keys.count()
        2
        """

    def finish(
        self,
        fpr: float | None = None,
        capacity: int | None = None,
        threads: int = 1,
        progress: Callable[[int, int | None], object] | None = None,
        **options: Unpack[_Options],
    ) -> Filter:
        """The filter; the builder is empty afterwards.  Options are those of `Filter`.

        `progress(done, total)` is called as by `Filter.build`.

        >>> keys = bloomery.Builder()
        >>> keys.update(["alice", "bob"])
        >>> keys.finish(0.001, kind="fuse").kind
        'fuse'
        """

class MappedFilter(_Fields, _Asked, _Hashed, _Measured):
    """A filter in a file that is mapped: ready at once, whatever its size.

    Chunks are checked when they are first read; keys in a damaged one are possibly present.  If
    another process truncates or overwrites the file in place, calls raise ChangedFileError.  Files up
    to 4 MiB are copied into memory; copy=True copies any, copy=False none.  Pickled by its path.

    >>> bloomery.Filter.build(["alice", "bob"], kind="ribbon").save("seen.bloom")
    >>> seen = bloomery.MappedFilter("seen.bloom")
    >>> "alice" in seen, seen.verify()
    (True, 0)
    """

    def __init__(
        self,
        path: _Path,
        *,
        secret: bytes | None = None,
        source: _Source | None = None,
        copy: bool | None = None,
    ) -> None: ...
    @property
    def kind(self) -> str:
        """The name of its kind.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> bloomery.MappedFilter("seen.bloom").kind
        'block'
        """

    @property
    def damaged_chunks(self) -> int:
        """Chunks that were read so far and whose checksum was wrong.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> bloomery.MappedFilter("seen.bloom").damaged_chunks
        0
        """

    @property
    def is_verified(self) -> bool:
        """Whether every chunk has been checked.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> seen = bloomery.MappedFilter("seen.bloom")
        >>> damaged = seen.verify()
        >>> seen.is_verified
        True
        """

    def verify(self, threads: int = 1) -> int:
        """Checks all chunks, and returns how many are damaged.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> bloomery.MappedFilter("seen.bloom").verify()
        0
        """

    def unchanged(self) -> bool:
        """Whether the file is as it was when it was opened.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> bloomery.MappedFilter("seen.bloom").unchanged()
        True
        """

    @property
    def path(self) -> str:
        """The absolute path of the file.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> bloomery.MappedFilter("seen.bloom").path.endswith("/seen.bloom")
        True
        """

    def info(self) -> dict[str, Any]:
        """All that it reports about itself, as `bloomery info --json` does.

        >>> bloomery.Filter(1000).save("seen.bloom")
        >>> bloomery.MappedFilter("seen.bloom").info()["blocks"]
        20
        """

    def __getstate__(self) -> tuple[bytes, int, int, str | None, bool | None]: ...
    def __setstate__(self, state: tuple[bytes, int, int, str | None, bool | None]) -> None: ...

class ConcurrentFilter(_Asked, _Hashed, _Measured):
    """Any number of threads insert and look up at the same time, without waiting for each other.

    Arguments are those of `Filter`.  `policy`: "wait-free" or "locked"; the default is that of the kind.

    >>> seen = bloomery.ConcurrentFilter(1_000_000, 0.01)
    >>> seen.add("alice")
    >>> "alice" in seen
    True
    """

    def __init__(
        self,
        capacity: int | None = None,
        fpr: float | None = None,
        policy: Literal["", "wait-free", "locked"] = "",
        **options: Unpack[_Options],
    ) -> None: ...
    @staticmethod
    def of(plain: Filter, policy: Literal["", "wait-free", "locked"] = "") -> ConcurrentFilter:
        """A copy of a filter, for many threads.

        >>> seen = bloomery.ConcurrentFilter.of(bloomery.Filter.build(["alice"]))
        >>> "alice" in seen
        True
        """

    def add(self, key: _Key, /) -> None:
        """Inserts one key.

        >>> seen = bloomery.ConcurrentFilter(1000)
        >>> seen.add("alice")
        >>> "alice" in seen
        True
        """

    def insert(self, key: _Key, /) -> None:
        """The name of `add` in the other languages.

        >>> seen = bloomery.ConcurrentFilter(1000)
        >>> seen.insert("alice")
        >>> "alice" in seen
        True
        """

    def add_if_absent(self, key: _Key, /) -> bool:
        """Inserts one key.  True: this call was the first to insert it.

        >>> seen = bloomery.ConcurrentFilter(1000)
        >>> seen.add_if_absent("alice"), seen.add_if_absent("alice")
        (True, False)
        """

    def update(self, *batches: _Keys) -> None:
        """Inserts many keys: of lists, iterables, NumPy arrays, Arrow arrays.

        >>> seen = bloomery.ConcurrentFilter(1000)
        >>> seen.update(["alice", "bob"])
        >>> "bob" in seen
        True
        """

    def update_if_absent(self, keys: _Keys) -> _Bools:
        """Inserts many keys, and returns for which of them this call was the first.

        >>> seen = bloomery.ConcurrentFilter(1000)
        >>> seen.update_if_absent(["alice", "bob", "alice"]).tolist()
        [True, True, False]
        """

    def erase_present(self, key: _Key) -> None:
        """Erases a key that you know to be in.  A key that never was may delete another one.

        >>> seen = bloomery.ConcurrentFilter(1000, kind="cuckoo")
        >>> seen.add("alice")
        >>> seen.erase_present("alice")
        >>> "alice" in seen
        False
        """

    def snapshot(self) -> Filter:
        """A plain filter with all keys that were in when the call began.

        >>> seen = bloomery.ConcurrentFilter(1000)
        >>> seen.add("alice")
        >>> "alice" in seen.snapshot()
        True
        """

    def merge(self, other: Filter) -> None:
        """Puts the keys of a plain filter of the same size into this one, as `seen |= f`.

        >>> seen, f = bloomery.ConcurrentFilter(1000), bloomery.Filter(1000)
        >>> f.add("alice")
        >>> seen.merge(f)
        >>> "alice" in seen
        True
        """

    def __ior__(self, other: Filter, /) -> Self: ...
    def save(self, path: _Path) -> None:
        """Writes a snapshot to a file, whole or not at all.

        >>> seen = bloomery.ConcurrentFilter(1000)
        >>> seen.add("alice")
        >>> seen.save("seen.bloom")
        >>> "alice" in bloomery.Filter.load("seen.bloom")
        True
        """

    @property
    def kind(self) -> str:
        """The name of its kind.

        >>> bloomery.ConcurrentFilter(1000).kind
        'block'
        """

class ForeignFilter(_Rated):
    """A filter in another system's format, read, queried and written; `dialects()` lists them.

    Keys are str (its UTF-8) and bytes.  Options say what the format leaves open: variant, bits, hashes,
    seed, part, key_form; new ones take capacity, fpr, bits_per_key and growth.

    >>> f = bloomery.ForeignFilter("redisbloom", capacity=1000, fpr=0.01)
    >>> f.add("alice")
    >>> "alice" in f, f.dialect
    (True, 'redisbloom')
    """

    def __init__(self, dialect: str, **options: Unpack[_ForeignParams]) -> None: ...
    @staticmethod
    def build(dialect: str, keys: _Texts, **options: Unpack[_ForeignParams]) -> ForeignFilter:
        """A filter of all these keys, of a format that is built at once or not.

        >>> "alice" in bloomery.ForeignFilter.build("guava", ["alice", "bob"], fpr=0.01)
        True
        """

    @staticmethod
    def from_bytes(
        dialect: str, data: Buffer, **options: Unpack[_ForeignOptions]
    ) -> ForeignFilter:
        """The filter of the other system's bytes.

        >>> data = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01).to_bytes()
        >>> "alice" in bloomery.ForeignFilter.from_bytes("guava", data)
        True
        """

    @staticmethod
    def load(dialect: str, path: _Path, **options: Unpack[_ForeignOptions]) -> ForeignFilter:
        """Reads the other system's file.

        >>> bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01).save("theirs.bin")
        >>> "alice" in bloomery.ForeignFilter.load("guava", "theirs.bin")
        True
        """

    @staticmethod
    def from_container(data: Buffer) -> ForeignFilter:
        """The filter of bytes that `to_container` made.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> "alice" in bloomery.ForeignFilter.from_container(f.to_container())
        True
        """

    @staticmethod
    def load_container(path: _Path) -> ForeignFilter:
        """Reads a container of the other system's bytes; `bloomery.load` does so, too.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> f.save("theirs.bloom", container=True)
        >>> "alice" in bloomery.ForeignFilter.load_container("theirs.bloom")
        True
        """

    def __contains__(self, key: _Text, /) -> bool: ...
    def may_contain(self, keys: _Texts) -> _Bools:
        """Looks up many keys: a NumPy array of bool; without NumPy, `Answers`.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> f.may_contain(["alice", "bob"]).tolist()
        [True, False]
        """

    def may_contain_arrow(self, keys: _Texts) -> Answers:
        """The same as an Arrow array of booleans, in which a null stays null.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> f.may_contain_arrow(["alice", "bob"]).tolist()
        [True, False]
        """

    def add(self, key: _Text) -> None:
        """Inserts one key, if the format takes keys.

        >>> f = bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01)
        >>> f.add("alice")
        >>> "alice" in f
        True
        """

    def insert(self, key: _Text) -> None:
        """The name of `add` in the other languages.

        >>> f = bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01)
        >>> f.insert("alice")
        >>> "alice" in f
        True
        """

    def update(self, *batches: _Texts) -> None:
        """Inserts many keys.

        >>> f = bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01)
        >>> f.update(["alice", "bob"])
        >>> "bob" in f
        True
        """

    def merge(self, other: ForeignFilter) -> None:
        """Puts the keys of another filter of the same format and size into this one.

        >>> f, g = (bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01) for _ in range(2))
        >>> g.add("alice")
        >>> f.merge(g)
        >>> "alice" in f
        True
        """

    def to_bytes(self, variant: str = "") -> bytes:
        """The bytes as the other system has them, in this variant of its format or another.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> bloomery.ForeignFilter.from_bytes("guava", f.to_bytes()).to_bytes() == f.to_bytes()
        True
        """

    def __bytes__(self) -> bytes: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def to_container(self) -> bytes:
        """The same bytes in a container, with checksums around them.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> "alice" in bloomery.loads(f.to_container())
        True
        """

    def save(self, path: _Path, *, container: bool = False) -> None:
        """Writes the other system's file, or a container of it; whole or not at all.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> f.save("theirs.bloom", container=True)
        >>> "alice" in bloomery.load("theirs.bloom")
        True
        """

    def to_native(self, *, source: _Source | None = None) -> Filter:
        """A `Filter` of the same bits, for the formats that are one of its kinds.

        >>> f = bloomery.ForeignFilter.build("parquet", ["alice"], fpr=0.01)
        >>> "alice" in f.to_native()
        True
        """

    @property
    def dialect(self) -> str:
        """The name of the format.

        >>> bloomery.ForeignFilter("guava", capacity=10, fpr=0.1).dialect
        'guava'
        """

    @property
    def variant(self) -> str:
        """Which variant of the format it is; "": there is one only.

        >>> isinstance(bloomery.ForeignFilter("guava", capacity=10, fpr=0.1).variant, str)
        True
        """

    @property
    def hash(self) -> str:
        """The other system's hash function.

        >>> bloomery.ForeignFilter("parquet", capacity=10, fpr=0.1).hash
        'xxh64'
        """

    @property
    def bits(self) -> int:
        """How many bits it has.

        >>> bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01).bits > 9000
        True
        """

    @property
    def hashes(self) -> int:
        """How many bits a key has.

        >>> bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01).hashes
        7
        """

    @property
    def seed(self) -> int:
        """The seed of its hash.

        >>> bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01).seed
        0
        """

    @property
    def parts(self) -> int:
        """The number of filters it consists of.

        >>> bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01).parts
        1
        """

    @property
    def capacity(self) -> int:
        """How many keys it was sized for; 0: its bytes do not say.

        >>> bloomery.ForeignFilter("redisbloom", capacity=1000, fpr=0.01).capacity
        1000
        """

    @property
    def size_in_bytes(self) -> int:
        """Bytes of its bits.

        >>> bloomery.ForeignFilter("guava", capacity=1000, fpr=0.01).size_in_bytes > 1000
        True
        """

    @property
    def damaged_chunks(self) -> int:
        """Parts of its container whose checksum was wrong.

        >>> f = bloomery.ForeignFilter.build("guava", ["alice"], fpr=0.01)
        >>> bloomery.ForeignFilter.from_container(f.to_container()).damaged_chunks
        0
        """

    def __getstate__(self) -> bytes: ...
    def __setstate__(self, state: Buffer, /) -> None: ...

class PackedSet(_Hashed):
    """Many small filters in one file, mapped: one per table, day or shard.

    Calls raise ChangedFileError if the file is truncated or overwritten in place; `copy` as for
    `MappedFilter`.

    >>> with bloomery.PackedWriter("days.bloom") as days:
    ...     days.add(bloomery.Filter.build(["alice"]))
    ...     days.add(bloomery.Filter.build(["bob"]))
    >>> days = bloomery.PackedSet("days.bloom")
    >>> len(days), days.members_with("bob")
    (2, [1])
    """

    def __init__(
        self,
        path: _Path,
        *,
        secret: bytes | None = None,
        source: _Source | None = None,
        copy: bool | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    def may_contain(self, member: int, key: _Key) -> bool:
        """Whether one member may contain a key.

        >>> with bloomery.PackedWriter("days.bloom") as days:
        ...     days.add(bloomery.Filter.build(["alice"]))
        >>> bloomery.PackedSet("days.bloom").may_contain(0, "alice")
        True
        """

    def members_with(self, key: _Key) -> list[int]:
        """The members that may contain a key.

        >>> with bloomery.PackedWriter("days.bloom") as days:
        ...     days.add(bloomery.Filter.build(["alice"]))
        ...     days.add(bloomery.Filter.build(["alice", "bob"]))
        >>> bloomery.PackedSet("days.bloom").members_with("alice")
        [0, 1]
        """

    def may_contain_sharded(self, keys: _Keys) -> _Bools:
        """Looks up many keys, each in the member that has its shard (`shards_of`).

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"]))
        >>> bloomery.PackedSet("shards.bloom").may_contain_sharded(["alice", "carol"]).tolist()
        [True, False]
        """

    def may_contain_sharded_arrow(self, keys: _Keys) -> Answers:
        """The same as an Arrow array of booleans, in which a null stays null.

        >>> with bloomery.PackedWriter("shards.bloom") as shards:
        ...     shards.add(bloomery.Filter.build(["alice", "bob"]))
        >>> bloomery.PackedSet("shards.bloom").may_contain_sharded_arrow(["alice", "carol"]).tolist()
        [True, False]
        """

    def member_bytes(self, member: int) -> int:
        """Bytes of one member.

        >>> with bloomery.PackedWriter("days.bloom") as days:
        ...     days.add(bloomery.Filter(1000, 0.01))
        >>> bloomery.PackedSet("days.bloom").member_bytes(0) >= 1280
        True
        """

    def verify(self) -> int:
        """Checks the whole file, and returns how many chunks are damaged.

        >>> with bloomery.PackedWriter("days.bloom") as days:
        ...     days.add(bloomery.Filter.build(["alice"]))
        >>> bloomery.PackedSet("days.bloom").verify()
        0
        """

    @property
    def damaged_chunks(self) -> int:
        """Chunks that were read so far and whose checksum was wrong.

        >>> with bloomery.PackedWriter("days.bloom") as days:
        ...     days.add(bloomery.Filter.build(["alice"]))
        >>> bloomery.PackedSet("days.bloom").damaged_chunks
        0
        """

    @property
    def kind(self) -> str:
        """The kind of its members.

        >>> with bloomery.PackedWriter("days.bloom") as days:
        ...     days.add(bloomery.Filter.build(["alice"]))
        >>> bloomery.PackedSet("days.bloom").kind
        'block'
        """

class PackedWriter:
    """Writes a packed set, member by member; the file appears when it is finished.

    >>> with bloomery.PackedWriter("days.bloom") as days:
    ...     days.add(bloomery.Filter.build(["alice"]))
    >>> len(bloomery.PackedSet("days.bloom"))
    1
    """

    def __init__(self, path: _Path) -> None: ...
    def add(self, member: Filter) -> None:
        """Writes one more member: a block filter, or one that is only built; all of one kind.

        >>> days = bloomery.PackedWriter("days.bloom")
        >>> days.add(bloomery.Filter.build(["alice"]))
        >>> len(days)
        1
        """

    def __len__(self) -> int: ...
    def finish(self, *, asked_fpr: float = 0.0, distinct_keys: int = 0) -> None:
        """Puts the file in its place.  `with` does it, unless an exception ends the block.

        >>> days = bloomery.PackedWriter("days.bloom")
        >>> days.add(bloomery.Filter.build(["alice"]))
        >>> days.finish()
        >>> len(bloomery.PackedSet("days.bloom"))
        1
        """

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

def kinds() -> list[_Kind]:
    """Every kind of filter: name, summary, calls, options and fields.

    >>> [kind["name"] for kind in bloomery.kinds()][:3]
    ['block', 'split-block', 'bloom']
    """

def dialects() -> list[_Dialect]:
    """The formats of other systems that a `ForeignFilter` reads.

    >>> "redisbloom" in [dialect["name"] for dialect in bloomery.dialects()]
    True
    """

def size(
    capacity: int | None = None, fpr: float | None = None, **options: Unpack[_Options]
) -> _Size:
    """How large a filter would be, and which rate it would have.  Options are those of `Filter`.

    >>> bloomery.size(1_000_000, 0.01)["size_in_bytes"]
    1262464
    """

def budget(
    keys: Sequence[int],
    bits_per_key: float = 10.0,
    *,
    lookups: Sequence[float] | None = None,
    kind: str | Sequence[str] | None = None,
) -> _Budget:
    """The bits per key of several filters under one budget, so that they waste the fewest reads.

    `keys`: how many each has, as the levels of a storage engine; `bits_per_key`: the mean over all
    keys; `lookups`: of keys that a filter does not have, in any unit, by default 1 each.

    >>> plan = bloomery.budget([1_000, 10_000, 100_000, 1_000_000])
    >>> [round(bits) for bits in plan["bits_per_key"]]
    [24, 20, 14, 9]
    >>> bool(plan["wasted_reads"] < 4 * 0.0105 / 2)
    True
    """

def portable_promise(capacity: int, fpr: float) -> _Promise:
    """Whether a filter of the kind "portable" keeps a rate, which its 32-bit hashes limit.

    >>> bloomery.portable_promise(1000, 0.01)["is_kept"]
    True
    """

def random_secret() -> bytes:
    """Sixteen random bytes, for filters whose keys others choose.

    >>> f = bloomery.Filter(1000, secret=bloomery.random_secret())
    >>> f.hash
    'siphash13'
    """

def shards_of(hashes: _Keys, shards: int) -> _Hashes:
    """In which member of a sharded set each key is, by its hash.

    >>> hashes = bloomery.Filter(10).hash_keys(["alice", "bob"])
    >>> all(0 <= int(shard) < 4 for shard in bloomery.shards_of(hashes, 4))
    True
    """

def inspect(path_or_bytes: _Path | Buffer) -> _Header:
    """The header of a container, as a dict; the filter itself is not read.

    >>> bloomery.Filter(1000).save("seen.bloom")
    >>> bloomery.inspect("seen.bloom")["kind"]
    'block'
    """

def verify(path: _Path) -> _Verified:
    """Reads every byte of a container, and compares the checksums.

    >>> bloomery.Filter(1000).save("seen.bloom")
    >>> bloomery.verify("seen.bloom")["damaged_chunks"]
    0
    """
