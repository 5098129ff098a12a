//! The toy filter, a kind of the tests: a classic one that uses every stride-th number of its generator.

use crate::container::Header;
use crate::error::Error;
use crate::hash::Key;
use crate::kind::{Facts, Payload, ReadOnly, Rule};
use crate::words::mulhi;
use alloc::vec::Vec;

const MAX_BITS: u64 = 1 << 48;
const MAX_STRIDE: u8 = 16;

/// Bits, hashes and stride.
#[derive(Clone, Debug)]
pub struct Toy {
    bits: u64,
    hashes: u32,
    stride: u8,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Toy>;

impl Toy {
    fn walk(&self, key: Key) -> impl Iterator<Item = u64> {
        let (bits, stride) = (self.bits, self.stride);
        let mut state = key.raw() | 1;
        (0..self.hashes).map(move |_| {
            for _ in 0..stride {
                state = state.wrapping_mul(0xf135_7aea_2e62_a9c5);
            }
            mulhi(state, bits)
        })
    }
}

impl Rule for Toy {
    const FACTS: &'static Facts = &crate::kinds::TOY;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let stride = h.parameters[0];
        h.expect_units(h.units >= 1 && h.units <= MAX_BITS)?;
        h.expect_parameter(0, (1..=MAX_STRIDE).contains(&stride))?;
        Ok(Toy {
            bits: h.units,
            hashes: h.hashes,
            stride,
        })
    }

    fn bits(&self) -> u64 {
        self.bits
    }

    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.walk(key).all(|bit| payload.bit(bit))
    }

    /// The bits of a key.
    fn positions(&self, key: Key) -> Option<Vec<u64>> {
        Some(self.walk(key).collect())
    }
}
