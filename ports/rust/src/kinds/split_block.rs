//! The split-block filter (spec/filters.md 3): Apache Parquet's.

use crate::block::{fold_factor, folded_blocks, SALT};
use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{
    differ, find_batch, fold_to, is_set, BitKind, Facts, FoldKind, Kind, OfBlocks, Payload,
};
use alloc::borrow::Cow;

/// The number of its profile in files.
pub(crate) const PROFILE: u8 = 4;
/// The hash of the kind.
const XXH64: Hasher = Hasher::Xxh64 { seed: 0 };
const MAX_BLOCKS: u64 = (1 << 26) - 1;

/// The shape of a split-block filter: its number of blocks. Keys are hashed with XXH64, seed 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitBlock {
    blocks: u64,
    /// XXH64 with seed 0, of whatever keys.
    hasher: Hasher,
}

/// Parquet's filter, bit for bit.
pub type SplitBlockBloom = FilterOf<SplitBlock>;

/// The bits of a hash in a filter of so many blocks.
#[inline(always)]
pub(crate) fn positions(h: u64, blocks: u64) -> impl Iterator<Item = u64> {
    let base = (((h >> 32) * blocks) >> 32) * 256;
    (0..8u64).map(move |j| {
        let bit = u64::from((h as u32).wrapping_mul(SALT[j as usize]) >> 27);
        base + 32 * j + bit
    })
}

/// The name by which the table of kinds has it.
pub type Shape = SplitBlock;

impl SplitBlock {
    /// The facts of the kind.
    pub const FACTS: Facts = crate::kinds::SPLIT_BLOCK;

    /// So many blocks, from 1 to 2^26 - 1. Some of Parquet's readers accept only powers of two.
    pub fn new(blocks: u64) -> Result<Self, Error> {
        if blocks == 0 {
            return Err(Error::invalid("a filter has at least one block"));
        }
        if blocks > MAX_BLOCKS {
            return Err(Error::new(
                Code::TooLarge,
                "a split-block filter has fewer than 2^26 blocks",
            ));
        }
        Ok(SplitBlock {
            blocks,
            hasher: XXH64,
        })
    }

    /// The fewest blocks whose expected rate is at most the requested one.
    #[cfg(feature = "std")]
    pub fn by_rate(keys: u64, fpr: f64) -> Result<Self, Error> {
        let blocks = crate::model::fewest(keys, fpr, MAX_BLOCKS, |b| {
            crate::model::block_fpr(32, 8, 1, b, keys as f64)
        })?;
        SplitBlock::new(blocks)
    }
}

impl Kind for SplitBlock {
    const KINDS: &'static [&'static Facts] = &[&SplitBlock::FACTS];

    type Calls = OfBlocks;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    #[inline]
    fn key(&self, bytes: &[u8]) -> Key {
        match &self.hasher {
            Hasher::OfOther(keys) => keys.key(bytes),
            _ => XXH64.key(bytes),
        }
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        256 * self.blocks
    }

    fn hashes(&self) -> u32 {
        8
    }

    fn units(&self) -> u64 {
        self.blocks
    }

    fn profile(&self) -> u8 {
        PROFILE
    }

    fn shape_of(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        h.expect_units(h.units >= 1 && h.units <= MAX_BLOCKS)?;
        Ok(SplitBlock::new(h.units)?.of(hasher.source()))
    }

    #[inline(always)]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.probe(key, |bit| payload.bit(bit))
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        positions(key.raw(), self.blocks).fold(true, |all, bit| all & is_set(words, bit))
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        find_batch(self, words, keys, out)
    }
}

impl BitKind for SplitBlock {
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        crate::model::block_fpr(32, 8, 1, self.blocks, keys as f64)
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], ones: u64) -> f64 {
        let one = crate::model::mean_over_blocks(words, 4, 8, 32.0, |block, lane| {
            ((block[lane / 2] >> (32 * (lane % 2))) as u32).count_ones()
        });
        crate::model::block_realised_fpr(1, self.blocks, one, self.keys_of(words, ones))
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, _: &[u64], ones: u64) -> f64 {
        crate::model::block_keys(32, self.blocks, self.bits(), ones)
    }

    #[inline(always)]
    fn probe(&self, key: Key, mut visit: impl FnMut(u64) -> bool) -> bool {
        positions(key.raw(), self.blocks).all(&mut visit)
    }

    fn fitted<'a>(&self, other: &Self, words: &'a [u64]) -> Result<Cow<'a, [u64]>, Error> {
        if self.hasher != other.hasher {
            return Err(differ());
        }
        fold_to(self, fold_factor(self.blocks, other.blocks)?, words)
    }
}

impl FoldKind for SplitBlock {
    fn block_words(&self) -> usize {
        4
    }

    fn folded(&self, factor: u64) -> Result<Self, Error> {
        let folded = SplitBlock::new(folded_blocks(self.blocks, factor)?)?;
        Ok(folded.of(self.hasher.source()))
    }
}

impl SplitBlockBloom {
    /// An empty filter for so many keys at a rate.
    #[cfg(feature = "std")]
    pub fn make(keys: u64, fpr: f64) -> Result<Self, Error> {
        FilterOf::sized(SplitBlock::by_rate(keys, fpr)?, keys, fpr)
    }
}
