//! Ribbon, fuse and xor filters, which are only read: the examples of spec/filters.md 9 to 11, headers, damage, rates.

use crate::fill::{filled, filled_with, verdict, with_payload};
use crate::kinds::{ribbon_shape, slots};
use crate::solve::layer_numbers;
use crate::texts;
use bloomery::container::{self, crc32c, ContainerView, Extras};
use bloomery::hash::splitmix64;
use bloomery::kind::Kind;
use bloomery::{
    AnyFilter, AnyKind, Code, Fuse, Hasher, Key, Ribbon, RibbonShape, SlotShape, Slots, Xor,
};
use std::collections::BTreeSet;

const K0: Key = Key::from_raw(0xbbb0_8e67_2f91_90b3);

fn fuse(shape: SlotShape) -> AnyKind {
    Fuse::new(shape, Hasher::DEFAULT).unwrap().into()
}

fn xor(shape: SlotShape) -> AnyKind {
    Xor::new(shape, Hasher::DEFAULT).unwrap().into()
}

fn ribbon(shape: RibbonShape) -> AnyKind {
    Ribbon::new(shape, Hasher::DEFAULT).unwrap().into()
}

fn with_residue(shape: SlotShape, residue: u64) -> SlotShape {
    SlotShape { residue, ..shape }
}

fn with_rest(shape: RibbonShape, rest: u32, kept: bool) -> RibbonShape {
    RibbonShape {
        rest,
        kept,
        ..shape
    }
}

/// A filter with this payload.
fn holding(kind: &AnyKind, payload: &[u8]) -> AnyFilter {
    let empty = AnyFilter::empty(kind.clone()).unwrap();
    assert_eq!(empty.payload().len(), payload.len());
    let file = empty.to_container(&Extras::default()).unwrap();
    let read = container::read(&with_payload(&file, payload)).unwrap();
    read.verify_ones().unwrap();
    read.into_filter().unwrap()
}

fn hashes(seed: u64, count: usize) -> Vec<Key> {
    let numbers = (0..count as u64).map(|i| splitmix64(seed << 32 | i));
    numbers.map(Key::from_raw).collect()
}

#[test]
fn examples_of_ribbon() {
    assert_eq!(Hasher::DEFAULT.key(b"k0"), K0);
    let made = |shape| Ribbon::new(shape, Hasher::DEFAULT).unwrap();
    let narrow = made(ribbon_shape(64, 8, [1024, 0, 0, 0], 0));
    let e = narrow.equation(K0, 0).unwrap();
    let got = (e.slot, e.coefficients, e.fingerprint & 0xff, e.columns);
    assert_eq!(got, (96067, 0x7c46_b53b_3498_ecef, 0x26, 8));
    assert_eq!(layer_numbers(64, 1024, 0), [2, 65536, 65473, 0]);
    let wide = made(ribbon_shape(128, 8, [512, 0, 0, 0], 0));
    let e = wide.equation(K0, 0).unwrap();
    let c = 0x02c2_7a5d_9745_7c26_7c46_b53b_3498_ecef;
    assert_eq!(
        (e.slot, e.coefficients, e.fingerprint & 0xff),
        (192135, c, 0x11)
    );
    assert_eq!((narrow.equation(K0, 1), wide.equation(K0, 9)), (None, None));
    let alone = with_rest(ribbon_shape(64, 8, [0; 4], 0), 1, false);
    let e = made(alone).equation(K0, 0).unwrap();
    assert_eq!((e.slot, e.coefficients, e.fingerprint & 0xff), (0, 1, 0x43));
    let f = filled(&ribbon(alone), &texts("k", 1));
    assert_eq!(f.payload(), [0x43]);
    assert!(f.may_contain("k0"));
}

#[test]
fn examples_of_fuse_and_xor() {
    let of = |shape| Fuse::new(shape, Hasher::DEFAULT).unwrap();
    for (shape, round, fingerprint, wanted) in [
        (slots(7, 8, 1, 0, 0), 0, 0x02, &[6, 1, 4, 3][..]),
        (slots(13, 32, 1, 0, 0), 0, 0x02ed_ccb9, &[12, 2, 9, 6]),
        (slots(64, 8, 1, 3, 3), 0, 0x02, &[23, 25, 39]),
        (slots(64, 32, 1, 3, 3), 1, 0xfe22_9172, &[6, 12, 22]),
        (slots(128, 8, 2, 3, 3), 0, 0x02, &[87, 89, 103]),
        (slots(128, 8, 2, 4, 3), 0, 0x02, &[83, 93, 99, 104]),
    ] {
        let (f, got) = of(shape).places(K0, round);
        assert_eq!((f, &got[..wanted.len()]), (fingerprint, wanted));
    }
    for payload in [[0, 0, 0, 0, 0, 0, 2, 0], [0, 2, 0, 0, 0, 0, 0, 0]] {
        let f = holding(&fuse(slots(7, 8, 1, 0, 0)), &payload);
        assert!(f.may_contain("k0"));
    }
    let of = |shape| Xor::new(shape, Hasher::DEFAULT).unwrap();
    let (_, got) = of(slots(30, 8, 1, 3, 0)).places(K0, 0);
    assert_eq!(got[..3], [2, 16, 21]);
    let (_, got) = of(slots(60, 8, 2, 3, 0)).places(K0, 0);
    assert_eq!(got[..3], [32, 46, 51]);
}

#[test]
fn filters_of_no_keys() {
    for (kind, length) in [
        (ribbon(ribbon_shape(64, 8, [0; 4], 0)), 0),
        (fuse(slots(0, 8, 1, 0, 0)), 1),
        (xor(slots(0, 8, 1, 0, 0)), 1),
    ] {
        let f = holding(&kind, &vec![0; length]);
        assert!(!hashes(1, 1000).iter().any(|k| f.may_contain_key(*k)));
        let numbers = (f.estimated_keys(), f.realised_fpr(), f.fill());
        assert_eq!(numbers, (0.0, 0.0, 0.0));
        assert_eq!(f.expected_fpr(0), 0.0);
        let file = f.to_container(&Extras::default()).unwrap();
        let view = ContainerView::open(&file).unwrap();
        assert!(!view.may_contain("k0") && view.damaged_chunks() == 0);
    }
}

#[test]
fn headers_of_ribbon() {
    let kind = ribbon(with_rest(ribbon_shape(64, 3, [1, 0, 0, 0], 0), 20, false));
    const R: (usize, usize) = (20, 4);
    const UNITS: (usize, usize) = (24, 8);
    const WIDTH: (usize, usize) = (100, 1);
    const SEED: (usize, usize) = (101, 1);
    const KEPT: (usize, usize) = (102, 2);
    const B1: (usize, usize) = (104, 4);
    const B2: (usize, usize) = (108, 4);
    const B3: (usize, usize) = (112, 4);
    const NARROW: (usize, usize) = (116, 4);
    const REST: (usize, usize) = (120, 4);
    let half = 1 << 31;
    for (wanted, edits) in [
        (None, &[][..]),
        (None, &[(SEED, 255)]),
        (None, &[(NARROW, half)]),
        (Some(20), &[(R, 0)]),
        (Some(20), &[(R, 33), (UNITS, 1 << 32)]),
        (Some(80), &[(R, 2)]),
        (Some(24), &[(UNITS, u64::MAX)]),
        (Some(24), &[(UNITS, 1 << 32), (WIDTH, 9)]),
        (Some(100), &[(WIDTH, 9)]),
        (
            Some(100),
            &[(UNITS, 1025), (WIDTH, 0), (SEED, 1), (REST, 0)],
        ),
        (Some(101), &[(UNITS, 1025), (REST, 0), (SEED, 1)]),
        (Some(101), &[(KEPT, 1), (SEED, 1)]),
        (Some(102), &[(KEPT, 2), (SEED, 1)]),
        (Some(102), &[(UNITS, 1025), (KEPT, 1), (REST, 0)]),
        (Some(102), &[(KEPT, 256)]),
        (Some(24), &[(UNITS, 1025), (B1, 1025)]),
        (Some(24), &[(UNITS, 513), (WIDTH, 128), (B1, 513)]),
        (Some(80), &[(UNITS, 513)]),
        (Some(80), &[(UNITS, 1536), (B1, 1026)]),
        (Some(80), &[(UNITS, (1 << 32) - 1024)]),
        (Some(104), &[(UNITS, 0), (B1, 1)]),
        (Some(104), &[(B1, 1025), (B2, 1025)]),
        (Some(108), &[(B2, 1)]),
        (Some(108), &[(B1, 1), (B2, 1025), (NARROW, 1)]),
        (Some(112), &[(B3, 1)]),
        (Some(112), &[(B1, 1), (B2, 1), (B3, 1025)]),
        (Some(116), &[(R, 1), (NARROW, 1), (REST, 8193)]),
        (Some(120), &[(REST, 8193)]),
        (Some(80), &[(REST, 8192)]),
        (Some(80), &[(REST, 8193), (KEPT, 1)]),
        (Some(80), &[(REST, u32::MAX as u64), (KEPT, 1)]),
        (Some(80), &[(UNITS, 2), (NARROW, half)]),
        (Some(80), &[(NARROW, u32::MAX as u64), (REST, 64)]),
    ] {
        assert_eq!(verdict(&kind, edits), wanted, "{:?}", edits);
    }
}

#[test]
fn headers_of_slots() {
    const R: (usize, usize) = (20, 4);
    const UNITS: (usize, usize) = (24, 8);
    const SHARDS: (usize, usize) = (100, 4);
    const RESIDUE: (usize, usize) = (104, 8);
    const LAYOUT: (usize, usize) = (112, 1);
    const LOG: (usize, usize) = (113, 1);
    let all = u64::MAX;
    let too_many = (1 << 40) + 1;
    for kind in [fuse(slots(48, 8, 1, 0, 0)), xor(slots(48, 8, 1, 0, 0))] {
        let segmented = matches!(kind, AnyKind::Fuse(_));
        let either = |of_fuse, of_xor| if segmented { of_fuse } else { of_xor };
        for (wanted, edits) in [
            (None, &[][..]),
            (Some(20), &[(R, 0)]),
            (Some(20), &[(R, 33), (SHARDS, 0)]),
            (Some(80), &[(R, 9)]),
            (
                Some(100),
                &[(UNITS, all), (SHARDS, 0), (LAYOUT, 9), (LOG, 9)],
            ),
            (
                Some(112),
                &[(UNITS, all), (LAYOUT, 1), (LOG, 9), (RESIDUE, all)],
            ),
            (Some(112), &[(LAYOUT, 255)]),
            (Some(113), &[(UNITS, all), (LOG, 1), (RESIDUE, all)]),
            (Some(24), &[(UNITS, all), (RESIDUE, too_many)]),
            (Some(24), &[(UNITS, (1 << 45) + 1), (LAYOUT, 3)]),
            (Some(24), &[(UNITS, 49), (SHARDS, 2), (RESIDUE, too_many)]),
            (Some(24), &[(UNITS, 65537)]),
            (Some(80), &[(UNITS, 65536)]),
            (Some(104), &[(RESIDUE, too_many)]),
            (Some(80), &[(RESIDUE, 1 << 40)]),
            (Some(80), &[(SHARDS, 2)]),
            (Some(80), &[(UNITS, 0), (SHARDS, u32::MAX as u64)]),
            (Some(24), &[(UNITS, 0), (LAYOUT, 3)]),
            (Some(113), &[(LAYOUT, 3), (LOG, 17)]),
            (either(None, Some(113)), &[(LAYOUT, 3), (LOG, 4)]),
            (
                either(Some(24), Some(113)),
                &[(UNITS, 32), (LAYOUT, 3), (LOG, 4)],
            ),
            (Some(24), &[(UNITS, 2), (LAYOUT, 3)]),
            (None, &[(LAYOUT, 3)]),
            (either(None, Some(112)), &[(LAYOUT, 4), (LOG, 2)]),
            (either(Some(24), Some(112)), &[(LAYOUT, 4), (LOG, 4)]),
            (
                either(Some(80), Some(24)),
                &[(UNITS, (1 << 45) - 2), (LAYOUT, 3), (SHARDS, 3)],
            ),
            (either(Some(80), Some(24)), &[(UNITS, 49), (LAYOUT, 3)]),
            (either(Some(80), Some(24)), &[(UNITS, 3 << 32), (LAYOUT, 3)]),
            (Some(80), &[(UNITS, 3 * u32::MAX as u64), (LAYOUT, 3)]),
            (Some(100), &[((114, 1), 1)]),
        ] {
            assert_eq!(verdict(&kind, edits), wanted, "{} {:?}", kind.name(), edits);
        }
    }
}

/// The bytes that a lookup reads, by the formulas of spec/filters.md 10.1 and 10.5.
fn bytes_of_slots(
    shape: &SlotShape,
    payload: &[u8],
    h: u64,
    places: impl Fn(u8) -> (u64, [u64; 4]),
) -> Vec<u64> {
    let bits = u64::from(shape.slot_bits);
    let rounds = (shape.slots * bits + 7) / 8;
    let mut read = Vec::new();
    if shape.slots > 0 {
        let shard = ((u128::from(h) * u128::from(shape.shards)) >> 64) as u64;
        read.push(rounds + shard);
        let (_, slots) = places(payload[(rounds + shard) as usize]);
        let arity = if shape.layout == 0 { 4 } else { shape.layout };
        for slot in &slots[..arity.into()] {
            read.extend((bits * slot..bits * (slot + 1)).map(|bit| bit / 8));
        }
    }
    let residue = rounds + u64::from(shape.shards);
    read.extend(residue..residue + 8 * shape.residue);
    read
}

/// The same by 9.1, 9.2 and 9.4.
fn bytes_of_ribbon(shape: &RibbonShape, payload: &[u8], mut h: u64) -> Vec<u64> {
    let (w, r) = (u64::from(shape.window), u64::from(shape.columns));
    let (bucket, limits) = if w == 64 {
        (128, [0, 16, 40, 128])
    } else {
        (512, [0, 40, 96, 512])
    };
    let high = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
    let narrow = u64::from(shape.narrow);
    let layers = shape.buckets.map(u64::from);
    let layers = || layers.into_iter().take_while(|b| *b > 0);
    let length = |b: u64| w / 8 * (b * bucket / w * r - layer_numbers(w, b, narrow)[3]);
    let thresholds: u64 = layers().map(length).sum();
    let (mut begin, mut before, mut read) = (0, 0, Vec::new());
    for b in layers() {
        let [segments, slots, places, x] = layer_numbers(w, b, narrow);
        let slot = high(h, segments) * slots + high(h.wrapping_mul(segments), places);
        let number = before + slot / bucket;
        let at = thresholds + number / 4;
        read.push(at);
        let t = payload[at as usize] >> (2 * (number % 4)) & 3;
        if slot % bucket >= limits[usize::from(t)] {
            let k = slot / w;
            let columns = if k < x { r - 1 } else { r };
            let last = if slot % w > 0 { k + 1 } else { k };
            for block in k..=last {
                let first = begin + w / 8 * (block * r - block.min(x));
                read.extend(first..first + columns * w / 8);
            }
            return read;
        }
        before += b;
        begin += length(b);
        h = splitmix64(h);
    }
    let at = thresholds + (before + 3) / 4;
    let m = u64::from(shape.rest);
    if shape.kept {
        read.extend(at..at + 8 * m);
    } else if m > 0 {
        let places = m.max(64) - 63;
        let x = (places * narrow) >> 32;
        let start = high(splitmix64(h.wrapping_add(shape.seed.into())), places);
        for j in 0..if start < x { r - 1 } else { r } {
            let missing = if j == r - 1 { x } else { 0 };
            let first = j * m + start - missing;
            read.extend((first..first + m.min(64)).map(|bit| at + bit / 8));
        }
    }
    read
}

fn bytes_read(kind: &AnyKind, payload: &[u8], key: Key) -> Vec<u64> {
    let h = key.raw();
    match kind {
        AnyKind::Ribbon(k) => bytes_of_ribbon(k.shape(), payload, h),
        AnyKind::Fuse(k) => bytes_of_slots(k.shape(), payload, h, |round| k.places(key, round)),
        AnyKind::Xor(k) => bytes_of_slots(k.shape(), payload, h, |round| k.places(key, round)),
        _ => panic!(),
    }
}

/// Of several chunks, and how many keys.
fn large() -> Vec<(AnyKind, usize)> {
    let half = 1 << 31;
    let ribbon_of = |shape, rest, kept| ribbon(with_rest(shape, rest, kept));
    vec![
        (fuse(slots(12000, 8, 1, 3, 5)), 900),
        (fuse(slots(9000, 13, 3, 0, 0)), 900),
        (fuse(with_residue(slots(12288, 9, 3, 4, 6), 600)), 1200),
        (fuse(slots(24000, 4, 1, 0, 0)), 900),
        (fuse(slots(30000, 4, 6000, 0, 0)), 100),
        (xor(slots(4500, 29, 1, 3, 0)), 900),
        (xor(with_residue(slots(12000, 7, 4, 3, 0), 20)), 700),
        (
            ribbon_of(ribbon_shape(64, 9, [90, 5, 0, 0], half), 300, false),
            900,
        ),
        (
            ribbon_of(ribbon_shape(64, 2, [514, 20, 1, 1], half / 2), 300, false),
            1500,
        ),
        (
            ribbon_of(ribbon_shape(64, 3, [2, 0, 0, 0], 0), 1500, true),
            100,
        ),
        (
            ribbon_of(ribbon_shape(128, 12, [18, 0, 0, 0], half), 1500, false),
            1200,
        ),
        (
            ribbon_of(ribbon_shape(64, 30, [0; 4], half / 2), 4000, false),
            1000,
        ),
    ]
}

fn passing(f: &AnyFilter, strangers: &[Key]) -> f64 {
    let hits = strangers.iter().filter(|k| f.may_contain_key(**k));
    hits.count() as f64 / strangers.len() as f64
}

fn is_near(f: &AnyFilter, strangers: &[Key]) {
    let (seen, rate) = (passing(f, strangers), f.realised_fpr());
    assert!((0.0..=1.0).contains(&rate));
    let sigma = (rate * (1.0 - rate) / strangers.len() as f64).sqrt();
    let slack = 5.0 * sigma + 0.03 * rate + 1e-4;
    assert!((seen - rate).abs() < slack, "{:?}: {} {}", f, seen, rate);
}

#[test]
fn every_lookup_of_a_damaged_filter_is_as_the_page_says() {
    let strangers = hashes(99, 20_000);
    for (kind, count) in large() {
        let keys = hashes(1, count);
        let f = filled_with(&kind, keys.clone());
        assert!(keys.iter().all(|k| f.may_contain_key(*k)));
        is_near(&f, &strangers);
        let payload = f.payload();
        let file = f.to_container(&Extras::default()).unwrap();
        let header = container::inspect(&file, None).unwrap();
        let at = header.payload_offset as usize;
        let asked = &strangers[..2000];
        let touched: Vec<BTreeSet<u64>> = asked
            .iter()
            .map(|k| {
                bytes_read(&kind, &payload, *k)
                    .iter()
                    .map(|b| b / 4096)
                    .collect()
            })
            .collect();
        assert!(header.chunks() > 1);
        for chunk in 0..header.chunks() {
            let mut hurt = file.clone();
            hurt[at + 4096 * chunk as usize + 11] ^= 4;
            let read = container::read(&hurt).unwrap().into_filter().unwrap();
            let view = ContainerView::open(&hurt).unwrap();
            for key in &keys {
                assert!(read.may_contain_key(*key) && view.may_contain_key(*key));
            }
            for (key, touched) in asked.iter().zip(&touched) {
                let wanted = touched.contains(&chunk) || f.may_contain_key(*key);
                let got = (read.may_contain_key(*key), view.may_contain_key(*key));
                assert_eq!(got, (wanted, wanted), "{:?} {:?}", kind, key);
            }
            is_near(&read, &strangers);
            assert!(read.realised_fpr() > f.realised_fpr());
            let e = read.to_container(&Extras::default()).unwrap_err();
            assert_eq!(e.code(), Code::Corrupt);
        }
    }
}

#[test]
fn rates_of_slots() {
    let keys = hashes(7, 1000);
    let f = filled_with(&fuse(slots(1504, 8, 1, 3, 5)), keys);
    assert!((f.estimated_keys() - 1000.0).abs() < 25.0);
    assert!((f.realised_fpr() - f.expected_fpr(1000)).abs() < 1e-12);
    assert!((f.fill() - f.estimated_keys() / 1504.0).abs() < 1e-12);
    let empty = AnyFilter::empty(fuse(slots(30, 2, 1, 0, 0))).unwrap();
    assert_eq!((empty.realised_fpr(), empty.fill()), (0.25, 0.0));
    let only = AnyFilter::empty(fuse(with_residue(slots(0, 8, 1, 0, 0), 5))).unwrap();
    let numbers = (only.estimated_keys(), only.realised_fpr(), only.fill());
    assert_eq!(numbers, (5.0, 5.0 / 2f64.powi(64), 1.0));
}

#[test]
fn rates_of_ribbon() {
    let one = ribbon_shape(64, 4, [1, 0, 0, 0], 0);
    let rate = |shape: RibbonShape, threshold: u8| {
        let kind = ribbon(shape);
        let mut payload = AnyFilter::empty(kind.clone()).unwrap().payload();
        if shape.buckets[0] > 0 {
            payload[64] = threshold;
        }
        let f = holding(&kind, &payload);
        assert_eq!(f.fill(), 1.0);
        f.realised_fpr()
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{} {}", a, b);
    near(rate(with_rest(one, 20, false), 0), 1.0 / 16.0);
    near(rate(with_rest(one, 20, false), 1), 1.0 / 16.0);
    near(rate(with_rest(one, 20, true), 1), 49.0 / 65.0 / 16.0);
    assert_eq!(rate(with_rest(one, 20, true), 3), 148.0 / 2f64.powi(64));
    let last = with_rest(ribbon_shape(64, 3, [0; 4], 1 << 31), 100, false);
    near(rate(last, 0), (18.0 / 4.0 + 19.0 / 8.0) / 37.0);
    let f = AnyFilter::empty(ribbon(ribbon_shape(64, 3, [10, 0, 0, 0], 1 << 31))).unwrap();
    let narrow = 9.0 * 64.0;
    near(
        f.realised_fpr(),
        (narrow / 4.0 + (1217.0 - narrow) / 8.0) / 1217.0,
    );
    assert_eq!(f.estimated_keys(), 1280.0);
    near(f.expected_fpr(1), 1.5 / 8.0);
}

#[test]
fn hashes_are_searched_as_the_page_says() {
    for (numbers, found) in [
        ([1u64, 2, 3, 4, 5], &[1, 2, 3, 4, 5][..]),
        ([5, 4, 3, 2, 1], &[]),
        ([9, 1, 1, 1, 9], &[9]),
        ([7, 7, 7, 7, 7], &[7]),
        ([3, 1, 2, 9, 4], &[2]),
    ] {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let kept = with_rest(ribbon_shape(64, 8, [0; 4], 0), 5, true);
        let slots = with_residue(slots(0, 8, 1, 0, 0), 5);
        let f = holding(&fuse(slots), &[&[0], &bytes[..]].concat());
        let g = holding(&ribbon(kept), &bytes);
        for filter in [f, g] {
            let has = |h: &u64| filter.may_contain_key(Key::from_raw(*h));
            let got: Vec<u64> = (0..12).filter(has).collect();
            assert_eq!(got, found);
        }
    }
}

#[test]
fn sentinels_are_looked_for() {
    let keys = texts("k", 10);
    for kind in [
        ribbon(with_rest(ribbon_shape(64, 8, [1, 0, 0, 0], 0), 40, false)),
        fuse(slots(30, 8, 1, 0, 0)),
        xor(slots(60, 8, 1, 3, 0)),
    ] {
        let f = filled(&kind, &keys);
        let extras = Extras {
            keys: 10,
            sentinels: container::sentinels_of(f.hasher(), &keys),
            ..Extras::default()
        };
        let file = f.to_container(&extras).unwrap();
        let read = container::read(&file).unwrap();
        assert_eq!((read.header().keys, read.sentinels().len()), (10, 8));
        assert_eq!(
            read.into_filter().unwrap().to_container(&extras).unwrap(),
            file
        );
        let stranger = |k: &Key| !f.may_contain_key(*k);
        let stranger = hashes(5, 99).into_iter().find(stranger).unwrap();
        let at = file.len() - 4 - 4 - 64;
        let mut lying = file.clone();
        lying[at..at + 8].copy_from_slice(&stranger.raw().to_le_bytes());
        let end = file.len() - 4;
        let crc = crc32c(&lying[at..end]);
        lying[end..].copy_from_slice(&crc.to_le_bytes());
        for e in [
            container::read(&lying).map(|_| ()).unwrap_err(),
            ContainerView::open(&lying).map(|_| ()).unwrap_err(),
        ] {
            assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(at as u64)));
        }
    }
}

#[test]
fn shapes_that_there_are_not() {
    let code = |made: Result<(), bloomery::Error>| made.unwrap_err().code();
    let fuse = |s| code(Fuse::new(s, Hasher::DEFAULT).map(|_| ()));
    let xor = |s| code(Xor::new(s, Hasher::DEFAULT).map(|_| ()));
    let ribbon = |s| code(Ribbon::new(s, Hasher::DEFAULT).map(|_| ()));
    for shape in [
        slots(7, 8, 0, 0, 0),
        slots(7, 8, 1, 1, 0),
        slots(7, 0, 1, 0, 0),
        slots(7, 33, 1, 0, 0),
        slots(7, 8, 2, 0, 0),
        slots(48, 8, 1, 3, 17),
    ] {
        assert_eq!(fuse(shape), Code::InvalidArgument);
        assert_eq!(xor(shape), Code::InvalidArgument);
    }
    assert_eq!(xor(slots(60, 8, 1, 4, 0)), Code::InvalidArgument);
    assert_eq!(xor(slots(48, 8, 1, 3, 2)), Code::InvalidArgument);
    assert_eq!(fuse(slots(1 << 46, 8, 1, 3, 0)), Code::TooLarge);
    let many = with_residue(slots(7, 8, 1, 0, 0), (1 << 40) + 1);
    assert_eq!(fuse(many), Code::TooLarge);
    let one = ribbon_shape(64, 8, [1, 0, 0, 0], 0);
    assert_eq!(ribbon(with_rest(one, 8193, false)), Code::TooLarge);
    for shape in [
        ribbon_shape(32, 8, [1, 0, 0, 0], 0),
        ribbon_shape(64, 0, [1, 0, 0, 0], 0),
        ribbon_shape(64, 33, [1, 0, 0, 0], 0),
        ribbon_shape(64, 8, [1025, 0, 0, 0], 0),
        ribbon_shape(64, 8, [0, 1, 0, 0], 0),
        ribbon_shape(64, 1, [1, 0, 0, 0], 1),
        RibbonShape { seed: 1, ..one },
        with_rest(one, 0, true),
    ] {
        assert_eq!(ribbon(shape), Code::InvalidArgument);
    }
    let lost: Slots<_> = Fuse::new(slots(7, 8, 1, 0, 0), Hasher::DEFAULT).unwrap();
    let mut f = bloomery::FuseFilter::empty(lost).unwrap();
    assert_eq!(f.try_insert("k").unwrap_err().code(), Code::Unsupported);
}
