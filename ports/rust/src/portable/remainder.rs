//! The remainder of a 32-bit number without division (spec/filters.md 1.3, where it is proved).

/// A divisor m, with ceil(2^64 / m) at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    m: u64,
    inverse: u64,
}

impl Divisor {
    /// m must not be 0.
    pub(crate) fn new(m: u64) -> Self {
        // ceil(2^64 / m) = floor((2^64 - 1) / m) + 1 for every m; for m = 1 it wraps to the 0 that the proof wants.
        let inverse = (u64::MAX / m).wrapping_add(1);
        Divisor { m, inverse }
    }

    #[inline(always)]
    pub(crate) fn value(self) -> u64 {
        self.m
    }

    /// `h` modulo m.
    #[inline(always)]
    pub(crate) fn of(self, h: u32) -> u64 {
        if self.m >> 32 != 0 {
            return u64::from(h);
        }
        let low = self.inverse.wrapping_mul(u64::from(h));
        ((u128::from(low) * u128::from(self.m)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Divisor;

    #[test]
    fn it_is_the_remainder() {
        let edges = [0, 1, 2, 3, 95, 96, 97, 65535, 65536, 0x7fff_ffff];
        let edges = edges.iter().flat_map(|&e: &u32| [e, !e]);
        for h in edges.clone() {
            let moduli = edges.clone().map(u64::from).chain([1 << 32, 1 << 63]);
            for m in moduli.filter(|m| *m > 0) {
                assert_eq!(Divisor::new(m).of(h), u64::from(h) % m, "{} mod {}", h, m);
            }
        }
    }
}
