//! FNV-1a64 and SplitMix64 (spec/hash.md 1), the hash of the portable filter.

use super::Key;

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Keys hashed side by side. Each byte of FNV waits for the one before it (about five cycles), while the processor could
/// begin a multiplication every cycle.
pub(crate) const ABREAST: usize = 8;

#[inline(always)]
fn step(h: u64, b: u8) -> u64 {
    (h ^ u64::from(b)).wrapping_mul(PRIME)
}

/// FNV-1a with 64 bits.
#[inline]
pub fn fnv1a64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(BASIS, |h, &b| step(h, b))
}

/// One step of the generator SplitMix64 with state `x`.
#[inline]
pub fn splitmix64(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The hash of `bytes`.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    splitmix64(fnv1a64(bytes))
}

/// The hashes of some strings, [`ABREAST`] at a time: as far as the shortest of them goes in step, then each alone.
#[inline]
pub(crate) fn hash_batch<T: AsRef<[u8]>>(strings: &[T], out: &mut [Key]) {
    let mut groups = strings.chunks_exact(ABREAST);
    let mut outs = out.chunks_exact_mut(ABREAST);
    for (group, out) in (&mut groups).zip(&mut outs) {
        let mut s: [&[u8]; ABREAST] = [&[]; ABREAST];
        let mut shortest = usize::MAX;
        for (s, g) in s.iter_mut().zip(group) {
            *s = g.as_ref();
            shortest = shortest.min(s.len());
        }
        let mut h = [BASIS; ABREAST];
        let heads = s.map(|s| &s[..shortest]);
        let mut at = 0;
        // Eight bytes at a time, so that each string is loaded once for eight steps.
        while at + 8 <= shortest {
            let mut words = heads.map(|s| super::read64(s, at));
            for _ in 0..8 {
                for (h, w) in h.iter_mut().zip(&mut words) {
                    *h = step(*h, *w as u8);
                    *w >>= 8;
                }
            }
            at += 8;
        }
        while at < shortest {
            for (h, s) in h.iter_mut().zip(&heads) {
                *h = step(*h, s[at]);
            }
            at += 1;
        }
        for ((h, s), out) in h.iter().zip(&s).zip(out.iter_mut()) {
            let rest = s[shortest..].iter().fold(*h, |h, &b| step(h, b));
            *out = Key::from_raw(splitmix64(rest));
        }
    }
    for (s, out) in groups.remainder().iter().zip(outs.into_remainder()) {
        *out = Key::from_raw(hash(s.as_ref()));
    }
}
