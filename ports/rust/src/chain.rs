//! What scalable and window filters share: block filters in one array, all of which are asked.

use crate::block::Block;
#[cfg(feature = "std")]
use crate::block::Profile;
use crate::hash::Key;
use crate::kind::{BitKind, Kind, Payload, TOGETHER};
use alloc::vec::Vec;

/// One of the block filters.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) shape: Block,
    /// The word of the array where it begins: blocks are whole words.
    pub(crate) first: u64,
}

impl Part {
    fn words<'a>(&self, all: &'a [u64]) -> &'a [u64] {
        let from = self.first as usize;
        &all[from..from + (self.shape.bits() / 64) as usize]
    }

    /// The rate that its own bits have.
    #[cfg(feature = "std")]
    pub(crate) fn rate(&self, all: &[u64]) -> f64 {
        let words = self.words(all);
        let ones = crate::words::ones(words, self.shape.bits());
        self.shape.realised_fpr(words, ones)
    }

    /// The keys that its own bits show.
    #[cfg(feature = "std")]
    fn keys(&self, all: &[u64]) -> f64 {
        let words = self.words(all);
        let ones = crate::words::ones(words, self.shape.bits());
        self.shape.keys_of(words, ones)
    }

    /// The bits of a key, in the whole array.
    pub(crate) fn probe(&self, key: Key, mut visit: impl FnMut(u64) -> bool) -> bool {
        self.shape.probe(key, |bit| visit(64 * self.first + bit))
    }
}

#[inline]
pub(crate) fn lookup(
    mut parts: impl Iterator<Item = Part>,
    payload: &impl Payload,
    key: Key,
) -> bool {
    parts.any(|part| part.probe(key, |bit| payload.bit(bit)))
}

#[inline]
pub(crate) fn find(mut parts: impl Iterator<Item = Part>, words: &[u64], key: Key) -> bool {
    parts.any(|part| part.shape.find(part.words(words), key))
}

/// The same for several keys, part by part, so that their cache misses overlap.
pub(crate) fn find_batch<I: Iterator<Item = Part>>(
    parts: impl Fn() -> I,
    words: &[u64],
    keys: &[Key],
    out: &mut [bool],
) {
    for (keys, out) in keys.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
        out.fill(false);
        for part in parts() {
            let mut found = [false; TOGETHER];
            let found = &mut found[..keys.len()];
            part.shape.find_batch(part.words(words), keys, found);
            out.iter_mut().zip(found).for_each(|(out, f)| *out |= *f);
            if out.iter().all(|o| *o) {
                break;
            }
        }
    }
}

/// The bits that a key has in each part, if that is where it is.
pub(crate) fn positions(parts: impl Iterator<Item = Part>, key: Key) -> Vec<u64> {
    let mut bits = Vec::new();
    for part in parts {
        part.probe(key, |bit| {
            bits.push(bit);
            true
        });
    }
    bits
}

/// The expected rate of several filters that are all asked: the chance that one passes a key does not depend on the others.
#[cfg(feature = "std")]
pub(crate) fn any_of(rates: impl Iterator<Item = f64>) -> f64 {
    rates.fold(0.0, |all, one| all + (1.0 - all) * one)
}

/// The rate of all parts together, from their bits (spec/model.md 12 and 14). Parts of one line a key are looked at together: where
/// two of them are damaged, no key may have both places, or each that has one.
#[cfg(feature = "std")]
pub(crate) fn rate(parts: impl Iterator<Item = Part>, words: &[u64]) -> f64 {
    let (lines, two_lines): (Vec<Part>, Vec<Part>) =
        parts.partition(|part| part.shape.profile_of_blocks() != Profile::TwoLines);
    let two_lines: f64 = two_lines.iter().map(|part| part.rate(words)).sum();
    let passing = match (lines.first(), lines.last()) {
        (Some(first), Some(last)) => {
            let of = |block| passing(&lines, words, block, 0.0);
            (0..first.shape.units()).map(of).sum::<f64>() / last.shape.units() as f64
        }
        _ => 0.0,
    };
    let load = |part: &Part| part.keys(words) / part.shape.units() as f64;
    let load = lines.iter().map(load).sum();
    (crate::model::with_collisions(passing, load, 32) + two_lines).min(1.0)
}

/// The chance that a part passes a random key, summed over the blocks of the last part that lie in a block of the first: blocks are
/// intervals of hashes, and each lies in one of the part before. `before`: the chance that a part before the first passes it.
#[cfg(feature = "std")]
fn passing(parts: &[Part], words: &[u64], block: u64, before: f64) -> f64 {
    let first = &parts[0];
    let own = first.shape.passing(first.words(words), block);
    let passed = before + (1.0 - before) * own;
    match parts.get(1) {
        None => passed,
        Some(next) => {
            let within = next.shape.units() / first.shape.units();
            (block * within..(block + 1) * within)
                .map(|block| passing(&parts[1..], words, block, passed))
                .sum()
        }
    }
}

/// Keys of all parts; one that is in two counts twice.
#[cfg(feature = "std")]
pub(crate) fn keys(parts: impl Iterator<Item = Part>, words: &[u64]) -> f64 {
    parts.map(|part| part.keys(words)).sum()
}
