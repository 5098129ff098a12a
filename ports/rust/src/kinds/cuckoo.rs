//! The cuckoo filter (spec/filters.md 7): a tag of each key, in one of two buckets.

use crate::container::Header;
use crate::error::Error;
use crate::hash::Key;
use crate::kind::{Facts, Payload, ReadOnly, Rule};
use crate::words::mulhi;
use alloc::vec;
use alloc::vec::Vec;

const SLOTS: u64 = 4;
const MAX_BITS: u64 = 1 << 48;

/// Bits of a tag, and buckets, an even number.
#[derive(Clone, Debug)]
pub struct Cuckoo {
    tag_bits: u32,
    buckets: u64,
}

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Cuckoo>;

impl Cuckoo {
    /// How many different tags there are.
    fn tags(&self) -> u64 {
        (1 << self.tag_bits) - 1
    }

    /// The tag of a key, and its two buckets, which are never the same.
    #[inline]
    fn places(&self, key: Key) -> (u64, [u64; 2]) {
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
}

impl Rule for Cuckoo {
    const FACTS: &'static Facts = &crate::kinds::CUCKOO;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let bits = SLOTS * u64::from(h.hashes);
        h.expect_units(h.units >= 2 && h.units % 2 == 0 && h.units <= MAX_BITS / bits)?;
        Ok(Cuckoo {
            tag_bits: h.hashes,
            buckets: h.units,
        })
    }

    fn bits(&self) -> u64 {
        SLOTS * u64::from(self.tag_bits) * self.buckets
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        let (tag, buckets) = self.places(key);
        let holds = |b| {
            self.slots(payload, b)
                .map_or(true, |s| s.contains(&tag))
        };
        buckets.into_iter().any(holds)
    }

    /// The tag of a key, and its two buckets.
    fn positions(&self, key: Key) -> Option<Vec<u64>> {
        let (tag, [first, second]) = self.places(key);
        Some(vec![tag, first, second])
    }
}
