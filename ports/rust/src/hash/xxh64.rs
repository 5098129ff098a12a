//! XXH64 with seed (spec/hash.md 3).

use super::{read32, read64};

pub(super) const P1: u64 = 0x9e37_79b1_85eb_ca87;
pub(super) const P2: u64 = 0xc2b2_ae3d_27d4_eb4f;
pub(super) const P3: u64 = 0x1656_67b1_9e37_79f9;
pub(super) const P4: u64 = 0x85eb_ca77_c2b2_ae63;
pub(super) const P5: u64 = 0x27d4_eb2f_1656_67c5;

#[inline(always)]
fn round(acc: u64, input: u64) -> u64 {
    acc.wrapping_add(input.wrapping_mul(P2))
        .rotate_left(31)
        .wrapping_mul(P1)
}

/// The last mixing of XXH64; XXH3 ends its shortest inputs with it too.
#[inline(always)]
pub(super) fn avalanche(mut h: u64) -> u64 {
    h ^= h >> 33;
    h = h.wrapping_mul(P2);
    h ^= h >> 29;
    h = h.wrapping_mul(P3);
    h ^ (h >> 32)
}

/// XXH64 of `bytes` with `seed`.
#[inline]
pub fn xxh64(bytes: &[u8], seed: u64) -> u64 {
    let mut rest = bytes;
    let mut h = if bytes.len() >= 32 {
        let mut v = [
            seed.wrapping_add(P1).wrapping_add(P2),
            seed.wrapping_add(P2),
            seed,
            seed.wrapping_sub(P1),
        ];
        let mut stripes = bytes.chunks_exact(32);
        for stripe in &mut stripes {
            for (i, v) in v.iter_mut().enumerate() {
                *v = round(*v, read64(stripe, 8 * i));
            }
        }
        rest = stripes.remainder();
        let sum = [1, 7, 12, 18]
            .iter()
            .zip(&v)
            .fold(0u64, |sum, (&r, v)| sum.wrapping_add(v.rotate_left(r)));
        v.iter().fold(sum, |h, &v| {
            (h ^ round(0, v)).wrapping_mul(P1).wrapping_add(P4)
        })
    } else {
        seed.wrapping_add(P5)
    };
    h = h.wrapping_add(bytes.len() as u64);
    let mut words = rest.chunks_exact(8);
    for w in &mut words {
        h = (h ^ round(0, read64(w, 0)))
            .rotate_left(27)
            .wrapping_mul(P1)
            .wrapping_add(P4);
    }
    rest = words.remainder();
    if rest.len() >= 4 {
        h = (h ^ u64::from(read32(rest, 0)).wrapping_mul(P1))
            .rotate_left(23)
            .wrapping_mul(P2)
            .wrapping_add(P3);
        rest = &rest[4..];
    }
    for &b in rest {
        h = (h ^ u64::from(b).wrapping_mul(P5))
            .rotate_left(11)
            .wrapping_mul(P1);
    }
    avalanche(h)
}
