//! The stable filter (spec/filters.md 13), as it is read: small cells that every insert sets for its key and decreases elsewhere.

use crate::bloom::Classic;
use crate::container::Header;
use crate::cuckoo::mulhi;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{splitmix64, Hasher, Key, KeySource};
#[cfg(feature = "std")]
use crate::kind::Words;
use crate::kind::{
    bytes_of, BitKind, Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, ANY_HASH,
};
use alloc::vec::Vec;

const MAX_CELLS: u64 = 1 << 46;
const MAX_HASHES: u32 = 64;

/// The sizes of a stable filter, and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StableShape {
    /// Cells: 1 to 2^46.
    pub cells: u64,
    /// Bits of a cell: 1, 2 or 4.
    pub cell_bits: u32,
    /// What an insert sets the cells of its key to: at most what a cell holds.
    pub max: u8,
    /// Cells of a key: 1 to 64.
    pub hashes: u32,
    /// Cells that an insert decreases, the whole part; with the fraction not more than there are.
    pub decrement: u32,
    /// The fraction of that number, in 2^-32.
    pub fraction: u32,
    /// Of the generator that chooses which.
    pub seed: u32,
    /// Inserts so far.
    pub inserts: u64,
}

impl StableShape {
    fn max_fits(&self) -> bool {
        self.max >= 1 && u32::from(self.max) < 1 << self.cell_bits
    }

    fn decrement_fits(&self) -> bool {
        let whole = u64::from(self.decrement);
        whole < self.cells || whole == self.cells && self.fraction == 0
    }
}

/// The shape of a stable filter, and its hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stable {
    shape: StableShape,
    hasher: Hasher,
}

/// A filter that *forgets*, by design: it keeps recent keys only, and "definitely not present" means not inserted, or forgotten. How
/// likely that is after how many other keys, [`Stable::forgetting`] says. It comes out of a container, and is asked and written
/// again: keys are inserted by the program that made it.
pub type StableFilter = FilterOf<Stable>;

const fn parameter(name: &'static str, bytes: usize) -> Parameter {
    Parameter { name, bytes }
}

impl Stable {
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: 12,
        name: "stable",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(1, MAX_HASHES),
        units: "cells",
        limit: Some(("max_units", MAX_CELLS)),
        payload: "cells",
        parameters: &[
            parameter("inserts", 8),
            parameter("seed", 4),
            parameter("fraction", 4),
            parameter("decrement", 4),
            parameter("cell_bits", 1),
            parameter("max", 1),
        ],
        damage: Damage::Perhaps,
        sentinels: false,
        keys: false,
        forgets: true,
        can: &[],
    };

    /// A shape that the kind has.
    pub fn new(shape: StableShape, hasher: Hasher) -> Result<Self, Error> {
        if !matches!(shape.cell_bits, 1 | 2 | 4) || !shape.max_fits() {
            return Err(Error::invalid(
                "a stable filter has cells of 1, 2 or 4 bits, and sets them to what they hold and not to 0",
            ));
        }
        if shape.cells == 0 || shape.hashes == 0 || !shape.decrement_fits() {
            return Err(Error::invalid(
                "a stable filter has at least one cell and one hash, and decreases no more cells than it has",
            ));
        }
        if shape.cells > MAX_CELLS || shape.hashes > MAX_HASHES {
            let what = "a stable filter has at most 2^46 cells and 64 hashes";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Stable { shape, hasher })
    }

    /// Its sizes, and where it is.
    pub fn shape(&self) -> &StableShape {
        &self.shape
    }

    /// The cells that the next insert decreases, by those that there were: the first, and how many follow each other from there,
    /// around the end.
    pub fn decreases(&self) -> (u64, u64) {
        let s = &self.shape;
        let step = s.inserts.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let r = splitmix64(step.wrapping_add(s.seed.into()));
        let more = r & 0xffff_ffff < s.fraction.into();
        let steps = u64::from(s.decrement) + u64::from(more);
        (mulhi(r, s.cells), steps)
    }

    /// Gives the cells of a key, some possibly twice, to `visit`, as long as that answers true; reports whether it always did.
    #[inline]
    fn probe(&self, key: Key, mut visit: impl FnMut(u64) -> bool) -> bool {
        match Classic::new(self.shape.cells, self.shape.hashes, self.hasher) {
            Ok(bits) => bits.probe(key, visit),
            Err(_) => visit(0), // Cells and hashes are within the limits of the classic filter.
        }
    }

    /// Whether a cell is not 0; a damaged one counts so.
    #[inline]
    fn is_set(&self, payload: &impl Payload, cell: u64) -> bool {
        let bit = cell * u64::from(self.shape.cell_bits);
        let mask = (1 << self.shape.cell_bits) - 1;
        let byte = payload.known(bit / 8, 1);
        byte.map_or(true, |byte| byte >> (bit % 8) & mask != 0)
    }

    fn set_cells(&self, payload: &impl Payload) -> u64 {
        let set = (0..self.shape.cells).filter(|c| self.is_set(payload, *c));
        set.count() as u64
    }

    #[cfg(feature = "std")]
    fn rate(&self, payload: &impl Payload) -> f64 {
        let share = self.set_cells(payload) as f64 / self.shape.cells as f64;
        share.powi(self.shape.hashes as i32)
    }

    /// As many as would leave so many cells in a Bloom filter.
    #[cfg(feature = "std")]
    fn keys(&self, payload: &impl Payload) -> f64 {
        let set = self.set_cells(payload);
        crate::model::classic_keys(self.shape.cells, self.shape.hashes, set)
    }

    #[cfg(feature = "std")]
    fn model(&self) -> crate::model::StableModel {
        let s = &self.shape;
        let decrement = f64::from(s.decrement) + f64::from(s.fraction) / 2f64.powi(32);
        crate::model::StableModel::new(s.cells as f64, s.hashes, u32::from(s.max), decrement)
    }

    /// The rate that it settles at, however many keys come.
    #[cfg(feature = "std")]
    pub fn stable_fpr(&self) -> f64 {
        self.model().stable_fpr()
    }

    /// The chance that a key is not found any more after so many inserts of others.
    #[cfg(feature = "std")]
    pub fn forgetting(&self, inserts: u64) -> f64 {
        self.model().forgetting(inserts)
    }
}

impl Kind for Stable {
    const KINDS: &'static [&'static Facts] = &[&Stable::FACTS];

    type Calls = Stable;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        self.shape.cells * u64::from(self.shape.cell_bits)
    }

    fn hashes(&self) -> u32 {
        self.shape.hashes
    }

    fn units(&self) -> u64 {
        self.shape.cells
    }

    fn parameters(&self) -> [u8; 24] {
        let s = &self.shape;
        let mut p = [0; 24];
        p[..8].copy_from_slice(&s.inserts.to_le_bytes());
        for (to, number) in p[8..20]
            .chunks_exact_mut(4)
            .zip([s.seed, s.fraction, s.decrement])
        {
            to.copy_from_slice(&number.to_le_bytes());
        }
        p[20] = s.cell_bits as u8;
        p[21] = s.max;
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let p = &h.parameters;
        let number = |at: usize| u32::from_le_bytes([p[at], p[at + 1], p[at + 2], p[at + 3]]);
        let shape = StableShape {
            cells: h.units,
            cell_bits: p[20].into(),
            max: p[21],
            hashes: h.hashes,
            decrement: number(16),
            fraction: number(12),
            seed: number(8),
            inserts: u64::from(number(0)) | u64::from(number(4)) << 32,
        };
        // In the order of spec/container.md 8.
        h.expect_units((1..=MAX_CELLS).contains(&h.units))?;
        h.expect_parameter(20, matches!(shape.cell_bits, 1 | 2 | 4))?;
        h.expect_parameter(21, shape.max_fits())?;
        h.expect_parameter(16, shape.decrement_fits())?;
        let made = Stable::new(shape, hasher)?;
        h.expect_payload(bytes_of(made.bits()))?;
        Ok(made)
    }

    fn emptied(mut self) -> Self {
        self.shape.inserts = 0;
        self
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.probe(key, |cell| self.is_set(payload, cell))
    }

    /// After so many keys, all distinct, in an empty filter; it does not rise above [`Stable::stable_fpr`].
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        self.model().expected_fpr(keys)
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
        self.keys(&Words(words))
    }

    #[cfg(feature = "std")]
    fn damaged_keys(&self, payload: &impl Payload, _: &[u64], _: u64) -> f64 {
        self.keys(payload)
    }

    fn fill_of(&self, payload: &impl Payload, _: u64) -> f64 {
        self.set_cells(payload) as f64 / self.shape.cells as f64
    }
}

/// It is only read: keys were inserted by the program that made it.
impl Calls<Stable> for Stable {
    /// The cells of a key, in their order.
    fn positions(kind: &Self, key: Key) -> Result<Vec<u64>, Error> {
        let mut cells = Vec::new();
        kind.probe(key, |cell| {
            cells.push(cell);
            true
        });
        Ok(cells)
    }
}
