//! Fingerprints of 16 bits, each in one of two cells.

use super::fingerprint;
use crate::container::Header;
use crate::error::{Code, Error};
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{
    Call, Calls, Cells, Damage, Facts, HashCount, Kind, Parameter, Payload, ANY_HASH,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    cells: u64,
    salt: u32,
    /// Odd.
    multiplier: u32,
    hasher: Hasher,
}

impl Fingerprints {
    pub(crate) const FACTS: Facts = Facts {
        number: 240,
        name: "fingerprints",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(2, 2),
        units: "cells",
        limit: Some(("max_units", 1 << 40)),
        payload: "cells",
        parameters: &[
            Parameter {
                name: "salt",
                bytes: 4,
            },
            Parameter {
                name: "multiplier",
                bytes: 4,
            },
        ],
        damage: Damage::Perhaps,
        sentinels: false,
        keys: false,
        forgets: false,
        can: &[
            Call::TryInsert,
            Call::InsertIfAbsent,
            Call::Erase,
            Call::Count,
            Call::Iterate,
        ],
    };

    pub(crate) fn new(cells: u64) -> Self {
        Fingerprints {
            cells,
            salt: 0x1234_5678,
            multiplier: 0x9e37_79b1,
            hasher: Hasher::DEFAULT,
        }
    }

    /// Where the two cells of a key begin, in bytes.
    pub(super) fn places(&self, key: Key) -> [u64; 2] {
        let one = key.raw() ^ u64::from(self.salt);
        let two = one.rotate_left(32).wrapping_mul(u64::from(self.multiplier));
        [one, two].map(|h| 2 * ((u128::from(h) * u128::from(self.cells)) >> 64) as u64)
    }
}

impl Kind for Fingerprints {
    const KINDS: &'static [&'static Facts] = &[&Fingerprints::FACTS];

    type Calls = Fingerprints;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        16 * self.cells
    }

    fn hashes(&self) -> u32 {
        2
    }

    fn units(&self) -> u64 {
        self.cells
    }

    fn parameters(&self) -> [u8; 24] {
        let mut p = [0; 24];
        p[..4].copy_from_slice(&self.salt.to_le_bytes());
        p[4..8].copy_from_slice(&self.multiplier.to_le_bytes());
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        h.expect_units(h.units >= 1 && h.units <= 1 << 40)?;
        let p = h.parameters;
        let salt = u32::from_le_bytes([p[0], p[1], p[2], p[3]]);
        let multiplier = u32::from_le_bytes([p[4], p[5], p[6], p[7]]);
        h.expect_parameter(4, multiplier % 2 == 1)?;
        h.expect_payload(2 * h.units)?;
        Ok(Fingerprints {
            cells: h.units,
            salt,
            multiplier,
            hasher,
        })
    }

    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        let mut places = self.places(key).into_iter();
        places.any(|at| payload.number(at, 2) == fingerprint(key))
    }

    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        2.0 * keys as f64 / self.cells as f64 / 65536.0
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], _: u64) -> f64 {
        2.0 * self.keys_of(words, 0) / self.cells as f64 / 65536.0
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], _: u64) -> f64 {
        let mut taken = 0;
        let counted = Self::iterate(self, words, &mut |_| taken += 1);
        assert!(counted.is_ok());
        f64::from(taken)
    }
}

impl Calls<Fingerprints> for Fingerprints {
    fn try_insert(kind: &Self, cells: &mut Cells<'_>, key: Key) -> Result<(), Error> {
        let places = kind.places(key);
        for at in places {
            if cells.number(at, 2) == 0 {
                cells.set_number(at, 2, fingerprint(key));
                return Ok(());
            }
        }
        let own = |at: &u64| cells.number(*at, 2) == fingerprint(key);
        if places.iter().all(own) {
            return Err(Error::new(Code::TooManyCopies, "both cells hold this key"));
        }
        Err(Error::new(Code::Full, "both cells are taken"))
    }

    fn insert_if_absent(kind: &Self, cells: &mut Cells<'_>, key: Key) -> Result<bool, Error> {
        if kind.lookup(cells, key) {
            return Ok(false);
        }
        Self::try_insert(kind, cells, key).map(|()| true)
    }

    fn erase(kind: &Self, cells: &mut Cells<'_>, key: Key) -> Result<(), Error> {
        for at in kind.places(key) {
            if cells.number(at, 2) == fingerprint(key) {
                cells.set_number(at, 2, 0);
                return Ok(());
            }
        }
        Err(Error::new(Code::NotPresent, "no cell holds this key"))
    }

    fn count(kind: &Self, payload: &impl Payload, key: Key) -> Result<u64, Error> {
        let [one, two] = kind.places(key).map(|at| payload.number(at, 2));
        let both = u64::from(one == fingerprint(key)) + u64::from(two == fingerprint(key));
        let same = kind.places(key)[0] == kind.places(key)[1];
        Ok(if same { both.min(1) } else { both })
    }

    fn iterate(kind: &Self, words: &[u64], visit: &mut dyn FnMut(u64)) -> Result<(), Error> {
        let payload = crate::kind::Words(words);
        (0..kind.cells)
            .map(|i| payload.number(2 * i, 2))
            .filter(|f| *f != 0)
            .for_each(visit);
        Ok(())
    }
}
