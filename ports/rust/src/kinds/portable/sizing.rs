//! How many bits and hashes (spec/filters.md 1.4), and what they will really give (1.5).

use super::{Portable, PortableBloom};
use crate::error::{Code, Error};
use crate::filter_of::FilterOf;
#[cfg(feature = "std")]
use crate::kind::{BitKind, Kind};
use core::f64::consts::LN_2;

/// What sizing by rate promises.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The true rate is at most 1.1 times the requested one.
    Kept,
    /// It is more, and the writer must say so.
    Warned,
    /// It is more than four times as much, and there are a hundred keys or more.
    Refused,
}

#[cfg(feature = "std")]
impl Verdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Kept => "kept",
            Verdict::Warned => "warned",
            Verdict::Refused => "refused",
        }
    }
}

/// The rate that was requested and the one that the format gives.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    /// The rate that was requested.
    pub asked_fpr: f64,
    /// The rate that bits, hashes and keys really give.
    pub true_fpr: f64,
    /// What a writer does about the difference.
    pub verdict: Verdict,
}

pub(super) fn too_large() -> Error {
    Error::new(Code::TooLarge, "a portable filter has at most 2^63 bits")
}

/// The whole number not below x, for 0 <= x <= 2^63; `core` has no `ceil`.
fn ceil(x: f64) -> Result<u64, Error> {
    if x.is_nan() || x > 9_223_372_036_854_775_808.0 {
        return Err(too_large());
    }
    let down = x as u64;
    Ok(down + u64::from((down as f64) < x))
}

/// k = round((m / n) ln 2), halves away from zero, from 1 to 30.
fn hashes_for(bits: u64, keys: u64) -> u32 {
    let k = (bits as f64 / keys as f64) * LN_2;
    let down = k as u32;
    let rounded = down.saturating_add(u32::from(k - f64::from(down) >= 0.5));
    rounded.clamp(1, 30)
}

fn some_keys(keys: u64) -> Result<(), Error> {
    if keys == 0 {
        return Err(Error::invalid("a filter is sized for at least one key"));
    }
    Ok(())
}

impl Portable {
    /// For so many keys at a rate. It is `std`'s: `core` has no logarithm.
    #[cfg(feature = "std")]
    pub fn by_rate(keys: u64, fpr: f64) -> Result<Self, Error> {
        some_keys(keys)?;
        if !(fpr > 0.0 && fpr < 1.0) {
            return Err(Error::invalid("a rate lies between 0 and 1"));
        }
        let bits = ceil((-(keys as f64) * fpr.ln()) / (LN_2 * LN_2))?;
        Portable::new(bits, hashes_for(bits, keys))
    }

    /// For so many keys with so many bits each.
    pub fn by_bits_per_key(keys: u64, bits_per_key: f64) -> Result<Self, Error> {
        some_keys(keys)?;
        if bits_per_key.is_nan() || bits_per_key <= 0.0 {
            return Err(Error::invalid("a key has more than 0 bits"));
        }
        let bits = ceil(keys as f64 * bits_per_key)?;
        Portable::new(bits, hashes_for(bits, keys))
    }

    /// For so many keys in so many bytes.
    pub fn by_memory(keys: u64, bytes: u64) -> Result<Self, Error> {
        some_keys(keys)?;
        if bytes == 0 {
            return Err(Error::invalid("a filter has at least one byte"));
        }
        let bits = bytes.checked_mul(8).ok_or_else(too_large)?;
        Portable::new(bits, hashes_for(bits, keys))
    }

    /// What this shape promises for so many keys where a rate was requested.
    #[cfg(feature = "std")]
    pub fn promise(&self, keys: u64, asked_fpr: f64) -> Promise {
        let true_fpr = self.expected_fpr(keys);
        let verdict = if true_fpr <= 1.1 * asked_fpr {
            Verdict::Kept
        } else if true_fpr > 4.0 * asked_fpr && keys >= 100 {
            Verdict::Refused
        } else {
            Verdict::Warned
        };
        Promise {
            asked_fpr,
            true_fpr,
            verdict,
        }
    }
}

impl PortableBloom {
    /// An empty filter for so many keys at a rate; refused as `unattainable` where the format would miss the rate by more
    /// than a factor of four. [`promise`](Self::promise) reports the rate where it is missed by less.
    #[cfg(feature = "std")]
    pub fn make(keys: u64, fpr: f64) -> Result<Self, Error> {
        let kind = Portable::by_rate(keys, fpr)?;
        let promise = kind.promise(keys, fpr);
        if promise.verdict == Verdict::Refused {
            let what = alloc::format!(
                "the portable format cannot give a rate of {:e} for {} keys: it would be {:.2e}; {}",
                fpr,
                keys,
                promise.true_fpr,
                reason(&kind)
            );
            return Err(Error::new(Code::Unattainable, what));
        }
        FilterOf::sized(kind, keys, fpr)
    }

    /// The same, whatever the rate will be.
    #[cfg(feature = "std")]
    pub fn make_forced(keys: u64, fpr: f64) -> Result<Self, Error> {
        FilterOf::sized(Portable::by_rate(keys, fpr)?, keys, fpr)
    }

    /// An empty filter for so many keys with so many bits each.
    pub fn make_by_bits_per_key(keys: u64, bits_per_key: f64) -> Result<Self, Error> {
        FilterOf::sized(Portable::by_bits_per_key(keys, bits_per_key)?, keys, 0.0)
    }

    /// An empty filter for so many keys in so many bytes.
    pub fn make_by_memory(keys: u64, bytes: u64) -> Result<Self, Error> {
        FilterOf::sized(Portable::by_memory(keys, bytes)?, keys, 0.0)
    }

    /// What was promised when it was sized by rate.
    #[cfg(feature = "std")]
    pub fn promise(&self) -> Option<Promise> {
        if self.asked_fpr() > 0.0 {
            Some(self.kind().promise(self.capacity(), self.asked_fpr()))
        } else {
            None
        }
    }
}

/// Why the format misses a rate by much.
#[cfg(feature = "std")]
fn reason(kind: &Portable) -> &'static str {
    if kind.bits() > 1 << 32 {
        "two halves of 32 bits do not reach evenly over so many bits"
    } else if kind.hashes() == 30 {
        "it stops at 30 hashes, and double hashing cannot go below a floor of about 1/bits"
    } else {
        "double hashing cannot go below a floor of about 1/bits"
    }
}
