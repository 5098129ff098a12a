//! What filters of bits can do beyond others: they take every key, and know their rates.

use super::{FilterOf, BATCH};
use crate::hash::Key;
use crate::kind::BitKind;

impl<K: BitKind> FilterOf<K> {
    /// Removes all keys.
    pub fn clear(&mut self) {
        self.clear_words();
    }

    /// The share of its bits that are set.
    pub fn fill(&self) -> f64 {
        self.ones() as f64 / self.bits() as f64
    }

    /// How many keys are in it, by its fill: an estimate, infinite when every bit is set.
    #[cfg(feature = "std")]
    pub fn estimated_keys(&self) -> f64 {
        self.kind.keys_of(&self.words, self.ones())
    }

    /// The rate that such a filter can be expected to have with so many keys.
    #[cfg(feature = "std")]
    pub fn expected_fpr(&self, keys: u64) -> f64 {
        self.kind.expected_fpr(keys)
    }

    /// The rate that this filter has, from its bits, for keys with uniform hashes. Damage is counted: bits of damaged chunks are set.
    #[cfg(feature = "std")]
    pub fn realised_fpr(&self) -> f64 {
        self.kind.realised_fpr(&self.words, self.ones())
    }

    /// Inserts a byte string, and returns whether it is new, as `HashSet::insert` does: true means that it was definitely not
    /// present, false that it was possibly present and that nothing changed. A new key is reported as present at the filter's
    /// false-positive rate.
    ///
    /// ```
    /// # fn main() -> Result<(), bloomery::Error> {
    /// let mut seen = bloomery::BlockBloom::make(1000, 0.01)?;
    /// let lines = ["a", "b", "a"];
    /// let unique: Vec<_> = lines.into_iter().filter(|line| seen.insert(line)).collect();
    /// assert_eq!(unique, ["a", "b"]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)] // so that an answer nobody uses costs nothing
    pub fn insert(&mut self, key: impl AsRef<[u8]>) -> bool {
        self.insert_key(self.kind.key(key.as_ref()))
    }

    /// Inserts an integer, which is another key than its bytes (spec/hash.md 6), into a filter of integers; returns as
    /// [`insert`](FilterOf::insert) does.
    ///
    /// # Panics
    ///
    /// If keys are not integers ([`of`](FilterOf::of)).
    #[inline(always)] // so that an answer nobody uses costs nothing
    pub fn insert_integer(&mut self, key: u64) -> bool {
        self.insert_key(self.kind.hasher().key_of_integer(key))
    }

    /// Inserts a key that this filter's hasher made; returns as [`insert`](FilterOf::insert) does.
    #[inline(always)] // so that an answer nobody uses costs nothing
    pub fn insert_key(&mut self, key: Key) -> bool {
        self.kind.set(&mut self.words, key)
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
}

/// Inserts all byte strings. More than the filter was sized for are taken, and its rate rises: there is no `FromIterator`, which has
/// no place for a rate, nor for a refusal. `from_keys` counts first.
impl<K: BitKind, T: AsRef<[u8]>> Extend<T> for FilterOf<K> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}
