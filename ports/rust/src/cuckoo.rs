//! The cuckoo filter (spec/filters.md 7), as it is read: a tag of each key, in one of two buckets.

use crate::container::Header;
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key, KeySource};
#[cfg(feature = "std")]
use crate::kind::Words;
use crate::kind::{Call, Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, ANY_HASH};
use alloc::vec;
use alloc::vec::Vec;

const SLOTS: u64 = 4;
const MIN_TAG: u32 = 6;
const MAX_TAG: u32 = 32;
const MAX_BITS: u64 = 1 << 48;

/// The shape of a cuckoo filter: bits of a tag, buckets, identity, hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cuckoo {
    tag_bits: u32,
    /// Even.
    buckets: u64,
    identity: u64,
    hasher: Hasher,
}

/// A filter of tags. It comes out of a container, and is asked and written again: keys are inserted and erased by the program that
/// made it.
pub type CuckooFilter = FilterOf<Cuckoo>;

/// The upper 64 bits of a product.
pub(crate) fn mulhi(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

impl Cuckoo {
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: 6,
        name: "cuckoo",
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(MIN_TAG, MAX_TAG),
        units: "buckets",
        limit: Some(("max_bits", MAX_BITS)),
        payload: "buckets",
        parameters: &[Parameter {
            name: "identity",
            bytes: 8,
        }],
        damage: Damage::Perhaps,
        sentinels: false,
        keys: false,
        forgets: false,
        can: &[Call::Count],
    };

    /// Tags of 6 to 32 bits, and so many buckets of four, an even number.
    pub fn new(tag_bits: u32, buckets: u64, identity: u64, hasher: Hasher) -> Result<Self, Error> {
        if !(MIN_TAG..=MAX_TAG).contains(&tag_bits) || buckets == 0 || buckets % 2 != 0 {
            return Err(Error::invalid(
                "a cuckoo filter has tags of 6 to 32 bits, and an even number of buckets",
            ));
        }
        if buckets > MAX_BITS / (SLOTS * u64::from(tag_bits)) {
            let what = "a cuckoo filter has at most 2^48 bits";
            return Err(Error::new(Code::TooLarge, what));
        }
        Ok(Cuckoo {
            tag_bits,
            buckets,
            identity,
            hasher,
        })
    }

    /// The number that its maker chose to tell filters of one shape apart; 0 if none.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// How many different tags there are.
    fn tags(&self) -> u64 {
        (1 << self.tag_bits) - 1
    }

    /// The tag of a key, and its two buckets, which are never the same.
    #[inline]
    pub fn places(&self, key: Key) -> (u64, [u64; 2]) {
        let h = key.raw();
        let tag = 1 + mulhi(h.wrapping_mul(0x9e37_79b9_7f4a_7c15), self.tags());
        let first = mulhi(h, self.buckets);
        (tag, [first, self.other(first, tag)])
    }

    /// The second bucket of a tag that has this one.
    #[inline]
    fn other(&self, bucket: u64, tag: u64) -> u64 {
        let x = tag.wrapping_mul(0xf135_7aea_2e62_a9c5);
        let x = (x ^ (x >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let d = 2 * mulhi(x, self.buckets / 2) + 1;
        if bucket <= d {
            d - bucket
        } else {
            d + self.buckets - bucket
        }
    }

    /// The tags of a bucket, 0 for none; none where a byte of it is damaged.
    #[inline]
    fn slots(&self, payload: &impl Payload, bucket: u64) -> Option<[u64; 4]> {
        let width = self.tag_bits;
        // It begins at a byte, or in the middle of one.
        let bit = SLOTS * u64::from(width) * bucket;
        let (at, shift) = (bit / 8, (bit % 8) as u32);
        let bytes = (shift + 4 * width + 7) / 8;
        let low = payload.known(at, bytes.min(8))?;
        let mut bits = u128::from(low);
        if bytes > 8 {
            bits |= u128::from(payload.known(at + 8, bytes - 8)?) << 64;
        }
        bits >>= shift;
        Some([0, 1, 2, 3].map(|slot| (bits >> (slot * width)) as u64 & self.tags()))
    }

    /// How many slots of a bucket hold a tag.
    #[inline]
    fn copies(&self, payload: &impl Payload, bucket: u64, tag: u64) -> Option<u64> {
        let slots = self.slots(payload, bucket)?;
        Some(slots.iter().map(|t| u64::from(*t == tag)).sum())
    }

    /// All buckets that are whole, and their tags.
    fn whole<'a>(
        &'a self,
        payload: &'a impl Payload,
    ) -> impl Iterator<Item = (u64, [u64; 4])> + 'a {
        (0..self.buckets).filter_map(move |b| Some((b, self.slots(payload, b)?)))
    }

    /// Slots that are taken; damaged buckets count as filled like the others (spec/model.md 9).
    fn keys(&self, payload: &impl Payload) -> f64 {
        let (mut whole, mut taken) = (0u64, 0usize);
        for (_, slots) in self.whole(payload) {
            whole += 1;
            taken += slots.iter().filter(|t| **t != 0).count();
        }
        if whole == 0 {
            return f64::INFINITY;
        }
        taken as f64 / (whole as f64 / self.buckets as f64)
    }

    /// The share of pairs of a bucket and a tag that a lookup finds, and the lookups of damaged buckets (spec/model.md 9).
    #[cfg(feature = "std")]
    fn rate(&self, payload: &impl Payload) -> f64 {
        let (mut whole, mut pairs, mut in_both) = (0u64, 0u64, 0u64);
        for (bucket, slots) in self.whole(payload) {
            whole += 1;
            for (slot, tag) in slots.iter().enumerate() {
                if *tag == 0 || slots[..slot].contains(tag) {
                    continue;
                }
                if let Some(copies) = self.copies(payload, self.other(bucket, *tag), *tag) {
                    pairs += 1;
                    in_both += u64::from(copies > 0);
                }
            }
        }
        let all = self.buckets as f64;
        let found = (2 * pairs - in_both) as f64 / (all * self.tags() as f64);
        (1.0 - (whole as f64 / all).powi(2) + found).min(1.0)
    }
}

impl Kind for Cuckoo {
    const KINDS: &'static [&'static Facts] = &[&Cuckoo::FACTS];

    type Calls = Cuckoo;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        SLOTS * u64::from(self.tag_bits) * self.buckets
    }

    /// The bits of a tag, which files keep in the place of a number of hashes.
    fn hashes(&self) -> u32 {
        self.tag_bits
    }

    fn units(&self) -> u64 {
        self.buckets
    }

    fn parameters(&self) -> [u8; 24] {
        let mut p = [0; 24];
        p[..8].copy_from_slice(&self.identity.to_le_bytes());
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let bits = SLOTS * u64::from(h.hashes);
        h.expect_units(h.units >= 2 && h.units % 2 == 0 && h.units <= MAX_BITS / bits)?;
        h.expect_payload(h.units * bits / 8)?;
        let mut identity = [0; 8];
        identity.copy_from_slice(&h.parameters[..8]);
        Cuckoo::new(h.hashes, h.units, u64::from_le_bytes(identity), hasher)
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        let (tag, buckets) = self.places(key);
        let mut buckets = buckets.into_iter();
        buckets.any(|b| self.copies(payload, b, tag) != Some(0))
    }

    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        let classes = self.buckets as f64 * self.tags() as f64 / 2.0;
        -(keys as f64 * (-1.0 / classes).ln_1p()).exp_m1()
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
        (self.keys(payload) / (SLOTS * self.buckets) as f64).min(1.0)
    }
}

impl Calls<Cuckoo> for Cuckoo {
    /// All 8 where a byte of its buckets is damaged.
    fn count(kind: &Self, payload: &impl Payload, key: Key) -> Result<u64, Error> {
        let (tag, [first, second]) = kind.places(key);
        let copies = |bucket| kind.copies(payload, bucket, tag);
        Ok(match (copies(first), copies(second)) {
            (Some(a), Some(b)) => a + b,
            _ => 2 * SLOTS,
        })
    }

    /// The tag of a key, and its two buckets.
    fn positions(kind: &Self, key: Key) -> Result<Vec<u64>, Error> {
        let (tag, [first, second]) = kind.places(key);
        Ok(vec![tag, first, second])
    }
}
