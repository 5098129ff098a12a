//! The lanes of blocks (spec/filters.md 2.1): one bit of a key in each. `Block::line` says which bits those are; here they are set
//! and tested in a block of 64 bytes at once, which is what most filters have.

use crate::words::mulhi;

/// Odd multipliers, one for each lane: those of Apache Parquet.
pub(crate) const SALT: [u32; 8] = [
    0x47b6_137b,
    0x4497_4d91,
    0x8824_ad5b,
    0xa2b7_289d,
    0x7054_95c7,
    0x2df1_424b,
    0x9efc_4947,
    0x5c6b_fb31,
];

/// The bits of a key in a block of 64 bytes, as a mask for its words: what `line` says, without a branch, or a place that depends on
/// the key, so that compilers can make vectors of it.
#[inline(always)]
fn mask(h: u64) -> [u64; 8] {
    let mut words = [0; 8];
    for (j, salt) in SALT.iter().enumerate() {
        let bit = 1u64 << ((h as u32).wrapping_mul(*salt) >> 26);
        let shift = 32 * (j as u32 % 2);
        words[j / 2] |= (bit & 0xffff_ffff) << shift;
        words[4 + j / 2] |= (bit >> 32) << shift;
    }
    words
}

/// Sets the bits of a key in its block; whether one was not set.
#[inline(always)]
pub(crate) fn set_line(words: &mut [u64], blocks: u64, h: u64) -> bool {
    let (at, mask) = (place(blocks, h), mask(h));
    let mut missing = 0;
    for (word, mask) in words[at..at + 8].iter_mut().zip(&mask) {
        missing |= !*word & mask;
        *word |= mask;
    }
    missing != 0
}

/// Where the block of a key begins, in words.
#[inline(always)]
fn place(blocks: u64, h: u64) -> usize {
    mulhi(h, blocks) as usize * 8
}

/// Whether all bits of a key are set: each lane is put together of its two halves.
#[inline(always)]
pub(crate) fn holds(words: &[u64], blocks: u64, h: u64) -> bool {
    let at = place(blocks, h);
    let block = &words[at..at + 8];
    let mut all = 1;
    for (j, salt) in SALT.iter().enumerate() {
        let (lower, upper) = (block[j / 2], block[4 + j / 2]);
        let lane = if j % 2 == 0 {
            (lower & 0xffff_ffff) | (upper << 32)
        } else {
            (lower >> 32) | (upper & !0xffff_ffff)
        };
        all &= lane >> ((h as u32).wrapping_mul(*salt) >> 26);
    }
    all & 1 != 0
}

/// The bits of a key in a block of 8 lanes of 16; of a counting filter, its cells.
#[inline(always)]
pub(crate) fn lane_positions(h: u64, block: u64) -> impl Iterator<Item = u64> {
    SALT.iter().zip(0..).map(move |(salt, j)| {
        let bit = (h as u32).wrapping_mul(*salt) >> 28;
        128 * block + 16 * j + u64::from(bit)
    })
}
