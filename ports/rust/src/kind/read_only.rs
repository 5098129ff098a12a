//! Kinds that are only read: other programs fill their filters.

use super::calls::Calls;
use super::facts::Facts;
use super::payload::{Payload, Words};
use super::Kind;
use crate::container::Header;
use crate::error::Error;
use crate::hash::{Hasher, Key, KeySource};
use alloc::vec::Vec;
use core::fmt::Debug;

/// How a kind that is only read answers: all that its module has to write.
pub trait Rule: Clone + Debug + Sized {
    /// Its row in the table.
    const FACTS: &'static Facts;

    /// The rule of a header. Hash, seed, profile and k were checked against the facts; units and parameters are checked here, in
    /// the order of spec/container.md 8.
    fn from_header(header: &Header) -> Result<Self, Error>;

    /// The bits of the array: the payload is as many bytes as hold them.
    fn bits(&self) -> u64;

    /// Whether a key is possibly present. Bytes may be hostile: whatever they say, a lookup stays in the payload and ends.
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool;

    /// The same in words, none of which is in doubt: the fast path.
    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        self.lookup(&Words(words), key)
    }

    /// The same for several keys.
    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        for (key, out) in keys.iter().zip(out) {
            *out = self.find(words, *key);
        }
    }

    /// Whether these words, none of which is in doubt, are such as a writer makes.
    fn is_sound(&self, _: &[u64]) -> bool {
        true
    }

    /// Where a key lies, for vectors; none if the kind cannot say it in numbers.
    fn positions(&self, _: Key) -> Option<Vec<u64>> {
        None
    }
}

/// The shape of a filter that is only read: what its header says, and the rule that follows from it.
#[derive(Clone, Debug)]
pub struct ReadOnly<R> {
    rule: R,
    hasher: Hasher,
    profile: u8,
    hashes: u32,
    units: u64,
    parameters: [u8; 24],
    bits: u64,
}

impl<R> ReadOnly<R> {
    /// The rule by which it answers.
    pub fn rule(&self) -> &R {
        &self.rule
    }
}

impl<R> PartialEq for ReadOnly<R> {
    fn eq(&self, other: &Self) -> bool {
        (self.profile, self.hashes, self.units) == (other.profile, other.hashes, other.units)
            && self.parameters == other.parameters
            && self.bits == other.bits
            && self.hasher == other.hasher
    }
}

impl<R> Eq for ReadOnly<R> {}

impl<R: Rule> Kind for ReadOnly<R> {
    const KINDS: &'static [&'static Facts] = &[R::FACTS];

    type Calls = OnlyRead;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        self.bits
    }

    /// What files keep in the place of a number of hashes.
    fn hashes(&self) -> u32 {
        self.hashes
    }

    fn units(&self) -> u64 {
        self.units
    }

    fn profile(&self) -> u8 {
        self.profile
    }

    fn parameters(&self) -> [u8; 24] {
        self.parameters
    }

    fn shape_of(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let rule = R::from_header(h)?;
        Ok(ReadOnly {
            bits: rule.bits(),
            rule,
            hasher,
            profile: h.profile,
            hashes: h.hashes,
            units: h.units,
            parameters: h.parameters,
        })
    }

    fn is_sound(&self, words: &[u64]) -> bool {
        self.rule.is_sound(words)
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        self.rule.lookup(payload, key)
    }

    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        self.rule.find(words, key)
    }

    fn find_batch(&self, words: &[u64], keys: &[Key], out: &mut [bool]) {
        self.rule.find_batch(words, keys, out)
    }
}

/// The calls of kinds that are only read: none, beside lookups.
#[derive(Debug)]
pub struct OnlyRead;

impl<R: Rule> Calls<ReadOnly<R>> for OnlyRead {
    fn positions(kind: &ReadOnly<R>, key: Key) -> Result<Vec<u64>, Error> {
        let what = "the kind has no positions of keys";
        kind.rule
            .positions(key)
            .ok_or_else(|| Error::new(crate::error::Code::Unsupported, what))
    }
}
