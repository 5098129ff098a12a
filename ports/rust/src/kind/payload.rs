//! The bytes of a filter as lookups and changes see them.

use super::damage::DamageMap;
use super::is_set;
use crate::error::{Code, Error};
use alloc::vec::Vec;
use core::cell::Cell;

/// The bytes of a filter as a lookup reads them: words in memory, or a file whose chunks are checked on first use.
pub trait Payload {
    /// The number in the `bytes` bytes from `at` on, little-endian; at most 8, all of them in the payload.
    fn number(&self, at: u64, bytes: u32) -> u64;

    /// The same, or none where a byte of it is damaged: for kinds under the rule `perhaps` that know what follows from that.
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

/// The bytes of a filter that a call changes. A call that reads or writes a damaged byte is refused, and what it had changed
/// by then is put back.
pub struct Cells<'a> {
    words: &'a mut [u64],
    damage: &'a DamageMap,
    met: Cell<bool>,
    /// Words as they were, where a call can turn out to be refused.
    before: Vec<(usize, u64)>,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(words: &'a mut [u64], damage: &'a DamageMap) -> Self {
        Cells {
            words,
            damage,
            met: Cell::new(false),
            before: Vec::new(),
        }
    }

    /// All words: for kinds under the rule `ones`, none of whose bytes is in doubt.
    #[inline]
    pub(crate) fn words(&mut self) -> &mut [u64] {
        self.words
    }

    /// Writes a number to the `bytes` bytes from `at` on, little-endian; at most 8.
    pub fn set_number(&mut self, at: u64, bytes: u32, value: u64) {
        if self.damage.touches(at, u64::from(bytes)) {
            self.met.set(true);
        }
        let (word, shift) = ((at / 8) as usize, 8 * (at % 8) as u32);
        let mask = low_bytes(bytes);
        self.replace(word, mask << shift, value << shift);
        if shift + 8 * bytes > 64 {
            self.replace(word + 1, mask >> (64 - shift), value >> (64 - shift));
        }
    }

    fn replace(&mut self, word: usize, mask: u64, value: u64) {
        if !self.damage.is_empty() {
            self.before.push((word, self.words[word]));
        }
        self.words[word] = self.words[word] & !mask | value & mask;
    }

    /// The result of a call, unless it met damage.
    pub(crate) fn settle<T>(self, result: Result<T, Error>) -> Result<T, Error> {
        if !self.met.get() {
            return result;
        }
        for (word, value) in self.before.into_iter().rev() {
            self.words[word] = value;
        }
        Err(in_doubt())
    }
}

impl Payload for Cells<'_> {
    fn number(&self, at: u64, bytes: u32) -> u64 {
        if self.damage.touches(at, u64::from(bytes)) {
            self.met.set(true);
        }
        Words(self.words).number(at, bytes)
    }
}

pub(crate) fn in_doubt() -> Error {
    Error::new(
        Code::Corrupt,
        "the call needs bytes that are damaged: read the filter from an intact file",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place and width, beside the definition: byte by byte.
    #[test]
    fn numbers_at_every_place() {
        let bytes: Vec<u8> = (0..32u8).map(|i| i.wrapping_mul(37)).collect();
        let words = crate::words::from_bytes(&bytes).unwrap();
        for at in 0..24u64 {
            for width in 1..=8u32 {
                let place = at as usize..at as usize + width as usize;
                let mut wanted = [0; 8];
                wanted[..width as usize].copy_from_slice(&bytes[place.clone()]);
                assert_eq!(Words(&words).number(at, width), u64::from_le_bytes(wanted));
                let mut changed = words.clone();
                let value = 0x8877_6655_4433_2211u64;
                Cells::new(&mut changed, &DamageMap::NONE).set_number(at, width, value);
                let mut expected = bytes.clone();
                expected[place].copy_from_slice(&value.to_le_bytes()[..width as usize]);
                let mut got = Vec::new();
                crate::words::to_bytes(&changed, 32, &mut got);
                assert_eq!(got, expected);
            }
        }
    }

    #[test]
    fn a_call_that_meets_damage_changes_nothing() {
        let mut damage = DamageMap::default();
        damage.add(1).unwrap();
        let mut words = alloc::vec![7u64; 1024];
        let mut cells = Cells::new(&mut words, &damage);
        cells.set_number(0, 8, 1);
        cells.set_number(3, 2, 9);
        assert!(cells.settle(Ok(())).is_ok());
        assert_ne!(words[0], 7);
        words[0] = 7;
        let mut cells = Cells::new(&mut words, &damage);
        cells.set_number(0, 8, 1);
        cells.set_number(4, 8, 2);
        cells.set_number(4095, 2, 3);
        let e = cells.settle(Ok(())).unwrap_err();
        assert_eq!(e.code(), Code::Corrupt);
        assert!(words.iter().all(|w| *w == 7));
        let cells = Cells::new(&mut words, &damage);
        cells.number(4096, 1);
        assert!(cells.settle(Ok(())).is_err());
    }
}
