//! Bloom sections: k, m, and bits of which a key has k.

use super::{number, Cells, Opened, Parts, Places};
use crate::error::Error;
use crate::hash::{xxh64, Hasher};
use crate::kind::bytes_of;
use core::ops::Range;

/// A lookup takes no more steps, whatever k is: testing fewer bits never causes a false negative.
const MOST_STEPS: u64 = 4096;

/// How a key becomes two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The halves of FNV-1a and SplitMix64.
    Portable,
    /// XXH64 with seeds 0 and 1.
    TwoSeeds,
    /// XXH64, and the same turned by 33 bits.
    Turned,
}

/// An array of bits: bit i of a key is (first + i * second) mod m.
#[derive(Clone, Debug)]
pub(super) struct Section {
    rule: Rule,
    hashes: u64,
    bits: u64,
    at: usize,
}

impl Section {
    /// The array must lie in the bytes, at `at`.
    pub(super) fn new(rule: Rule, hashes: u64, bits: u64, at: usize) -> Self {
        Section {
            rule,
            hashes,
            bits,
            at,
        }
    }

    pub(super) fn bits(&self) -> u64 {
        self.bits
    }

    pub(super) fn hashes(&self) -> u64 {
        self.hashes
    }

    /// The same in a file that begins so much earlier.
    pub(super) fn moved(self, by: usize) -> Self {
        Section {
            at: self.at + by,
            ..self
        }
    }

    pub(super) fn place(&self) -> Range<usize> {
        self.at..self.at + bytes_of(self.bits) as usize
    }

    pub(super) fn may_contain(&self, bytes: &[u8], key: &[u8]) -> bool {
        if self.bits == 0 {
            return false;
        }
        let (first, second, most) = match self.rule {
            Rule::Portable => {
                let h = Hasher::FnvSplitMix.key(key).raw();
                (h & 0xffff_ffff, h >> 32, self.bits)
            }
            Rule::TwoSeeds => (xxh64(key, 0), xxh64(key, 1), MOST_STEPS),
            Rule::Turned => {
                let h = xxh64(key, 0);
                (h, h.rotate_right(33).max(1), MOST_STEPS)
            }
        };
        let array = &bytes[self.place()];
        (0..self.hashes.min(most)).all(|i| {
            let bit = first.wrapping_add(i.wrapping_mul(second)) % self.bits;
            array[(bit / 8) as usize] >> (bit % 8) & 1 != 0
        })
    }
}

/// k (u32), m (u64), bits: a section that portable filters and nori's share, up to the hash. It ends with the bytes.
pub(super) fn k_m_bits(b: &[u8], rule: Rule, may_be_empty: bool) -> Result<Section, Error> {
    if b.len() < 12 {
        return Err(Error::corrupt(
            b.len() as u64,
            "shorter than the header of a filter",
        ));
    }
    let (k, m) = (number(b, 0, 4), number(b, 4, 8));
    let empty = m == 0 && may_be_empty;
    if k == 0 && !empty {
        return Err(Error::corrupt(0, "a filter of no hashes"));
    }
    if m == 0 && !may_be_empty {
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
    Ok(Section::new(rule, k, m, 12))
}

/// A file that is a section behind its header.
pub(super) fn opened(variant: &'static str, section: Section) -> Opened {
    let places = Places {
        form: alloc::vec![0..section.at],
        ..Places::default()
    };
    (variant, Parts::One(Cells::Section(section)), places)
}

/// The bare portable filter.
pub(super) fn portable(b: &[u8]) -> Result<Section, Error> {
    k_m_bits(b, Rule::Portable, false)
}
