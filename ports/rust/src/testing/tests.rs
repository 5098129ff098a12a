//! Kinds that are not bits, through the table and the container.

use super::harness::{flip_every_bit, has_the_calls_of_the_table, read, Flips};
use super::{Fingerprints, Sorted};
use crate::container::{self, crc32c, ContainerView, Extras};
use crate::{build, AnyFilter, Code, Error, FilterOf, Hasher, Kind};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

fn texts(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{}{}", prefix, i)).collect()
}

/// As many of the keys as find room, and the filter of them.
fn filled(cells: u64, keys: Vec<String>) -> (FilterOf<Fingerprints>, Vec<String>) {
    let mut f = FilterOf::empty(Fingerprints::new(cells)).unwrap();
    let kept = keys.into_iter().filter(|k| match f.try_insert(k) {
        Ok(()) => true,
        Err(e) => {
            assert_eq!(e.code(), Code::Full);
            false
        }
    });
    let kept = kept.collect();
    (f, kept)
}

fn sorted(keys: &[String]) -> Vec<u8> {
    let made = |_| FilterOf::empty(Sorted::new());
    let built = build(keys, Hasher::DEFAULT, made).unwrap();
    assert_eq!(built.extras.keys, keys.len() as u64);
    built.filter.to_container(&built.extras).unwrap()
}

/// The CRC of the header made right.
fn repaired(mut file: Vec<u8>) -> Vec<u8> {
    let crc = crc32c(&file[..124]);
    file[124..128].copy_from_slice(&crc.to_le_bytes());
    file
}

#[test]
fn every_flipped_bit() {
    let (f, keys) = filled(40, texts("k", 20));
    assert!(keys.len() >= 10);
    let file = f.to_container(&Extras::default()).unwrap();
    for (file, keys) in [(&file, &keys), (&sorted(&keys), &keys)] {
        let covered = (2 * container::inspect(file, None).unwrap().units as usize + 63) / 64 * 64;
        let wanted = Flips {
            refused: 8 * (file.len() - covered),
            reported: 8 * covered,
        };
        assert_eq!(flip_every_bit(file, keys), wanted);
    }
}

#[test]
fn every_damaged_chunk() {
    let (f, keys) = filled(6000, texts("k", 3000));
    let files = [f.to_container(&Extras::default()).unwrap(), sorted(&keys)];
    for file in &files {
        assert_eq!(read(file, &keys), Some(0));
        let chunks = container::inspect(file, None).unwrap().chunks() as usize;
        assert!(chunks >= 2);
        for damaged in 1..1usize << chunks {
            let mut hurt = file.clone();
            for chunk in (0..chunks).filter(|c| damaged >> c & 1 == 1) {
                // All ones, and what was there the other way round: both would deny.
                hurt[128 + 4096 * chunk..][..1000].fill(0xff);
                for b in &mut hurt[128 + 4096 * chunk + 1000..][..50] {
                    *b = !*b;
                }
            }
            assert_eq!(read(&hurt, &keys), Some(u64::from(damaged.count_ones())));
        }
    }
}

#[test]
fn only_lookups_that_read_damage_answer_perhaps() {
    let (f, keys) = filled(6000, texts("k", 3000));
    let mut file = f.to_container(&Extras::default()).unwrap();
    file[128 + 5000] ^= 1;
    let hurt: FilterOf<Fingerprints> = container::read_as(&file).unwrap();
    let view = ContainerView::open(&file).unwrap();
    let touches = |k: &String| {
        let key = f.hasher().key(k.as_bytes());
        // The second cell is read if the first is not the key's own.
        let [one, two] = f.kind().places(key).map(|at| at / 4096 == 1);
        (one, one || two)
    };
    let strangers = texts("x", 20_000);
    let mut passed = 0;
    for k in keys.iter().chain(&strangers) {
        let found = hurt.may_contain(k);
        assert_eq!(found, view.may_contain(k));
        let (first, any) = touches(k);
        assert!(found || !first);
        assert!(found == f.may_contain(k) || any, "{}", k);
        passed += u32::from(found && k.starts_with('x'));
    }
    #[cfg(feature = "std")]
    {
        // 5 sigma of counting 20,000 strangers.
        let rate = f64::from(passed) / 20_000.0;
        assert!((hurt.realised_fpr() - rate).abs() < 5.0 * (rate / 20_000.0f64).sqrt());
        assert!(rate > 0.5 && f.realised_fpr() < 1e-4);
    }
    assert!(passed > 0);
    assert_ne!(hurt, f);
    // It is not written, whatever it goes through.
    let any = AnyFilter::from(hurt.clone());
    for written in [
        hurt.to_container(&Extras::default()),
        any.to_container(&Extras::default()),
        any.clone()
            .downcast::<Fingerprints>()
            .unwrap()
            .to_container(&Extras::default()),
    ] {
        assert_eq!(written.unwrap_err().code(), Code::Corrupt);
    }
    assert_eq!(hurt.iterate(|_| ()).unwrap_err().code(), Code::Corrupt);
    let mut cleared = any;
    cleared.clear();
    assert!(!cleared.may_contain(&keys[0]) && cleared.to_container(&Extras::default()).is_ok());
}

#[test]
fn calls_that_meet_damage_are_refused() {
    let (f, keys) = filled(6000, texts("k", 2000));
    let mut file = f.to_container(&Extras::default()).unwrap();
    file[128 + 5000] ^= 1;
    let hurt: AnyFilter = container::read(&file).unwrap().into_filter().unwrap();
    let whole: AnyFilter = f.clone().into();
    let places = |k: &String| f.kind().places(f.hasher().key(k.as_bytes()));
    let (mut refused, mut done) = (0, 0);
    for k in keys.iter().chain(&texts("x", 2000)) {
        type Change = fn(&mut AnyFilter, &String) -> Result<(), Error>;
        let changes: [Change; 4] = [
            |f, k| f.try_insert(k),
            |f, k| f.insert_if_absent(k).map(|_| ()),
            |f, k| f.erase(k),
            |f, k| f.count(k).map(|_| ()),
        ];
        for change in changes {
            let (mut hurt_now, mut whole_now) = (hurt.clone(), whole.clone());
            let got = change(&mut hurt_now, k);
            let meets = places(k).iter().any(|at| at / 4096 == 1);
            match &got {
                Err(e) if e.code() == Code::Corrupt => {
                    assert!(meets);
                    assert_eq!(hurt_now, hurt);
                    refused += 1;
                }
                _ => {
                    // What it did elsewhere is what it does to the whole filter.
                    assert_eq!(got, change(&mut whole_now, k));
                    let same = |i: &usize| hurt_now.words()[*i] == whole_now.words()[*i];
                    assert!((0..1500).filter(|i| i / 512 != 1).all(|i| same(&i)));
                    done += 1;
                }
            }
        }
    }
    assert!(refused > 1000 && done > 1000);
}

#[test]
fn full_not_present_and_too_many_copies() {
    let mut f: AnyFilter = FilterOf::empty(Fingerprints::new(50)).unwrap().into();
    let code = |r: Result<(), Error>| r.unwrap_err().code();
    assert_eq!(code(f.erase("k")), Code::NotPresent);
    f.try_insert("k").unwrap();
    f.try_insert("k").unwrap();
    assert_eq!(f.count("k"), Ok(2));
    let before = f.clone();
    assert_eq!(code(f.try_insert("k")), Code::TooManyCopies);
    assert_eq!(f.insert_if_absent("k"), Ok(false));
    let full = f.try_insert_batch(&texts("x", 500)).unwrap_err();
    assert_eq!(full.1.code(), Code::Full);
    assert!(full.0 > 0 && full.0 < 50);
    let mut again = before.clone();
    again.try_insert_batch(&texts("x", full.0)).unwrap();
    assert_eq!(again, f);
    f.erase("k").unwrap();
    f.erase("k").unwrap();
    assert_eq!(f.count("k"), Ok(0));
    let names = [Code::Full, Code::NotPresent, Code::TooManyCopies].map(Code::name);
    assert_eq!(names, ["full", "not_present", "too_many_copies"]);
}

#[test]
fn calls_are_those_of_the_table() {
    has_the_calls_of_the_table(Fingerprints::new(100).into());
    has_the_calls_of_the_table(Sorted::new().into());
}

#[test]
fn what_a_header_of_such_a_kind_may_hold() {
    let (f, keys) = filled(40, texts("k", 20));
    let file = f.to_container(&Extras::default()).unwrap();
    let header = container::inspect(&file, None).unwrap();
    assert_eq!(header.parameters, f.kind().parameters());
    let refused = |edits: &[(usize, u8)]| {
        let mut file = file.clone();
        for (at, with) in edits {
            file[*at] = *with;
        }
        let e = container::inspect(&repaired(file), None).unwrap_err();
        (e.code(), e.offset().unwrap())
    };
    // Sentinels and keys, of which the kind carries none; before what is against the kind.
    assert_eq!(refused(&[(18, 1), (64, 1), (20, 9)]), (Code::Corrupt, 18));
    assert_eq!(refused(&[(64, 1), (20, 9)]), (Code::Corrupt, 64));
    assert_eq!(refused(&[(18, 9)]), (Code::Corrupt, 18));
    // The multiplier is odd; the units come before it, the length after it.
    assert_eq!(refused(&[(104, 2), (80, 81)]), (Code::Corrupt, 104));
    assert_eq!(refused(&[(104, 2), (31, 1)]), (Code::Corrupt, 24));
    assert_eq!(refused(&[(80, 81)]), (Code::Corrupt, 80));
    // Bytes that it does not use, unless a flag gives them a meaning.
    assert_eq!(refused(&[(123, 1), (104, 2)]), (Code::Corrupt, 100));
    assert_eq!(refused(&[(108, 1)]), (Code::Corrupt, 100));
    let mut flagged = file.clone();
    flagged[14] = 1;
    flagged[108] = 1;
    assert_eq!(read(&repaired(flagged), &keys), Some(0));
    // A later kind is refused by its number, whatever its parameters and counts are.
    let later = [(10, 99), (18, 8), (104, 2), (123, 1), (19, 7)];
    assert_eq!(refused(&later), (Code::Unsupported, 10));
    // What would be refused is not written.
    for extras in [
        Extras {
            keys: 1,
            ..Extras::default()
        },
        Extras {
            sentinels: container::sentinels_of(f.hasher(), &keys),
            ..Extras::default()
        },
    ] {
        let e = f.to_container(&extras).unwrap_err();
        assert_eq!(e.code(), Code::InvalidArgument);
    }
}

#[test]
fn builders_leave_what_the_kind_carries() {
    let made = |_| FilterOf::empty(Fingerprints::new(4000));
    let built = build(texts("k", 20), Hasher::DEFAULT, made).unwrap();
    assert_eq!(built.extras, Extras::default());
    let file = built.filter.to_container(&built.extras).unwrap();
    assert_eq!(read(&file, &texts("k", 20)), Some(0));
    let any = |_| Ok(AnyFilter::from(FilterOf::empty(Sorted::new())?));
    let built = build(texts("k", 20), Hasher::DEFAULT, any).unwrap();
    assert_eq!(built.filter.kind().units(), 20);
    assert_eq!(built.extras.sentinels.len(), 8);
}
