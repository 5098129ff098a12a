//! The stable filter (spec/filters.md 13): small cells that every insert sets for its key and decreases elsewhere. It *forgets*, by
//! design: it keeps recent keys only, and "definitely not present" means not inserted, or forgotten.

use crate::bloom::walk_of;
use crate::container::Header;
use crate::error::Error;
use crate::hash::Key;
use crate::kind::{Facts, Payload, ReadOnly, Rule};
use alloc::vec::Vec;

const MAX_CELLS: u64 = 1 << 46;

/// Cells, their width, and how many a key has.
#[derive(Clone, Debug)]
pub struct Stable {
    cells: u64,
    /// Bits of a cell: 1, 2 or 4.
    cell_bits: u64,
    hashes: u32,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Stable>;

impl Rule for Stable {
    const FACTS: &'static Facts = &crate::kinds::STABLE;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let p = &h.parameters;
        let number = |at: usize| u32::from_le_bytes([p[at], p[at + 1], p[at + 2], p[at + 3]]);
        let (fraction, decrement) = (number(12), u64::from(number(16)));
        let (cell_bits, max) = (p[20], p[21]);
        h.expect_units(h.units >= 1 && h.units <= MAX_CELLS)?;
        h.expect_parameter(20, matches!(cell_bits, 1 | 2 | 4))?;
        h.expect_parameter(21, max >= 1 && u32::from(max) < 1 << cell_bits)?;
        let all = decrement == h.units && fraction == 0;
        h.expect_parameter(16, decrement < h.units || all)?;
        Ok(Stable {
            cells: h.units,
            cell_bits: cell_bits.into(),
            hashes: h.hashes,
        })
    }

    fn bits(&self) -> u64 {
        self.cells * self.cell_bits
    }

    /// A cell in a damaged chunk counts as not 0.
    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        let mask = (1 << self.cell_bits) - 1;
        walk_of(self.cells, self.hashes, key).all(|cell| {
            let bit = cell * self.cell_bits;
            let byte = payload.known(bit / 8, 1);
            byte.map_or(true, |b| b >> (bit % 8) & mask != 0)
        })
    }

    /// The cells of a key.
    fn positions(&self, key: Key) -> Option<Vec<u64>> {
        Some(walk_of(self.cells, self.hashes, key).collect())
    }
}
