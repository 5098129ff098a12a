//! A filter that several threads fill at once.

use crate::error::Error;
use crate::filter_of::FilterOf;
use crate::hash::Key;
use crate::kind::BitKind;
use crate::words;
use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

/// A filter of atomic words: keys go in through `&self`, from any number of threads, without locks or waiting. The bits are
/// those that [`FilterOf`] makes of the same keys, in whatever order they come.
///
/// A bit is only ever set, and says nothing of other memory: relaxed order is enough. A lookup that
/// happens after an insertion returned (by a join, a channel, a mutex) finds the key; one during the insertion may or may not.
/// `insert` returns nothing here: two threads that insert one key, each setting some of its bits, could both see it as new.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::{AtomicOf, Portable};
/// let f = AtomicOf::empty(Portable::by_rate(1000, 0.01)?)?;
/// std::thread::scope(|s| {
///     s.spawn(|| f.insert("alice"));
///     s.spawn(|| f.insert("bob"));
/// });
/// assert!(f.may_contain("alice") && f.may_contain("bob"));
/// let file = f.snapshot()?.encode()?;
/// # assert_eq!(file.len(), 1211);
/// # Ok(())
/// # }
/// ```
pub struct AtomicOf<K: BitKind> {
    kind: K,
    words: Vec<AtomicU64>,
    capacity: u64,
    asked_fpr: f64,
    damaged: u64,
}

impl<K: BitKind> fmt::Debug for AtomicOf<K> {
    /// The shape, not the bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicOf")
            .field("kind", &self.kind)
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

impl<K: BitKind> AtomicOf<K> {
    /// An empty filter of this shape.
    pub fn empty(kind: K) -> Result<Self, Error> {
        AtomicOf::try_from(FilterOf::empty(kind)?)
    }

    /// Its shape.
    pub fn kind(&self) -> &K {
        &self.kind
    }

    /// Inserts a byte string.
    pub fn insert(&self, key: impl AsRef<[u8]>) {
        self.insert_key(self.kind.key(key.as_ref()));
    }

    /// Inserts an integer into a filter of integers.
    pub fn insert_integer(&self, key: u64) {
        self.insert_key(self.kind.hasher().key_of_integer(key));
    }

    /// Inserts a key that this filter's hasher made.
    pub fn insert_key(&self, key: Key) {
        self.kind.probe(key, |bit| {
            let word = &self.words[(bit >> 6) as usize];
            let mask = 1 << (bit & 63);
            // A word that need not change stays shared between the processors.
            if word.load(Ordering::Relaxed) & mask == 0 {
                word.fetch_or(mask, Ordering::Relaxed);
            }
            true
        });
    }

    /// Whether a byte string is possibly present.
    pub fn may_contain(&self, key: impl AsRef<[u8]>) -> bool {
        self.may_contain_key(self.kind.key(key.as_ref()))
    }

    /// Whether an integer is possibly present; of a filter of integers.
    pub fn may_contain_integer(&self, key: u64) -> bool {
        self.may_contain_key(self.kind.hasher().key_of_integer(key))
    }

    /// Whether a key that this filter's hasher made is possibly present.
    pub fn may_contain_key(&self, key: Key) -> bool {
        self.kind.probe(key, |bit| {
            let word = self.words[(bit >> 6) as usize].load(Ordering::Relaxed);
            word >> (bit & 63) & 1 != 0
        })
    }

    /// A plain filter of all keys whose insertion returned before, and possibly parts of others.
    pub fn snapshot(&self) -> Result<FilterOf<K>, Error> {
        let mut copy = words::reserve(self.words.len())?;
        copy.extend(self.words.iter().map(|w| w.load(Ordering::Relaxed)));
        let mut f = FilterOf::from_parts(self.kind.clone(), copy);
        f.set_history(self.capacity, self.asked_fpr);
        f.set_damaged(self.damaged);
        Ok(f)
    }
}

impl<K: BitKind> TryFrom<FilterOf<K>> for AtomicOf<K> {
    type Error = Error;

    /// The same keys, for several threads; refused only where memory is.
    fn try_from(f: FilterOf<K>) -> Result<Self, Error> {
        let mut words = words::reserve(f.words().len())?;
        words.extend(f.words().iter().map(|w| AtomicU64::new(*w)));
        Ok(AtomicOf {
            kind: f.kind().clone(),
            words,
            capacity: f.capacity(),
            asked_fpr: f.asked_fpr(),
            damaged: f.damaged_chunks(),
        })
    }
}
