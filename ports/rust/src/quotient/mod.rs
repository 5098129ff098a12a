//! The quotient filter (spec/filters.md 15), as it is read: fingerprints in ascending order, with their counts.

mod array;
mod census;
mod group;
mod lookup;
mod sound;

use crate::container::Header;
use crate::cuckoo::mulhi;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{
    Call, Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, Words, ANY_HASH, TOGETHER,
};
use alloc::vec;
use alloc::vec::Vec;

const MIN_REMAINDER: u32 = 2;
const MAX_REMAINDER: u32 = 32;
/// The most fingerprints that there can be.
const MAX_FINGERPRINTS: u64 = 1 << 60;
/// The most blocks, times r + 3.
const MAX_SIZE: u64 = 1 << 42;
/// What `count` answers where a byte that it reads is damaged.
const UNKNOWN: u64 = u64::MAX;

/// The sizes of a quotient filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuotientShape {
    /// Bits of a remainder: 2 to 32.
    pub remainder_bits: u32,
    /// Quotients: 1 to 2^60 / 2^r.
    pub quotients: u64,
    /// Blocks of 64 slots: a slot for each quotient at least.
    pub blocks: u64,
    /// The number that its maker chose to tell filters of one shape apart; 0 if none.
    pub identity: u64,
}

impl QuotientShape {
    fn max_quotients(remainder_bits: u32) -> u64 {
        MAX_FINGERPRINTS >> remainder_bits
    }

    fn max_blocks(&self) -> u64 {
        MAX_SIZE / u64::from(self.remainder_bits + 3)
    }

    /// Whether each quotient has a slot.
    fn has_room(&self) -> bool {
        (self.quotients + 63) / 64 <= self.blocks
    }
}

/// The shape of a quotient filter, and its hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    shape: QuotientShape,
    hasher: Hasher,
}

/// A multiset of fingerprints. It comes out of a container, and is asked, counted, listed and written again: keys are inserted and
/// erased by the program that made it.
pub type QuotientFilter = FilterOf<Quotient>;

impl Quotient {
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: 14,
        name: "quotient",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(MIN_REMAINDER, MAX_REMAINDER),
        units: "quotients",
        limit: Some(("max_units", MAX_FINGERPRINTS >> MIN_REMAINDER)),
        payload: "quotient",
        parameters: &[
            Parameter {
                name: "identity",
                bytes: 8,
            },
            Parameter {
                name: "blocks",
                bytes: 8,
            },
        ],
        damage: Damage::Perhaps,
        sentinels: false,
        keys: false,
        forgets: false,
        can: &[Call::Count, Call::Iterate],
    };

    /// A shape that the kind has.
    pub fn new(shape: QuotientShape, hasher: Hasher) -> Result<Self, Error> {
        let r = shape.remainder_bits;
        if !(MIN_REMAINDER..=MAX_REMAINDER).contains(&r) || shape.quotients == 0 {
            return Err(Error::invalid(
                "a quotient filter has remainders of 2 to 32 bits, and at least one quotient",
            ));
        }
        if shape.quotients > QuotientShape::max_quotients(r) || shape.blocks > shape.max_blocks() {
            let what = "a quotient filter has at most 2^60 fingerprints and 2^45 bytes";
            return Err(Error::new(Code::TooLarge, what));
        }
        if !shape.has_room() {
            let what = "a quotient filter has a slot for each quotient";
            return Err(Error::invalid(what));
        }
        Ok(Quotient { shape, hasher })
    }

    /// Its sizes.
    pub fn shape(&self) -> &QuotientShape {
        &self.shape
    }

    /// How many different fingerprints there are.
    fn fingerprints(&self) -> u64 {
        self.shape.quotients << self.shape.remainder_bits
    }

    /// The quotient of a key, and its remainder.
    #[inline]
    pub fn parts(&self, key: Key) -> (u64, u64) {
        let fingerprint = mulhi(key.raw(), self.fingerprints());
        let r = self.shape.remainder_bits;
        (fingerprint >> r, fingerprint & ((1 << r) - 1))
    }
}

impl Kind for Quotient {
    const KINDS: &'static [&'static Facts] = &[&Quotient::FACTS];

    type Calls = Quotient;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        8 * self.length()
    }

    /// The bits of a remainder, which files keep in the place of a number of hashes.
    fn hashes(&self) -> u32 {
        self.shape.remainder_bits
    }

    fn units(&self) -> u64 {
        self.shape.quotients
    }

    fn parameters(&self) -> [u8; 24] {
        let mut p = [0; 24];
        p[..8].copy_from_slice(&self.shape.identity.to_le_bytes());
        p[8..16].copy_from_slice(&self.shape.blocks.to_le_bytes());
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&h.parameters[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let shape = QuotientShape {
            remainder_bits: h.hashes,
            quotients: h.units,
            blocks: number(8),
            identity: number(0),
        };
        // In the order of spec/container.md 8.
        let most = QuotientShape::max_quotients(h.hashes);
        h.expect_units((1..=most).contains(&h.units))?;
        h.expect_parameter(8, shape.has_room() && shape.blocks <= shape.max_blocks())?;
        let made = Quotient::new(shape, hasher)?;
        h.expect_payload(made.length())?;
        Ok(made)
    }

    fn is_sound(&self, words: &[u64]) -> bool {
        self.walk(&Words(words), &mut |_, _| ())
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.find_key(payload, key)
    }

    /// The first words of all are touched before the others of any, so that their cache misses overlap.
    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        let payload = Words(words);
        for (keys, out) in keys.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            for (key, out) in keys.iter().zip(out.iter_mut()) {
                *out = self.is_occupied(&payload, self.parts(*key).0);
            }
            for (key, out) in keys.iter().zip(out.iter_mut()) {
                *out = *out && self.find_key(&payload, *key);
            }
        }
    }

    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        let one = 1.0 / self.fingerprints() as f64;
        -(keys as f64 * (-one).ln_1p()).exp_m1()
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], _: u64) -> f64 {
        self.census(&Words(words)).rate(self)
    }

    #[cfg(feature = "std")]
    fn damaged_fpr(&self, payload: &impl Payload, _: &[u64], _: u64, _: f64) -> f64 {
        self.census(payload).rate(self)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], _: u64) -> f64 {
        self.census(&Words(words)).keys()
    }

    #[cfg(feature = "std")]
    fn damaged_keys(&self, payload: &impl Payload, _: &[u64], _: u64) -> f64 {
        self.census(payload).keys()
    }

    fn fill_of(&self, payload: &impl Payload, _: u64) -> f64 {
        self.census(payload).fill(self)
    }
}

impl Calls<Quotient> for Quotient {
    /// 2^64 - 1 where a byte that a lookup reads is damaged.
    fn count(kind: &Self, payload: &impl Payload, key: Key) -> Result<u64, Error> {
        Ok(kind.count_key(payload, key))
    }

    /// Each fingerprint once, ascending.
    fn iterate(kind: &Self, words: &[u64], visit: &mut dyn FnMut(u64)) -> Result<(), Error> {
        kind.walk(&Words(words), &mut |fingerprint, _| visit(fingerprint));
        Ok(())
    }

    /// The quotient of a key, and its remainder.
    fn positions(kind: &Self, key: Key) -> Result<Vec<u64>, Error> {
        let (quotient, remainder) = kind.parts(key);
        Ok(vec![quotient, remainder])
    }
}

impl QuotientFilter {
    /// Slots in use. A damaged filter is refused (`corrupt`).
    pub fn used_slots(&self) -> Result<u64, Error> {
        self.must_be_whole()?;
        Ok(self.kind().census(&Words(self.words())).slots)
    }

    /// Visits the fingerprints that are stored, ascending, with how many copies there are of each. A damaged filter is refused
    /// (`corrupt`).
    pub fn list(&self, mut visit: impl FnMut(u64, u64)) -> Result<(), Error> {
        self.must_be_whole()?;
        self.kind().walk(&Words(self.words()), &mut visit);
        Ok(())
    }
}
