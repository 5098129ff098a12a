//! What scalable and window filters share: block filters in one array, all of which a lookup reads.

use crate::block::Block;
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
