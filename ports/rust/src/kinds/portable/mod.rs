//! The portable filter (spec/filters.md 1): files that simple programs in any language share.

mod file;
mod positions;
mod sizing;

use crate::container::Header;
use crate::error::Error;
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{BitKind, Facts, Kind, OfBits, Payload};
use crate::walk;
use positions::{Divisor, Scaled, Stepped};

#[cfg(feature = "std")]
pub use sizing::{Promise, Verdict};

const MAX_BITS: u64 = 1 << 63;

/// The shape of a portable filter: m bits and k hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portable {
    bits: Divisor,
    hashes: u32,
    /// Bits that are visited: at most m, for after m steps the walk repeats itself, whatever k a file names.
    steps: u64,
    scales: bool,
    /// FNV, of whatever keys.
    hasher: Hasher,
}

/// A portable Bloom filter: the same bytes in every language.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::PortableBloom;
/// let mut f = PortableBloom::make(1000, 0.01)?;
/// f.insert("alice");
/// assert!(f.may_contain("alice"));
/// let file: Vec<u8> = f.encode()?;
/// assert_eq!(file.len(), 12 + 1199);
/// assert_eq!(PortableBloom::decode(&file)?, f);
/// # Ok(())
/// # }
/// ```
pub type PortableBloom = FilterOf<Portable>;

/// The name by which the table of kinds has it.
pub type Shape = Portable;

impl Portable {
    /// The facts of the kind.
    pub const FACTS: Facts = crate::kinds::PORTABLE;

    /// So many bits, at most 2^63, and hashes: what a file may hold.
    pub fn new(bits: u64, hashes: u32) -> Result<Self, Error> {
        if bits == 0 || hashes == 0 {
            return Err(Error::invalid("a filter has at least one bit and one hash"));
        }
        if bits > MAX_BITS {
            return Err(sizing::too_large());
        }
        Ok(Portable::of_file(bits, hashes))
    }

    /// The shape of a file, which may have any m but 0.
    fn of_file(m: u64, hashes: u32) -> Self {
        let bits = Divisor::new(m);
        let steps = u64::from(hashes).min(m);
        Portable {
            bits,
            hashes,
            steps,
            scales: bits.can_scale(steps),
            hasher: Hasher::FnvSplitMix,
        }
    }
}

/// Calls a function of `walk` with the walk that fits the shape.
macro_rules! walking {
    ($kind:ident, $call:ident($($argument:expr),*)) => {{
        let (bits, steps) = ($kind.bits, $kind.steps);
        if $kind.scales {
            walk::$call(&Scaled { bits, steps }, $($argument),*)
        } else {
            walk::$call(&Stepped { bits, steps }, $($argument),*)
        }
    }};
}

impl Kind for Portable {
    const KINDS: &'static [&'static Facts] = &[&Portable::FACTS];

    type Calls = OfBits;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    #[inline]
    fn key(&self, bytes: &[u8]) -> Key {
        match &self.hasher {
            Hasher::OfOther(keys) => keys.key(bytes),
            _ => Hasher::FnvSplitMix.key(bytes),
        }
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        self.bits.value()
    }

    fn hashes(&self) -> u32 {
        self.hashes
    }

    fn shape_of(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        h.expect_units(h.units >= 1 && h.units <= MAX_BITS)?;
        Ok(Portable::new(h.units, h.hashes)?.of(hasher.source()))
    }

    #[inline(always)]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.probe(key, |bit| payload.bit(bit))
    }

    #[inline(always)]
    fn find(&self, words: &[u64], key: Key) -> bool {
        walking!(self, find(words, key))
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        walking!(self, find_batch(words, keys, out))
    }
}

impl BitKind for Portable {
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        crate::model::portable_fpr(self.bits(), self.hashes, keys as f64)
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64 {
        crate::model::portable_realised_fpr(self, words, ones)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, _: &[u64], ones: u64) -> f64 {
        crate::model::portable_keys(self.bits(), self.hashes, ones)
    }

    #[inline(always)]
    fn probe(&self, key: Key, visit: impl FnMut(u64) -> bool) -> bool {
        walking!(self, probe(key, visit))
    }
}
