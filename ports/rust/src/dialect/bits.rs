//! Bloom sections: k, m, and bits of which a key has k.

use super::{number, Cells, Opened, Parts, Places};
use crate::error::Error;
use crate::hash::Hasher;
use crate::kind::bytes_of;
use core::ops::Range;

/// An array of bits: bit i of a key is (first + i * second) mod m.
#[derive(Clone, Debug)]
pub(super) struct Section {
    hashes: u64,
    bits: u64,
    at: usize,
}

impl Section {
    /// The array must lie in the bytes, at `at`.
    pub(super) fn new(hashes: u64, bits: u64, at: usize) -> Self {
        Section { hashes, bits, at }
    }

    pub(super) fn bits(&self) -> u64 {
        self.bits
    }

    pub(super) fn hashes(&self) -> u64 {
        self.hashes
    }

    pub(super) fn place(&self) -> Range<usize> {
        self.at..self.at + bytes_of(self.bits) as usize
    }

    pub(super) fn may_contain(&self, bytes: &[u8], key: &[u8]) -> bool {
        let h = Hasher::FnvSplitMix.key(key).raw();
        let (first, second) = (h & 0xffff_ffff, h >> 32);
        // After as many steps as there are bits the walk repeats itself.
        let steps = self.hashes.min(self.bits);
        let array = &bytes[self.place()];
        (0..steps).all(|i| {
            let bit = first.wrapping_add(i.wrapping_mul(second)) % self.bits;
            array[(bit / 8) as usize] >> (bit % 8) & 1 != 0
        })
    }
}

/// The bare portable filter: k (u32), m (u64), bits. It ends with the bytes.
pub(super) fn portable(b: &[u8]) -> Result<Section, Error> {
    if b.len() < 12 {
        return Err(Error::corrupt(
            b.len() as u64,
            "shorter than the header of a filter",
        ));
    }
    let (k, m) = (number(b, 0, 4), number(b, 4, 8));
    if k == 0 {
        return Err(Error::corrupt(0, "a filter of no hashes"));
    }
    if m == 0 {
        return Err(Error::corrupt(4, "a filter of no bits"));
    }
    let body = (b.len() - 12) as u64;
    if body < bytes_of(m) {
        return Err(Error::corrupt(
            b.len() as u64,
            "fewer bytes than the header promises",
        ));
    }
    if body > bytes_of(m) {
        return Err(Error::corrupt(
            12 + bytes_of(m),
            "more bytes than the header promises",
        ));
    }
    Ok(Section::new(k, m, 12))
}

/// A file that is a section behind its header.
pub(super) fn opened(variant: &'static str, section: Section) -> Opened {
    let places = Places {
        form: alloc::vec![0..section.at],
        ..Places::default()
    };
    (variant, Parts::One(Cells::Section(section)), places)
}
