//! The counting filter (spec/filters.md 8), as it is read: a small counter in the place of each bit.

use crate::block::{lane_positions, Profile};
use crate::bloom::Classic;
use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{
    bytes_of, BitKind, Call, Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, Words,
    ANY_HASH,
};
use crate::{words, AnyFilter, Block};
use alloc::vec::Vec;

const MAX_CELLS: u64 = 1 << 46;
const BLOCK_CELLS: u64 = 128;
#[cfg(feature = "std")]
const LANE_CELLS: u64 = 16;
/// The number of the layout line in files; that of flat is 0. Its blocks have the lanes of this profile of block filters.
const LINE: u8 = 5;
/// What `count` answers where all cells of a key have lost count, or are damaged.
const UNKNOWN: u64 = u64::MAX;

/// Where the cells of a key lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One in each of 8 lanes of a block.
    Line,
    /// Anywhere; so many of them.
    Flat(u32),
}

/// The shape of a counting filter: layout, cells and their width, identity, hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counting {
    layout: Layout,
    cells: u64,
    /// Bits of a cell: 4, 8 or 32.
    cell_bits: u32,
    identity: u64,
    hasher: Hasher,
}

/// A filter of counters. It comes out of a container, and is asked and written again: keys are inserted and erased by the program
/// that made it.
pub type CountingFilter = FilterOf<Counting>;

impl Counting {
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: 7,
        name: "counting",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0, LINE],
        k: HashCount::Between(1, 64),
        units: "cells",
        limit: Some(("max_units", MAX_CELLS)),
        payload: "cells",
        parameters: &[
            Parameter {
                name: "identity",
                bytes: 8,
            },
            Parameter {
                name: "cell_bits",
                bytes: 1,
            },
        ],
        damage: Damage::Perhaps,
        sentinels: false,
        keys: false,
        forgets: false,
        can: &[Call::Count],
    };

    /// So many cells of 4, 8 or 32 bits; in lines, a multiple of 128.
    pub fn new(
        layout: Layout,
        cells: u64,
        cell_bits: u32,
        identity: u64,
        hasher: Hasher,
    ) -> Result<Self, Error> {
        let fits = match layout {
            Layout::Line => cells % BLOCK_CELLS == 0,
            Layout::Flat(hashes) => hashes >= 1,
        };
        if !fits || cells == 0 || !matches!(cell_bits, 4 | 8 | 32) {
            return Err(Error::invalid(
                "a counting filter has cells of 4, 8 or 32 bits, in whole blocks, and at least one hash",
            ));
        }
        if cells > MAX_CELLS || matches!(layout, Layout::Flat(hashes) if hashes > 64) {
            let what = "a counting filter has at most 2^46 cells and 64 hashes";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Counting {
            layout,
            cells,
            cell_bits,
            identity,
            hasher,
        })
    }

    /// The number that its maker chose to tell filters of one shape apart; 0 if none.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// From this value on a cell has lost count.
    fn sticky(&self) -> u64 {
        1 << (self.cell_bits - 1)
    }

    /// Gives the cells of a key, some possibly twice, to `visit`, as long as that answers true; reports whether it always did.
    #[inline]
    fn probe(&self, key: Key, mut visit: impl FnMut(u64) -> bool) -> bool {
        match self.layout {
            Layout::Line => {
                let blocks = u128::from(self.cells / BLOCK_CELLS);
                let block = ((u128::from(key.raw()) * blocks) >> 64) as u64;
                lane_positions(key.raw(), block).all(visit)
            }
            Layout::Flat(hashes) => match Classic::new(self.cells, hashes, self.hasher) {
                Ok(bits) => bits.probe(key, visit),
                Err(_) => visit(0), // Cells and hashes are within the limits of the classic filter.
            },
        }
    }

    /// The value of a cell; none if it is damaged.
    #[inline]
    fn cell(&self, payload: &impl Payload, cell: u64) -> Option<u64> {
        if self.cell_bits == 4 {
            return Some(payload.known(cell / 2, 1)? >> (4 * (cell % 2)) & 15);
        }
        let bytes = self.cell_bits / 8;
        payload.known(cell * u64::from(bytes), bytes)
    }

    /// Whether a cell is not 0; a damaged one counts so.
    #[inline]
    fn is_set(&self, payload: &impl Payload, cell: u64) -> bool {
        self.cell(payload, cell) != Some(0)
    }

    fn set_cells(&self, payload: &impl Payload) -> u64 {
        let set = (0..self.cells).filter(|c| self.is_set(payload, *c));
        set.count() as u64
    }

    /// That of the filter of bits with one for each cell that is not 0.
    #[cfg(feature = "std")]
    fn keys(&self, set: u64) -> f64 {
        match self.layout {
            Layout::Line => {
                let blocks = self.cells / BLOCK_CELLS;
                crate::model::block_keys(LANE_CELLS as u32, blocks, self.cells, set)
            }
            Layout::Flat(hashes) => crate::model::classic_keys(self.cells, hashes, set),
        }
    }

    /// The same.
    #[cfg(feature = "std")]
    fn rate(&self, payload: &impl Payload) -> f64 {
        let hashes = match self.layout {
            Layout::Line => return self.rate_of_lines(payload),
            Layout::Flat(hashes) => hashes,
        };
        let set = self.set_cells(payload);
        let by_chance = (set as f64 / self.cells as f64).powi(hashes as i32);
        crate::model::with_collisions(by_chance, self.keys(set), 63)
    }

    #[cfg(feature = "std")]
    fn rate_of_lines(&self, payload: &impl Payload) -> f64 {
        let blocks = self.cells / BLOCK_CELLS;
        let (mut sum, mut all) = (0u128, 0);
        for block in 0..blocks {
            let mut product = 1;
            for lane in 0..8 {
                let from = block * BLOCK_CELLS + lane * LANE_CELLS;
                let set = (from..from + LANE_CELLS).filter(|c| self.is_set(payload, *c));
                let set = set.count() as u64;
                product *= set; // at most 16^8 = 2^32
                all += set;
            }
            sum += u128::from(product);
        }
        let passing = sum as f64 / 2f64.powi(32) / blocks as f64;
        crate::model::block_realised_fpr(1, blocks, passing, self.keys(all))
    }
}

impl Kind for Counting {
    const KINDS: &'static [&'static Facts] = &[&Counting::FACTS];

    type Calls = Counting;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        self.cells * u64::from(self.cell_bits)
    }

    fn hashes(&self) -> u32 {
        match self.layout {
            Layout::Line => 8,
            Layout::Flat(hashes) => hashes,
        }
    }

    fn units(&self) -> u64 {
        self.cells
    }

    fn profile(&self) -> u8 {
        match self.layout {
            Layout::Line => LINE,
            Layout::Flat(_) => 0,
        }
    }

    fn parameters(&self) -> [u8; 24] {
        let mut p = [0; 24];
        p[..8].copy_from_slice(&self.identity.to_le_bytes());
        p[8] = self.cell_bits as u8;
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let line = h.profile == LINE;
        h.expect_hashes(!line || h.hashes == 8)?;
        let whole = !line || h.units % BLOCK_CELLS == 0;
        h.expect_units(h.units >= 1 && h.units <= MAX_CELLS && whole)?;
        let cell_bits = u32::from(h.parameters[8]);
        h.expect_parameter(8, matches!(cell_bits, 4 | 8 | 32))?;
        h.expect_payload(bytes_of(h.units * u64::from(cell_bits)))?;
        let mut identity = [0; 8];
        identity.copy_from_slice(&h.parameters[..8]);
        let layout = if line {
            Layout::Line
        } else {
            Layout::Flat(h.hashes)
        };
        let identity = u64::from_le_bytes(identity);
        Counting::new(layout, h.units, cell_bits, identity, hasher)
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.probe(key, |cell| self.is_set(payload, cell))
    }

    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        let n = keys as f64;
        match self.layout {
            Layout::Line => {
                let (width, lanes) = (LANE_CELLS as u32, Profile::Lanes16.lanes());
                crate::model::block_fpr(width, lanes, 1, self.cells / BLOCK_CELLS, n)
            }
            Layout::Flat(k) => {
                let rate = crate::model::classic_fpr(self.cells as f64, f64::from(k), n);
                rate + n / 2f64.powi(63)
            }
        }
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], _: u64) -> f64 {
        self.rate(&Words(words))
    }

    #[cfg(feature = "std")]
    fn damaged_fpr(&self, payload: &impl Payload, _: &[u64], _: u64, _: f64) -> f64 {
        self.rate(payload)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], _: u64) -> f64 {
        self.keys(self.set_cells(&Words(words)))
    }

    #[cfg(feature = "std")]
    fn damaged_keys(&self, payload: &impl Payload, _: &[u64], _: u64) -> f64 {
        self.keys(self.set_cells(payload))
    }

    fn fill_of(&self, payload: &impl Payload, _: u64) -> f64 {
        self.set_cells(payload) as f64 / self.cells as f64
    }
}

impl CountingFilter {
    /// How many cells have lost count: erasing does not empty them. Damaged ones are not among them.
    pub fn stuck_cells(&self) -> u64 {
        let (kind, words) = (self.kind(), Words(self.words()));
        // Damaged bytes are zero in the words.
        let stuck = |cell: &u64| kind.cell(&words, *cell) >= Some(kind.sticky());
        (0..kind.cells).filter(stuck).count() as u64
    }

    /// The filter of bits, one for each cell that is not 0: a classic filter or, of lines, a block filter of the profile `Lanes16`.
    /// If no cell is stuck it is, to the bit, the filter of the same keys. A damaged filter is refused (`corrupt`).
    pub fn to_bloom(&self) -> Result<AnyFilter, Error> {
        self.must_be_whole()?;
        let kind = self.kind();
        let mut bits = words::zeros(kind.cells)?;
        for cell in (0..kind.cells).filter(|c| kind.is_set(&Words(self.words()), *c)) {
            bits[(cell / 64) as usize] |= 1 << (cell % 64);
        }
        let shape = match kind.layout {
            Layout::Line => {
                Block::new(Profile::Lanes16, kind.cells / BLOCK_CELLS, kind.hasher)?.into()
            }
            Layout::Flat(hashes) => Classic::new(kind.cells, hashes, kind.hasher)?.into(),
        };
        Ok(FilterOf::from_parts(shape, bits).with_capacity(self.capacity()))
    }
}

impl Calls<Counting> for Counting {
    /// The least of the cells; those that have lost count or are damaged tell nothing.
    fn count(kind: &Self, payload: &impl Payload, key: Key) -> Result<u64, Error> {
        let mut least = kind.sticky();
        kind.probe(key, |cell| {
            least = least.min(kind.cell(payload, cell).unwrap_or(least));
            true
        });
        Ok(if least < kind.sticky() {
            least
        } else {
            UNKNOWN
        })
    }

    /// The cells of a key, each once.
    fn positions(kind: &Self, key: Key) -> Result<Vec<u64>, Error> {
        let mut cells = Vec::new();
        kind.probe(key, |cell| {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
            true
        });
        Ok(cells)
    }
}
