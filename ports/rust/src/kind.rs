//! What a kind of filter has to say of itself; everything else is written once, for all kinds.

use crate::container::Header;
use crate::error::{Code, Error};
use crate::hash::{Hasher, Key};
use core::fmt::Debug;

/// The shape of a filter: which bits a key has, in an array that somebody else keeps.
///
/// A plain filter ([`FilterOf`](crate::FilterOf)), one of atomic words ([`AtomicOf`](crate::AtomicOf)) and a container
/// that is looked at in place ([`ContainerView`](crate::container::ContainerView)) share this.
pub trait Kind: Clone + Debug + PartialEq + Sized {
    /// The number of the kind in a container (spec/container.md 3).
    fn number(&self) -> u8;

    /// Its name.
    fn name(&self) -> &'static str;

    /// What makes keys of byte strings.
    fn hasher(&self) -> &Hasher;

    /// The number of bits.
    fn bits(&self) -> u64;

    /// How many bits a key has, as files state it.
    fn hashes(&self) -> u32;

    /// Bits or blocks, as files state it.
    fn units(&self) -> u64 {
        self.bits()
    }

    /// The number of the profile; 0 for kinds without.
    fn profile(&self) -> u8 {
        0
    }

    /// The shape that a header tells, once every field that belongs to the kind was checked.
    fn from_header(header: &Header, hasher: Hasher) -> Result<Self, Error>;

    /// Gives the bits of a key, one by one, to `visit`, as long as that answers true; tells whether it always did.
    fn probe(&self, key: Key, visit: impl FnMut(u64) -> bool) -> bool;

    /// Whether all bits of a key are set.
    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        self.probe(key, |bit| is_set(words, bit))
    }

    /// The same for several keys: the first bits of all are touched before the others of any, so that their cache misses
    /// overlap.
    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        for (keys, out) in keys.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            for (key, out) in keys.iter().zip(out.iter_mut()) {
                self.probe(*key, |bit| {
                    *out = is_set(words, bit);
                    false
                });
            }
            for (key, out) in keys.iter().zip(out.iter_mut()) {
                *out &= self.find(words, *key);
            }
        }
    }

    /// By how much `other` must be folded before it can be merged into this one.
    fn fold_of(&self, other: &Self) -> Result<u64, Error> {
        if self == other {
            Ok(1)
        } else {
            Err(differ())
        }
    }

    /// Words of 64 bits in a block, for kinds that fold.
    fn block_words(&self) -> usize {
        1
    }

    /// The shape with a `factor`-th of the blocks.
    fn folded(&self, _factor: u64) -> Result<Self, Error> {
        Err(Error::invalid("a filter of this kind does not fold"))
    }

    /// The rate that a filter of this shape can be expected to have with so many keys.
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64;

    /// The rate that these bits have.
    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64;

    /// How many keys set so many bits.
    #[cfg(feature = "std")]
    fn keys_of(&self, ones: u64) -> f64;
}

/// Keys asked together: more misses than this do not fit the line fill buffers of today's processors.
pub(crate) const TOGETHER: usize = 16;

#[inline(always)]
pub(crate) fn is_set(words: &[u64], bit: u64) -> bool {
    words[(bit >> 6) as usize] >> (bit & 63) & 1 != 0
}

pub(crate) fn differ() -> Error {
    Error::new(
        Code::Incompatible,
        "the filters differ in kind, shape or hash",
    )
}

/// Bytes that hold so many bits, without overflow.
pub(crate) fn bytes_of(bits: u64) -> u64 {
    bits / 8 + u64::from(bits % 8 != 0)
}
