//! The counting filter (spec/filters.md 8): a small counter in the place of each bit.

use crate::block::lane_positions;
use crate::bloom::walk_of;
use crate::container::Header;
use crate::error::Error;
use crate::hash::Key;
use crate::kind::{Facts, Payload, ReadOnly, Rule};
use crate::words::mulhi;
use alloc::vec::Vec;

const MAX_CELLS: u64 = 1 << 46;
const BLOCK_CELLS: u64 = 128;
/// The number of the layout line in files; that of flat is 0. Its blocks have the lanes of this profile of block filters.
const LINE: u8 = 5;

/// Cells and their width; of a line, the cells of a key lie in 8 lanes of a block.
#[derive(Clone, Debug)]
pub struct Counting {
    line: bool,
    hashes: u32,
    cells: u64,
    /// Bits of a cell: 4, 8 or 32.
    cell_bits: u32,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Counting>;

impl Counting {
    /// Gives the cells of a key, some possibly twice, to `visit`, as long as that answers true; reports whether it always did.
    #[inline]
    fn probe(&self, key: Key, visit: impl FnMut(u64) -> bool) -> bool {
        if self.line {
            let block = mulhi(key.raw(), self.cells / BLOCK_CELLS);
            return lane_positions(key.raw(), block).all(visit);
        }
        walk_of(self.cells, self.hashes, key).all(visit)
    }

    /// Whether a cell is not 0; a damaged one counts so.
    #[inline]
    fn is_set(&self, payload: &impl Payload, cell: u64) -> bool {
        if self.cell_bits == 4 {
            let byte = payload.known(cell / 2, 1);
            return byte.map_or(true, |b| b >> (4 * (cell % 2)) & 15 != 0);
        }
        let bytes = self.cell_bits / 8;
        payload.known(cell * u64::from(bytes), bytes) != Some(0)
    }
}

impl Rule for Counting {
    const FACTS: &'static Facts = &crate::kinds::COUNTING;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let line = h.profile == LINE;
        h.expect_hashes(!line || h.hashes == 8)?;
        let whole = !line || h.units % BLOCK_CELLS == 0;
        h.expect_units(h.units >= 1 && h.units <= MAX_CELLS && whole)?;
        let cell_bits = u32::from(h.parameters[8]);
        h.expect_parameter(8, matches!(cell_bits, 4 | 8 | 32))?;
        Ok(Counting {
            line,
            hashes: h.hashes,
            cells: h.units,
            cell_bits,
        })
    }

    fn bits(&self) -> u64 {
        self.cells * u64::from(self.cell_bits)
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.probe(key, |cell| self.is_set(payload, cell))
    }

    /// The cells of a key, each once.
    fn positions(&self, key: Key) -> Option<Vec<u64>> {
        let mut cells = Vec::new();
        self.probe(key, |cell| {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
            true
        });
        Some(cells)
    }
}
