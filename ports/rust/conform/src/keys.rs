//! Keys and hashers as scripts write them (spec/conformance.md 3).

use crate::hex;
use bloomery::{Hasher, Key, KeySource};

/// A key of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    Bytes(Vec<u8>),
    Integer(u64),
    Hashed(Key),
}

impl Word {
    /// Whether a filter of this source takes it. One of bytes takes every sort, so that a script may mix them.
    pub fn is_taken(&self, source: KeySource) -> bool {
        match source {
            KeySource::Bytes => true,
            KeySource::Integers => matches!(self, Word::Integer(_)),
            KeySource::Hashes => matches!(self, Word::Hashed(_)),
            _ => matches!(self, Word::Bytes(_)),
        }
    }

    /// What a filter with this hasher, which takes it, sees of it.
    pub fn key(&self, hasher: &Hasher) -> Key {
        match self {
            Word::Bytes(b) => hasher.key(b),
            Word::Integer(x) => hasher.of(KeySource::Integers).key_of_integer(*x),
            Word::Hashed(key) => *key,
        }
    }

    /// Its bytes, if it is made of them.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Word::Bytes(b) => Some(b),
            _ => None,
        }
    }
}

/// Texts of a prefix and a number.
pub fn texts(prefix: &str, from: u64, to: u64) -> impl Iterator<Item = String> + '_ {
    (from..=to).map(move |i| format!("{}{}", prefix, i))
}

/// The keys of one word.
pub fn parse(word: &str) -> Option<Vec<Word>> {
    let range = word.strip_suffix(']').and_then(|w| w.split_once('['));
    if let Some((prefix, range)) = range.filter(|(p, _)| !p.contains(':')) {
        let (from, to) = range.split_once("..")?;
        if !prefix.bytes().all(|b| b.is_ascii_alphabetic()) {
            return None;
        }
        let keys = texts(prefix, from.parse().ok()?, to.parse().ok()?);
        return Some(keys.map(|t| Word::Bytes(t.into_bytes())).collect());
    }
    let (sort, rest) = word.split_once(':')?;
    let key = match sort {
        "t" => Word::Bytes(rest.as_bytes().to_vec()),
        "x" => Word::Bytes(hex::bytes(rest)?),
        "p" => Word::Bytes(
            (0..rest.parse().ok()?)
                .map(|i: u64| (i % 251) as u8)
                .collect(),
        ),
        "u" => Word::Integer(rest.parse().ok()?),
        "h" => Word::Hashed(Key::from_raw(hex::number(rest)?)),
        _ => return None,
    };
    Some(vec![key])
}

/// The hasher of a word.
pub fn hasher(word: &str) -> Option<Hasher> {
    let (name, parameter) = match word.split_once(':') {
        Some((name, parameter)) => (name, Some(parameter)),
        None => (word, None),
    };
    let seed = || parameter.map_or(Some(0), hex::number);
    match name {
        "xxh3" => Some(Hasher::Xxh3 { seed: seed()? }),
        "xxh64" => Some(Hasher::Xxh64 { seed: seed()? }),
        "fnv1a-splitmix" if parameter.is_none() => Some(Hasher::FnvSplitMix),
        "siphash13" => secret(parameter?).map(|secret| Hasher::SipHash13 { secret }),
        _ => None,
    }
}

/// The sixteen bytes of a secret.
pub fn secret(text: &str) -> Option<[u8; 16]> {
    hex::bytes(text)?.try_into().ok()
}
