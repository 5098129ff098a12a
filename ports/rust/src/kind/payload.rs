//! The bytes of a filter as lookups see them.

use super::damage::DamageMap;
use super::is_set;
use core::cell::Cell;

/// The bytes of a filter as a lookup reads them: words in memory, or a file whose chunks are checked on first use.
pub trait Payload {
    /// The number in the `bytes` bytes from `at` on, little-endian; at most 8, all of them in the payload.
    fn number(&self, at: u64, bytes: u32) -> u64;

    /// The same, or none where a byte of it is damaged: for kinds under the rule `possibly-present` that know what follows from that.
    #[inline]
    fn known(&self, at: u64, bytes: u32) -> Option<u64> {
        Some(self.number(at, bytes))
    }

    /// Whether none of so many bytes is damaged, however many: for kinds whose lookups depend on whole parts of the payload.
    #[inline]
    fn is_known(&self, at: u64, bytes: u64) -> bool {
        (at..at + bytes).all(|at| self.known(at, 1).is_some())
    }

    /// Whether a bit is set.
    fn bit(&self, bit: u64) -> bool {
        self.number(bit / 8, 1) >> (bit % 8) & 1 != 0
    }
}

/// Words of which no byte is in doubt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a>(pub(crate) &'a [u64]);

impl Payload for Words<'_> {
    #[inline]
    fn number(&self, at: u64, bytes: u32) -> u64 {
        let (word, shift) = ((at / 8) as usize, 8 * (at % 8) as u32);
        let mut value = self.0[word] >> shift;
        if shift + 8 * bytes > 64 {
            value |= self.0[word + 1] << (64 - shift);
        }
        value & low_bytes(bytes)
    }

    #[inline]
    fn is_known(&self, _: u64, _: u64) -> bool {
        true
    }

    #[inline]
    fn bit(&self, bit: u64) -> bool {
        is_set(self.0, bit)
    }
}

/// The lowest bytes of a word, at least one.
#[inline]
fn low_bytes(bytes: u32) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

/// Words of which some bytes are in doubt; those are zero, and reading one is noticed.
pub(crate) struct Doubtful<'a> {
    words: &'a [u64],
    damage: &'a DamageMap,
    met: Cell<bool>,
}

impl<'a> Doubtful<'a> {
    pub(crate) fn new(words: &'a [u64], damage: &'a DamageMap) -> Self {
        Doubtful {
            words,
            damage,
            met: Cell::new(false),
        }
    }

    /// Whether a damaged byte was read.
    pub(crate) fn met_damage(&self) -> bool {
        self.met.get()
    }
}

impl Payload for Doubtful<'_> {
    fn number(&self, at: u64, bytes: u32) -> u64 {
        if self.damage.touches(at, u64::from(bytes)) {
            self.met.set(true);
        }
        Words(self.words).number(at, bytes)
    }

    fn known(&self, at: u64, bytes: u32) -> Option<u64> {
        if self.damage.touches(at, u64::from(bytes)) {
            return None;
        }
        Some(Words(self.words).number(at, bytes))
    }

    fn is_known(&self, at: u64, bytes: u64) -> bool {
        !self.damage.touches(at, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Every place and width, beside the definition: byte by byte.
    #[test]
    fn numbers_at_every_place() {
        let bytes: Vec<u8> = (0..32u8).map(|i| i.wrapping_mul(37)).collect();
        let words = crate::words::from_bytes(&bytes).unwrap();
        for at in 0..24u64 {
            for width in 1..=8u32 {
                let place = at as usize..at as usize + width as usize;
                let mut wanted = [0; 8];
                wanted[..width as usize].copy_from_slice(&bytes[place]);
                assert_eq!(Words(&words).number(at, width), u64::from_le_bytes(wanted));
            }
        }
    }
}
