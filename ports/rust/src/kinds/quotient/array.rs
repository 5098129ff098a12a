//! The payload of a quotient filter (spec/filters.md 15.1): blocks of 64 slots, then an offset for each.

use super::Quotient;
use crate::kind::Payload;

/// An offset that is not a distance: the true one is this or more.
pub(super) const SATURATED: u64 = 255;

/// The place of the n-th bit that is 1, from 0 on; there are more.
#[inline]
pub(super) fn select(mut word: u64, n: u64) -> u64 {
    for _ in 0..n {
        word &= word - 1;
    }
    u64::from(word.trailing_zeros())
}

impl Quotient {
    #[inline]
    fn block_bytes(&self) -> u64 {
        8 * u64::from(self.remainder_bits + 2)
    }

    /// Where the offset of a block lies.
    #[inline]
    fn offset_at(&self, block: u64) -> u64 {
        self.blocks * self.block_bytes() + block
    }

    /// The bytes of the payload.
    pub(super) fn length(&self) -> u64 {
        (self.offset_at(self.blocks) + 7) / 8 * 8
    }

    /// Whether no byte of a block is damaged.
    #[inline]
    pub(super) fn is_whole(&self, payload: &impl Payload, block: u64) -> bool {
        payload.is_known(block * self.block_bytes(), self.block_bytes())
    }

    /// The offset of a block; none if it is damaged.
    #[inline]
    pub(super) fn offset(&self, payload: &impl Payload, block: u64) -> Option<u64> {
        payload.known(self.offset_at(block), 1)
    }

    /// The bytes after the last offset.
    pub(super) fn rest(&self, payload: &impl Payload) -> u64 {
        let at = self.offset_at(self.blocks);
        match self.length() - at {
            0 => 0,
            bytes => payload.number(at, bytes as u32),
        }
    }

    #[inline]
    fn word(&self, payload: &impl Payload, block: u64, word: u64) -> u64 {
        payload.number(block * self.block_bytes() + 8 * word, 8)
    }

    /// A bit for each quotient of a block that has a run.
    #[inline]
    pub(super) fn occupieds(&self, payload: &impl Payload, block: u64) -> u64 {
        self.word(payload, block, 0)
    }

    #[inline]
    pub(super) fn is_occupied(&self, payload: &impl Payload, quotient: u64) -> bool {
        self.occupieds(payload, quotient / 64) >> (quotient % 64) & 1 != 0
    }

    /// A bit for each slot of a block that is the last of a run.
    #[inline]
    pub(super) fn runends(&self, payload: &impl Payload, block: u64) -> u64 {
        self.word(payload, block, 1)
    }

    /// What a slot holds.
    #[inline]
    pub(super) fn value(&self, payload: &impl Payload, slot: u64) -> u64 {
        let bit = |j: u32| self.word(payload, slot / 64, u64::from(j) + 2) >> (slot % 64) & 1;
        (0..self.remainder_bits).fold(0, |value, j| value | bit(j) << j)
    }

    /// Whether slots from one to another, not included, hold nothing and end no run.
    pub(super) fn are_free(&self, payload: &impl Payload, mut from: u64, to: u64) -> bool {
        while from < to {
            let block = from / 64;
            let end = to.min(64 * (block + 1));
            let mask = (u64::MAX >> (64 - (end - from))) << (from % 64);
            let words = 1..u64::from(self.remainder_bits) + 2;
            if words.fold(0, |all, j| all | self.word(payload, block, j)) & mask != 0 {
                return false;
            }
            from = end;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::select;

    #[test]
    fn every_bit_is_selected() {
        for word in [
            1,
            u64::MAX,
            1 << 63,
            0x8000_0000_0000_0001,
            0xf0f0_1234_0000_8008,
        ] {
            let bits: Vec<u64> = (0..64).filter(|i| word >> i & 1 == 1).collect();
            for (n, bit) in bits.iter().enumerate() {
                assert_eq!(select(word, n as u64), *bit);
            }
        }
    }
}
