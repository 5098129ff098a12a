//! The window filter (spec/filters.md 14): block filters that take turns, the oldest of which is emptied for the next. It *forgets*,
//! by design: it keeps recent keys only, and "definitely not present" means not inserted, or forgotten.

use crate::block::{Block, Profile};
use crate::chain::{self, Part};
use crate::container::Header;
use crate::error::Error;
use crate::hash::{Hasher, Key};
use crate::kind::{Facts, Kind, Payload, ReadOnly, Rule};
use alloc::vec::Vec;

const MAX_BYTES: u64 = 1 << 48;

/// A generation, and how many there are.
#[derive(Clone, Debug)]
pub struct Window {
    generation: Block,
    count: u64,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Window>;

impl Window {
    #[inline]
    fn generations(&self) -> impl Iterator<Item = Part> + '_ {
        let words = self.generation.bits() / 64;
        (0..self.count).map(move |i| Part {
            shape: self.generation.clone(),
            first: i * words,
        })
    }
}

impl Rule for Window {
    const FACTS: &'static Facts = &crate::kinds::WINDOW;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let profile = Profile::from_number(h.profile);
        h.expect_profile(profile.is_some())?;
        let profile = profile.unwrap_or(Profile::Line);
        let p = &h.parameters;
        let small = |at: usize| u32::from_le_bytes([p[at], p[at + 1], p[at + 2], p[at + 3]]);
        let large = |at: usize| u64::from(small(at)) | u64::from(small(at + 4)) << 32;
        let (generations, current) = (small(0), small(4));
        let (keys, count) = (large(8), large(16));
        // In the order of spec/container.md 8.
        h.expect_units(h.units >= 1 && h.units <= MAX_BYTES / profile.block_bytes())?;
        h.expect_parameter(0, (2..=1024).contains(&generations))?;
        let each = h.units / u64::from(generations);
        h.expect_units(h.units % u64::from(generations) == 0)?;
        h.expect_parameter(4, current < generations)?;
        h.expect_parameter(16, keys == 0 || count <= keys)?;
        Ok(Window {
            generation: Block::within(profile, each, Hasher::DEFAULT),
            count: generations.into(),
        })
    }

    fn bits(&self) -> u64 {
        self.generation.bits() * self.count
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        chain::lookup(self.generations(), payload, key)
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        chain::find(self.generations(), words, key)
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        chain::find_batch(|| self.generations(), words, keys, out)
    }

    /// The bits that a key has in each generation, if that is where it is.
    fn positions(&self, key: Key) -> Option<Vec<u64>> {
        Some(chain::positions(self.generations(), key))
    }
}
