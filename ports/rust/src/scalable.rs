//! The scalable filter (spec/filters.md 12), as it is read: a chain of block filters, each larger than the one before.

use crate::block::{Block, Profile};
use crate::chain::{self, Part};
use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{splitmix64, Hasher, Key, KeySource};
use crate::kind::{Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, ANY_HASH, TOGETHER};
use alloc::vec::Vec;

const MAX_LEVELS: u32 = 48;
const MAX_BYTES: u64 = 1 << 48;
const LINE_BYTES: u64 = 64;

/// How the rate of a chain is divided among its levels (spec/filters.md 12.3). No answer depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Equally, over so many levels at most.
    Equal(u8),
    /// Each level has nine tenths of the one before.
    Geometric,
    /// Every level has the whole rate: that of the chain grows with each.
    Dynamic,
}

impl Policy {
    fn number(self) -> u8 {
        match self {
            Policy::Equal(_) => 0,
            Policy::Geometric => 1,
            Policy::Dynamic => 2,
        }
    }

    fn max_levels(self) -> u8 {
        match self {
            Policy::Equal(levels) => levels,
            _ => 0,
        }
    }
}

/// The sizes of a scalable filter, and how it is to grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalableShape {
    /// Lines of 64 bytes in the first level, at least one.
    pub lines: u64,
    /// Levels that there are: 1 to 48.
    pub levels: u32,
    /// How many times larger each is than the one before: 2, 4, 8 or 16.
    pub growth: u8,
    /// The rate that the chain is to keep, between 0 and 1.
    pub rate: f64,
    /// How that is divided.
    pub policy: Policy,
    /// The first level of the profile `Line`; those before have `HalfLine`.
    pub line_from: u8,
    /// The first level of the profile `TwoLines`, not before `line_from`.
    pub two_lines_from: u8,
}

impl ScalableShape {
    /// The lines of all levels together; none if they have more than 2^48 bytes.
    fn all_lines(&self) -> Option<u64> {
        let times = |sum: u64, _| sum.saturating_mul(self.growth.into()).saturating_add(1);
        let levels = (0..self.levels).fold(0, times);
        let most = MAX_BYTES / LINE_BYTES;
        Some(self.lines.checked_mul(levels)?).filter(|lines| *lines <= most)
    }

    fn is_rate(&self) -> bool {
        self.rate > 0.0 && self.rate < 1.0
    }

    fn is_growth(&self) -> bool {
        matches!(self.growth, 2 | 4 | 8 | 16)
    }

    fn policy_fits(&self) -> bool {
        let has = |most: u8| (self.levels..=MAX_LEVELS).contains(&most.into());
        !matches!(self.policy, Policy::Equal(most) if !has(most))
    }

    fn line_fits(&self) -> bool {
        u32::from(self.line_from) <= MAX_LEVELS
    }

    fn two_lines_fits(&self) -> bool {
        self.two_lines_from >= self.line_from && u32::from(self.two_lines_from) <= MAX_LEVELS
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

    /// The rate that a level is to keep.
    #[cfg(feature = "std")]
    fn level_rate(&self, level: u32) -> f64 {
        match self.policy {
            Policy::Equal(most) => self.rate / f64::from(most),
            Policy::Geometric => self.rate * 0.1 * 0.9f64.powi(level as i32),
            Policy::Dynamic => self.rate,
        }
    }
}

/// The shape of a scalable filter, and its hasher.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalable {
    shape: ScalableShape,
    hasher: Hasher,
}

// The rate is a number.
impl Eq for Scalable {}

/// A chain of block filters that grew with its keys. It comes out of a container, and is asked and written again: keys are
/// inserted by the program that made it.
pub type ScalableFilter = FilterOf<Scalable>;

const fn parameter(name: &'static str, bytes: usize) -> Parameter {
    Parameter { name, bytes }
}

/// What the levels see of a key: keys that come in the order of their hashes do not fill the first blocks only.
#[inline]
fn without_order(key: Key) -> Key {
    Key::from_raw(splitmix64(key.raw()))
}

impl Scalable {
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: 11,
        name: "scalable",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(1, MAX_LEVELS),
        units: "lines",
        limit: Some(("max_payload", MAX_BYTES)),
        payload: "levels",
        parameters: &[
            parameter("rate", 8),
            parameter("growth", 1),
            parameter("policy", 1),
            parameter("max_levels", 1),
            parameter("line_from", 1),
            parameter("two_lines_from", 1),
        ],
        damage: Damage::Ones,
        sentinels: true,
        keys: true,
        forgets: false,
        can: &[],
    };

    /// A shape that the kind has.
    pub fn new(shape: ScalableShape, hasher: Hasher) -> Result<Self, Error> {
        if !(1..=MAX_LEVELS).contains(&shape.levels) || shape.lines == 0 || !shape.policy_fits() {
            return Err(Error::invalid(
                "a scalable filter has 1 to 48 levels, none of them empty, and no more than its policy allows",
            ));
        }
        if !shape.is_rate() || !shape.is_growth() || !shape.line_fits() || !shape.two_lines_fits() {
            return Err(Error::invalid(
                "a scalable filter has a rate between 0 and 1, grows by 2, 4, 8 or 16, and has its profiles in their order",
            ));
        }
        if shape.all_lines().is_none() {
            let what = "a scalable filter has at most 2^48 bytes";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Scalable { shape, hasher })
    }

    /// Its sizes.
    pub fn shape(&self) -> &ScalableShape {
        &self.shape
    }

    /// The levels, the first and smallest first.
    #[inline]
    fn levels(&self) -> impl Iterator<Item = Part> + '_ {
        let (mut lines, mut before) = (self.shape.lines, 0);
        (0..self.shape.levels).map(move |level| {
            let profile = self.shape.profile(level);
            let blocks = lines * (LINE_BYTES / profile.block_bytes());
            let part = Part {
                shape: Block::within(profile, blocks, self.hasher),
                first: before * (LINE_BYTES / 8),
            };
            before += lines;
            // Beyond the last level it may be more than there can be.
            lines = lines.saturating_mul(self.shape.growth.into());
            part
        })
    }
}

impl Kind for Scalable {
    const KINDS: &'static [&'static Facts] = &[&Scalable::FACTS];

    type Calls = Scalable;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        8 * LINE_BYTES * self.shape.all_lines().unwrap_or(0)
    }

    /// The levels, which files keep in the place of a number of hashes.
    fn hashes(&self) -> u32 {
        self.shape.levels
    }

    fn units(&self) -> u64 {
        self.shape.lines
    }

    fn parameters(&self) -> [u8; 24] {
        let s = &self.shape;
        let mut p = [0; 24];
        p[..8].copy_from_slice(&s.rate.to_bits().to_le_bytes());
        let policy = [s.policy.number(), s.policy.max_levels()];
        p[8] = s.growth;
        p[9..11].copy_from_slice(&policy);
        p[11..13].copy_from_slice(&[s.line_from, s.two_lines_from]);
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let p = &h.parameters;
        let mut rate = [0; 8];
        rate.copy_from_slice(&p[..8]);
        let shape = ScalableShape {
            lines: h.units,
            levels: h.hashes,
            growth: p[8],
            rate: f64::from_bits(u64::from_le_bytes(rate)),
            policy: match p[9] {
                0 => Policy::Equal(p[10]),
                1 => Policy::Geometric,
                _ => Policy::Dynamic,
            },
            line_from: p[11],
            two_lines_from: p[12],
        };
        // In the order of spec/container.md 8.
        h.expect_parameter(0, shape.is_rate())?;
        h.expect_parameter(8, shape.is_growth())?;
        h.expect_parameter(9, p[9] <= 2)?;
        let most = shape.policy_fits() && p[10] == shape.policy.max_levels();
        h.expect_parameter(10, most)?;
        h.expect_parameter(11, shape.line_fits())?;
        h.expect_parameter(12, shape.two_lines_fits())?;
        h.expect_units(h.units >= 1 && shape.all_lines().is_some())?;
        let made = Scalable::new(shape, hasher)?;
        h.expect_payload(made.bits() / 8)?;
        Ok(made)
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

    /// As if each level but the last had been filled up to its own rate, one after the other.
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        let mut left = keys;
        let last = self.shape.levels - 1;
        chain::any_of((0..).zip(self.levels()).map(|(i, level)| {
            let rate = self.shape.level_rate(i);
            let own = if i == last {
                left
            } else {
                most_keys(left, |n| level.shape.expected_fpr(n) <= rate)
            };
            left -= own;
            level.shape.expected_fpr(own)
        }))
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], _: u64) -> f64 {
        chain::rate(self.levels(), words)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], _: u64) -> f64 {
        chain::keys(self.levels(), words)
    }
}

/// The most keys, up to so many, for which it holds; it holds for none, and for fewer if for more.
#[cfg(feature = "std")]
fn most_keys(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    if holds(most) {
        return most;
    }
    let (mut low, mut high) = (0, most);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

impl ScalableFilter {
    /// The rate of each level, from its bits.
    #[cfg(feature = "std")]
    pub fn level_rates(&self) -> Vec<f64> {
        let levels = self.kind().levels();
        levels.map(|level| level.rate(self.words())).collect()
    }
}

/// It is only read: keys were inserted by the program that made it.
impl Calls<Scalable> for Scalable {
    /// The bits that a key has in each level, if that is where it is.
    fn positions(kind: &Self, key: Key) -> Result<Vec<u64>, Error> {
        Ok(chain::positions(kind.levels(), without_order(key)))
    }
}
