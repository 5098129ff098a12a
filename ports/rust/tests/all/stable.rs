//! Stable filters, which are only read: the example of spec/filters.md 13, a model that inserts, headers, damage, rates.

use crate::fill::{number, set_number, verdict, with_payload};
use crate::kinds::stable_shape;
use crate::texts;
use bloomery::container::{self, ContainerView, Extras};
use bloomery::hash::splitmix64;
use bloomery::kind::Kind;
use bloomery::{AnyFilter, AnyKind, Code, Hasher, Key, Stable, StableFilter, StableShape};

fn stable(shape: StableShape) -> Stable {
    Stable::new(shape, Hasher::DEFAULT).unwrap()
}

/// The filter after some inserts, as spec/filters.md 13.1 describes them.
fn inserted(mut shape: StableShape, keys: impl IntoIterator<Item = Key>) -> StableFilter {
    let m = shape.cells;
    let mut cells = vec![0u8; m as usize];
    for key in keys {
        let kind = stable(shape);
        let (start, steps) = kind.decreases();
        for cell in start..start + steps {
            let cell = &mut cells[(cell % m) as usize];
            *cell = cell.saturating_sub(1);
        }
        for cell in AnyKind::from(kind).positions(key).unwrap() {
            cells[cell as usize] = shape.max;
        }
        shape.inserts += 1;
    }
    let bits = u64::from(shape.cell_bits);
    let empty = AnyFilter::empty(stable(shape).into()).unwrap();
    let mut payload = empty.payload();
    for (cell, value) in (0..).zip(cells) {
        set_number(&mut payload, cell * bits, bits, value.into());
    }
    let file = empty.to_container(&Extras::default()).unwrap();
    container::read_as(&with_payload(&file, &payload)).unwrap()
}

fn hashes(seed: u64, count: u64) -> Vec<Key> {
    let numbers = (0..count).map(|i| splitmix64(seed << 32 | i));
    numbers.map(Key::from_raw).collect()
}

fn example() -> StableShape {
    StableShape {
        decrement: 10,
        seed: 0,
        inserts: 0,
        ..stable_shape(96, 2, 7)
    }
}

#[test]
fn the_example_of_the_page() {
    let kind = stable(example());
    assert_eq!(kind.decreases(), (84, 11));
    let key = Hasher::DEFAULT.key(b"k0");
    let cells = AnyKind::from(kind).positions(key).unwrap();
    assert_eq!(cells, [34, 52, 57, 10, 76, 6, 94]);
    let f = inserted(example(), [key]);
    let hex: String = f.payload().iter().map(|b| format!("{:02x}", b)).collect();
    assert_eq!(hex, "00303000000000003000000000030c000000000300000030");
    assert_eq!(
        (f.kind().shape().inserts, f.kind().decreases()),
        (1, (41, 10))
    );
    assert!(f.may_contain("k0") && f.kind().facts().forgets);
}

/// As a stream of keys, each new, leaves it: the model's rate, and how many keys of an age are forgotten.
#[test]
fn rates_and_forgetting_are_those_of_the_model() {
    for (d, max, k, decrement, fraction) in [
        (1, 1, 3, 45, 0),
        (2, 3, 4, 110, 1 << 30),
        (4, 9, 2, 170, 0),
        (4, 15, 5, 500, 7),
    ] {
        let shape = StableShape {
            max,
            decrement,
            fraction,
            inserts: 0,
            ..stable_shape(6000, d, k)
        };
        let keys = hashes(3, 12_000);
        let f = inserted(shape, keys.iter().copied());
        let kind = f.kind();
        let near = |got: f64, wanted: f64, slack: f64| {
            assert!(
                (got - wanted).abs() < slack,
                "{:?}: {} {}",
                shape,
                got,
                wanted
            );
        };
        let strangers = hashes(4, 40_000);
        let passing = strangers.iter().filter(|key| f.may_contain_key(**key));
        let passing = passing.count() as f64 / 40_000.0;
        near(passing, f.realised_fpr(), 0.01);
        near(f.realised_fpr(), kind.stable_fpr(), 0.06);
        near(kind.expected_fpr(12_000), kind.stable_fpr(), 1e-3);
        assert!(f.may_contain_key(*keys.last().unwrap()));
        for age in [200, 500, 1000, 2500, 5000] {
            let middle = keys.len() - 1 - age;
            let group = &keys[middle - 100..middle + 100];
            let lost = group.iter().filter(|key| !f.may_contain_key(**key));
            let lost = lost.count() as f64 / group.len() as f64;
            near(lost, kind.forgetting(age as u64), 0.17);
        }
        let young = inserted(shape, keys[..100].iter().copied());
        near(young.realised_fpr(), kind.expected_fpr(100), 0.01);
        let file = f.to_container(&Extras::default()).unwrap();
        let again: StableFilter = container::read_as(&file).unwrap();
        assert_eq!(again, f);
        assert_eq!(again.to_container(&Extras::default()).unwrap(), file);
    }
}

#[test]
fn headers() {
    let kind = AnyKind::from(stable(StableShape {
        decrement: 3,
        ..stable_shape(97, 2, 7)
    }));
    const K: (usize, usize) = (20, 4);
    const UNITS: (usize, usize) = (24, 8);
    const INSERTS: (usize, usize) = (100, 8);
    const SEED: (usize, usize) = (108, 4);
    const F: (usize, usize) = (112, 4);
    const P: (usize, usize) = (116, 4);
    const D: (usize, usize) = (120, 1);
    const MAX: (usize, usize) = (121, 1);
    let all = u64::MAX;
    for (wanted, edits) in [
        (None, &[][..]),
        (None, &[(INSERTS, all), (SEED, all)]),
        (Some(64), &[((64, 8), 1)]),
        (Some(11), &[((11, 1), 5), (K, 0)]),
        (Some(20), &[(K, 0), (UNITS, 0)]),
        (Some(20), &[(K, 65)]),
        (None, &[(K, 64)]),
        (Some(24), &[(UNITS, 0), (D, 3)]),
        (Some(24), &[(UNITS, (1 << 46) + 1), (D, 3)]),
        (Some(80), &[(UNITS, 1 << 46)]),
        (Some(120), &[(D, 0), (MAX, 0), (P, 98)]),
        (Some(120), &[(D, 3)]),
        (Some(120), &[(D, 8)]),
        (Some(120), &[(D, 255)]),
        (Some(121), &[(MAX, 0), (P, 98)]),
        (Some(121), &[(MAX, 4)]),
        (Some(121), &[(D, 1)]),
        (Some(80), &[(D, 1), (MAX, 1)]),
        (Some(80), &[(D, 4), (MAX, 15)]),
        (None, &[(MAX, 1)]),
        (Some(116), &[(P, 97), (UNITS, 97)]),
        (None, &[(P, 97), (F, 0)]),
        (None, &[(P, 96), (F, all)]),
        (Some(116), &[(P, 98), (F, 0)]),
        (Some(116), &[(P, all), (D, 4), (MAX, 15)]),
        (None, &[(P, 0), (F, 0)]),
        (Some(80), &[(UNITS, 93)]),
        (None, &[(UNITS, 100)]),
        (Some(100), &[((122, 1), 1)]),
    ] {
        assert_eq!(verdict(&kind, edits), wanted, "{:?}", edits);
    }
}

#[test]
fn a_zero_in_an_intact_chunk_is_believed() {
    for (d, k) in [(1, 4), (2, 3), (4, 6)] {
        let shape = StableShape {
            decrement: 300,
            inserts: 0,
            ..stable_shape(3 * 32768 / u64::from(d) + 5, d, k)
        };
        let keys = hashes(1, 6000);
        let f = inserted(shape, keys.iter().copied());
        let kind = AnyKind::from(f.kind().clone());
        let mut hurt = f.to_container(&Extras::default()).unwrap();
        hurt[128 + 4096 + 77] ^= 8;
        let read = container::read(&hurt).unwrap();
        assert_eq!(read.damaged_chunks(), 1);
        let read = read.into_filter().unwrap();
        let view = ContainerView::open(&hurt).unwrap();
        let payload = f.payload();
        let bits = u64::from(d);
        let set = |cell: u64| {
            let damaged = (4096..8192).contains(&(cell * bits / 8));
            damaged || number(&payload, cell * bits, bits) != 0
        };
        let mut denied = 0;
        for key in keys.iter().copied().chain(hashes(2, 6000)) {
            let wanted = kind.positions(key).unwrap().into_iter().all(set);
            let got = (read.may_contain_key(key), view.may_contain_key(key));
            assert_eq!(got, (wanted, wanted));
            assert!(wanted || !f.may_contain_key(key));
            denied += u32::from(!wanted);
        }
        assert!(denied > 3000);
        let x = (0..shape.cells).filter(|c| set(*c)).count() as f64;
        let share = x / shape.cells as f64;
        assert!((read.realised_fpr() - share.powi(k as i32)).abs() < 1e-12);
        assert_eq!(read.fill(), share);
        assert!(read.estimated_keys() > f.estimated_keys());
        let e = read.to_container(&Extras::default()).unwrap_err();
        assert_eq!(e.code(), Code::Corrupt);
    }
}

/// Bits after the last cell are ignored, and cells above the maximum count as any other.
#[test]
fn odd_bytes() {
    let shape = StableShape {
        max: 1,
        ..stable_shape(5, 4, 1)
    };
    let empty = AnyFilter::empty(stable(shape).into()).unwrap();
    let file = empty.to_container(&Extras::default()).unwrap();
    let f: StableFilter = container::read_as(&with_payload(&file, &[0, 0x20, 0xf0])).unwrap();
    assert_eq!((f.fill(), f.realised_fpr()), (0.2, 0.2));
    let found = hashes(9, 1000)
        .iter()
        .filter(|k| f.may_contain_key(**k))
        .count();
    assert!((140..260).contains(&found));
    let full: StableFilter = container::read_as(&with_payload(&file, &[0xff; 3])).unwrap();
    assert_eq!(
        (full.realised_fpr(), full.estimated_keys()),
        (1.0, f64::INFINITY)
    );
    assert_eq!(empty.estimated_keys(), 0.0);
    let mut f = f;
    f.clear();
    assert_eq!((f.kind().shape().inserts, f.fill()), (0, 0.0));
}

#[test]
fn shapes_that_there_are_not() {
    let code = |s| {
        Stable::new(s, Hasher::DEFAULT)
            .map(|_| ())
            .unwrap_err()
            .code()
    };
    let good = stable_shape(9, 2, 3);
    for shape in [
        stable_shape(0, 2, 3),
        stable_shape(9, 3, 3),
        stable_shape(9, 2, 0),
        StableShape { max: 0, ..good },
        StableShape { max: 4, ..good },
        StableShape {
            decrement: 9,
            ..good
        },
        StableShape {
            decrement: 10,
            fraction: 0,
            ..good
        },
    ] {
        assert_eq!(code(shape), Code::InvalidArgument);
    }
    assert_eq!(code(stable_shape(9, 2, 65)), Code::TooLarge);
    assert_eq!(code(stable_shape((1 << 46) + 1, 2, 3)), Code::TooLarge);
    let mut f = StableFilter::empty(stable(good)).unwrap();
    for result in [
        f.try_insert("k").map(|_| ()),
        f.count("k").map(|_| ()),
        f.clone().merge(&f),
    ] {
        assert_eq!(result.unwrap_err().code(), Code::Unsupported);
    }
    assert!(texts("k", 3).iter().all(|k| !f.may_contain(k)));
}
