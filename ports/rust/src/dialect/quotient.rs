//! The quotient filter of nori-sstable.

use super::number;
use crate::error::Error;
use crate::hash::xxh64;
use alloc::vec::Vec;

pub(super) const HEADER: usize = 11;

/// The fingerprints, sorted. They take about as much memory as they did in the file.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    q: u32,
    r: u32,
    slots: u64,
    fingerprints: Vec<u64>,
}

impl Quotient {
    pub(super) fn parse(b: &[u8]) -> Result<Self, Error> {
        let short = || Error::corrupt(b.len() as u64, "shorter than its header promises");
        if b.len() < HEADER {
            return Err(short());
        }
        match b[0] {
            1 => {}
            2 => return Err(Error::unsupported(0, "the compact form of the filter")),
            _ => return Err(Error::corrupt(0, "an unknown version of the filter")),
        }
        let (q, r) = (u32::from(b[1]), u32::from(b[2]));
        if q > 31 {
            return Err(Error::corrupt(1, "too many bits of quotient"));
        }
        if r > 16 {
            return Err(Error::corrupt(2, "too many bits of remainder"));
        }
        let (count, slots) = (number(b, 3, 4), number(b, 7, 4));
        if slots != if q == 0 { 0 } else { 1 << q } {
            return Err(Error::corrupt(
                7,
                "as many slots as the quotient has values",
            ));
        }
        if ((b.len() - HEADER) as u64) < slots {
            return Err(short());
        }
        let mut fingerprints = Vec::new();
        let mut at = HEADER;
        for _ in 0..slots {
            match b.get(at) {
                None => return Err(short()),
                Some(0) => at += 1,
                Some(1) if b.len() - at < 7 => return Err(short()),
                Some(1) => {
                    let (quotient, remainder) = (number(b, at + 1, 4), number(b, at + 5, 2));
                    if quotient >> q != 0 || remainder >> r != 0 {
                        let what = "a fingerprint of too many bits";
                        return Err(Error::corrupt(at as u64 + 1, what));
                    }
                    fingerprints.push(quotient << r | remainder);
                    at += 7;
                }
                Some(_) => {
                    return Err(Error::corrupt(
                        at as u64,
                        "neither a free slot nor a taken one",
                    ))
                }
            }
        }
        if at != b.len() {
            return Err(Error::corrupt(at as u64, "bytes after the last slot"));
        }
        if fingerprints.len() as u64 != count {
            return Err(Error::corrupt(
                3,
                "another number of fingerprints than there are",
            ));
        }
        fingerprints.sort_unstable();
        Ok(Quotient {
            q,
            r,
            slots,
            fingerprints,
        })
    }

    pub(super) fn slots(&self) -> u64 {
        self.slots
    }

    /// A full filter denies nothing: its writer drops further keys silently. One of no slots holds nothing.
    pub(super) fn may_contain(&self, key: &[u8]) -> bool {
        if self.fingerprints.len() as u64 == self.slots {
            return self.slots > 0;
        }
        // At most 47 bits; q is at least 1 here, so that the shift is below 64.
        let fingerprint = xxh64(key, 0) >> (64 - self.q - self.r);
        self.fingerprints.binary_search(&fingerprint).is_ok()
    }
}
