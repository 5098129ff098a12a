//! The ribbon filter (spec/filters.md 9), as it is read: each key is an equation over bits for each bit of its fingerprint.

mod layers;
mod lookup;
#[cfg(feature = "std")]
mod rates;

use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, Words, ANY_HASH};
use core::fmt;
use layers::{layers, width_of, Layer, Parts, Width};
pub use lookup::Equation;

const MAX_COLUMNS: u32 = 32;
const MAX_LAST_SLOTS: u32 = 8192;

/// The sizes of a ribbon filter (spec/filters.md 9.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Of the last layer.
    pub seed: u8,
}

/// The shape of a ribbon filter, and its hasher.
#[derive(Clone)]
pub struct Ribbon {
    shape: RibbonShape,
    hasher: Hasher,
    width: &'static Width,
    parts: Parts,
}

/// The smallest filter, for keys that do not change. It comes out of a container, and is queried and written again.
pub type RibbonFilter = FilterOf<Ribbon>;

impl PartialEq for Ribbon {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.hasher == other.hasher
    }
}

impl Eq for Ribbon {}

impl fmt::Debug for Ribbon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ribbon")
            .field("shape", &self.shape)
            .field("hasher", &self.hasher)
            .finish()
    }
}

/// A parameter of so many bytes.
const fn parameter(name: &'static str, bytes: usize) -> Parameter {
    Parameter { name, bytes }
}

impl Ribbon {
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: 8,
        name: "ribbon",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(1, MAX_COLUMNS),
        units: "buckets",
        limit: Some(("max_units", u32::MAX as u64)),
        payload: "ribbon",
        parameters: &[
            parameter("width", 1),
            parameter("seed", 1),
            parameter("kept", 2),
            parameter("buckets_1", 4),
            parameter("buckets_2", 4),
            parameter("buckets_3", 4),
            parameter("narrow", 4),
            parameter("rest", 4),
        ],
        damage: Damage::Perhaps,
        sentinels: true,
        keys: true,
        forgets: false,
        can: &[],
    };

    /// A shape that the kind has.
    pub fn new(shape: RibbonShape, hasher: Hasher) -> Result<Self, Error> {
        let what = "a ribbon filter has windows of 64 or 128, and 1 to 32 columns";
        let width = width_of(shape.window).ok_or_else(|| Error::invalid(what))?;
        if !(1..=MAX_COLUMNS).contains(&shape.columns) {
            return Err(Error::invalid(what));
        }
        let b = shape.buckets;
        if !b.iter().all(|b| width.is_whole(*b)) || b.windows(2).any(|b| b[0] == 0 && b[1] > 0) {
            return Err(Error::invalid(
                "layers have whole segments, and none comes after one without buckets",
            ));
        }
        let last = shape.rest > 0 && !shape.kept;
        if shape.kept && shape.rest == 0
            || shape.seed != 0 && !last
            || shape.narrow != 0 && shape.columns == 1
        {
            return Err(Error::invalid("a number of what is not there"));
        }
        if last && shape.rest > MAX_LAST_SLOTS {
            let what = "the last layer of a ribbon filter has at most 8192 slots";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Ribbon {
            shape,
            hasher,
            width,
            parts: Parts::new(&shape, width),
        })
    }

    /// Its sizes.
    pub fn shape(&self) -> &RibbonShape {
        &self.shape
    }

    /// Those that have buckets.
    #[inline]
    fn layers(&self) -> impl Iterator<Item = Layer> + '_ {
        layers(&self.shape, self.width)
    }

    /// Slots of all layers, or hashes in the place of the last: so many keys it has room for.
    fn room(&self) -> u64 {
        let slots: u64 = self.layers().map(|l| l.slots()).sum();
        slots + u64::from(self.shape.rest)
    }
}

impl Kind for Ribbon {
    const KINDS: &'static [&'static Facts] = &[&Ribbon::FACTS];

    type Calls = Ribbon;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        8 * self.parts.length
    }

    /// The columns, which files keep in the place of a number of hashes.
    fn hashes(&self) -> u32 {
        self.shape.columns
    }

    /// The buckets of the first layer.
    fn units(&self) -> u64 {
        self.shape.buckets[0].into()
    }

    fn parameters(&self) -> [u8; 24] {
        let s = &self.shape;
        let mut p = [0; 24];
        p[0] = s.window as u8;
        p[1] = s.seed;
        p[2] = s.kept.into();
        let numbers = [s.buckets[1], s.buckets[2], s.buckets[3], s.narrow, s.rest];
        for (to, number) in p[4..].chunks_exact_mut(4).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
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
        let made = Ribbon::new(shape, hasher)?;
        h.expect_payload(made.parts.length)?;
        Ok(made)
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

    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        self.rate_before(keys)
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
    fn keys_of(&self, _: &[u64], _: u64) -> f64 {
        self.room() as f64
    }

    fn fill_of(&self, _: &impl Payload, _: u64) -> f64 {
        if self.room() == 0 {
            0.0
        } else {
            1.0
        }
    }
}

/// It is only read: all keys were built in by the program that made it.
impl Calls<Ribbon> for Ribbon {}
