//! Quotient filters, which are only read: the example of spec/filters.md 15, what a reader checks, lookups in any bytes, damage,
//! counts, lists, rates.

use crate::fill::{filled_with, verdict, with_payload};
use crate::kinds::quotient_shape;
use crate::runs::{self, block_bytes, decode, lookup};
use bloomery::container::{self, ContainerView, Extras};
use bloomery::hash::splitmix64;
use bloomery::kind::Kind;
use bloomery::{AnyFilter, AnyKind, Code, Hasher, Key, Quotient, QuotientFilter, QuotientShape};
use std::collections::{BTreeMap, BTreeSet};

fn quotient(shape: QuotientShape) -> AnyKind {
    Quotient::new(shape, Hasher::DEFAULT).unwrap().into()
}

/// A container with this payload.
fn file(shape: QuotientShape, payload: &[u8]) -> Vec<u8> {
    let empty = AnyFilter::empty(quotient(shape)).unwrap();
    assert_eq!(empty.payload().len(), payload.len());
    let file = empty.to_container(&Extras::default()).unwrap();
    with_payload(&file, payload)
}

fn holding(shape: QuotientShape, counts: &BTreeMap<u64, u64>) -> QuotientFilter {
    container::read_as(&file(shape, &runs::payload(&shape, counts))).unwrap()
}

/// A key whose fingerprint is this one.
fn key_of(shape: &QuotientShape, fingerprint: u64) -> Key {
    let all = u128::from(shape.quotients << shape.remainder_bits);
    let h = ((u128::from(fingerprint) << 64) + all - 1) / all;
    Key::from_raw(h as u64)
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = splitmix64(self.0);
        self.0 % bound
    }
}

/// Fingerprints, some of them with many copies and some runs long, in so many slots at most.
fn multiset(shape: &QuotientShape, slots: u64, random: &mut Random) -> BTreeMap<u64, u64> {
    let (r, mut counts, mut used) = (shape.remainder_bits, BTreeMap::new(), 0);
    // Room behind the last quotient is needed by what is near it.
    let last = shape.quotients.saturating_sub(slots / 2).max(1);
    // Few quotients have few fingerprints.
    for _ in 0..slots {
        let q = random.below(last);
        let many = if random.below(20) == 0 { 40 } else { 1 };
        for _ in 0..1 + random.below(many) {
            let x = random.below(1 << r);
            let count = match random.below(12) {
                0 => (random.below(1 << 48) >> random.below(48)).max(1),
                1 => 2 + random.below(3),
                _ => 1,
            };
            if counts.insert(q << r | x, count).is_none() {
                let digits = 48 / u64::from(r - 1) + 2;
                used += if count < 3 { count } else { 3 + digits };
            }
            if used + 60 >= slots {
                return counts;
            }
        }
    }
    counts
}

/// Shapes and how many of their slots may be used.
fn shapes() -> Vec<(QuotientShape, u64)> {
    vec![
        (quotient_shape(7, 60, 3), 150),
        (quotient_shape(2, 64, 6), 300),
        (quotient_shape(3, 300, 9), 450),
        (quotient_shape(12, 1000, 30), 1700),
        (quotient_shape(32, 700, 20), 1100),
        (quotient_shape(5, 1, 4), 200),
        (quotient_shape(9, 3000, 60), 3500),
    ]
}

#[test]
fn the_example_of_the_page() {
    let shape = quotient_shape(7, 60, 1);
    let kind = Quotient::new(shape, Hasher::DEFAULT).unwrap();
    let key = Hasher::DEFAULT.key(b"k0");
    assert_eq!(kind.parts(key), (43, 126));
    let positions = AnyKind::from(kind.clone()).positions(key);
    assert_eq!(positions.unwrap(), [43, 126]);
    let words = |f: &AnyFilter| {
        f.payload()
            .chunks(8)
            .map(|w| u64::from_be_bytes(w.try_into().unwrap()))
            .collect::<Vec<_>>()
    };
    let one = filled_with(&kind.clone().into(), [key]);
    let x = 0x0000_0000_0008_0000;
    assert_eq!(words(&one), [x, x, 0, x, x, x, x, x, x, 0]);
    let three = filled_with(&kind.into(), [key; 3]);
    let y = 0x0000_0000_0038_0000;
    assert_eq!(
        words(&three),
        [x, 0x0000_0000_0040_0000, 0, y, y, y, y, y, y, 0]
    );
    for (f, copies) in [(one, 1), (three, 3)] {
        assert_eq!(f.count_key(key), Ok(copies));
        assert!(f.may_contain("k0") && !f.may_contain("k1"));
        assert_eq!(f.estimated_keys(), copies as f64);
        assert_eq!(f.realised_fpr(), 1.0 / (60.0 * 128.0));
        let slots = if copies == 1 { 1.0 } else { 4.0 };
        assert_eq!(f.fill(), slots / 60.0);
    }
}

#[test]
fn what_is_in_is_found_counted_and_listed() {
    let mut random = Random(1);
    for (shape, slots) in shapes() {
        for round in 0..12 {
            let counts = multiset(&shape, slots * round / 11, &mut random);
            let f = holding(shape, &counts);
            let mut listed = Vec::new();
            f.list(|fingerprint, count| listed.push((fingerprint, count)))
                .unwrap();
            let wanted: Vec<_> = counts.iter().map(|(f, c)| (*f, *c)).collect();
            assert_eq!(listed, wanted);
            let mut each = Vec::new();
            f.iterate(|fingerprint| each.push(fingerprint)).unwrap();
            assert!(each.iter().eq(counts.keys()));
            let file = f.to_container(&Extras::default()).unwrap();
            let view = ContainerView::open(&file).unwrap();
            let mut asked: Vec<u64> = counts.keys().copied().collect();
            let all = shape.quotients << shape.remainder_bits;
            asked.extend((0..500).map(|_| random.below(all)));
            let keys: Vec<Key> = asked.iter().map(|f| key_of(&shape, *f)).collect();
            let mut batch = vec![true; keys.len()];
            f.may_contain_keys(&keys, &mut batch);
            for ((fingerprint, key), batch) in asked.iter().zip(keys).zip(batch) {
                let count = counts.get(fingerprint).copied().unwrap_or(0);
                assert_eq!(f.count_key(key), Ok(count));
                let got = (f.may_contain_key(key), batch, view.may_contain_key(key));
                assert_eq!(got, (count > 0, count > 0, count > 0));
            }
            let rate = counts.len() as f64 / all as f64;
            assert!((f.realised_fpr() - rate).abs() <= 1e-12 * rate);
            let slots: usize = counts
                .values()
                .map(|c| runs::group(&shape, 0, *c).len())
                .sum();
            assert_eq!(f.used_slots(), Ok(slots as u64));
            let copies: f64 = counts.values().map(|c| *c as f64).sum();
            assert!((f.estimated_keys() - copies).abs() <= 1e-12 * copies);
            let again: QuotientFilter = container::read_as(&file).unwrap();
            assert_eq!(again.to_container(&Extras::default()).unwrap(), file);
            assert_eq!(decode(&shape, &f.payload()), Some(counts));
        }
    }
}

#[test]
fn the_largest_counts() {
    for r in [2, 3, 9, 31, 32] {
        let shape = quotient_shape(r, 3, 2);
        for count in [
            3,
            4,
            2u64.pow(r - 1) + 2,
            2u64.pow(r - 1) + 3,
            (1 << 48) - 1,
        ] {
            let counts = BTreeMap::from([(5, count), (6, 2)]);
            let f = holding(shape, &counts);
            assert_eq!(f.count_key(key_of(&shape, 5)), Ok(count));
            assert_eq!(f.count_key(key_of(&shape, 6)), Ok(2));
            assert_eq!(f.count_key(key_of(&shape, 7)), Ok(0));
        }
        let too_many = BTreeMap::from([(5, 1 << 48)]);
        let payload = runs::payload(&shape, &too_many);
        let e = container::read(&file(shape, &payload)).unwrap_err();
        assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(128)));
    }
}

/// Every bit of some payloads, flipped: a reader takes those that a writer makes, and no others.
#[test]
fn payloads_that_contradict_themselves_are_refused() {
    let mut random = Random(2);
    let (mut taken, mut refused) = (0, 0);
    for (shape, slots) in [
        (quotient_shape(7, 60, 2), 110),
        (quotient_shape(2, 64, 3), 130),
        (quotient_shape(3, 150, 5), 200),
        (quotient_shape(4, 130, 9), 460),
    ] {
        for round in 1..4 {
            let counts = multiset(&shape, slots * round / 3, &mut random);
            let payload = runs::payload(&shape, &counts);
            for bit in 0..8 * payload.len() {
                let mut other = payload.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                // Every other time one more.
                if bit % 2 == 0 {
                    let bit = random.below(8 * payload.len() as u64) as usize;
                    other[bit / 8] ^= 1 << (bit % 8);
                }
                let made = file(shape, &other);
                let wanted = decode(&shape, &other);
                match container::read_as::<Quotient>(&made) {
                    Ok(f) => {
                        let mut listed = BTreeMap::new();
                        f.list(|f, c| assert!(listed.insert(f, c).is_none()))
                            .unwrap();
                        assert_eq!(Some(listed), wanted);
                        taken += 1;
                    }
                    Err(e) => {
                        assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(128)));
                        assert_eq!(wanted, None, "bit {} of {:?}", bit, shape);
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(taken > 100 && refused > 10_000, "{} {}", taken, refused);
}

/// Lookups in place see bytes that nobody checked.
#[test]
fn any_bytes_are_asked_as_the_page_says() {
    let mut random = Random(3);
    let (mut found, mut asked) = (0, 0);
    for (shape, slots) in shapes() {
        for round in 0..6 {
            let counts = multiset(&shape, slots, &mut random);
            let mut payload = runs::payload(&shape, &counts);
            let length = payload.len() as u64;
            for _ in 0..1 << round {
                let at = random.below(length) as usize;
                payload[at] = [0, 1, 255, 254, 128][random.below(5) as usize];
            }
            if round == 5 {
                payload
                    .iter_mut()
                    .for_each(|b| *b = random.below(256) as u8);
            }
            if round == 4 {
                let offsets = (shape.blocks * block_bytes(&shape)) as usize;
                payload[offsets..].fill(255);
            }
            let file = file(shape, &payload);
            let view = ContainerView::open(&file).unwrap();
            for _ in 0..300 {
                let fingerprint = random.below(shape.quotients << shape.remainder_bits);
                let r = shape.remainder_bits;
                let (q, x) = (fingerprint >> r, fingerprint & ((1 << r) - 1));
                let (wanted, _) = lookup(&shape, &payload, q, x);
                assert_eq!(view.may_contain_key(key_of(&shape, fingerprint)), wanted);
                found += u32::from(wanted);
                asked += 1;
            }
        }
    }
    assert!(found > asked / 20 && found < asked * 19 / 20);
}

/// Of several chunks; the last has runs of so many remainders that offsets do not tell where they end.
fn large() -> Vec<(QuotientShape, BTreeMap<u64, u64>)> {
    let mut random = Random(4);
    let mut all = Vec::new();
    for (r, quotients, blocks, load) in [
        (7, 12_000, 200, 0.9),
        (2, 40_000, 640, 0.5),
        (20, 4000, 70, 0.95),
    ] {
        let shape = quotient_shape(r, quotients, blocks);
        let keys = (quotients as f64 * load) as u64;
        let one = |_| random.below(quotients << r);
        let mut counts = BTreeMap::new();
        for fingerprint in (0..keys).map(one) {
            *counts.entry(fingerprint).or_insert(0) += 1;
        }
        all.push((shape, counts));
    }
    let shape = quotient_shape(12, 9000, 200);
    let mut counts = BTreeMap::new();
    for q in [70, 71, 2000, 4000, 8900] {
        counts.extend((0..600).map(|x| ((q << 12) + 7 * x, 1 + x % 2)));
    }
    counts.extend((0..3000).map(|_| (random.below(9000 << 12), 1)));
    all.push((shape, counts));
    all
}

/// The realised rate, the estimated keys and the fill of spec/model.md 15.
fn model(
    shape: &QuotientShape,
    counts: &BTreeMap<u64, u64>,
    payload: &[u8],
    chunk: u64,
) -> [f64; 3] {
    let (r, all) = (shape.remainder_bits, shape.quotients as f64);
    let mut lost = BTreeSet::new();
    for q in 0..shape.quotients {
        // A lookup for a remainder that is none reads the whole run.
        if lookup(shape, payload, q, 1 << r).1.contains(&chunk) {
            lost.insert(q);
        }
    }
    let mut known = counts.clone();
    known.retain(|f, _| !lost.contains(&(f >> r)));
    let x = lost.len() as f64 / all;
    let rate = x + known.len() as f64 / (shape.quotients << r) as f64;
    if lost.len() as f64 == all {
        return [1.0, f64::INFINITY, 1.0];
    }
    let copies: u64 = known.values().sum();
    let slots: usize = known
        .values()
        .map(|c| runs::group(shape, 0, *c).len())
        .sum();
    let fill = slots as f64 / all / (1.0 - x);
    [rate.min(1.0), copies as f64 / (1.0 - x), fill.min(1.0)]
}

#[test]
fn every_lookup_of_a_damaged_filter_is_as_the_page_says() {
    let mut random = Random(5);
    for (shape, counts) in large() {
        let f = holding(shape, &counts);
        let payload = f.payload();
        let r = shape.remainder_bits;
        let file = f.to_container(&Extras::default()).unwrap();
        let header = container::inspect(&file, None).unwrap();
        let mut asked: Vec<u64> = counts.keys().step_by(7).copied().collect();
        asked.extend((0..700).map(|_| random.below(shape.quotients << r)));
        // Of a quotient that has a run, and in the first block, whose offset is not read.
        asked.extend(counts.keys().step_by(31).map(|f| f ^ 1));
        asked.extend((0..64).map(|q| q << r));
        let reads = |f: &u64| {
            let (found, read) = lookup(&shape, &payload, f >> r, f & ((1 << r) - 1));
            assert_eq!(found, counts.contains_key(f));
            read
        };
        let touched: Vec<BTreeSet<u64>> = asked.iter().map(reads).collect();
        for chunk in 0..header.chunks() {
            let mut hurt = file.clone();
            hurt[header.payload_offset as usize + 4096 * chunk as usize] ^= 4;
            let read: QuotientFilter = container::read_as(&hurt).unwrap();
            assert_eq!(read.damaged_chunks(), 1);
            let view = ContainerView::open(&hurt).unwrap();
            for (fingerprint, touched) in asked.iter().zip(&touched) {
                let key = key_of(&shape, *fingerprint);
                let count = counts.get(fingerprint).copied().unwrap_or(0);
                let damaged = touched.contains(&chunk);
                let wanted = damaged || count > 0;
                let got = (read.may_contain_key(key), view.may_contain_key(key));
                assert_eq!(got, (wanted, wanted), "{:?} {}", shape, fingerprint);
                let wanted = if damaged { u64::MAX } else { count };
                assert_eq!(read.count_key(key), Ok(wanted));
            }
            let got = [read.realised_fpr(), read.estimated_keys(), read.fill()];
            let wanted = model(&shape, &counts, &payload, chunk);
            for (got, wanted) in got.into_iter().zip(wanted) {
                let near = got == wanted || (got - wanted).abs() < 1e-9 * wanted;
                assert!(near, "{:?}: {} {}", shape, got, wanted);
            }
            for refused in [
                read.to_container(&Extras::default()).map(|_| ()),
                read.list(|_, _| ()),
                read.used_slots().map(|_| ()),
                read.iterate(|_| ()),
            ] {
                assert_eq!(refused.unwrap_err().code(), Code::Corrupt);
            }
        }
    }
}

/// A file with a damaged chunk is not checked: its rates end, whatever the other bytes are.
#[test]
fn rates_of_hostile_bytes_with_damage() {
    let mut random = Random(6);
    let shape = quotient_shape(5, 20_000, 400);
    let length = (shape.blocks * block_bytes(&shape) + 400) as usize;
    for round in 0..12 {
        let mut payload = vec![0u8; length];
        let offsets = length - 400;
        match round % 4 {
            0 => payload
                .iter_mut()
                .for_each(|b| *b = random.below(256) as u8),
            1 => payload.fill(0xff),
            // Runs everywhere, and no end of any.
            2 => {
                for q in 0..20_000 {
                    runs::set_bit(&shape, &mut payload, 0, q, 1);
                }
                payload[offsets..].fill(255);
            }
            _ => {
                for q in 0..20_000 {
                    runs::set_bit(&shape, &mut payload, 0, q, 1);
                }
                runs::set_bit(&shape, &mut payload, 1, 25_000, 1);
            }
        }
        let mut hurt = file(shape, &payload);
        if round < 8 {
            let chunk = if round < 4 { 0 } else { 3 };
            hurt[128 + 4096 * chunk + 5] ^= 1;
        } else {
            let e = container::read(&hurt).unwrap_err();
            assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(128)));
            continue;
        }
        let f = container::read(&hurt).unwrap().into_filter().unwrap();
        assert!((0.0..=1.0).contains(&f.realised_fpr()) && f.realised_fpr() > 0.0);
        assert!((0.0..=1.0).contains(&f.fill()) && f.estimated_keys() >= 0.0);
        for i in 0..300 {
            let key = Key::from_raw(splitmix64(i));
            let count = f.count_key(key).unwrap();
            assert_eq!(count > 0, f.may_contain_key(key));
            assert!(count < 1 << 48 || count == u64::MAX);
        }
    }
}

#[test]
fn headers() {
    let kind = quotient(quotient_shape(7, 100, 2));
    const R: (usize, usize) = (20, 4);
    const UNITS: (usize, usize) = (24, 8);
    const IDENTITY: (usize, usize) = (100, 8);
    const B: (usize, usize) = (108, 8);
    let all = u64::MAX;
    for (wanted, edits) in [
        (None, &[][..]),
        (None, &[(IDENTITY, all)]),
        (Some(64), &[((64, 8), 1)]),
        (Some(11), &[((11, 1), 1), (R, 0)]),
        (Some(20), &[(R, 1), (UNITS, 0)]),
        (Some(20), &[(R, 33)]),
        (Some(80), &[(R, 8)]),
        (Some(24), &[(UNITS, 0), (B, 0)]),
        (Some(24), &[(UNITS, (1 << 53) + 1), (B, 0)]),
        (Some(24), &[(UNITS, all)]),
        (Some(108), &[(UNITS, 1 << 53)]),
        (Some(108), &[(UNITS, 129)]),
        (None, &[(UNITS, 128)]),
        (None, &[(UNITS, 1)]),
        (Some(108), &[(B, 1)]),
        (Some(108), &[(B, 0)]),
        (Some(108), &[(B, all)]),
        (Some(108), &[(B, (1 << 42) / 10 + 1)]),
        (Some(80), &[(B, (1 << 42) / 10)]),
        (Some(80), &[(B, 3)]),
        (Some(24), &[(R, 32), (UNITS, (1 << 28) + 1)]),
        (Some(108), &[(R, 32), (UNITS, 1 << 28)]),
        (Some(24), &[(R, 2), (UNITS, (1 << 58) + 1)]),
        (Some(108), &[(R, 2), (UNITS, 1 << 58)]),
        (Some(100), &[((116, 1), 1)]),
    ] {
        assert_eq!(verdict(&kind, edits), wanted, "{:?}", edits);
    }
}

/// The payload offset of a large file is another, and the kind that is expected is asked first.
#[test]
fn where_a_contradiction_is_reported() {
    let shape = quotient_shape(7, 60_000, 1000);
    let mut payload = runs::payload(&shape, &BTreeMap::from([(77, 1)]));
    *payload.last_mut().unwrap() = 1;
    let bad = file(shape, &payload);
    let e = container::read(&bad).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(4096)));
    let e = container::read_as::<bloomery::Cuckoo>(&bad).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Incompatible, Some(10)));
}

#[test]
fn shapes_that_there_are_not() {
    let code = |s| {
        Quotient::new(s, Hasher::DEFAULT)
            .map(|_| ())
            .unwrap_err()
            .code()
    };
    for shape in [
        quotient_shape(1, 60, 1),
        quotient_shape(33, 60, 1),
        quotient_shape(7, 0, 1),
        quotient_shape(7, 65, 1),
        quotient_shape(7, 1, 0),
    ] {
        assert_eq!(code(shape), Code::InvalidArgument);
    }
    assert_eq!(code(quotient_shape(7, u64::MAX, 1)), Code::TooLarge);
    assert_eq!(code(quotient_shape(7, 1, 1 << 39)), Code::TooLarge);
    let kind = Quotient::new(quotient_shape(7, 60, 1), Hasher::DEFAULT).unwrap();
    assert_eq!(kind.expected_fpr(0), 0.0);
    let wanted = 1.0 - (1.0 - 1.0 / 7680.0f64).powi(50);
    assert!((kind.expected_fpr(50) - wanted).abs() < 1e-12);
    let mut f = QuotientFilter::empty(kind).unwrap();
    assert_eq!(
        (f.realised_fpr(), f.estimated_keys(), f.fill()),
        (0.0, 0.0, 0.0)
    );
    for result in [f.try_insert("k"), f.erase("k"), f.clone().merge(&f)] {
        assert_eq!(result.unwrap_err().code(), Code::Unsupported);
    }
}
