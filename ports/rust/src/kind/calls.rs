//! The calls that only some kinds have.

use super::damage::DamageMap;
use super::facts::Facts;
use super::payload::{Cells, Payload};
use super::Kind;
use crate::any::KINDS;
use crate::error::{Code, Error};
use crate::hash::Key;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A call that a kind may have, beside lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call {
    /// Inserts a key, always.
    Insert,
    /// Inserts a key, or refuses it because there is no room.
    TryInsert,
    /// Inserts a key if it is definitely not present.
    InsertIfAbsent,
    /// Takes a key out.
    Erase,
    /// Counts the copies of a key.
    Count,
    /// Adds the keys of another filter.
    Merge,
    /// Makes the filter smaller.
    Fold,
    /// Keeps the keys that another filter has too.
    Intersect,
    /// Lists what is stored.
    Iterate,
    /// Takes all keys at once, and in no other way.
    Build,
}

impl Call {
    /// All of them, in the order of spec/kinds.json.
    pub const ALL: [Call; 10] = [
        Call::Insert,
        Call::TryInsert,
        Call::InsertIfAbsent,
        Call::Erase,
        Call::Count,
        Call::Merge,
        Call::Fold,
        Call::Intersect,
        Call::Iterate,
        Call::Build,
    ];

    /// Its name in spec/kinds.json.
    pub fn name(self) -> &'static str {
        match self {
            Call::Insert => "insert",
            Call::TryInsert => "try_insert",
            Call::InsertIfAbsent => "insert_if_absent",
            Call::Erase => "erase",
            Call::Count => "count",
            Call::Merge => "merge",
            Call::Fold => "fold",
            Call::Intersect => "intersect",
            Call::Iterate => "iterate",
            Call::Build => "build",
        }
    }
}

/// The refusal of a call that a kind lacks: it names the kind, and the kinds that have the call.
pub(crate) fn lacks(facts: &Facts, call: Call) -> Error {
    let has = |f: &&&Facts| f.can(call) || call == Call::Insert && f.can(Call::TryInsert);
    let names: Vec<&str> = KINDS.iter().filter(has).map(|f| f.name).collect();
    let others = if names.is_empty() {
        String::from("no kind has it")
    } else {
        format!("kinds that have it: {}", names.join(", "))
    };
    let what = format!("a {} filter has no {}; {}", facts.name, call.name(), others);
    Error::new(Code::Unsupported, what)
}

/// What can be done with the filters of a kind, beside asking them. A call that is not written here is refused as unsupported.
///
/// Kinds of bits have [`OfBits`](super::OfBits) or [`OfBlocks`](super::OfBlocks); other kinds write the calls that they list
/// in [`Facts::can`]. A call that is refused has changed nothing.
pub trait Calls<K: Kind> {
    /// Inserts a key, or refuses it: `full`, or `too_many_copies`.
    fn try_insert(kind: &K, _: &mut Cells<'_>, _: Key) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Insert))
    }

    /// Inserts a key if it is definitely not present; reports whether it did.
    fn insert_if_absent(kind: &K, _: &mut Cells<'_>, _: Key) -> Result<bool, Error> {
        Err(lacks(kind.facts(), Call::InsertIfAbsent))
    }

    /// Takes out a key, or refuses: `not_present`.
    fn erase(kind: &K, _: &mut Cells<'_>, _: Key) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Erase))
    }

    /// How many copies of a key there are: never too few.
    fn count(kind: &K, _: &impl Payload, _: Key) -> Result<u64, Error> {
        Err(lacks(kind.facts(), Call::Count))
    }

    /// Adds the keys of the filter of shape `other` and words `from`.
    fn merge(kind: &K, _: &mut Cells<'_>, _other: &K, _from: &[u64]) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Merge))
    }

    /// Keeps the keys that the filter of shape `other` and words `from` has too.
    fn intersect(kind: &K, _: &mut Cells<'_>, _other: &K, _from: &[u64]) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Intersect))
    }

    /// The filter of the same keys with a `factor`-th of the units.
    fn fold(kind: &K, _: &[u64], _factor: u64) -> Result<(K, Vec<u64>), Error> {
        Err(lacks(kind.facts(), Call::Fold))
    }

    /// Visits what is stored of each key.
    fn iterate(kind: &K, _: &[u64], _visit: &mut dyn FnMut(u64)) -> Result<(), Error> {
        Err(lacks(kind.facts(), Call::Iterate))
    }

    /// Fills an empty filter with distinct keys, ascending. A kind that takes all keys at once writes this one, and may change
    /// shape and words as it likes; others insert them one by one.
    fn build(kind: &mut K, words: &mut Vec<u64>, keys: &[Key]) -> Result<(), Error> {
        let intact = DamageMap::NONE;
        let mut cells = Cells::new(words, &intact);
        keys.iter()
            .try_for_each(|key| Self::try_insert(kind, &mut cells, *key))
    }

    /// The bits of a key, for kinds of bits; where it lies, for others that can say so.
    fn positions(kind: &K, _: Key) -> Result<Vec<u64>, Error> {
        let what = format!("a {} filter is not made of bits of keys", kind.name());
        Err(Error::new(Code::Unsupported, what))
    }
}
