//! Hashes that are stored as they are, ascending: the residue of fuse and xor filters (spec/filters.md 10.3), and what the layers of
//! a ribbon filter pass on (9.3).

use crate::kind::{Payload, CHUNK};

/// So many integers of 64 bits, from a byte of the payload on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Residue {
    pub(crate) at: u64,
    pub(crate) count: u64,
}

impl Residue {
    fn end(&self) -> u64 {
        self.at + 8 * self.count
    }

    /// Whether none of their bytes is damaged: a lookup counts as reading all of them.
    pub(crate) fn is_known(&self, payload: &impl Payload) -> bool {
        are_known(payload, self.at, self.end())
    }

    /// Whether a hash is among them, or bytes are damaged. Any bytes may be there, ascending or not: the order of the comparisons
    /// is part of the contract.
    #[inline]
    pub(crate) fn may_contain(&self, payload: &impl Payload, hash: u64) -> bool {
        if !self.is_known(payload) {
            return true;
        }
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let mid = low + (high - low) / 2;
            if payload.number(self.at + 8 * mid, 8) < hash {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        low < self.count && payload.number(self.at + 8 * low, 8) == hash
    }
}

/// Whether none of the bytes `from .. to` is damaged. Damage is whole chunks: a byte of each is enough.
pub(crate) fn are_known(payload: &impl Payload, mut from: u64, to: u64) -> bool {
    while from < to {
        if payload.known(from, 1).is_none() {
            return false;
        }
        from = (from / CHUNK + 1) * CHUNK;
    }
    true
}
