//! Kinds whose keys are bits of an array, which only insertion sets.

use super::calls::Calls;
#[cfg(feature = "std")]
use super::calls::Rates;
use super::{differ, is_set, Kind, TOGETHER};
use crate::error::Error;
use crate::hash::Key;
use crate::words;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A kind whose keys are bits: it says which. Insertion, union, intersection and filters of atomic words follow.
pub trait BitKind: Kind {
    /// Gives the bits of a key, one by one, to `visit`, as long as that answers true; reports whether it always did.
    fn probe(&self, key: Key, visit: impl FnMut(u64) -> bool) -> bool;

    /// Sets all bits of a key, and reports whether one of them was not set. Callers that do not want to know pay nothing: it is
    /// always inlined.
    #[inline(always)]
    fn set(&self, words: &mut [u64], key: Key) -> bool {
        set_each(self, words, key)
    }

    /// The rate that a filter of this shape can be expected to have with so many keys.
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64;

    /// The rate that these words have, `ones` of whose bits are set.
    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64;

    /// How many keys these words seem to hold, `ones` of whose bits are set.
    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], ones: u64) -> f64;

    /// The words of a filter of shape `other` as one of this shape has them, for a union.
    fn fitted<'a>(&self, other: &Self, words: &'a [u64]) -> Result<Cow<'a, [u64]>, Error> {
        if self == other {
            Ok(Cow::Borrowed(words))
        } else {
            Err(differ())
        }
    }
}

/// A kind of blocks, of which adjacent ones can be united (spec/filters.md 2.4).
pub trait FoldKind: BitKind {
    /// Words of 64 bits in a block.
    fn block_words(&self) -> usize;

    /// The shape with a `factor`-th of the blocks.
    fn folded(&self, factor: u64) -> Result<Self, Error>;
}

/// [`BitKind::set`], bit by bit.
#[inline(always)]
pub(crate) fn set_each<K: BitKind>(kind: &K, words: &mut [u64], key: Key) -> bool {
    let mut missing = 0;
    kind.probe(key, |bit| {
        let (word, mask) = (&mut words[(bit >> 6) as usize], 1u64 << (bit & 63));
        missing |= !*word & mask; // no branch: it would be guessed wrong every other time
        *word |= mask;
        true
    });
    missing != 0
}

/// Whether all bits of each key are set: the first bits of all are touched before the others of any, so that their cache
/// misses overlap.
pub(crate) fn find_batch<K: BitKind>(kind: &K, words: &[u64], keys: &[Key], out: &mut [bool]) {
    for (keys, out) in keys.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
        for (key, out) in keys.iter().zip(out.iter_mut()) {
            kind.probe(*key, |bit| {
                *out = is_set(words, bit);
                false
            });
        }
        for (key, out) in keys.iter().zip(out.iter_mut()) {
            *out &= kind.find(words, *key);
        }
    }
}

/// The words of a filter of `factor` times the blocks, folded to those of this shape.
pub(crate) fn fold_to<'a, K: FoldKind>(
    kind: &K,
    factor: u64,
    words: &'a [u64],
) -> Result<Cow<'a, [u64]>, Error> {
    if factor == 1 {
        return Ok(Cow::Borrowed(words));
    }
    words::fold(words, kind.block_words(), factor as usize).map(Cow::Owned)
}

/// The calls of kinds of bits.
#[derive(Debug)]
pub struct OfBits;

impl<K: BitKind> Calls<K> for OfBits {
    #[inline]
    fn try_insert(kind: &K, words: &mut [u64], key: Key) -> Result<(), Error> {
        kind.set(words, key);
        Ok(())
    }

    fn insert_if_absent(kind: &K, words: &mut [u64], key: Key) -> Result<bool, Error> {
        Ok(kind.set(words, key))
    }

    fn merge(kind: &K, words: &mut [u64], other: &K, from: &[u64]) -> Result<(), Error> {
        let from = kind.fitted(other, from)?;
        for (to, from) in words.iter_mut().zip(from.iter()) {
            *to |= from;
        }
        Ok(())
    }

    fn intersect(kind: &K, words: &mut [u64], other: &K, from: &[u64]) -> Result<(), Error> {
        if kind != other {
            return Err(differ());
        }
        for (to, from) in words.iter_mut().zip(from) {
            *to &= from;
        }
        Ok(())
    }

    #[cfg(feature = "std")]
    fn rates(kind: &K, words: &[u64]) -> Result<Rates, Error> {
        let ones = words::ones(words, kind.bits());
        Ok(Rates {
            realised_fpr: kind.realised_fpr(words, ones),
            estimated_keys: kind.keys_of(words, ones),
        })
    }

    fn positions(kind: &K, key: Key) -> Result<Vec<u64>, Error> {
        let mut bits = Vec::new();
        kind.probe(key, |bit| {
            bits.push(bit);
            true
        });
        Ok(bits)
    }
}

/// The calls of kinds of blocks.
#[derive(Debug)]
pub struct OfBlocks;

impl<K: FoldKind> Calls<K> for OfBlocks {
    #[inline]
    fn try_insert(kind: &K, words: &mut [u64], key: Key) -> Result<(), Error> {
        OfBits::try_insert(kind, words, key)
    }

    fn insert_if_absent(kind: &K, words: &mut [u64], key: Key) -> Result<bool, Error> {
        OfBits::insert_if_absent(kind, words, key)
    }

    fn merge(kind: &K, words: &mut [u64], other: &K, from: &[u64]) -> Result<(), Error> {
        OfBits::merge(kind, words, other, from)
    }

    fn intersect(kind: &K, words: &mut [u64], other: &K, from: &[u64]) -> Result<(), Error> {
        OfBits::intersect(kind, words, other, from)
    }

    fn fold(kind: &K, from: &[u64], factor: u64) -> Result<(K, Vec<u64>), Error> {
        let folded = kind.folded(factor)?;
        let words = words::fold(from, kind.block_words(), factor as usize)?;
        Ok((folded, words))
    }

    #[cfg(feature = "std")]
    fn rates(kind: &K, words: &[u64]) -> Result<Rates, Error> {
        OfBits::rates(kind, words)
    }

    fn positions(kind: &K, key: Key) -> Result<Vec<u64>, Error> {
        OfBits::positions(kind, key)
    }
}
