//! Fingerprints of 16 bits, sorted: built of all keys at once, and searched by halves, so that where a lookup reads next depends
//! on what it read, damaged or not.

use super::fingerprint;
use crate::container::Header;
use crate::error::Error;
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{Call, Calls, Damage, Facts, HashCount, Kind, Payload, ANY_HASH};
use crate::words;
use alloc::vec::Vec;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorted {
    count: u64,
    hasher: Hasher,
}

impl Sorted {
    pub(crate) const FACTS: Facts = Facts {
        number: 241,
        name: "sorted",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(1, 1),
        units: "keys",
        limit: Some(("max_units", 1 << 40)),
        payload: "cells",
        parameters: &[],
        damage: Damage::Perhaps,
        sentinels: true,
        keys: true,
        forgets: false,
        can: &[Call::Iterate, Call::Build],
    };

    pub(crate) fn new() -> Self {
        Sorted {
            count: 0,
            hasher: Hasher::DEFAULT,
        }
    }
}

impl Kind for Sorted {
    const KINDS: &'static [&'static Facts] = &[&Sorted::FACTS];

    type Calls = Sorted;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        16 * self.count
    }

    fn hashes(&self) -> u32 {
        1
    }

    fn units(&self) -> u64 {
        self.count
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        h.expect_units(h.units >= 1 && h.units <= 1 << 40)?;
        h.expect_payload(2 * h.units)?;
        Ok(Sorted {
            count: h.units,
            hasher,
        })
    }

    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        let (mut from, mut to) = (0, self.count);
        while from < to {
            let middle = from + (to - from) / 2;
            match payload.number(2 * middle, 2).cmp(&fingerprint(key)) {
                core::cmp::Ordering::Equal => return true,
                core::cmp::Ordering::Less => from = middle + 1,
                core::cmp::Ordering::Greater => to = middle,
            }
        }
        false
    }

    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        keys as f64 / 65536.0
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, _: &[u64], _: u64) -> f64 {
        self.count as f64 / 65536.0
    }

    /// Every search begins in the middle: one damaged chunk can be in the way of all.
    #[cfg(feature = "std")]
    fn damaged_fpr(&self, _: &impl Payload, _: &[u64], _: u64, _: f64) -> f64 {
        1.0
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, _: &[u64], _: u64) -> f64 {
        self.count as f64
    }
}

impl Calls<Sorted> for Sorted {
    fn iterate(kind: &Self, words: &[u64], visit: &mut dyn FnMut(u64)) -> Result<(), Error> {
        let payload = crate::kind::Words(words);
        (0..kind.count)
            .map(|i| payload.number(2 * i, 2))
            .for_each(visit);
        Ok(())
    }

    fn build(kind: &mut Self, to: &mut Vec<u64>, keys: &[Key]) -> Result<(), Error> {
        let mut all: Vec<u64> = keys.iter().map(|k| fingerprint(*k)).collect();
        all.sort_unstable();
        let bytes: Vec<u8> = all.iter().flat_map(|f| (*f as u16).to_le_bytes()).collect();
        kind.count = all.len() as u64;
        *to = words::from_bytes(&bytes)?;
        Ok(())
    }
}
