//! The calls that only some kinds have.

use super::facts::Facts;
use super::Kind;
use crate::error::{Code, Error};
use crate::hash::Key;
use crate::kinds::KINDS;
use alloc::format;
use alloc::vec::Vec;

/// A call that a kind may have, beside lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call {
    /// Inserts a key, always.
    Insert,
    /// Inserts a key if it is definitely not present.
    InsertIfAbsent,
    /// Adds the keys of another filter.
    Merge,
    /// Makes the filter smaller.
    Fold,
    /// Keeps the keys that another filter has too.
    Intersect,
}

impl Call {
    /// Its name in spec/kinds.json.
    pub fn name(self) -> &'static str {
        match self {
            Call::Insert => "insert",
            Call::InsertIfAbsent => "insert_if_absent",
            Call::Merge => "merge",
            Call::Fold => "fold",
            Call::Intersect => "intersect",
        }
    }
}

/// The rates of a filter, from its bits (spec/model.md).
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The false-positive rate that it has.
    pub realised_fpr: f64,
    /// How many keys it seems to hold.
    pub estimated_keys: f64,
}

/// The refusal of a call that a kind lacks: it names the kind, and the kinds that have the call.
pub(crate) fn lacks(facts: &Facts, call: Call) -> Error {
    lacking(facts, call.name(), |f| f.can(call))
}

/// The same by what the kinds that have it are.
fn lacking(facts: &Facts, what: &str, has: impl Fn(&Facts) -> bool) -> Error {
    let names: Vec<&str> = KINDS.iter().filter(|f| has(f)).map(|f| f.name).collect();
    let others = names.join(", ");
    let what = format!(
        "a {} filter has no {}; kinds that have it: {}",
        facts.name, what, others
    );
    Error::new(Code::Unsupported, what)
}

/// What can be done with the filters of a kind, beside lookups. A call that is not written here is refused as unsupported.
///
/// Kinds of bits have [`OfBits`](super::OfBits) or [`OfBlocks`](super::OfBlocks), the others [`OnlyRead`](super::OnlyRead). A call
/// that is refused has changed nothing.
pub trait Calls<K: Kind> {
    /// Inserts a key.
    fn try_insert(kind: &K, _words: &mut [u64], _: Key) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Insert))
    }

    /// Inserts a key if it is definitely not present; reports whether it did.
    fn insert_if_absent(kind: &K, _words: &mut [u64], _: Key) -> Result<bool, Error> {
        Err(lacks(kind.facts(), Call::InsertIfAbsent))
    }

    /// Adds the keys of the filter of shape `other` and words `from`.
    fn merge(kind: &K, _words: &mut [u64], _other: &K, _from: &[u64]) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Merge))
    }

    /// Keeps the keys that the filter of shape `other` and words `from` has too.
    fn intersect(kind: &K, _words: &mut [u64], _other: &K, _from: &[u64]) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Intersect))
    }

    /// The filter of the same keys with a `factor`-th of the units.
    fn fold(kind: &K, _words: &[u64], _factor: u64) -> Result<(K, Vec<u64>), Error> {
        Err(lacks(kind.facts(), Call::Fold))
    }

    /// Its rates, from its words.
    #[cfg(feature = "std")]
    fn rates(kind: &K, _words: &[u64]) -> Result<Rates, Error> {
        Err(lacking(kind.facts(), "rates here", |f| f.can(Call::Insert)))
    }

    /// The bits of a key, for kinds of bits; where it lies, for others that can say so.
    fn positions(kind: &K, _: Key) -> Result<Vec<u64>, Error> {
        let what = format!("a {} filter is not made of bits of keys", kind.name());
        Err(Error::new(Code::Unsupported, what))
    }
}
