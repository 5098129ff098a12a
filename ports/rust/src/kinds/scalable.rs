//! The scalable filter (spec/filters.md 12): a chain of block filters, each larger than the one before.

use crate::block::{Block, Profile};
use crate::chain::{self, Part};
use crate::container::Header;
use crate::error::Error;
use crate::hash::{splitmix64, Hasher, Key};
use crate::kind::{Facts, Payload, ReadOnly, Rule, TOGETHER};
use alloc::vec::Vec;

const MAX_LEVELS: u32 = 48;
const MAX_BYTES: u64 = 1 << 48;
const LINE_BYTES: u64 = 64;
/// How the rate is divided among the levels (spec/filters.md 12.3): equally, or in one of two other ways. No answer depends on it.
const EQUALLY: u8 = 0;
const LAST_POLICY: u8 = 2;

/// The sizes of its levels.
#[derive(Clone, Debug)]
pub struct Scalable {
    /// Lines of 64 bytes in the first level.
    lines: u64,
    levels: u32,
    /// How many times larger each is than the one before.
    growth: u8,
    /// The first level of the profile `Line`; those before have `HalfLine`.
    line_from: u8,
    /// The first level of the profile `TwoLines`.
    two_lines_from: u8,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Scalable>;

/// What the levels see of a key: keys that come in the order of their hashes do not fill the first blocks only.
#[inline]
fn without_order(key: Key) -> Key {
    Key::from_raw(splitmix64(key.raw()))
}

impl Scalable {
    /// The lines of all levels together; none if they have more than 2^48 bytes.
    fn all_lines(&self) -> Option<u64> {
        let times = |sum: u64, _| sum.saturating_mul(self.growth.into()).saturating_add(1);
        let levels = (0..self.levels).fold(0, times);
        let max = MAX_BYTES / LINE_BYTES;
        Some(self.lines.checked_mul(levels)?).filter(|lines| *lines <= max)
    }

    fn profile(&self, level: u32) -> Profile {
        if level < self.line_from.into() {
            Profile::HalfLine
        } else if level < self.two_lines_from.into() {
            Profile::Line
        } else {
            Profile::TwoLines
        }
    }

    /// The levels, the first and smallest first.
    #[inline]
    fn levels(&self) -> impl Iterator<Item = Part> + '_ {
        let (mut lines, mut before) = (self.lines, 0);
        (0..self.levels).map(move |level| {
            let profile = self.profile(level);
            let blocks = lines * (LINE_BYTES / profile.block_bytes());
            let part = Part {
                shape: Block::within(profile, blocks, Hasher::DEFAULT),
                first: before * (LINE_BYTES / 8),
            };
            before += lines;
            // Beyond the last level it may be more than there can be.
            lines = lines.saturating_mul(self.growth.into());
            part
        })
    }
}

impl Rule for Scalable {
    const FACTS: &'static Facts = &crate::kinds::SCALABLE;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let p = &h.parameters;
        let mut rate = [0; 8];
        rate.copy_from_slice(&p[..8]);
        let rate = f64::from_bits(u64::from_le_bytes(rate));
        let (growth, policy, max_levels) = (p[8], p[9], p[10]);
        let made = Scalable {
            lines: h.units,
            levels: h.hashes,
            growth,
            line_from: p[11],
            two_lines_from: p[12],
        };
        // In the order of spec/container.md 8.
        h.expect_parameter(0, rate > 0.0 && rate < 1.0)?;
        h.expect_parameter(8, matches!(growth, 2 | 4 | 8 | 16))?;
        h.expect_parameter(9, policy <= LAST_POLICY)?;
        let max_fits = if policy == EQUALLY {
            (h.hashes..=MAX_LEVELS).contains(&max_levels.into())
        } else {
            max_levels == 0
        };
        h.expect_parameter(10, max_fits)?;
        h.expect_parameter(11, u32::from(p[11]) <= MAX_LEVELS)?;
        h.expect_parameter(12, p[12] >= p[11] && u32::from(p[12]) <= MAX_LEVELS)?;
        h.expect_units(h.units >= 1 && made.all_lines().is_some())?;
        Ok(made)
    }

    fn bits(&self) -> u64 {
        8 * LINE_BYTES * self.all_lines().unwrap_or(0)
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        chain::lookup(self.levels(), payload, without_order(key))
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        chain::find(self.levels(), words, without_order(key))
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        let mut mixed = [Key::default(); TOGETHER];
        for (keys, out) in keys.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            let mixed = &mut mixed[..keys.len()];
            for (to, key) in mixed.iter_mut().zip(keys) {
                *to = without_order(*key);
            }
            chain::find_batch(|| self.levels(), words, mixed, out);
        }
    }

    /// The bits that a key has in each level, if that is where it is.
    fn positions(&self, key: Key) -> Option<Vec<u64>> {
        Some(chain::positions(self.levels(), without_order(key)))
    }
}
