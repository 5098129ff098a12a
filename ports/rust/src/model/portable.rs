//! The rates of the portable filter (spec/model.md 5 to 7).

use super::classic::{classic_fpr, classic_keys, set_chance};
use super::double_hashing::{exact, excess};
use super::halves::Halves;
use crate::hash::{splitmix64, Key};
use crate::kind::{is_set, BitKind, Kind};
use crate::portable::Portable;
use alloc::vec;

/// Up to here the mean of filters filled on trial.
const SIMULATED: u64 = 2048;
/// Up to here the rate of given bits is counted.
const COUNTED: u64 = 65536;
/// From here the halves of a hash are short.
const SHORT_HALVES: u64 = 1 << 31;
/// Beyond so many hashes the formulas are rough, and the filter is queried instead.
const MOST_HASHES: u64 = 256;

/// The rate of a filter of m bits and k hashes with n keys.
pub(crate) fn portable_fpr(m: u64, hashes: u32, n: f64) -> f64 {
    let k = u64::from(hashes).min(m);
    if n == 0.0 {
        return 0.0;
    }
    let rate = if m <= SIMULATED {
        simulated(m, k, n)
    } else if m < SHORT_HALVES {
        let (bits, probes) = (m as f64, k as f64);
        classic_fpr(bits, probes, n) + excess(m, k, n, set_chance(bits, probes, n))
    } else {
        let halves = Halves::new(m, k);
        halves.fpr(n) + excess(m, k, n, halves.fill(n))
    };
    rate.min(1.0)
}

/// The mean exact rate of filters filled with pseudo-random keys, the same every time.
fn simulated(m: u64, k: u64, n: f64) -> f64 {
    if n * k as f64 > 50.0 * m as f64 {
        return 1.0;
    }
    let kind = match Portable::new(m, k as u32) {
        Ok(kind) => kind,
        Err(_) => return 1.0,
    };
    let filters = (1.3e8 / (m * m) as f64).floor().clamp(32.0, 1024.0) as u64;
    // The generator adds before it mixes, and so does `splitmix64`.
    let mut state = m;
    let mut words = vec![0u64; (m / 64 + 1) as usize];
    let mut sum = 0.0;
    for _ in 0..filters {
        words.fill(0);
        for _ in 0..n as u64 {
            let key = Key::from_raw(splitmix64(state));
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            kind.probe(key, |bit| {
                words[(bit >> 6) as usize] |= 1 << (bit & 63);
                true
            });
        }
        sum += exact(&words, m, k);
    }
    sum / filters as f64
}

/// How many keys set so many bits.
pub(crate) fn portable_keys(m: u64, hashes: u32, ones: u64) -> f64 {
    let k = u64::from(hashes).min(m);
    if m < SHORT_HALVES || ones == 0 || ones >= m {
        return classic_keys(m, k as u32, ones);
    }
    Halves::new(m, k).keys(ones as f64 / m as f64)
}

/// The rate that these bits have.
pub(crate) fn portable_realised_fpr(kind: &Portable, words: &[u64], ones: u64) -> f64 {
    let m = kind.bits();
    let k = u64::from(kind.hashes()).min(m);
    if m <= COUNTED {
        return exact(words, m, k);
    }
    if k > MOST_HASHES {
        if let Some(share) = asked(kind, words, k) {
            return share;
        }
    }
    if ones == 0 {
        return 0.0;
    }
    if ones == m {
        return 1.0;
    }
    let rho = ones as f64 / m as f64;
    let n = portable_keys(m, kind.hashes(), ones);
    let independent = if m >= SHORT_HALVES && n.is_finite() {
        Halves::new(m, k).fpr(n)
    } else {
        rho.powf(k as f64)
    };
    rho.min(independent + excess(m, k, n, rho))
}

/// The share of pseudo-random keys that pass, if enough do.
fn asked(kind: &Portable, words: &[u64], k: u64) -> Option<f64> {
    const MOST_KEYS: u64 = 1 << 17;
    let mut probes = 1u64 << 28;
    let (mut keys, mut passed) = (0u64, 0u64);
    while keys < MOST_KEYS && probes >= k {
        let key = Key::from_raw(splitmix64(keys));
        passed += u64::from(kind.probe(key, |bit| {
            let set = is_set(words, bit);
            probes -= u64::from(set);
            set
        }));
        keys += 1;
    }
    if passed >= 200 {
        Some(passed as f64 / keys as f64)
    } else {
        None
    }
}
