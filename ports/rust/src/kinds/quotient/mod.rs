//! The quotient filter (spec/filters.md 15): fingerprints in ascending order, with their counts.

mod array;
mod group;
mod lookup;
mod sound;

use crate::container::Header;
use crate::error::Error;
use crate::hash::Key;
use crate::kind::{Facts, Payload, ReadOnly, Rule, Words, TOGETHER};
use crate::words::mulhi;
use alloc::vec;
use alloc::vec::Vec;

/// The most fingerprints that there can be.
const MAX_FINGERPRINTS: u64 = 1 << 60;
/// The most blocks, times r + 3.
const MAX_SIZE: u64 = 1 << 42;

/// The sizes of a quotient filter.
#[derive(Clone, Debug)]
pub struct Quotient {
    remainder_bits: u32,
    quotients: u64,
    /// Blocks of 64 slots: a slot for each quotient at least.
    blocks: u64,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Quotient>;

impl Quotient {
    /// The fingerprint of a key.
    #[inline]
    fn fingerprint(&self, key: Key) -> u64 {
        mulhi(key.raw(), self.quotients << self.remainder_bits)
    }

    /// The quotient of a key, and its remainder.
    #[inline]
    fn parts(&self, key: Key) -> (u64, u64) {
        let (fingerprint, r) = (self.fingerprint(key), self.remainder_bits);
        (fingerprint >> r, fingerprint & ((1 << r) - 1))
    }
}

impl Rule for Quotient {
    const FACTS: &'static Facts = &crate::kinds::QUOTIENT;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let mut blocks = [0; 8];
        blocks.copy_from_slice(&h.parameters[8..16]);
        let made = Quotient {
            remainder_bits: h.hashes,
            quotients: h.units,
            blocks: u64::from_le_bytes(blocks),
        };
        // In the order of spec/container.md 8.
        h.expect_units((1..=MAX_FINGERPRINTS >> h.hashes).contains(&h.units))?;
        let max = MAX_SIZE / u64::from(h.hashes + 3);
        let room = (h.units + 63) / 64 <= made.blocks;
        h.expect_parameter(8, room && made.blocks <= max)?;
        Ok(made)
    }

    fn is_sound(&self, words: &[u64]) -> bool {
        self.is_sound_in(&Words(words))
    }

    fn bits(&self) -> u64 {
        8 * self.length()
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

    /// The fingerprint of a key, its quotient and its remainder.
    fn positions(&self, key: Key) -> Option<Vec<u64>> {
        let (quotient, remainder) = self.parts(key);
        Some(vec![self.fingerprint(key), quotient, remainder])
    }
}
