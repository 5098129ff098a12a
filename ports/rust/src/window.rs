//! The window filter (spec/filters.md 14), as it is read: block filters that take turns, the oldest of which is emptied for the next.

use crate::block::{Block, Profile};
use crate::chain::{self, Part};
use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, ANY_HASH};
use alloc::vec::Vec;

const MIN_GENERATIONS: u32 = 2;
const MAX_GENERATIONS: u32 = 1024;
const MAX_BYTES: u64 = 1 << 48;

/// The sizes of a window filter, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowShape {
    /// Of the blocks; not `Lanes16`.
    pub profile: Profile,
    /// Generations: 2 to 1024.
    pub generations: u32,
    /// Blocks of one generation, at least one.
    pub blocks: u64,
    /// The generation that takes keys.
    pub current: u32,
    /// Keys of a generation; 0 if the generation changes by call only.
    pub generation_keys: u64,
    /// Keys that the current generation has taken, at most those of a generation.
    pub count: u64,
}

impl WindowShape {
    fn has_generations(&self) -> bool {
        (MIN_GENERATIONS..=MAX_GENERATIONS).contains(&self.generations)
    }

    fn count_fits(&self) -> bool {
        self.generation_keys == 0 || self.count <= self.generation_keys
    }

    fn max_blocks(profile: Profile) -> u64 {
        MAX_BYTES / profile.block_bytes()
    }
}

/// The shape of a window filter, and its hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    shape: WindowShape,
    hasher: Hasher,
}

/// A filter that *forgets*, by design: it keeps recent keys only, and "definitely not present" means not inserted, or forgotten. The
/// last [`kept_keys`](Window::kept_keys) keys are found, whatever they are. It comes out of a container, and is asked and written
/// again: keys are inserted by the program that made it.
pub type WindowFilter = FilterOf<Window>;

const fn parameter(name: &'static str, bytes: usize) -> Parameter {
    Parameter { name, bytes }
}

impl Window {
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: 13,
        name: "window",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[1, 2, 3],
        k: HashCount::OfProfile,
        units: "blocks",
        limit: Some(("max_payload", MAX_BYTES)),
        payload: "blocks",
        parameters: &[
            parameter("generations", 4),
            parameter("current", 4),
            parameter("generation_keys", 8),
            parameter("count", 8),
        ],
        damage: Damage::Ones,
        sentinels: false,
        keys: false,
        forgets: true,
        can: &[],
    };

    /// A shape that the kind has.
    pub fn new(shape: WindowShape, hasher: Hasher) -> Result<Self, Error> {
        if shape.profile == Profile::Lanes16
            || !shape.has_generations()
            || shape.blocks == 0
            || shape.current >= shape.generations
            || !shape.count_fits()
        {
            return Err(Error::invalid(
                "a window filter has 2 to 1024 generations of blocks, one of which is current and not over its number of keys",
            ));
        }
        let most = WindowShape::max_blocks(shape.profile);
        if shape.blocks > most / u64::from(shape.generations) {
            let what = "a window filter has at most 2^48 bytes";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Window { shape, hasher })
    }

    /// Its sizes, and where it is.
    pub fn shape(&self) -> &WindowShape {
        &self.shape
    }

    /// How many keys, the last that were inserted, are found for certain if generations never changed by call; fewer if fewer were
    /// inserted.
    pub fn kept_keys(&self) -> u64 {
        let others = u64::from(self.shape.generations - 1);
        let others = others.saturating_mul(self.shape.generation_keys);
        others.saturating_add(self.shape.count)
    }

    fn generation(&self) -> Block {
        Block::within(self.shape.profile, self.shape.blocks, self.hasher)
    }

    #[inline]
    fn generations(&self) -> impl Iterator<Item = Part> + '_ {
        let shape = self.generation();
        let words = shape.bits() / 64;
        (0..u64::from(self.shape.generations)).map(move |i| Part {
            shape: shape.clone(),
            first: i * words,
        })
    }
}

impl Kind for Window {
    const KINDS: &'static [&'static Facts] = &[&Window::FACTS];

    type Calls = Window;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        self.generation().bits() * u64::from(self.shape.generations)
    }

    fn hashes(&self) -> u32 {
        self.generation().hashes()
    }

    /// Blocks of all generations.
    fn units(&self) -> u64 {
        self.shape.blocks * u64::from(self.shape.generations)
    }

    fn profile(&self) -> u8 {
        self.shape.profile.number()
    }

    fn parameters(&self) -> [u8; 24] {
        let s = &self.shape;
        let mut p = [0; 24];
        p[..4].copy_from_slice(&s.generations.to_le_bytes());
        p[4..8].copy_from_slice(&s.current.to_le_bytes());
        p[8..16].copy_from_slice(&s.generation_keys.to_le_bytes());
        p[16..].copy_from_slice(&s.count.to_le_bytes());
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let profile = Profile::from_number(h.profile);
        h.expect_profile(profile.is_some())?;
        let profile = profile.unwrap_or(Profile::Line);
        let p = &h.parameters;
        let small = |at: usize| u32::from_le_bytes([p[at], p[at + 1], p[at + 2], p[at + 3]]);
        let large = |at: usize| u64::from(small(at)) | u64::from(small(at + 4)) << 32;
        let mut shape = WindowShape {
            profile,
            generations: small(0),
            blocks: 0,
            current: small(4),
            generation_keys: large(8),
            count: large(16),
        };
        // In the order of spec/container.md 8.
        h.expect_units(h.units >= 1 && h.units <= WindowShape::max_blocks(profile))?;
        h.expect_parameter(0, shape.has_generations())?;
        let generations = u64::from(shape.generations);
        h.expect_units(h.units % generations == 0)?;
        shape.blocks = h.units / generations;
        h.expect_parameter(4, shape.current < shape.generations)?;
        h.expect_parameter(16, shape.count_fits())?;
        h.expect_payload(h.units * profile.block_bytes())?;
        Window::new(shape, hasher)
    }

    fn emptied(mut self) -> Self {
        self.shape.current = 0;
        self.shape.count = 0;
        self
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        chain::lookup(self.generations(), payload, key)
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        chain::find(self.generations(), words, key)
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        chain::find_batch(|| self.generations(), words, keys, out)
    }

    /// After so many keys, all distinct, in an empty filter (spec/model.md 14).
    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        let (one, each) = (self.generation(), self.shape.generation_keys);
        if each == 0 || keys <= each {
            return one.expected_fpr(keys);
        }
        let before = (keys - 1) / each;
        let others = before.min(u64::from(self.shape.generations - 1));
        let full = one.expected_fpr(each);
        let full = (0..others).map(|_| full);
        let current = one.expected_fpr(keys - each * before);
        chain::any_of(full.chain([current]))
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], _: u64) -> f64 {
        chain::rate(self.generations(), words)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], _: u64) -> f64 {
        chain::keys(self.generations(), words)
    }
}

/// It is only read: keys were inserted by the program that made it.
impl Calls<Window> for Window {
    /// The bits that a key has in each generation, if that is where it is.
    fn positions(kind: &Self, key: Key) -> Result<Vec<u64>, Error> {
        Ok(chain::positions(kind.generations(), key))
    }
}
