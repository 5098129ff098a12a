//! Two hashes for all probes: what that adds (spec/model.md 2), and the exact rate of given bits (3).

use alloc::vec;
use alloc::vec::Vec;

/// Orders of steps above this do not count: no writer has as many hashes.
const LARGEST_ORDER: u64 = 1 << 20;

fn totient(mut x: u64) -> u64 {
    let mut phi = x;
    let mut p = 2;
    while p * p <= x {
        if x % p == 0 {
            while x % p == 0 {
                x /= p;
            }
            phi -= phi / p;
        }
        p += 1;
    }
    if x > 1 {
        phi -= phi / x;
    }
    phi
}

/// What double hashing adds to the rate of independent probes, to first order in 1/m.
pub(super) fn excess(m: u64, k: u64, n: f64, rho: f64) -> f64 {
    if rho >= 1.0 {
        return 0.0;
    }
    let bits = m as f64;
    let overlapping =
        2.0 * n / bits * (1.0 + 2.0 * rho * (1.0 - rho.powf((k - 1) as f64)) / (1.0 - rho));
    let orders: Vec<(u64, f64)> = (1..k.min(LARGEST_ORDER))
        .filter(|d| m % d == 0)
        .map(|d| (d, totient(d) as f64))
        .collect();
    let collapsed: f64 = orders
        .iter()
        .map(|&(d, phi)| {
            let filled: f64 = orders
                .iter()
                .filter(|(other, _)| other % d == 0)
                .map(|&(other, phi)| phi * other as f64)
                .sum();
            let met = (n / (bits * bits) * filled).min(1.0);
            let all = rho.powf(d as f64);
            phi * (all + met * (1.0 - all))
        })
        .sum();
    (collapsed + overlapping) / bits
}

/// An array of m bits that can be turned.
struct Ring {
    m: usize,
    bits: Vec<u64>,
    /// The array twice, one after the other: turning it is reading from another place.
    twice: Vec<u64>,
}

impl Ring {
    fn new(m: usize) -> Self {
        Ring {
            m,
            bits: vec![0; m / 64 + 1],
            twice: vec![0; 2 * m / 64 + 3],
        }
    }

    /// Bit x becomes bit x and bit x + by, modulo m; reports whether any is left.
    fn and_turned(&mut self, by: usize) -> bool {
        let (whole, part) = (self.m / 64, self.m % 64);
        self.twice[whole + 1..].fill(0);
        self.twice[..=whole].copy_from_slice(&self.bits);
        for (i, w) in self.bits.iter().enumerate() {
            self.twice[whole + i] |= w << part;
            // In two steps: a shift by 64 is not defined.
            self.twice[whole + i + 1] |= w >> 1 >> (63 - part);
        }
        let (skip, part) = (by / 64, by % 64);
        let pairs = self.twice[skip..].windows(2);
        let mut any = 0;
        for (w, pair) in self.bits.iter_mut().zip(pairs) {
            *w &= pair[0] >> part | pair[1] << 1 << (63 - part);
            any |= *w;
        }
        any != 0
    }

    fn ones(&self) -> u64 {
        self.bits.iter().map(|w| u64::from(w.count_ones())).sum()
    }
}

/// The share of all pairs of start and step whose k positions are all set: a whole number over m^2.
pub(super) fn exact(words: &[u64], m: u64, k: u64) -> f64 {
    let m = m as usize;
    let mut filter = vec![0; m / 64 + 1];
    let given = filter.len().min(words.len());
    filter[..given].copy_from_slice(&words[..given]);
    filter[m / 64] &= (1u64 << (m % 64)) - 1;
    let k = k.min(m as u64) as usize;
    let mut ring = Ring::new(m);
    let mut pairs = 0u64;
    for step in 0..=m / 2 {
        ring.bits.copy_from_slice(&filter);
        let mut have = 1;
        let mut any = true;
        // The first `next` positions are set if the first `have` are and those moved so far that they end there.
        while have < k && any {
            let next = (2 * have).min(k);
            any = ring.and_turned(((next - have) as u64 * step as u64 % m as u64) as usize);
            have = next;
        }
        // Steps s and m - s walk the same positions.
        let twice = step != 0 && 2 * step != m;
        pairs += ring.ones() << u32::from(twice);
    }
    pairs as f64 / (m as f64 * m as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_is_what_counting_gives() {
        let mut state = 1u64;
        for m in [1usize, 2, 3, 7, 63, 64, 65, 96, 127, 128, 130] {
            for k in [1usize, 2, 3, 5, 7, 8, 30] {
                let words: Vec<u64> = (0..m / 64 + 1)
                    .map(|_| {
                        state = crate::hash::splitmix64(state);
                        state | crate::hash::splitmix64(!state)
                    })
                    .collect();
                let is_set = |x: usize| words[x / 64] >> (x % 64) & 1 == 1;
                let mut pairs = 0u64;
                for s in 0..m {
                    for x in 0..m {
                        pairs += u64::from((0..k).all(|i| is_set((x + i * s) % m)));
                    }
                }
                let expected = pairs as f64 / (m * m) as f64;
                assert_eq!(exact(&words, m as u64, k as u64), expected, "{} {}", m, k);
            }
        }
    }

    #[test]
    fn totients() {
        let got: Vec<u64> = (1..=12).map(totient).collect();
        assert_eq!(got, [1, 1, 2, 2, 4, 2, 6, 4, 6, 4, 10, 4]);
    }
}
