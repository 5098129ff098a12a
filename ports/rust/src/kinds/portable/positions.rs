//! The bits of a key without division (spec/filters.md 1.1 to 1.3).

use crate::hash::Key;
use crate::walk::Walk;

/// m and what follows from it: M = ceil(2^64 / m), which wraps to 0 for m = 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Divisor {
    m: u64,
    inverse: u64,
}

impl Divisor {
    /// m must not be 0.
    pub(super) fn new(m: u64) -> Self {
        // ceil(2^64 / m) is floor((2^64 - 1) / m) + 1 for every m.
        let inverse = (u64::MAX / m).wrapping_add(1);
        Divisor { m, inverse }
    }

    pub(super) fn value(self) -> u64 {
        self.m
    }

    /// `h` modulo m.
    #[inline(always)]
    fn of(self, h: u32) -> u64 {
        if self.m >> 32 != 0 {
            return u64::from(h);
        }
        upper(self.inverse.wrapping_mul(u64::from(h)), self.m)
    }

    /// Whether [`Scaled`] is right for k steps: e * k * 2^32 <= 2^64, where e = M * m - 2^64.
    pub(super) fn can_scale(self, k: u64) -> bool {
        let e = u128::from(self.inverse.wrapping_mul(self.m));
        self.m >> 32 == 0 && e * u128::from(k) <= 1 << 32
    }
}

/// The upper half of a product.
#[inline(always)]
fn upper(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// A place and the step to the next.
#[derive(Clone, Copy)]
pub(super) struct Progression {
    at: u64,
    by: u64,
}

fn halves(key: Key) -> (u32, u32) {
    (key.raw() as u32, (key.raw() >> 32) as u32)
}

/// The walk for every m and k: remainders are added, and m taken off where the sum reached it.
pub(super) struct Stepped {
    pub(super) bits: Divisor,
    pub(super) steps: u64,
}

impl Walk for Stepped {
    type State = Progression;

    #[inline(always)]
    fn start(&self, key: Key) -> Progression {
        let (h1, h2) = halves(key);
        Progression {
            at: self.bits.of(h1),
            by: self.bits.of(h2),
        }
    }

    #[inline(always)]
    fn bit(&self, state: &Progression) -> u64 {
        state.at
    }

    #[inline(always)]
    fn step(&self, state: &mut Progression) {
        // Both are below m <= 2^63: the sum does not wrap. Less m it does where it was below m, and is then the larger of the
        // two: a minimum, because a branch here would be guessed wrong every other time.
        let next = state.at + state.by;
        state.at = next.min(next.wrapping_sub(self.bits.m));
    }

    #[inline(always)]
    fn steps(&self) -> u64 {
        self.steps
    }
}

/// The walk for m up to about 2^32 / k, and many larger: places are fractions of m, scaled to 2^64, so that adding them is
/// reducing them too.
///
/// The proof of spec/filters.md 1.3 holds for every h with e * h < 2^64: then M * h mod 2^64, call it low, has the remainder
/// of h as the upper half of low * m. Take h = h1 + i * h2 with i < k; it is below k * 2^32, so that e * k * 2^32 <= 2^64 is
/// enough. And low of a sum is the sum of lows, modulo 2^64: one addition a step, and nothing that waits for a comparison.
pub(super) struct Scaled {
    pub(super) bits: Divisor,
    pub(super) steps: u64,
}

impl Walk for Scaled {
    type State = Progression;

    #[inline(always)]
    fn start(&self, key: Key) -> Progression {
        let (h1, h2) = halves(key);
        Progression {
            at: self.bits.inverse.wrapping_mul(u64::from(h1)),
            by: self.bits.inverse.wrapping_mul(u64::from(h2)),
        }
    }

    #[inline(always)]
    fn bit(&self, state: &Progression) -> u64 {
        upper(state.at, self.bits.m)
    }

    #[inline(always)]
    fn step(&self, state: &mut Progression) {
        state.at = state.at.wrapping_add(state.by);
    }

    #[inline(always)]
    fn steps(&self) -> u64 {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn bits<W: Walk>(walk: &W, key: Key) -> Vec<u64> {
        let mut bits = Vec::new();
        crate::walk::probe(walk, key, |bit| {
            bits.push(bit);
            true
        });
        bits
    }

    #[test]
    fn both_walks_are_the_definition() {
        let edges = [0u64, 1, 2, 3, 95, 96, 97, 65535, 65536, 0x7fff_ffff];
        let halves: Vec<u64> = edges.iter().flat_map(|e| [*e, 0xffff_ffff - *e]).collect();
        let large = [1 << 32, (1 << 32) + 1, 1 << 40, 1 << 63];
        let (mut scaled, mut not) = (0, 0);
        for &m in halves.iter().chain(&large).filter(|m| **m > 0) {
            for k in [1u64, 2, 7, 30] {
                let bits_of = Divisor::new(m);
                for &h1 in &halves {
                    for &h2 in &halves {
                        let key = Key::from_raw(h1 | h2 << 32);
                        let wanted: Vec<u64> = (0..k).map(|i| (h1 + i * h2) % m).collect();
                        let stepped = Stepped {
                            bits: bits_of,
                            steps: k,
                        };
                        assert_eq!(bits(&stepped, key), wanted, "m = {}", m);
                        if !bits_of.can_scale(k) {
                            not += 1;
                            continue;
                        }
                        scaled += 1;
                        let walk = Scaled {
                            bits: bits_of,
                            steps: k,
                        };
                        assert_eq!(bits(&walk, key), wanted, "m = {}", m);
                    }
                }
            }
        }
        assert!(scaled > 0 && not > 0);
    }
}
