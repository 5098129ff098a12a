//! The block filter (spec/filters.md 2): one cache line per key.

use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{splitmix64, Hasher, Key, KeySource};
use crate::kind::{
    differ, find_batch, fold_to, is_set, set_each, BitKind, Facts, FoldKind, Kind, OfBlocks,
    Payload,
};
use crate::lines::{holds, set_line};
pub(crate) use crate::lines::{lane_positions, SALT};
use alloc::borrow::Cow;

/// The largest array, in bytes.
const MAX_BYTES: u64 = 1 << 48;

/// The shape of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// 4 lanes in 32 bytes.
    HalfLine,
    /// 8 lanes in 64 bytes.
    Line,
    /// 8 lanes in each of two blocks of 64 bytes.
    TwoLines,
    /// 8 lanes of 16 bits in 16 bytes: what a counting filter becomes without its counts (spec/filters.md 2.7).
    Lanes16,
}

impl Profile {
    /// Its number in files.
    pub fn number(self) -> u8 {
        match self {
            Profile::HalfLine => 1,
            Profile::Line => 2,
            Profile::TwoLines => 3,
            Profile::Lanes16 => 5,
        }
    }

    /// The profile of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Profile::HalfLine),
            2 => Some(Profile::Line),
            3 => Some(Profile::TwoLines),
            5 => Some(Profile::Lanes16),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Profile::HalfLine => "half-line",
            Profile::Line => "line",
            Profile::TwoLines => "two-lines",
            Profile::Lanes16 => "lanes16",
        }
    }

    /// The profile for a rate where none is named; never `Lanes16`.
    pub fn for_rate(fpr: f64) -> Self {
        if fpr >= 0.03 {
            Profile::HalfLine
        } else if fpr >= 0.0005 {
            Profile::Line
        } else {
            Profile::TwoLines
        }
    }

    /// Lanes in a block.
    pub fn lanes(self) -> u32 {
        match self {
            Profile::HalfLine => 4,
            _ => 8,
        }
    }

    /// Bits of a lane.
    pub fn lane_bits(self) -> u32 {
        match self {
            Profile::Lanes16 => 16,
            _ => 64,
        }
    }

    /// Bytes of a block.
    pub fn block_bytes(self) -> u64 {
        u64::from(self.lanes() * self.lane_bits() / 8)
    }

    /// Blocks that a key has.
    pub fn lines(self) -> u32 {
        match self {
            Profile::TwoLines => 2,
            _ => 1,
        }
    }
}

/// Bytes of a block and hashes per key, by the number of a profile in files; split-block filters have one too.
pub(crate) fn block_form(profile: u8) -> Option<(u64, u32)> {
    if profile == crate::split_block::PROFILE {
        return Some((32, 8));
    }
    let form = |p: Profile| (p.block_bytes(), p.lanes() * p.lines());
    Profile::from_number(profile).map(form)
}

/// The shape of a block filter: profile, number of blocks, hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    profile: Profile,
    blocks: u64,
    hasher: Hasher,
}

/// A filter whose every key lies in one cache line, or two.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// let mut f = bloomery::BlockBloom::make(1_000_000, 0.01)?;
/// f.insert("alice");
/// assert!(f.may_contain("alice"));
/// assert!(!f.may_contain("bob"));
/// # Ok(())
/// # }
/// ```
pub type BlockBloom = FilterOf<Block>;

/// The name by which the table of kinds has it.
pub type Shape = Block;

impl Block {
    /// The facts of the kind.
    pub const FACTS: Facts = crate::kinds::BLOCK;

    /// So many blocks, at least one.
    pub fn new(profile: Profile, blocks: u64, hasher: Hasher) -> Result<Self, Error> {
        if blocks == 0 {
            return Err(Error::invalid("a filter has at least one block"));
        }
        if blocks > MAX_BYTES / profile.block_bytes() {
            return Err(Error::new(
                Code::TooLarge,
                "a block filter has at most 2^48 bytes",
            ));
        }
        Ok(Block {
            profile,
            blocks,
            hasher,
        })
    }

    /// The same of sizes that were checked: part of a larger filter.
    pub(crate) fn within(profile: Profile, blocks: u64, hasher: Hasher) -> Self {
        Block {
            profile,
            blocks,
            hasher,
        }
    }

    /// The fewest blocks whose expected rate is at most the requested one.
    #[cfg(feature = "std")]
    pub fn by_rate(keys: u64, fpr: f64, profile: Profile, hasher: Hasher) -> Result<Self, Error> {
        let shape = |blocks| Block::new(profile, blocks, hasher);
        let most = MAX_BYTES / profile.block_bytes();
        let blocks = crate::model::fewest(keys, fpr, most, |b| {
            let (width, lanes) = (profile.lane_bits(), profile.lanes());
            crate::model::block_fpr(width, lanes, profile.lines(), b, keys as f64)
        })?;
        // The model leaves out that the loads of few blocks depend on each other, which matters where a key has two.
        let few = profile == Profile::TwoLines && blocks < 256;
        shape(if few {
            blocks + blocks / 16 + 1
        } else {
            blocks
        })
    }

    /// The profile.
    pub fn profile_of_blocks(&self) -> Profile {
        self.profile
    }

    #[inline(always)]
    fn line(&self, h: u64, visit: &mut impl FnMut(u64) -> bool) -> bool {
        let block = ((u128::from(h) * u128::from(self.blocks)) >> 64) as u64;
        if self.profile == Profile::Lanes16 {
            return lane_positions(h, block).all(visit);
        }
        let lanes = u64::from(self.profile.lanes());
        let base = block * 64 * lanes;
        (0..lanes).all(|j| {
            let bit = u64::from((h as u32).wrapping_mul(SALT[j as usize]) >> 26);
            // Word j holds the lower half of lane j, word L + j the upper.
            let word = j + lanes * (bit >> 5);
            visit(base + 32 * word + (bit & 31))
        })
    }
}

#[cfg(feature = "std")]
impl Block {
    /// The bits that are set in a lane of a block.
    fn lane_ones(&self, block: &[u64], lane: usize) -> u32 {
        if self.profile == Profile::Lanes16 {
            return ((block[lane / 4] >> (16 * (lane % 4))) as u16).count_ones();
        }
        // The lane's halves are 32-bit words j and L + j, two to a word of 64 bits.
        let half = |w: usize| (block[w / 2] >> (32 * (w % 2))) as u32;
        let lanes = self.profile.lanes() as usize;
        half(lane).count_ones() + half(lanes + lane).count_ones()
    }
}

impl Kind for Block {
    const KINDS: &'static [&'static Facts] = &[&Block::FACTS];

    type Calls = OfBlocks;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        self.blocks * 8 * self.profile.block_bytes()
    }

    fn hashes(&self) -> u32 {
        self.profile.lanes() * self.profile.lines()
    }

    fn units(&self) -> u64 {
        self.blocks
    }

    fn profile(&self) -> u8 {
        self.profile.number()
    }

    fn shape_of(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let profile = Profile::from_number(h.profile);
        h.expect_profile(profile.is_some())?;
        let profile = profile.unwrap_or(Profile::Line);
        let size = profile.block_bytes();
        h.expect_units(h.units >= 1 && h.units <= MAX_BYTES / size)?;
        Block::new(profile, h.units, hasher)
    }

    #[inline(always)]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.probe(key, |bit| payload.bit(bit))
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        // All bits of a line are at hand once one is: to look at all costs less than to guess which is clear.
        let h = key.raw();
        match self.profile {
            Profile::Line => holds(words, self.blocks, h),
            Profile::TwoLines => {
                holds(words, self.blocks, h) & holds(words, self.blocks, splitmix64(h))
            }
            _ => {
                let mut all = true;
                self.line(h, &mut |bit| {
                    all &= is_set(words, bit);
                    true
                });
                all
            }
        }
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        find_batch(self, words, keys, out)
    }
}

impl BitKind for Block {
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        let p = self.profile;
        let (width, lanes) = (p.lane_bits(), p.lanes());
        crate::model::block_fpr(width, lanes, p.lines(), self.blocks, keys as f64)
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64 {
        let (lanes, width) = (self.profile.lanes() as usize, self.profile.lane_bits());
        let size = self.block_words();
        let one =
            crate::model::mean_over_blocks(words, size, lanes, f64::from(width), |block, lane| {
                self.lane_ones(block, lane)
            });
        let throws = crate::model::block_keys(width, self.blocks, self.bits(), ones);
        crate::model::block_realised_fpr(self.profile.lines(), self.blocks, one, throws)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, _: &[u64], ones: u64) -> f64 {
        let width = self.profile.lane_bits();
        let throws = crate::model::block_keys(width, self.blocks, self.bits(), ones);
        throws / f64::from(self.profile.lines())
    }

    #[inline(always)]
    fn probe(&self, key: Key, mut visit: impl FnMut(u64) -> bool) -> bool {
        let h = key.raw();
        self.line(h, &mut visit)
            && (self.profile != Profile::TwoLines || self.line(splitmix64(h), &mut visit))
    }

    #[inline(always)]
    fn set(&self, words: &mut [u64], key: Key) -> bool {
        let h = key.raw();
        match self.profile {
            Profile::Line => set_line(words, self.blocks, h),
            Profile::TwoLines => {
                set_line(words, self.blocks, h) | set_line(words, self.blocks, splitmix64(h))
            }
            _ => set_each(self, words, key),
        }
    }

    fn fitted<'a>(&self, other: &Self, words: &'a [u64]) -> Result<Cow<'a, [u64]>, Error> {
        if self.profile != other.profile || self.hasher != other.hasher {
            return Err(differ());
        }
        fold_to(self, fold_factor(self.blocks, other.blocks)?, words)
    }
}

impl FoldKind for Block {
    fn block_words(&self) -> usize {
        self.profile.block_bytes() as usize / 8
    }

    fn folded(&self, factor: u64) -> Result<Self, Error> {
        let blocks = folded_blocks(self.blocks, factor)?;
        Block::new(self.profile, blocks, self.hasher)
    }
}

/// How many blocks of the other fall into one of ours.
pub(crate) fn fold_factor(ours: u64, other: u64) -> Result<u64, Error> {
    if other % ours == 0 {
        Ok(other / ours)
    } else {
        Err(differ())
    }
}

pub(crate) fn folded_blocks(blocks: u64, factor: u64) -> Result<u64, Error> {
    if factor == 0 || blocks % factor != 0 {
        return Err(Error::invalid(
            "the factor does not divide the number of blocks",
        ));
    }
    Ok(blocks / factor)
}

impl BlockBloom {
    /// An empty filter for so many keys at a rate, with the profile for that rate and the default hasher.
    #[cfg(feature = "std")]
    pub fn make(keys: u64, fpr: f64) -> Result<Self, Error> {
        BlockBloom::make_with(keys, fpr, Profile::for_rate(fpr), Hasher::DEFAULT)
    }

    /// The same with a profile and a hasher.
    #[cfg(feature = "std")]
    pub fn make_with(keys: u64, fpr: f64, p: Profile, hasher: Hasher) -> Result<Self, Error> {
        FilterOf::sized(Block::by_rate(keys, fpr, p, hasher)?, keys, fpr)
    }
}
