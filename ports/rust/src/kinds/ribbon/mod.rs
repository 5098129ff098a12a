//! The ribbon filter (spec/filters.md 9): each key is an equation over bits for each bit of its fingerprint.

mod layers;
mod lookup;

use crate::container::Header;
use crate::error::Error;
use crate::hash::Key;
use crate::kind::{Facts, Payload, ReadOnly, Rule, Words};
use layers::{layers, width_of, Layer, Parts, Width};
pub use lookup::Equation;

const MAX_LAST_SLOTS: u32 = 8192;

/// The sizes of a ribbon filter (spec/filters.md 9.1).
#[derive(Clone, Copy, Debug)]
pub struct RibbonShape {
    /// Slots of a window: 64 or 128.
    pub window: u32,
    /// Bits of a fingerprint: 1 to 32.
    pub columns: u32,
    /// Buckets of the layers; none comes after a layer without.
    pub buckets: [u32; 4],
    /// The share of each layer that has one column less, in 2^-32.
    pub narrow: u32,
    /// Slots of the last layer, at most 8192, or hashes that are kept as they are.
    pub rest: u32,
    /// Whether they are hashes.
    pub kept: bool,
    /// The seed of the last layer.
    pub seed: u8,
}

/// The rule of a ribbon filter, the smallest for keys that do not change.
#[derive(Clone, Debug)]
pub struct Ribbon {
    shape: RibbonShape,
    width: &'static Width,
    parts: Parts,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Ribbon>;

impl Ribbon {
    /// Its sizes.
    pub fn shape(&self) -> &RibbonShape {
        &self.shape
    }

    /// Those that have buckets.
    #[inline]
    fn layers(&self) -> impl Iterator<Item = Layer> + '_ {
        layers(&self.shape, self.width)
    }
}

impl Rule for Ribbon {
    const FACTS: &'static Facts = &crate::kinds::RIBBON;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let p = &h.parameters;
        let number = |at: usize| u32::from_le_bytes([p[at], p[at + 1], p[at + 2], p[at + 3]]);
        let kept = u16::from_le_bytes([p[2], p[3]]);
        let mut shape = RibbonShape {
            window: p[0].into(),
            columns: h.hashes,
            buckets: [0, number(4), number(8), number(12)],
            narrow: number(16),
            rest: number(20),
            kept: kept == 1,
            seed: p[1],
        };
        // In the order of spec/container.md 8.
        h.expect_units(h.units <= u32::MAX.into())?;
        shape.buckets[0] = h.units as u32;
        let width = width_of(shape.window);
        let is_whole = |buckets: u32| width.map_or(false, |w| w.is_whole(buckets));
        h.expect_parameter(0, width.is_some())?;
        h.expect_parameter(1, shape.seed == 0 || shape.rest > 0 && !shape.kept)?;
        h.expect_parameter(2, kept == 0 || shape.kept && shape.rest > 0)?;
        h.expect_units(is_whole(shape.buckets[0]))?;
        for i in 1..4 {
            let (before, own) = (shape.buckets[i - 1], shape.buckets[i]);
            h.expect_parameter(4 * i, is_whole(own) && (own == 0 || before > 0))?;
        }
        h.expect_parameter(16, shape.narrow == 0 || shape.columns > 1)?;
        h.expect_parameter(20, shape.kept || shape.rest <= MAX_LAST_SLOTS)?;
        let width = width.unwrap_or(&layers::W64);
        let parts = Parts::new(&shape, width);
        Ok(Ribbon {
            shape,
            width,
            parts,
        })
    }

    fn bits(&self) -> u64 {
        8 * self.parts.length
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        let found = self.find_hash(payload, key.raw(), false);
        found.unwrap_or(true)
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        self.find_hash(&Words(words), key.raw(), true) == Some(true)
    }
}
