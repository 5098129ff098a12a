//! A filter: a shape and its bits.

use crate::error::{Code, Error};
use crate::hash::{Hasher, Key};
use crate::kind::{bytes_of, Kind};
use crate::words;
use alloc::vec::Vec;

/// Keys hashed at once by the batch calls.
const BATCH: usize = 64;

/// A filter: it answers "perhaps" (true) or "certainly not" (false), and never "certainly not" for a key that went in.
///
/// It is `Send` and `Sync`: several threads may ask it; who inserts needs `&mut`. [`AtomicOf`](crate::AtomicOf) takes keys
/// through `&self`.
#[derive(Clone, Debug)]
pub struct FilterOf<K: Kind> {
    kind: K,
    words: Vec<u64>,
    capacity: u64,
    asked_fpr: f64,
    damaged: u64,
}

impl<K: Kind> PartialEq for FilterOf<K> {
    /// The same shape and the same bits.
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.words == other.words
    }
}

impl<K: Kind> FilterOf<K> {
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
        }
    }

    pub(crate) fn set_history(&mut self, capacity: u64, asked_fpr: f64) {
        self.capacity = capacity;
        self.asked_fpr = asked_fpr;
    }

    pub(crate) fn set_damaged(&mut self, chunks: u64) {
        self.damaged = chunks;
    }

    /// The same filter under another name for its shape.
    pub(crate) fn map<L: Kind>(self, to: impl FnOnce(K) -> L) -> FilterOf<L> {
        FilterOf {
            kind: to(self.kind),
            words: self.words,
            capacity: self.capacity,
            asked_fpr: self.asked_fpr,
            damaged: self.damaged,
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
        })
    }

    /// Its shape.
    pub fn kind(&self) -> &K {
        &self.kind
    }

    /// What makes keys of byte strings.
    pub fn hasher(&self) -> &Hasher {
        self.kind.hasher()
    }

    /// The number of bits.
    pub fn bits(&self) -> u64 {
        self.kind.bits()
    }

    /// How many bits a key has.
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

    /// The rate that was asked for; 0 where that is not known.
    pub fn asked_fpr(&self) -> f64 {
        self.asked_fpr
    }

    /// Chunks of its file that were damaged and count as full. Such a filter answers, but is not written again.
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

    /// Inserts a byte string.
    #[inline]
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_key(self.kind.hasher().key(key.as_ref()));
    }

    /// Inserts an integer given as such, which is another key than its bytes (spec/hash.md 6).
    #[inline]
    pub fn insert_integer(&mut self, key: u64) {
        self.insert_key(self.kind.hasher().key_of_integer(key));
    }

    /// Inserts a key that this filter's hasher made.
    #[inline]
    pub fn insert_key(&mut self, key: Key) {
        let words = &mut self.words;
        self.kind.probe(key, |bit| {
            words[(bit >> 6) as usize] |= 1 << (bit & 63);
            true
        });
    }

    /// Inserts some byte strings.
    pub fn insert_batch<T: AsRef<[u8]>>(&mut self, keys: &[T]) {
        let mut hashed = [Key::default(); BATCH];
        for group in keys.chunks(BATCH) {
            let hashed = &mut hashed[..group.len()];
            self.kind.hasher().key_batch(group, hashed);
            self.insert_keys(hashed);
        }
    }

    /// Inserts some keys that this filter's hasher made.
    pub fn insert_keys(&mut self, keys: &[Key]) {
        for key in keys {
            self.insert_key(*key);
        }
    }

    /// Whether a byte string is perhaps there; false means certainly not.
    #[inline]
    pub fn may_contain(&self, key: impl AsRef<[u8]>) -> bool {
        self.may_contain_key(self.kind.hasher().key(key.as_ref()))
    }

    /// Whether an integer given as such is perhaps there.
    #[inline]
    pub fn may_contain_integer(&self, key: u64) -> bool {
        self.may_contain_key(self.kind.hasher().key_of_integer(key))
    }

    /// Whether a key that this filter's hasher made is perhaps there.
    #[inline]
    pub fn may_contain_key(&self, key: Key) -> bool {
        self.kind.find(&self.words, key)
    }

    /// Whether each of some byte strings is perhaps there. Faster than one by one: hashes and cache misses overlap.
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
            self.kind.find_batch(&self.words, hashed, out);
        }
    }

    /// Whether each of some keys that this filter's hasher made is perhaps there.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn may_contain_keys(&self, keys: &[Key], out: &mut [bool]) {
        assert_eq!(keys.len(), out.len(), "one answer for each key");
        self.kind.find_batch(&self.words, keys, out);
    }

    /// Adds all keys of another filter: the result is, to the bit, the filter of both sets. The other must have the same
    /// shape and hash, or be a block filter of a multiple of the blocks, which is folded first (spec/filters.md 2.5).
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        let factor = self.kind.fold_of(&other.kind)?;
        let folded;
        let from = if factor == 1 {
            &other.words
        } else {
            folded = words::fold(&other.words, self.kind.block_words(), factor as usize)?;
            &folded
        };
        for (to, from) in self.words.iter_mut().zip(from) {
            *to |= from;
        }
        self.damaged += other.damaged;
        Ok(())
    }

    /// The filter of the same keys with a `factor`-th of the blocks (spec/filters.md 2.4). Only filters of blocks fold, and
    /// the factor divides their number.
    pub fn fold(&self, factor: u64) -> Result<Self, Error> {
        let kind = self.kind.folded(factor)?;
        let words = words::fold(&self.words, kind.block_words(), factor as usize)?;
        Ok(FilterOf {
            kind,
            words,
            ..*self
        })
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.damaged = 0;
    }

    /// How many bits are set.
    pub fn ones(&self) -> u64 {
        words::ones(&self.words, self.kind.bits())
    }

    /// The share of bits that are set.
    pub fn fill(&self) -> f64 {
        self.ones() as f64 / self.kind.bits() as f64
    }

    /// How many keys are in it, by its fill: an estimate, infinite when every bit is set.
    #[cfg(feature = "std")]
    pub fn estimated_keys(&self) -> f64 {
        self.kind.keys_of(self.ones())
    }

    /// The rate that such a filter can be expected to have with so many keys.
    #[cfg(feature = "std")]
    pub fn expected_fpr(&self, keys: u64) -> f64 {
        self.kind.expected_fpr(keys)
    }

    /// The rate that this filter has, from its bits, for keys with uniform hashes.
    #[cfg(feature = "std")]
    pub fn realised_fpr(&self) -> f64 {
        self.kind.realised_fpr(&self.words, self.ones())
    }
}

impl<K: Kind, T: AsRef<[u8]>> Extend<T> for FilterOf<K> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}
