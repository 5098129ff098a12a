//! A filter: a shape and its bytes.

use crate::error::{Code, Error};
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{bytes_of, differ, may_doubt, Calls, DamageMap, Doubtful, Kind};
use crate::words;
use alloc::vec::Vec;
use core::fmt;

mod bits;

/// Keys hashed at once by the batch calls.
const BATCH: usize = 64;

/// A filter: it answers "possibly present" (true) or "definitely not present" (false), and has no false negatives. Filters of a kind
/// that forgets by design, [`Facts::forgets`](crate::kind::Facts::forgets), keep recent keys only.
///
/// It is `Send` and `Sync`: several threads may look up at once; insertion needs `&mut`. [`AtomicOf`](crate::AtomicOf) takes keys
/// through `&self`.
///
/// Filters of bits take every key: [`insert`](FilterOf::insert). Filters of other kinds are only read: a call that they lack, by
/// [`AnyFilter`](crate::AnyFilter) too, is refused as `unsupported`, and has changed nothing.
#[derive(Clone)]
pub struct FilterOf<K: Kind> {
    kind: K,
    words: Vec<u64>,
    capacity: u64,
    asked_fpr: f64,
    damaged: u64,
    /// Damaged chunks whose bytes, all zero here, are in doubt; none for kinds under the rule `ones`.
    doubt: DamageMap,
    /// The record of numbered receipts that its file had, of kinds that erase keys; empty: none.
    receipts: Vec<u8>,
}

impl<K: Kind> fmt::Debug for FilterOf<K> {
    /// The shape, not the bits: a line, whatever the size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilterOf")
            .field("kind", &self.kind)
            .field("size_in_bytes", &self.size_in_bytes())
            .field("capacity", &self.capacity)
            .field("asked_fpr", &self.asked_fpr)
            .field("damaged_chunks", &self.damaged)
            .finish_non_exhaustive()
    }
}

impl<K: Kind> PartialEq for FilterOf<K> {
    /// The same shape and the same bits.
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.words == other.words && self.doubt == other.doubt
    }
}

impl<K: Kind> FilterOf<K> {
    /// Whether bytes can be in doubt at all: filters of bits have no such check.
    const MAY_DOUBT: bool = may_doubt(K::KINDS);

    /// An empty filter of this shape.
    pub fn empty(kind: K) -> Result<Self, Error> {
        let words = words::zeros(kind.bits())?;
        Ok(FilterOf::from_parts(kind, words))
    }

    /// The same filter, said to be sized for so many keys.
    pub fn with_capacity(mut self, keys: u64) -> Self {
        self.capacity = keys;
        self
    }

    /// The same filter, said to be of keys of another source: an empty one, or one whose file does not say what its keys are. Keys
    /// that went in before are not converted: looked up as something else they are not found.
    ///
    /// ```
    /// # fn main() -> Result<(), bloomery::Error> {
    /// use bloomery::{KeySource, PortableBloom};
    /// let mut ids = PortableBloom::make(1000, 0.01)?.of(KeySource::Integers);
    /// ids.insert_integer(42);
    /// assert!(ids.may_contain_integer(42));
    /// # Ok(())
    /// # }
    /// ```
    pub fn of(self, source: KeySource) -> Self {
        self.map(|kind| kind.of(source))
    }

    pub(crate) fn sized(kind: K, capacity: u64, asked_fpr: f64) -> Result<Self, Error> {
        let mut f = FilterOf::empty(kind)?;
        f.set_history(capacity, asked_fpr);
        Ok(f)
    }

    /// The words must be as many as the shape has bits.
    pub(crate) fn from_parts(kind: K, words: Vec<u64>) -> Self {
        FilterOf {
            kind,
            words,
            capacity: 0,
            asked_fpr: 0.0,
            damaged: 0,
            doubt: DamageMap::NONE,
            receipts: Vec::new(),
        }
    }

    pub(crate) fn set_history(&mut self, capacity: u64, asked_fpr: f64) {
        self.capacity = capacity;
        self.asked_fpr = asked_fpr;
    }

    pub(crate) fn set_damaged(&mut self, chunks: u64) {
        self.damaged = chunks;
    }

    /// The bytes of these chunks must be zero.
    pub(crate) fn set_doubt(&mut self, doubt: DamageMap) {
        self.doubt = doubt;
    }

    pub(crate) fn set_receipts(&mut self, record: Vec<u8>) {
        self.receipts = record;
    }

    pub(crate) fn receipts(&self) -> &[u8] {
        &self.receipts
    }

    #[inline(always)]
    fn is_in_doubt(&self) -> bool {
        Self::MAY_DOUBT && !self.doubt.is_empty()
    }

    /// The same filter under another name for its shape.
    pub(crate) fn map<L: Kind>(self, to: impl FnOnce(K) -> L) -> FilterOf<L> {
        FilterOf {
            kind: to(self.kind),
            words: self.words,
            capacity: self.capacity,
            asked_fpr: self.asked_fpr,
            damaged: self.damaged,
            doubt: self.doubt,
            receipts: self.receipts,
        }
    }

    /// The same, where the shape may not have that name.
    pub(crate) fn try_map<L: Kind, E>(
        self,
        to: impl FnOnce(K) -> Result<L, E>,
    ) -> Result<FilterOf<L>, E> {
        Ok(FilterOf {
            kind: to(self.kind)?,
            words: self.words,
            capacity: self.capacity,
            asked_fpr: self.asked_fpr,
            damaged: self.damaged,
            doubt: self.doubt,
            receipts: self.receipts,
        })
    }

    /// Its shape.
    pub fn kind(&self) -> &K {
        &self.kind
    }

    /// What makes keys, and of what.
    pub fn hasher(&self) -> &Hasher {
        self.kind.hasher()
    }

    /// The number of bits.
    pub fn bits(&self) -> u64 {
        self.kind.bits()
    }

    /// Hashes per key.
    pub fn hashes(&self) -> u32 {
        self.kind.hashes()
    }

    /// The bytes of its array.
    pub fn size_in_bytes(&self) -> u64 {
        bytes_of(self.kind.bits())
    }

    /// How many keys it was sized for; 0 where that is not known.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The rate that was requested; 0 where that is not known.
    pub fn asked_fpr(&self) -> f64 {
        self.asked_fpr
    }

    /// Chunks of its file that were damaged: keys that they may hold are possibly present. Such a filter is not written again.
    pub fn damaged_chunks(&self) -> u64 {
        self.damaged
    }

    pub(crate) fn must_be_whole(&self) -> Result<(), Error> {
        if self.damaged == 0 {
            return Ok(());
        }
        Err(Error::new(
            Code::Corrupt,
            "the file it came from was damaged: it is not written again as if it were whole",
        ))
    }

    /// Its bits, 64 to a word, least significant first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The bytes of its array, as files hold them.
    pub fn payload(&self) -> Vec<u8> {
        let size = self.size_in_bytes() as usize;
        let mut out = Vec::with_capacity(size);
        words::to_bytes(&self.words, size, &mut out);
        out
    }

    /// Inserts a byte string, where that can be refused.
    pub fn try_insert(&mut self, key: impl AsRef<[u8]>) -> Result<(), Error> {
        self.try_insert_key(self.kind.key(key.as_ref()))
    }

    /// Inserts a key that this filter's hasher made, where that can be refused.
    pub fn try_insert_key(&mut self, key: Key) -> Result<(), Error> {
        K::Calls::try_insert(&self.kind, &mut self.words, key)
    }

    /// Inserts an integer into a filter of integers, where that can be refused.
    pub fn try_insert_integer(&mut self, key: u64) -> Result<(), Error> {
        self.try_insert_key(self.kind.hasher().key_of_integer(key))
    }

    /// Inserts some byte strings up to the first that is refused; a refusal says how many went in before it.
    pub fn try_insert_batch<T: AsRef<[u8]>>(&mut self, keys: &[T]) -> Result<(), (usize, Error)> {
        let mut hashed = [Key::default(); BATCH];
        let mut before = 0;
        for group in keys.chunks(BATCH) {
            let hashed = &mut hashed[..group.len()];
            self.kind.hasher().key_batch(group, hashed);
            self.try_insert_keys(hashed)
                .map_err(|(inserted, e)| (before + inserted, e))?;
            before += group.len();
        }
        Ok(())
    }

    /// The same with keys that this filter's hasher made.
    pub fn try_insert_keys(&mut self, keys: &[Key]) -> Result<(), (usize, Error)> {
        for (inserted, key) in keys.iter().enumerate() {
            self.try_insert_key(*key).map_err(|e| (inserted, e))?;
        }
        Ok(())
    }

    /// Inserts a byte string if it is definitely not present; reports whether it did. One pass, not a lookup and an insertion.
    pub fn insert_if_absent(&mut self, key: impl AsRef<[u8]>) -> Result<bool, Error> {
        self.insert_key_if_absent(self.kind.key(key.as_ref()))
    }

    /// The same with a key that this filter's hasher made.
    pub fn insert_key_if_absent(&mut self, key: Key) -> Result<bool, Error> {
        K::Calls::insert_if_absent(&self.kind, &mut self.words, key)
    }

    /// Fills an empty filter with all its keys.
    pub(crate) fn fill_with(&mut self, keys: &[Key]) -> Result<(), Error> {
        keys.iter().try_for_each(|key| self.try_insert_key(*key))
    }

    /// Whether a byte string is possibly present; false means definitely not present.
    #[inline]
    pub fn may_contain(&self, key: impl AsRef<[u8]>) -> bool {
        self.may_contain_key(self.kind.key(key.as_ref()))
    }

    /// Whether an integer is possibly present; of a filter of integers.
    ///
    /// # Panics
    ///
    /// If keys are not integers ([`of`](FilterOf::of)).
    #[inline]
    pub fn may_contain_integer(&self, key: u64) -> bool {
        self.may_contain_key(self.kind.hasher().key_of_integer(key))
    }

    /// Whether a key that this filter's hasher made is possibly present.
    #[inline]
    pub fn may_contain_key(&self, key: Key) -> bool {
        if self.is_in_doubt() {
            return self.find_doubtful(key);
        }
        self.kind.find(&self.words, key)
    }

    /// A lookup that reads a damaged byte answers "possibly present", whatever it made of the byte.
    #[cold]
    fn find_doubtful(&self, key: Key) -> bool {
        let payload = Doubtful::new(&self.words, &self.doubt);
        self.kind.lookup(&payload, key) || payload.met_damage()
    }

    /// Whether each of some byte strings is possibly present. Faster than one by one: hashes and cache misses overlap.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn may_contain_batch<T: AsRef<[u8]>>(&self, keys: &[T], out: &mut [bool]) {
        assert_eq!(keys.len(), out.len(), "one answer for each key");
        let mut hashed = [Key::default(); BATCH];
        for (group, out) in keys.chunks(BATCH).zip(out.chunks_mut(BATCH)) {
            let hashed = &mut hashed[..group.len()];
            self.kind.hasher().key_batch(group, hashed);
            self.may_contain_keys(hashed, out);
        }
    }

    /// Whether each of some keys that this filter's hasher made is possibly present.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn may_contain_keys(&self, keys: &[Key], out: &mut [bool]) {
        assert_eq!(keys.len(), out.len(), "one answer for each key");
        if self.is_in_doubt() {
            for (key, out) in keys.iter().zip(out) {
                *out = self.find_doubtful(*key);
            }
            return;
        }
        self.kind.find_batch(&self.words, keys, out);
    }

    /// Adds all keys of another filter; for filters of bits the result is, to the bit, the filter of both sets. The other must
    /// have the same shape and hash, or be a block filter of a multiple of the blocks, which is folded first
    /// (spec/filters.md 2.5).
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        self.combine(other, K::Calls::merge)
    }

    /// Keeps, of filters of bits, the bits that another filter has too: every key of both is found, and possibly more than a
    /// filter of the common keys would find. The other must have the same shape and hash.
    pub fn intersect(&mut self, other: &Self) -> Result<(), Error> {
        self.combine(other, K::Calls::intersect)
    }

    fn combine(
        &mut self,
        other: &Self,
        call: impl FnOnce(&K, &mut [u64], &K, &[u64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.kind.number() != other.kind.number() {
            return Err(differ());
        }
        call(&self.kind, &mut self.words, &other.kind, &other.words)?;
        self.damaged += other.damaged;
        Ok(())
    }

    /// The filter of the same keys with a `factor`-th of the blocks (spec/filters.md 2.4). Only filters of blocks fold, and
    /// the factor divides their number.
    pub fn fold(&self, factor: u64) -> Result<Self, Error> {
        let (kind, words) = K::Calls::fold(&self.kind, &self.words, factor)?;
        let mut folded = FilterOf::from_parts(kind, words);
        folded.set_history(self.capacity, self.asked_fpr);
        folded.set_damaged(self.damaged);
        Ok(folded)
    }

    pub(crate) fn clear_words(&mut self) {
        self.words.fill(0);
        self.damaged = 0;
    }

    /// How many bits are set.
    pub fn ones(&self) -> u64 {
        words::ones(&self.words, self.kind.bits())
    }
}
