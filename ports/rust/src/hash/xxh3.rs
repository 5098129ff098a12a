//! XXH3 with a result of 64 bits and a seed (spec/hash.md 2), after the public specification of the xxHash project.
//!
//! The algorithm has a case for each class of lengths: 0, 1-3, 4-8, 9-16, 17-128, 129-240 and longer.

use super::xxh64::{avalanche as avalanche64, P1, P2, P3, P4, P5};
use super::{read32, read64};

const P32_1: u64 = 0x9e37_79b1;
const P32_2: u64 = 0x85eb_ca77;
const P32_3: u64 = 0xc2b2_ae3d;

/// Bytes taken by one step over a long input.
const STRIPE: usize = 64;
/// Steps between two scramblings: one for each 8 bytes of the secret but its last stripe.
const STRIPES: usize = (SECRET_LENGTH - STRIPE) / 8;
const SECRET_LENGTH: usize = 192;

#[rustfmt::skip]
static SECRET: [u8; SECRET_LENGTH] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
];

#[inline(always)]
fn secret(at: usize) -> u64 {
    read64(&SECRET, at)
}

/// The two halves of the 128-bit product, folded into one by exclusive or.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn avalanche(mut h: u64) -> u64 {
    h ^= h >> 37;
    h = h.wrapping_mul(0x1656_6791_9e37_79f9);
    h ^ (h >> 32)
}

/// XXH3-64 of `bytes` with `seed`; seed 0 is the unseeded function.
#[inline]
pub fn xxh3(bytes: &[u8], seed: u64) -> u64 {
    match bytes.len() {
        0 => avalanche64(seed ^ secret(56) ^ secret(64)),
        1..=3 => from_1_to_3(bytes, seed),
        4..=8 => from_4_to_8(bytes, seed),
        9..=16 => from_9_to_16(bytes, seed),
        17..=128 => from_17_to_128(bytes, seed),
        129..=240 => from_129_to_240(bytes, seed),
        _ => long(bytes, seed),
    }
}

#[inline(always)]
fn from_1_to_3(b: &[u8], seed: u64) -> u64 {
    let n = b.len();
    let (first, middle, last) = (u32::from(b[0]), u32::from(b[n >> 1]), u32::from(b[n - 1]));
    let combined = first << 16 | middle << 24 | last | (n as u32) << 8;
    let flip = u64::from(read32(&SECRET, 0) ^ read32(&SECRET, 4)).wrapping_add(seed);
    avalanche64(u64::from(combined) ^ flip)
}

#[inline(always)]
fn from_4_to_8(b: &[u8], seed: u64) -> u64 {
    const M: u64 = 0x9fb2_1c65_1e98_df25;
    let n = b.len();
    let seed = seed ^ u64::from((seed as u32).swap_bytes()) << 32;
    let flip = (secret(8) ^ secret(16)).wrapping_sub(seed);
    let mut h = (u64::from(read32(b, n - 4)) + (u64::from(read32(b, 0)) << 32)) ^ flip;
    h ^= h.rotate_left(49) ^ h.rotate_left(24);
    h = h.wrapping_mul(M);
    h ^= (h >> 35).wrapping_add(n as u64);
    h = h.wrapping_mul(M);
    h ^ (h >> 28)
}

#[inline(always)]
fn from_9_to_16(b: &[u8], seed: u64) -> u64 {
    let n = b.len();
    let low = read64(b, 0) ^ (secret(24) ^ secret(32)).wrapping_add(seed);
    let high = read64(b, n - 8) ^ (secret(40) ^ secret(48)).wrapping_sub(seed);
    avalanche(
        (n as u64)
            .wrapping_add(low.swap_bytes())
            .wrapping_add(high)
            .wrapping_add(fold(low, high)),
    )
}

/// Sixteen bytes at `at`, under sixteen bytes of the secret.
#[inline(always)]
fn mix(b: &[u8], at: usize, under: usize, seed: u64) -> u64 {
    fold(
        read64(b, at) ^ secret(under).wrapping_add(seed),
        read64(b, at + 8) ^ secret(under + 8).wrapping_sub(seed),
    )
}

#[inline(always)]
fn from_17_to_128(b: &[u8], seed: u64) -> u64 {
    let n = b.len();
    // Pairs from both ends towards the middle: as many as the input is longer than 0, 32, 64, 96 bytes.
    let pairs = (n - 1) / 32 + 1;
    let sum = (0..pairs)
        .rev()
        .fold((n as u64).wrapping_mul(P1), |sum, i| {
            sum.wrapping_add(mix(b, 16 * i, 32 * i, seed))
                .wrapping_add(mix(b, n - 16 * (i + 1), 32 * i + 16, seed))
        });
    avalanche(sum)
}

#[inline(never)]
fn from_129_to_240(b: &[u8], seed: u64) -> u64 {
    let n = b.len();
    let head = (0..8).fold((n as u64).wrapping_mul(P1), |sum, i| {
        sum.wrapping_add(mix(b, 16 * i, 16 * i, seed))
    });
    let sum = (8..n / 16).fold(avalanche(head), |sum, i| {
        sum.wrapping_add(mix(b, 16 * i, 16 * (i - 8) + 3, seed))
    });
    avalanche(sum.wrapping_add(mix(b, n - 16, 136 - 17, seed)))
}

#[inline(always)]
fn accumulate(acc: &mut [u64; 8], stripe: &[u8], secret: &[u8]) {
    for i in 0..8 {
        let data = read64(stripe, 8 * i);
        let key = data ^ read64(secret, 8 * i);
        acc[i ^ 1] = acc[i ^ 1].wrapping_add(data);
        acc[i] = acc[i].wrapping_add((key & 0xffff_ffff).wrapping_mul(key >> 32));
    }
}

#[inline(never)]
fn long(b: &[u8], seed: u64) -> u64 {
    let n = b.len();
    let mut own = SECRET;
    for pair in own.chunks_exact_mut(16) {
        let low = read64(pair, 0).wrapping_add(seed);
        let high = read64(pair, 8).wrapping_sub(seed);
        pair[..8].copy_from_slice(&low.to_le_bytes());
        pair[8..].copy_from_slice(&high.to_le_bytes());
    }
    let mut acc = [P32_3, P1, P2, P3, P4, P32_2, P5, P32_1];
    let scrambler = own.len() - STRIPE;
    // Every stripe but the one that ends the input, which overlaps its neighbour.
    for (i, stripe) in b[..n - 1].chunks_exact(STRIPE).enumerate() {
        let step = i % STRIPES;
        accumulate(&mut acc, stripe, &own[8 * step..8 * step + STRIPE]);
        if step == STRIPES - 1 {
            for (i, a) in acc.iter_mut().enumerate() {
                *a = (*a ^ (*a >> 47) ^ read64(&own, scrambler + 8 * i)).wrapping_mul(P32_1);
            }
        }
    }
    accumulate(&mut acc, &b[n - STRIPE..], &own[scrambler - 7..]);
    let sum = (0..4).fold((n as u64).wrapping_mul(P1), |sum, i| {
        sum.wrapping_add(fold(
            acc[2 * i] ^ read64(&own, 11 + 16 * i),
            acc[2 * i + 1] ^ read64(&own, 19 + 16 * i),
        ))
    });
    avalanche(sum)
}
