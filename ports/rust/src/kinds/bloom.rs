//! The classic filter (spec/filters.md 4): the fewest bits at low rates.

use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{BitKind, Facts, Kind, OfBits, Payload};
use crate::walk::{self, Walk};
use crate::words::mulhi;

const MAX_BITS: u64 = 1 << 48;
const MAX_HASHES: u32 = 64;
const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// The shape of a classic filter: bits, hashes, hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classic {
    bits: u64,
    hashes: u32,
    hasher: Hasher,
}

/// The classic Bloom filter.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// let mut f = bloomery::Bloom::make(1000, 1e-6)?;
/// f.insert("alice");
/// assert!(f.may_contain("alice"));
/// # Ok(())
/// # }
/// ```
pub type Bloom = FilterOf<Classic>;

/// The name by which the table of kinds has it.
pub type Shape = Classic;

impl Classic {
    /// The facts of the kind.
    pub const FACTS: Facts = crate::kinds::BLOOM;

    /// So many bits, at most 2^48, and hashes, at most 64.
    pub fn new(bits: u64, hashes: u32, hasher: Hasher) -> Result<Self, Error> {
        if bits == 0 || hashes == 0 {
            return Err(Error::invalid("a filter has at least one bit and one hash"));
        }
        if bits > MAX_BITS || hashes > MAX_HASHES {
            let what = "a classic filter has at most 2^48 bits and 64 hashes";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Classic {
            bits,
            hashes,
            hasher,
        })
    }

    /// The fewest bits whose expected rate is at most the requested one, over the whole numbers of hashes beside log2(1/p).
    #[cfg(feature = "std")]
    pub fn by_rate(keys: u64, fpr: f64, hasher: Hasher) -> Result<Self, Error> {
        let ideal = if fpr > 0.0 && fpr < 1.0 {
            -fpr.log2()
        } else {
            1.0
        };
        let below = (ideal as u32).clamp(1, 63);
        let size = |k| {
            crate::model::fewest(keys, fpr, MAX_BITS, |m| {
                crate::model::classic_fpr(m as f64, f64::from(k), keys as f64)
            })
        };
        let (few, many) = (size(below)?, size(below + 1)?);
        if few <= many {
            Classic::new(few, below, hasher)
        } else {
            Classic::new(many, below + 1, hasher)
        }
    }
}

/// The bits of a key among so many: also the cells of kinds that walk alike.
#[inline]
pub(crate) fn walk_of(bits: u64, hashes: u32, key: Key) -> impl Iterator<Item = u64> {
    let mut state = key.raw() | 1;
    (0..hashes).map(move |_| {
        state = state.wrapping_mul(MULTIPLIER);
        mulhi(state, bits)
    })
}

impl Walk for Classic {
    /// The generator, and the bit it chose.
    type State = (u64, u64);

    #[inline(always)]
    fn start(&self, key: Key) -> (u64, u64) {
        let mut state = (key.raw() | 1, 0);
        self.step(&mut state);
        state
    }

    #[inline(always)]
    fn bit(&self, state: &(u64, u64)) -> u64 {
        state.1
    }

    #[inline(always)]
    fn step(&self, state: &mut (u64, u64)) {
        state.0 = state.0.wrapping_mul(MULTIPLIER);
        state.1 = mulhi(state.0, self.bits);
    }

    #[inline(always)]
    fn steps(&self) -> u64 {
        u64::from(self.hashes)
    }
}

impl Kind for Classic {
    const KINDS: &'static [&'static Facts] = &[&Classic::FACTS];

    type Calls = OfBits;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        self.bits
    }

    fn hashes(&self) -> u32 {
        self.hashes
    }

    fn shape_of(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        h.expect_units(h.units >= 1 && h.units <= MAX_BITS)?;
        Classic::new(h.units, h.hashes, hasher)
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

impl BitKind for Classic {
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        let n = keys as f64;
        crate::model::classic_fpr(self.bits as f64, f64::from(self.hashes), n) + n / 2f64.powi(63)
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64 {
        let by_chance = (ones as f64 / self.bits as f64).powi(self.hashes as i32);
        crate::model::with_collisions(by_chance, self.keys_of(words, ones), 63)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, _: &[u64], ones: u64) -> f64 {
        crate::model::classic_keys(self.bits, self.hashes, ones)
    }

    #[inline(always)]
    fn probe(&self, key: Key, visit: impl FnMut(u64) -> bool) -> bool {
        walk::probe(self, key, visit)
    }
}

impl Bloom {
    /// An empty filter for so many keys at a rate, with the default hasher.
    #[cfg(feature = "std")]
    pub fn make(keys: u64, fpr: f64) -> Result<Self, Error> {
        Bloom::make_with(keys, fpr, Hasher::DEFAULT)
    }

    /// The same with a hasher.
    #[cfg(feature = "std")]
    pub fn make_with(keys: u64, fpr: f64, hasher: Hasher) -> Result<Self, Error> {
        FilterOf::sized(Classic::by_rate(keys, fpr, hasher)?, keys, fpr)
    }
}
