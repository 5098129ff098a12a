//! Kinds that are only read: the examples of spec/filters.md 7 and 8, headers, damage, rates.

use crate::fill::{
    filled, filled_with, is_only_read, number, refused_at, set_number, with_payload,
};
use crate::kinds::{all, secret_of};
use crate::texts;
use bloomery::container::{self, ContainerView, Extras, ReadOptions};
use bloomery::kind::Kind;
use bloomery::{
    AnyFilter, AnyKind, Block, BlockBloom, Bloom, Classic, Code, Counting, CountingFilter, Cuckoo,
    CuckooFilter, FilterOf, Hasher, Key, Layout, Profile,
};

fn cuckoo(tag_bits: u32, buckets: u64) -> AnyKind {
    let shape = Cuckoo::new(tag_bits, buckets, 7, Hasher::DEFAULT);
    shape.unwrap().into()
}

fn counting(layout: Layout, cells: u64, cell_bits: u32) -> AnyKind {
    let shape = Counting::new(layout, cells, cell_bits, 7, Hasher::DEFAULT);
    shape.unwrap().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{:02x}", b)).collect()
}

#[test]
fn examples_of_the_page() {
    let one = |kind: AnyKind| hex(&filled(&kind, &texts("k", 1)).payload());
    let zeros = |count| "00".repeat(count);
    let wanted = zeros(24) + "2f" + &zeros(11);
    assert_eq!(one(cuckoo(12, 6)), wanted);
    let wanted = zeros(18) + "06" + &zeros(8);
    assert_eq!(one(cuckoo(9, 6)), wanted);
    let wanted = zeros(128)
        + "0001000000000000000000001000000000000000001000000000000000010000"
        + "0000001000000000000100000000000000000000100000000000000000010000";
    assert_eq!(one(counting(Layout::Line, 384, 4)), wanted);
    let wanted = "000000010001000000000000000000000001000000000000000001001000000000000000000001000000000000000001";
    assert_eq!(one(counting(Layout::Flat(7), 96, 4)), wanted);
}

#[test]
fn every_width_and_size_finds_its_keys() {
    let keys = texts("k", 20);
    let mut shapes: Vec<_> = (6..=32).map(|f| cuckoo(f, 26)).collect();
    shapes.extend([4, 8, 32].map(|w| counting(Layout::Line, 256, w)));
    shapes.extend([4, 8, 32].map(|w| counting(Layout::Flat(64), 7, w)));
    for kind in shapes {
        let f = filled(&kind, &keys);
        let file = f.to_container(&Extras::default()).unwrap();
        assert_eq!(crate::harness::read(&file, &keys), Some(0));
        assert!(keys.iter().all(|k| f.count(k).unwrap() >= 1));
        let again = container::read(&file).unwrap().into_filter().unwrap();
        assert_eq!(again.to_container(&Extras::default()).unwrap(), file);
        assert_eq!((again.kind(), again == f), (&kind, true));
        if let AnyKind::Cuckoo(_) = kind {
            assert_eq!(f.estimated_keys(), 20.0);
            assert_eq!(f.fill(), 20.0 / 104.0);
        }
    }
}

#[test]
fn counts() {
    let key = Hasher::DEFAULT.key(b"k0");
    for copies in 0..=8 {
        let f = filled_with(&cuckoo(13, 6), [key].repeat(copies));
        assert_eq!(f.count_key(key), Ok(copies as u64));
    }
    let cases = [
        (4, 7, Some(7)),
        (4, 8, None),
        (4, 15, None),
        (8, 127, Some(127)),
        (8, 128, None),
        (32, (1 << 31) - 1, Some((1 << 31) - 1)),
        (32, 1 << 31, None),
        (32, (1 << 32) - 1, None),
        (32, 0, Some(0)),
    ];
    for (bits, value, wanted) in cases {
        for layout in [Layout::Line, Layout::Flat(5)] {
            let kind = counting(layout, 256, bits);
            let empty = AnyFilter::empty(kind.clone()).unwrap();
            let mut payload = empty.payload();
            let cells = kind.positions(key).unwrap();
            for cell in &cells {
                set_number(&mut payload, cell * u64::from(bits), bits.into(), value);
            }
            let file = empty.to_container(&Extras::default()).unwrap();
            let file = with_payload(&file, &payload);
            let f: CountingFilter = container::read_as(&file).unwrap();
            assert_eq!(f.count_key(key), Ok(wanted.unwrap_or(u64::MAX)));
            assert_eq!(f.may_contain_key(key), value != 0);
            let stuck = if wanted.is_none() { cells.len() } else { 0 };
            assert_eq!(f.stuck_cells(), stuck as u64);
        }
    }
}

/// Whether a container with these bytes in its header is refused, and where.
fn verdict(f: &AnyFilter, edits: &[(usize, u8)]) -> Option<u64> {
    let mut file = f.to_container(&Extras::default()).unwrap();
    for (at, with) in edits {
        file[*at] = *with;
    }
    refused_at(file)
}

#[test]
fn headers() {
    let keys = texts("k", 9);
    let f = filled(&cuckoo(12, 10), &keys);
    for (edits, wanted) in [
        (&[(20, 5)][..], Some(20)),
        (&[(20, 33)], Some(20)),
        (&[(20, 14)], Some(80)),
        (&[(24, 9)], Some(24)),
        (&[(24, 0)], Some(24)),
        (&[(24, 12)], Some(80)),
        (&[(29, 0x20)], Some(24)),
        (&[(108, 1)], Some(100)),
        (&[(64, 1)], Some(64)),
        (&[(11, 5)], Some(11)),
        (&[(107, 1)], None),
    ] {
        assert_eq!(verdict(&f, edits), wanted, "{:?}", edits);
    }
    let f = filled(&counting(Layout::Line, 256, 4), &keys);
    for (edits, wanted) in [
        (&[(20, 7)][..], Some(20)),
        (&[(11, 0), (20, 7)], None),
        (&[(11, 2)], Some(11)),
        (&[(24, 129)], Some(24)),
        (&[(24, 129), (108, 5)], Some(24)),
        (&[(108, 5)], Some(108)),
        (&[(108, 8)], Some(80)),
        (&[(109, 1)], Some(100)),
        (&[(30, 0x40)], Some(24)),
    ] {
        assert_eq!(verdict(&f, edits), wanted, "{:?}", edits);
    }
    let f = filled(&counting(Layout::Flat(5), 100, 4), &keys);
    for (edits, wanted) in [
        (&[(20, 0)][..], Some(20)),
        (&[(20, 65)], Some(20)),
        (&[(20, 64)], None),
        (&[(24, 99)], None),
        (&[(24, 98)], Some(80)),
        (&[(11, 5)], Some(20)),
        (&[(11, 5), (20, 8)], Some(24)),
    ] {
        assert_eq!(verdict(&f, edits), wanted, "{:?}", edits);
    }
}

/// The share of strangers that pass.
fn passing(f: &AnyFilter) -> f64 {
    let hits = (0..40_000u64)
        .filter(|n| f.may_contain_key(Hasher::Xxh3 { seed: 9 }.key(&n.to_le_bytes())));
    hits.count() as f64 / 40_000.0
}

fn is_near(seen: f64, wanted: f64, slack: f64, what: &AnyKind) {
    let sigma = (wanted * (1.0 - wanted) / 40_000.0).max(0.0).sqrt();
    let off = (seen - wanted).abs();
    assert!(
        off < 6.0 * sigma + slack * wanted + 1e-9,
        "{:?}: {} {}",
        what,
        seen,
        wanted
    );
}

#[test]
fn damage_denies_no_key_and_the_rate_counts_it() {
    let shapes = [
        (cuckoo(8, 4096), 3000),
        (cuckoo(13, 2522), 2000),
        (cuckoo(6, 5462), 3500),
        (cuckoo(32, 1024), 700),
        (counting(Layout::Line, 128 * 256, 4), 3000),
        (counting(Layout::Line, 128 * 128, 8), 1500),
        (counting(Layout::Line, 128 * 32, 32), 300),
        (counting(Layout::Flat(3), 32769, 4), 8000),
        (counting(Layout::Flat(5), 16383, 8), 2500),
        (counting(Layout::Flat(2), 4096, 32), 2000),
    ];
    for (kind, count) in shapes {
        let keys = texts("k", count);
        let f = filled(&kind, &keys);
        is_near(passing(&f), f.realised_fpr(), 0.02, &kind);
        let mut hurt = f.to_container(&Extras::default()).unwrap();
        for chunk in [0, 3] {
            hurt[128 + 4096 * chunk + 77] ^= 0xa5;
        }
        let read = container::read(&hurt).unwrap();
        assert_eq!(read.damaged_chunks(), 2);
        let read = read.into_filter().unwrap();
        let view = ContainerView::open(&hurt).unwrap();
        for key in &keys {
            assert!(read.may_contain(key) && view.may_contain(key), "{}", key);
            assert!(read.count(key).unwrap() >= f.count(key).unwrap());
        }
        for n in 0..2000 {
            let key = format!("x{}", n);
            assert_eq!(read.may_contain(&key), view.may_contain(&key));
            assert!(read.may_contain(&key) || !f.may_contain(&key));
        }
        assert!(passing(&read) > passing(&f));
        // Of 6 bits there are 63 tags: where their second buckets lie scatters.
        let slack = if kind.hashes() == 6 { 0.1 } else { 0.02 };
        is_near(passing(&read), read.realised_fpr(), slack, &kind);
        assert!(read.estimated_keys() > 0.9 * count as f64);
        let e = read.to_container(&Extras::default()).unwrap_err();
        assert_eq!(e.code(), Code::Corrupt);
        if let Ok(counting) = read.downcast::<Counting>() {
            assert_eq!(counting.to_bloom().unwrap_err().code(), Code::Corrupt);
        }
    }
}

#[test]
fn a_zero_in_an_intact_chunk_is_believed() {
    let kind = counting(Layout::Flat(8), 2048, 32);
    let f = filled(&kind, &texts("k", 40));
    let mut hurt = f.to_container(&Extras::default()).unwrap();
    hurt[128 + 4096] ^= 1;
    let read = container::read(&hurt).unwrap().into_filter().unwrap();
    let view = ContainerView::open(&hurt).unwrap();
    let payload = f.payload();
    let mut denied = 0;
    for n in 0..5000 {
        let key = Hasher::DEFAULT.key(format!("x{}", n).as_bytes());
        let mut intact = kind.positions(key).unwrap();
        intact.retain(|cell| *cell < 1024);
        let wanted = intact
            .iter()
            .all(|cell| number(&payload, cell * 32, 32) != 0);
        assert_eq!(
            (read.may_contain_key(key), view.may_contain_key(key)),
            (wanted, wanted)
        );
        denied += u32::from(!wanted);
    }
    assert!(denied > 4000);
}

#[test]
fn a_counting_filter_is_a_filter_of_bits() {
    let keys = texts("k", 60);
    for bits in [4, 8, 32] {
        let line: CountingFilter = filled(&counting(Layout::Line, 1280, bits), &keys)
            .downcast()
            .unwrap();
        let flat: CountingFilter = filled(&counting(Layout::Flat(6), 1001, bits), &keys)
            .downcast()
            .unwrap();
        let shape = Block::new(Profile::Lanes16, 10, Hasher::DEFAULT).unwrap();
        let mut block: BlockBloom = FilterOf::empty(shape).unwrap();
        let shape = Classic::new(1001, 6, Hasher::DEFAULT).unwrap();
        let mut bloom: Bloom = FilterOf::empty(shape).unwrap();
        block.insert_batch(&keys);
        bloom.insert_batch(&keys);
        for (f, wanted) in [(line, AnyFilter::from(block)), (flat, bloom.into())] {
            assert_eq!(f.to_bloom().unwrap(), wanted);
            assert_eq!(f.realised_fpr(), wanted.realised_fpr());
            assert_eq!(f.estimated_keys(), wanted.estimated_keys());
            assert_eq!(f.expected_fpr(99), wanted.expected_fpr(99));
            assert_eq!(f.fill(), wanted.fill());
        }
    }
}

#[test]
fn any_bytes_are_a_filter() {
    // Bytes of a quotient filter can contradict each other: quotient.rs.
    let any = |kind: &AnyKind| is_only_read(kind) && !matches!(kind, AnyKind::Quotient(_));
    for kind in all().into_iter().filter(any) {
        let empty = AnyFilter::empty(kind.clone()).unwrap();
        let file = empty.to_container(&Extras::default()).unwrap();
        let mut payload = empty.payload();
        for seed in 0..8u8 {
            for (i, b) in payload.iter_mut().enumerate() {
                *b = (i as u8).wrapping_mul(2 * seed + 1).wrapping_sub(seed);
            }
            let mut options = ReadOptions::new();
            if let Some(secret) = secret_of(kind.hasher()) {
                options = options.secret(secret);
            }
            let read = container::read_with(&with_payload(&file, &payload), &options).unwrap();
            let f = read.into_filter().unwrap();
            for h in [0, 1, u64::MAX, 0xbbb0_8e67_2f91_90b3] {
                let key = Key::from_raw(h);
                let found = f.may_contain_key(key);
                if let Ok(count) = f.count_key(key) {
                    assert_eq!(found, count > 0);
                }
            }
            assert!((0.0..=1.0).contains(&f.realised_fpr()) && f.fill() <= 1.0);
            assert!(f.estimated_keys() >= 0.0);
        }
    }
}

#[test]
fn shapes_that_there_are_not() {
    let code = |made: Result<(), bloomery::Error>| made.unwrap_err().code();
    let cuckoo = |f, b| code(Cuckoo::new(f, b, 0, Hasher::DEFAULT).map(|_| ()));
    for (f, b) in [(5, 2), (33, 2), (6, 0), (6, 3)] {
        assert_eq!(cuckoo(f, b), Code::InvalidArgument);
    }
    assert_eq!(cuckoo(32, (1 << 41) + 2), Code::TooLarge);
    let counting = |l, c, w| code(Counting::new(l, c, w, 0, Hasher::DEFAULT).map(|_| ()));
    for (l, c, w) in [
        (Layout::Line, 100, 4),
        (Layout::Flat(0), 1, 4),
        (Layout::Flat(1), 0, 4),
        (Layout::Flat(1), 1, 16),
    ] {
        assert_eq!(counting(l, c, w), Code::InvalidArgument);
    }
    assert_eq!(counting(Layout::Flat(65), 1, 4), Code::TooLarge);
    assert_eq!(counting(Layout::Line, (1 << 46) + 128, 4), Code::TooLarge);
    let mut empty: CuckooFilter =
        FilterOf::empty(Cuckoo::new(8, 4, 0, Hasher::DEFAULT).unwrap()).unwrap();
    assert_eq!(empty.try_insert("k").unwrap_err().code(), Code::Unsupported);
}
