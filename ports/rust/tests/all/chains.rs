//! Scalable and window filters, which are only read: the examples of spec/filters.md 12 and 14, headers, damage, rates.

use crate::fill::{filled, number, set_number, verdict, with_payload};
use crate::kinds::{scalable_shape, window_shape};
use crate::texts;
use bloomery::container::{self, ContainerView, Extras};
use bloomery::hash::splitmix64;
use bloomery::kind::Kind;
use bloomery::{
    AnyFilter, AnyKind, Block, BlockBloom, Code, FilterOf, Hasher, Key, Policy, Profile, Scalable,
    ScalableFilter, ScalableShape, Window, WindowFilter, WindowShape,
};

fn scalable(shape: ScalableShape) -> AnyKind {
    Scalable::new(shape, Hasher::DEFAULT).unwrap().into()
}

fn window(shape: WindowShape) -> AnyKind {
    Window::new(shape, Hasher::DEFAULT).unwrap().into()
}

fn holding(kind: &AnyKind, payload: &[u8]) -> AnyFilter {
    let empty = AnyFilter::empty(kind.clone()).unwrap();
    assert_eq!(empty.payload().len(), payload.len());
    let file = empty.to_container(&Extras::default()).unwrap();
    let read = container::read(&with_payload(&file, payload)).unwrap();
    read.verify_ones().unwrap();
    read.into_filter().unwrap()
}

/// A block filter with some hashes.
fn block(profile: Profile, blocks: u64, keys: impl IntoIterator<Item = u64>) -> BlockBloom {
    let shape = Block::new(profile, blocks, Hasher::DEFAULT).unwrap();
    let mut f = FilterOf::empty(shape).unwrap();
    for h in keys {
        f.insert_key(Key::from_raw(h));
    }
    f
}

fn hashes(seed: u64, count: u64) -> Vec<u64> {
    (0..count).map(|i| splitmix64(seed << 32 | i)).collect()
}

#[test]
fn the_example_of_scalable() {
    let mut wanted = vec![0; 128];
    for word in [
        0u64,
        0x0000_1000_0000_0010,
        0x0040_0000_0040_0000,
        0,
        0x0000_0400_0002_0000,
        0,
        0,
        0x0000_0100_0000_0040,
    ] {
        wanted.extend(word.to_be_bytes());
    }
    wanted.resize(448, 0);
    let kind = scalable(scalable_shape(1, 2, 3, (1, 2)));
    let mut payload = vec![0; 448];
    let key = Hasher::DEFAULT.key(b"k0");
    let bits = kind.positions(key).unwrap();
    let blocks = |bits: &[u64]| bits.iter().map(|b| b / 256 * 32).collect::<Vec<_>>();
    assert_eq!(blocks(&bits[..4]), [32; 4]);
    let lines = |bits: &[u64]| bits.iter().map(|b| b / 512 * 64).collect::<Vec<_>>();
    assert_eq!(lines(&bits[4..12]), [128; 8]);
    assert_eq!(lines(&bits[12..20]), [320; 8]);
    assert_eq!(lines(&bits[20..]), [256; 8]);
    for bit in &bits[4..12] {
        set_number(&mut payload, *bit, 1, 1);
    }
    assert_eq!(payload, wanted);
    let f = holding(&kind, &payload);
    assert!(f.may_contain("k0") && !f.may_contain("k1"));
    let passing = texts("x", 1000).iter().filter(|x| f.may_contain(x)).count();
    assert!(passing < 3);
}

#[test]
fn the_example_of_window() {
    let shape = |current| WindowShape {
        profile: Profile::Line,
        generations: 2,
        blocks: 3,
        current,
        generation_keys: 1,
        count: 1,
    };
    let one = |text: &str| {
        let key = Hasher::DEFAULT.key(text.as_bytes());
        block(Profile::Line, 3, [key.raw()]).payload()
    };
    let f = holding(&window(shape(1)), &[one("k0"), one("k1")].concat());
    assert!(f.may_contain("k0") && f.may_contain("k1") && !f.may_contain("k2"));
    let f = holding(&window(shape(0)), &[one("k2"), one("k1")].concat());
    assert!(!f.may_contain("k0") && f.may_contain("k1") && f.may_contain("k2"));
    let f: WindowFilter = f.downcast().unwrap();
    assert_eq!(f.kind().kept_keys(), 2);
    assert!(f.kind().facts().forgets);
}

/// Levels or generations of a filter, each beside a block filter of its own.
fn parts(kind: &AnyKind) -> Vec<(Profile, u64)> {
    match kind {
        AnyKind::Scalable(own) => {
            let s = own.shape();
            let level = |i: u32| {
                let lines = s.lines * u64::from(s.growth).pow(i);
                match i {
                    _ if i < s.line_from.into() => (Profile::HalfLine, 2 * lines),
                    _ if i < s.two_lines_from.into() => (Profile::Line, lines),
                    _ => (Profile::TwoLines, lines),
                }
            };
            (0..s.levels).map(level).collect()
        }
        AnyKind::Window(own) => {
            let s = own.shape();
            vec![(s.profile, s.blocks); s.generations as usize]
        }
        _ => panic!(),
    }
}

/// What the block filters of a kind see of a key.
fn seen(kind: &AnyKind, h: u64) -> u64 {
    match kind {
        AnyKind::Scalable(_) => splitmix64(h),
        _ => h,
    }
}

fn shapes() -> Vec<AnyKind> {
    let mut all = vec![
        scalable(scalable_shape(40, 2, 4, (1, 3))),
        scalable(scalable_shape(9, 4, 3, (0, 0))),
        scalable(scalable_shape(33, 8, 2, (2, 2))),
        scalable(scalable_shape(2, 16, 3, (1, 48))),
        scalable(scalable_shape(100, 2, 1, (0, 1))),
    ];
    for profile in [Profile::HalfLine, Profile::Line, Profile::TwoLines] {
        all.push(window(window_shape(profile, 5, 31)));
        all.push(window(window_shape(profile, 2, 100)));
        all.push(window(window_shape(profile, 40, 4)));
    }
    all
}

/// A filter with keys in every part, and those parts.
fn parted(kind: &AnyKind) -> (AnyFilter, Vec<BlockBloom>, Vec<u64>) {
    let (mut payload, mut of, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (profile, blocks)) in parts(kind).into_iter().enumerate() {
        // Some parts are full, some empty.
        let line = blocks * profile.block_bytes() / 64;
        let keys = hashes(i as u64, [line * 30, 0, line * 55][i % 3]);
        let part = block(profile, blocks, keys.iter().map(|h| seen(kind, *h)));
        payload.extend(part.payload());
        of.push(part);
        all.extend(keys);
    }
    (holding(kind, &payload), of, all)
}

#[test]
fn all_parts_are_asked_and_counted() {
    for kind in shapes() {
        let (f, parts, keys) = parted(&kind);
        let file = f.to_container(&Extras::default()).unwrap();
        let view = ContainerView::open(&file).unwrap();
        let asked: Vec<Key> = keys
            .iter()
            .copied()
            .chain(hashes(999, 3000))
            .map(Key::from_raw)
            .collect();
        let mut batch = vec![true; asked.len()];
        f.may_contain_keys(&asked, &mut batch);
        for (i, (key, batch)) in asked.iter().zip(batch).enumerate() {
            let own = Key::from_raw(seen(&kind, key.raw()));
            let wanted = parts.iter().any(|p| p.may_contain_key(own));
            let got = (f.may_contain_key(*key), batch, view.may_contain_key(*key));
            assert_eq!(got, (wanted, wanted, wanted));
            assert!(wanted || i >= keys.len());
        }
        assert!((f.realised_fpr() - rate_of_any(&parts)).abs() < 1e-12);
        let keys: f64 = parts.iter().map(|p| p.estimated_keys()).sum();
        assert!((f.estimated_keys() - keys).abs() < 1e-9 * keys);
        let ones: u64 = parts.iter().map(|p| p.ones()).sum();
        assert_eq!((f.ones(), f.fill()), (ones, ones as f64 / f.bits() as f64));
        let read = container::read(&file).unwrap().into_filter().unwrap();
        assert_eq!((&read, read.kind()), (&f, &kind));
        assert_eq!(read.to_container(&Extras::default()).unwrap(), file);
        if let Ok(f) = f.clone().downcast::<Scalable>() {
            let wanted: Vec<f64> = parts.iter().map(|p| p.realised_fpr()).collect();
            assert_eq!(f.level_rates(), wanted);
        }
    }
}

/// spec/model.md 12 and 14, interval by interval of hashes: which block of a part it lies in, its first hash tells.
fn rate_of_any(parts: &[BlockBloom]) -> f64 {
    let one_line = |p: &&BlockBloom| p.kind().profile_of_blocks() != Profile::TwoLines;
    let lines: Vec<&BlockBloom> = parts.iter().filter(one_line).collect();
    let twice = parts.iter().filter(|p| !one_line(p));
    let twice: f64 = twice.map(|p| p.realised_fpr()).sum();
    let last = lines.last().map_or(0, |p| p.kind().units());
    let payloads: Vec<Vec<u8>> = lines.iter().map(|p| p.payload()).collect();
    let mut passing = 0.0;
    for interval in 0..u128::from(last) {
        let first = ((interval << 64) + u128::from(last) - 1) / u128::from(last);
        let mut none = 1.0;
        for (p, payload) in lines.iter().zip(&payloads) {
            let block = (first * u128::from(p.kind().units()) >> 64) as usize;
            none *= 1.0 - passing_block(payload, block, p.kind().hashes() as usize);
        }
        passing += (1.0 - none) / last as f64;
    }
    let load = |p: &&BlockBloom| p.estimated_keys() / p.kind().units() as f64;
    let alike = (lines.iter().map(load).sum::<f64>() / 2f64.powi(32)).min(1.0);
    (passing + (1.0 - passing) * alike + twice).min(1.0)
}

/// The product of the shares of the lanes: words j and L + j of 32 bits.
fn passing_block(payload: &[u8], block: usize, lanes: usize) -> f64 {
    let word = |w: usize| {
        let bytes = &payload[8 * lanes * block + 4 * w..][..4];
        bytes.iter().map(|b| b.count_ones()).sum::<u32>()
    };
    let share = |j| f64::from(word(j) + word(lanes + j)) / 64.0;
    (0..lanes).map(share).product()
}

/// The parts of a payload.
fn parts_of(kind: &AnyKind, payload: &[u8]) -> Vec<BlockBloom> {
    let mut from = 0;
    let mut part = |(profile, blocks): (Profile, u64)| {
        let shape = Block::new(profile, blocks, Hasher::DEFAULT).unwrap();
        let end = from + (blocks * profile.block_bytes()) as usize;
        let part = holding(&shape.into(), &payload[from..end]);
        from = end;
        part.downcast().unwrap()
    };
    parts(kind).into_iter().map(&mut part).collect()
}

#[test]
fn rates_are_those_that_strangers_see() {
    let strangers = hashes(77, 40_000);
    for kind in shapes() {
        let (f, parts, keys) = parted(&kind);
        let seen = |f: &AnyFilter| {
            let passes = |h: &&u64| f.may_contain_key(Key::from_raw(**h));
            strangers.iter().filter(passes).count() as f64 / strangers.len() as f64
        };
        let sigma = |rate: f64| {
            (rate * (1.0 - rate) / strangers.len() as f64)
                .max(0.0)
                .sqrt()
        };
        let (rate, passing) = (f.realised_fpr(), seen(&f));
        let slack = 5.0 * sigma(rate) + 0.06 * rate + 1e-4;
        assert!(passing < rate + slack, "{:?}: {} {}", kind, passing, rate);
        // The rates of parts of two lines are added, as if no key passed two of them.
        let two_lines = |p: &BlockBloom| p.kind().profile_of_blocks() == Profile::TwoLines;
        let least = if parts.iter().any(two_lines) {
            1.0 - parts
                .iter()
                .map(|p| 1.0 - p.realised_fpr())
                .product::<f64>()
        } else {
            rate
        };
        assert!(passing > least - slack, "{:?}: {} {}", kind, passing, least);
        // Bits of a damaged chunk count as set, in whichever part they lie.
        let file = f.to_container(&Extras::default()).unwrap();
        let header = container::inspect(&file, None).unwrap();
        for chunk in 0..header.chunks() as usize {
            let mut hurt = file.clone();
            hurt[header.payload_offset as usize + 4096 * chunk + 9] ^= 2;
            let read = container::read(&hurt).unwrap().into_filter().unwrap();
            let view = ContainerView::open(&hurt).unwrap();
            let mut wanted = f.payload();
            let end = wanted.len().min(4096 * (chunk + 1));
            wanted[4096 * chunk..end].fill(0xff);
            assert_eq!((read.payload(), read.damaged_chunks()), (wanted, 1));
            for h in keys.iter().chain(&strangers[..2000]) {
                let key = Key::from_raw(*h);
                assert_eq!(read.may_contain_key(key), view.may_contain_key(key));
                assert!(read.may_contain_key(key) || !f.may_contain_key(key));
            }
            assert!(keys.iter().all(|h| read.may_contain_key(Key::from_raw(*h))));
            let parts = parts_of(&kind, &read.payload());
            let rate = read.realised_fpr();
            assert!((rate - rate_of_any(&parts)).abs() < 1e-12);
            // Of one line a key nothing but chance is between the two.
            let (passing, slack) = (seen(&read), 5.0 * sigma(rate) + 1e-4);
            assert!(
                passing < rate + slack + 0.06 * rate,
                "{:?}: {} {}",
                kind,
                passing,
                rate
            );
            let above = passing > rate - slack || parts.iter().any(two_lines);
            assert!(above, "{:?}: {} {}", kind, passing, rate);
            let e = read.to_container(&Extras::default()).unwrap_err();
            assert_eq!(e.code(), Code::Corrupt);
        }
    }
}

/// Damage that no key meets twice: the last 36 of the 100 blocks of one generation, and the first 28 of the other.
#[test]
fn damage_in_two_generations() {
    let f = AnyFilter::empty(window(window_shape(Profile::Line, 2, 100))).unwrap();
    let mut file = f.to_container(&Extras::default()).unwrap();
    let header = container::inspect(&file, None).unwrap();
    file[header.payload_offset as usize + 5000] ^= 1;
    let read = container::read(&file).unwrap().into_filter().unwrap();
    assert_eq!(read.damaged_chunks(), 1);
    assert!((read.realised_fpr() - 0.64).abs() < 1e-6);
    let passes = |h: &u64| read.may_contain_key(Key::from_raw(*h));
    let seen = hashes(78, 100_000).into_iter().filter(passes).count();
    assert!((seen as f64 / 100_000.0 - 0.64).abs() < 0.01);
}

#[test]
fn nothing_passes_no_bits_and_everything_all() {
    for kind in shapes() {
        let empty = AnyFilter::empty(kind.clone()).unwrap();
        assert_eq!((empty.realised_fpr(), empty.estimated_keys()), (0.0, 0.0));
        let mut payload = empty.payload();
        let size = payload.len();
        let of = parts(&kind);
        let bytes = |(profile, blocks): (Profile, u64)| (blocks * profile.block_bytes()) as usize;
        // One part alone is enough.
        let (first, last) = (bytes(of[0]), bytes(of[of.len() - 1]));
        for full in [0..size, 0..first, size - last..size] {
            payload.fill(0);
            payload[full].fill(0xff);
            let f = holding(&kind, &payload);
            assert_eq!((f.realised_fpr(), f.estimated_keys()), (1.0, f64::INFINITY));
        }
    }
}

#[test]
fn headers_of_scalable() {
    let kind = scalable(ScalableShape {
        policy: Policy::Equal(7),
        ..scalable_shape(3, 4, 2, (1, 2))
    });
    const K: (usize, usize) = (20, 4);
    const UNITS: (usize, usize) = (24, 8);
    const RATE: (usize, usize) = (100, 8);
    const GROWTH: (usize, usize) = (108, 1);
    const POLICY: (usize, usize) = (109, 1);
    const MOST: (usize, usize) = (110, 1);
    const A: (usize, usize) = (111, 1);
    const B: (usize, usize) = (112, 1);
    let (nan, tiny) = (f64::NAN.to_bits(), 1);
    let all = u64::MAX;
    for (wanted, edits) in [
        (None, &[][..]),
        (Some(11), &[((11, 1), 1), (K, 0)]),
        (Some(20), &[(K, 0), (RATE, 0)]),
        (Some(20), &[(K, 49)]),
        (Some(100), &[(RATE, 0), (GROWTH, 3), (UNITS, 0)]),
        (Some(100), &[(RATE, nan)]),
        (Some(100), &[(RATE, 1f64.to_bits())]),
        (Some(100), &[(RATE, (-0.5f64).to_bits())]),
        (Some(100), &[(RATE, f64::INFINITY.to_bits())]),
        (None, &[(RATE, tiny)]),
        (Some(108), &[(GROWTH, 3), (POLICY, 3), (UNITS, 0)]),
        (Some(108), &[(GROWTH, 0)]),
        (Some(108), &[(GROWTH, 32)]),
        (Some(80), &[(GROWTH, 16)]),
        (Some(109), &[(POLICY, 3), (MOST, 1)]),
        (Some(109), &[(POLICY, 255), (MOST, 0)]),
        (Some(110), &[(MOST, 1), (A, 49)]),
        (Some(110), &[(MOST, 0)]),
        (Some(110), &[(MOST, 49)]),
        (None, &[(MOST, 2)]),
        (None, &[(MOST, 48)]),
        (Some(110), &[(POLICY, 1)]),
        (None, &[(POLICY, 1), (MOST, 0)]),
        (None, &[(POLICY, 2), (MOST, 0)]),
        (Some(111), &[(A, 49), (B, 0)]),
        (Some(112), &[(A, 3), (UNITS, 0)]),
        (Some(112), &[(B, 49)]),
        (None, &[(A, 48), (B, 48)]),
        (None, &[(A, 0), (B, 0)]),
        (Some(24), &[(UNITS, 0)]),
        (Some(24), &[(UNITS, all)]),
        (Some(24), &[(UNITS, (1 << 42) / 5 + 1)]),
        (Some(80), &[(UNITS, (1 << 42) / 5)]),
        (Some(80), &[(K, 3)]),
        (Some(24), &[(K, 48), (MOST, 48)]),
        (Some(24), &[(K, 48), (MOST, 48), (GROWTH, 2), (UNITS, 1)]),
        (Some(80), &[(K, 42), (MOST, 48), (GROWTH, 2), (UNITS, 1)]),
        (Some(24), &[(K, 43), (MOST, 48), (GROWTH, 2), (UNITS, 1)]),
        (Some(100), &[((113, 1), 1)]),
    ] {
        assert_eq!(verdict(&kind, edits), wanted, "{:?}", edits);
    }
}

#[test]
fn headers_of_window() {
    let kind = window(window_shape(Profile::Line, 3, 2));
    const PROFILE: (usize, usize) = (11, 1);
    const K: (usize, usize) = (20, 4);
    const UNITS: (usize, usize) = (24, 8);
    const G: (usize, usize) = (100, 4);
    const C: (usize, usize) = (104, 4);
    const EACH: (usize, usize) = (108, 8);
    const COUNT: (usize, usize) = (116, 8);
    let all = u64::MAX;
    for (wanted, edits) in [
        (None, &[][..]),
        (Some(64), &[((64, 8), 1)]),
        (Some(11), &[(PROFILE, 5), (K, 9)]),
        (Some(11), &[(PROFILE, 0)]),
        (Some(20), &[(PROFILE, 1)]),
        (Some(20), &[(K, 16), (UNITS, 0)]),
        (None, &[(PROFILE, 3), (K, 16)]),
        (Some(80), &[(PROFILE, 1), (K, 4)]),
        (Some(24), &[(UNITS, 0), (G, 0)]),
        (Some(24), &[(UNITS, (1 << 42) + 1), (G, 0)]),
        (Some(24), &[(UNITS, all)]),
        (Some(100), &[(UNITS, 7), (G, 1), (C, 9)]),
        (Some(100), &[(G, 0)]),
        (Some(100), &[(G, 1025)]),
        (Some(24), &[(UNITS, 7), (C, 9)]),
        (Some(24), &[(G, 4)]),
        (Some(80), &[(UNITS, 9)]),
        (Some(80), &[(UNITS, 1 << 42), (G, 1024)]),
        (Some(104), &[(C, 3), (COUNT, 10)]),
        (Some(104), &[(G, 2)]),
        (None, &[(G, 6)]),
        (Some(116), &[(COUNT, 10), (UNITS, 9)]),
        (Some(116), &[(EACH, 6)]),
        (None, &[(EACH, 7)]),
        (None, &[(EACH, 0)]),
        (None, &[(EACH, 0), (COUNT, all)]),
        (None, &[(EACH, all), (COUNT, all)]),
    ] {
        assert_eq!(verdict(&kind, edits), wanted, "{:?}", edits);
    }
}

#[test]
fn a_chain_has_sentinels_and_a_window_none() {
    let keys = texts("k", 10);
    let kind = scalable(scalable_shape(1, 2, 2, (0, 2)));
    let f = filled(&kind, &keys);
    let extras = Extras {
        keys: 10,
        sentinels: container::sentinels_of(f.hasher(), &keys),
        ..Extras::default()
    };
    let file = f.to_container(&extras).unwrap();
    let read = container::read(&file).unwrap();
    assert_eq!((read.header().keys, read.sentinels().len()), (10, 8));
    let f = filled(&window(window_shape(Profile::Line, 3, 2)), &keys);
    let e = f.to_container(&extras).unwrap_err();
    assert_eq!(e.code(), Code::InvalidArgument);
}

#[test]
fn expected_rates() {
    let one = Block::new(Profile::Line, 31, Hasher::DEFAULT).unwrap();
    let shape = WindowShape {
        generation_keys: 1000,
        count: 0,
        ..window_shape(Profile::Line, 5, 31)
    };
    let kind = window(shape);
    let rate = |n| one.expected_fpr(n);
    let both = |full: i32, n| 1.0 - (1.0 - rate(1000)).powi(full) * (1.0 - rate(n));
    for (keys, wanted) in [
        (0, 0.0),
        (1, rate(1)),
        (1000, rate(1000)),
        (1001, both(1, 1)),
        (4000, both(3, 1000)),
        (4001, both(4, 1)),
        (5001, both(4, 1)),
        (9_999_500, both(4, 500)),
    ] {
        let got = kind.expected_fpr(keys);
        assert!((got - wanted).abs() < 1e-12, "{}: {} {}", keys, got, wanted);
    }
    let by_call = window(WindowShape {
        generation_keys: 0,
        ..shape
    });
    assert_eq!(by_call.expected_fpr(3000), rate(3000));
    // A chain that was filled level by level keeps its rate, and exceeds it when the last level gets too many.
    let chain = scalable(scalable_shape(100, 2, 4, (0, 48)));
    assert_eq!(chain.expected_fpr(0), 0.0);
    let mut last = 0.0;
    for keys in (0..120_000).step_by(10_000) {
        let rate = chain.expected_fpr(keys);
        assert!(rate >= last && rate <= 1.0);
        last = rate;
    }
    assert!(chain.expected_fpr(5_000) < 0.01 && last > 0.01);
}

#[test]
fn clearing_a_window_begins_anew() {
    let f = filled(&window(window_shape(Profile::Line, 3, 2)), &texts("k", 9));
    let mut f: WindowFilter = f.downcast().unwrap();
    f.clear();
    let shape = f.kind().shape();
    assert_eq!((shape.current, shape.count, f.ones()), (0, 0, 0));
    let f = filled(&scalable(scalable_shape(1, 2, 2, (0, 2))), &texts("k", 9));
    let mut f: ScalableFilter = f.downcast().unwrap();
    let before = f.kind().clone();
    f.clear();
    assert_eq!((f.ones(), f.kind()), (0, &before));
}

#[test]
fn shapes_that_there_are_not() {
    let code = |made: Result<(), bloomery::Error>| made.unwrap_err().code();
    let chain = |s| code(Scalable::new(s, Hasher::DEFAULT).map(|_| ()));
    let good = scalable_shape(1, 2, 2, (0, 2));
    for shape in [
        scalable_shape(0, 2, 2, (0, 2)),
        scalable_shape(1, 3, 2, (0, 2)),
        scalable_shape(1, 2, 0, (0, 2)),
        scalable_shape(1, 2, 49, (0, 2)),
        scalable_shape(1, 2, 2, (3, 2)),
        scalable_shape(1, 2, 2, (0, 49)),
        ScalableShape { rate: 1.0, ..good },
        ScalableShape {
            rate: f64::NAN,
            ..good
        },
        ScalableShape {
            policy: Policy::Equal(1),
            ..good
        },
        ScalableShape {
            policy: Policy::Equal(49),
            ..good
        },
    ] {
        assert_eq!(chain(shape), Code::InvalidArgument);
    }
    assert_eq!(chain(scalable_shape(1, 16, 48, (0, 2))), Code::TooLarge);
    assert_eq!(
        chain(scalable_shape(u64::MAX, 2, 1, (0, 2))),
        Code::TooLarge
    );
    let of_window = |s| code(Window::new(s, Hasher::DEFAULT).map(|_| ()));
    let good = window_shape(Profile::Line, 3, 2);
    for shape in [
        window_shape(Profile::Line, 1, 2),
        window_shape(Profile::Line, 1025, 2),
        window_shape(Profile::Line, 3, 0),
        window_shape(Profile::Lanes16, 3, 2),
        WindowShape { current: 3, ..good },
        WindowShape { count: 10, ..good },
    ] {
        assert_eq!(of_window(shape), Code::InvalidArgument);
    }
    assert_eq!(
        of_window(window_shape(Profile::Line, 3, u64::MAX)),
        Code::TooLarge
    );
    let mut f = WindowFilter::empty(Window::new(good, Hasher::DEFAULT).unwrap()).unwrap();
    assert_eq!(f.try_insert("k").unwrap_err().code(), Code::Unsupported);
    assert_eq!(number(&f.payload(), 0, 64), 0);
}
