//! The partitioned filter (spec/filters.md 6): a slice of its own for every probe, so that its rate has an exact closed form.

use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{BitKind, Facts, Kind, OfBits, Payload};
use crate::walk::{self, Walk};
use alloc::vec::Vec;

/// The maximum number of bits of all slices together.
const MAX_BITS: u64 = 1 << 48;
const MAX_HASHES: u32 = 64;
const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// The shape of a partitioned filter: bits of a slice, slices (one for each hash), hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitioned {
    slice: u64,
    hashes: u32,
    hasher: Hasher,
}

/// A Bloom filter of k slices, in each of which a key has one bit.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// let mut f = bloomery::PartitionedBloom::make(1000, 0.001)?;
/// f.insert("alice");
/// assert!(f.may_contain("alice"));
/// assert_eq!(f.slice_ones(), [1; 10]);
/// # Ok(())
/// # }
/// ```
pub type PartitionedBloom = FilterOf<Partitioned>;

/// The name by which the table of kinds has it.
pub type Shape = Partitioned;

impl Partitioned {
    /// The facts of the kind.
    pub const FACTS: Facts = crate::kinds::PARTITIONED;

    /// So many slices (the number of hashes, at most 64) of so many bits, at most 2^48 in all.
    pub fn new(slice: u64, hashes: u32, hasher: Hasher) -> Result<Self, Error> {
        if slice == 0 || hashes == 0 {
            return Err(Error::invalid("a filter has at least one slice of one bit"));
        }
        if hashes > MAX_HASHES || slice > MAX_BITS / u64::from(hashes) {
            let what = "a partitioned filter has at most 64 slices and 2^48 bits in all";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Partitioned {
            slice,
            hashes,
            hasher,
        })
    }

    /// The fewest bits whose expected rate is at most the requested one, over the numbers of hashes near log2(1/p).
    #[cfg(feature = "std")]
    pub fn by_rate(keys: u64, fpr: f64, hasher: Hasher) -> Result<Self, Error> {
        let ideal = if fpr > 0.0 && fpr < 1.0 {
            -fpr.log2()
        } else {
            1.0
        };
        let near = (ideal as u32).clamp(1, MAX_HASHES);
        let sized = |k: u32| {
            let most = MAX_BITS / u64::from(k);
            let slice = crate::model::fewest(keys, fpr, most, |s| rate(s, k, keys))?;
            Partitioned::new(slice, k, hasher)
        };
        let mut best = sized(near);
        for k in near.saturating_sub(1).max(1)..=(near + 2).min(MAX_HASHES) {
            match (&best, sized(k)) {
                (Ok(least), Ok(other)) if other.bits() >= least.bits() => {}
                (_, Ok(other)) => best = Ok(other),
                (_, Err(_)) => {}
            }
        }
        best
    }

    /// The bits of a slice.
    pub fn slice_bits(&self) -> u64 {
        self.slice
    }

    /// The set bits of each slice.
    fn ones_of_slices<'a>(&'a self, words: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        (0..u64::from(self.hashes)).map(move |j| ones_in(words, j * self.slice, self.slice))
    }
}

/// The set bits among `count` bits from `from` on.
fn ones_in(words: &[u64], from: u64, count: u64) -> u64 {
    let end = from + count;
    let (first, last) = ((from / 64) as usize, ((end - 1) / 64) as usize);
    let mut sum = 0;
    for (i, word) in words[first..=last].iter().enumerate() {
        let mut word = *word;
        if i == 0 {
            word &= u64::MAX << (from % 64);
        }
        if first + i == last {
            word &= u64::MAX >> (63 - (end - 1) % 64);
        }
        sum += u64::from(word.count_ones());
    }
    sum
}

/// The rate of k slices of s bits with n keys (spec/model.md 8): exact, for the slices are independent; and the chance that two
/// keys are one.
#[cfg(feature = "std")]
fn rate(s: u64, k: u32, n: u64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    let n = n as f64;
    let set = -(n * (-1.0 / s as f64).ln_1p()).exp_m1();
    (set.powi(k as i32) + n / 2f64.powi(63)).min(1.0)
}

/// Where a walk stands: the generator, the beginning of the slice, the bit.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    generator: u64,
    slice: u64,
    bit: u64,
}

impl Walk for Partitioned {
    type State = Place;

    #[inline(always)]
    fn start(&self, key: Key) -> Place {
        let generator = (key.raw() | 1).wrapping_mul(MULTIPLIER);
        Place {
            generator,
            slice: 0,
            bit: self.in_slice(generator),
        }
    }

    #[inline(always)]
    fn bit(&self, place: &Place) -> u64 {
        place.bit
    }

    #[inline(always)]
    fn step(&self, place: &mut Place) {
        place.generator = place.generator.wrapping_mul(MULTIPLIER);
        place.slice += self.slice;
        place.bit = place.slice + self.in_slice(place.generator);
    }

    #[inline(always)]
    fn steps(&self) -> u64 {
        u64::from(self.hashes)
    }
}

impl Partitioned {
    #[inline(always)]
    fn in_slice(&self, generator: u64) -> u64 {
        ((u128::from(generator) * u128::from(self.slice)) >> 64) as u64
    }
}

impl Kind for Partitioned {
    const KINDS: &'static [&'static Facts] = &[&Partitioned::FACTS];

    type Calls = OfBits;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        u64::from(self.hashes) * self.slice
    }

    fn hashes(&self) -> u32 {
        self.hashes
    }

    fn units(&self) -> u64 {
        self.slice
    }

    fn shape_of(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let k = u64::from(h.hashes.max(1));
        h.expect_units(h.units >= 1 && h.units <= MAX_BITS / k)?;
        Partitioned::new(h.units, h.hashes, hasher)
    }

    #[inline(always)]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.probe(key, |bit| payload.bit(bit))
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        walk::find(self, words, key)
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        walk::find_batch(self, words, keys, out)
    }
}

impl BitKind for Partitioned {
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        rate(self.slice, self.hashes, keys)
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64 {
        let fills = self.ones_of_slices(words);
        let by_chance = fills.map(|x| x as f64 / self.slice as f64).product();
        crate::model::with_collisions(by_chance, self.keys_of(words, ones), 63)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, _: &[u64], ones: u64) -> f64 {
        if ones == 0 {
            return 0.0;
        }
        if ones >= self.bits() {
            return f64::INFINITY;
        }
        let fill = ones as f64 / self.bits() as f64;
        (-fill).ln_1p() / (-1.0 / self.slice as f64).ln_1p()
    }

    #[inline(always)]
    fn probe(&self, key: Key, visit: impl FnMut(u64) -> bool) -> bool {
        walk::probe(self, key, visit)
    }
}

impl PartitionedBloom {
    /// An empty filter for so many keys at a rate, with the default hasher.
    #[cfg(feature = "std")]
    pub fn make(keys: u64, fpr: f64) -> Result<Self, Error> {
        PartitionedBloom::make_with(keys, fpr, Hasher::DEFAULT)
    }

    /// The same with a hasher.
    #[cfg(feature = "std")]
    pub fn make_with(keys: u64, fpr: f64, hasher: Hasher) -> Result<Self, Error> {
        FilterOf::sized(Partitioned::by_rate(keys, fpr, hasher)?, keys, fpr)
    }

    /// The set bits of each slice: near equal, unless the filter is damaged or its hash is bad.
    pub fn slice_ones(&self) -> Vec<u64> {
        self.kind().ones_of_slices(self.words()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_contract() {
        let rows: [(u64, &[u64], [u8; 12]); 2] = [
            (
                16,
                &[5, 24, 41, 49, 76, 81],
                [0x20, 0, 0, 1, 0, 2, 2, 0, 0, 0x10, 2, 0],
            ),
            (
                13,
                &[4, 20, 33, 40, 62, 65, 90],
                [0x10, 0, 0x10, 0, 2, 1, 0, 0x40, 2, 0, 0, 4],
            ),
        ];
        for (slice, bits, payload) in rows {
            let kind = Partitioned::new(slice, bits.len() as u32, Hasher::DEFAULT).unwrap();
            let key = kind.hasher().key(b"k0");
            assert_eq!(key.raw(), 0xbbb0_8e67_2f91_90b3);
            assert_eq!(
                crate::AnyKind::from(kind.clone()).positions(key).unwrap(),
                bits
            );
            let mut f = FilterOf::empty(kind).unwrap();
            f.insert("k0");
            assert_eq!(f.payload(), payload);
            assert!(f.may_contain("k0"));
            assert!(f.slice_ones().iter().all(|ones| *ones == 1));
        }
    }

    #[test]
    fn ones_of_every_range() {
        let words: Vec<u64> = (0..4).map(crate::hash::splitmix64).collect();
        for from in 0..250 {
            for count in 1..256 - from {
                let bits = (from..from + count).filter(|b| crate::kind::is_set(&words, *b));
                assert_eq!(ones_in(&words, from, count), bits.count() as u64);
            }
        }
    }

    #[test]
    fn sizes_that_no_filter_has() {
        let code = |s, k| Partitioned::new(s, k, Hasher::DEFAULT).unwrap_err().code();
        assert_eq!(
            (code(0, 1), code(1, 0)),
            (Code::InvalidArgument, Code::InvalidArgument)
        );
        assert_eq!(
            (code(1, 65), code((1 << 48) + 1, 1)),
            (Code::TooLarge, Code::TooLarge)
        );
        assert_eq!(code((1 << 48) / 3 + 1, 3), Code::TooLarge);
        assert!(Partitioned::new((1 << 48) / 3, 3, Hasher::DEFAULT).is_ok());
        assert!(Partitioned::new(u64::MAX, u32::MAX, Hasher::DEFAULT).is_err());
    }

    #[cfg(feature = "std")]
    #[test]
    fn the_fewest_bits_of_a_rate() {
        for (keys, fpr) in [
            (1, 0.5),
            (10, 0.3),
            (1000, 0.01),
            (100_000, 1e-6),
            (50, 1e-16),
        ] {
            let kind = Partitioned::by_rate(keys, fpr, Hasher::DEFAULT).unwrap();
            let (s, k) = (kind.slice_bits(), kind.hashes());
            assert!(kind.expected_fpr(keys) <= fpr);
            // One bit less per slice misses the rate, and so does every other k with as few bits.
            assert!(s == 1 || rate(s - 1, k, keys) > fpr);
            for other in 1..=64 {
                let fewer = (kind.bits() - 1) / u64::from(other);
                assert!(
                    fewer == 0 || rate(fewer, other, keys) > fpr,
                    "{} {}",
                    fpr,
                    other
                );
            }
        }
        assert!(Partitioned::by_rate(1 << 62, 1e-9, Hasher::DEFAULT).is_err());
        for (keys, fpr) in [(0, 0.1), (1, 0.0), (1, 1.0), (1, f64::NAN)] {
            let e = Partitioned::by_rate(keys, fpr, Hasher::DEFAULT).unwrap_err();
            assert_eq!(e.code(), Code::InvalidArgument);
        }
    }
}
