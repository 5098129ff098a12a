//! The laws of a filter, for every kind of bits.

use crate::harness::has_the_calls_of_the_table;
use crate::kinds::{all, for_every_bit_kind, secret_of};
use crate::texts;
use bloomery::container::{self, sentinels_of, ContainerView, Extras, Note, ReadOptions};
use bloomery::hash::splitmix64;
use bloomery::kind::Call;
use bloomery::{
    AnyFilter, AnyKind, AtomicOf, BitKind, Code, FilterOf, Key, KeySource, Kind, Portable,
};

fn filled<K: BitKind>(kind: &K, keys: &[String]) -> FilterOf<K> {
    let mut f = FilterOf::empty(kind.clone()).unwrap();
    f.extend(keys);
    f
}

fn no_key_is_forgotten<K: BitKind>(kind: K) {
    let keys = texts("k", 120);
    let integers = kind.hasher().of(KeySource::Integers);
    let mut f = FilterOf::empty(kind).unwrap();
    for (i, key) in keys.iter().enumerate() {
        f.insert(key);
        f.insert_key(integers.key_of_integer(i as u64));
        f.insert_key(Key::from_raw(splitmix64(i as u64)));
    }
    for (i, key) in keys.iter().enumerate() {
        assert!(f.may_contain(key));
        assert!(f.may_contain_key(integers.key_of_integer(i as u64)));
        assert!(f.may_contain_key(Key::from_raw(splitmix64(i as u64))));
    }
}

fn a_batch_is_what_its_keys_are<K: BitKind>(kind: K) {
    let keys = texts("", 90);
    let one = filled(&kind, &keys);
    for length in [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 90] {
        let mut batch = FilterOf::empty(kind.clone()).unwrap();
        batch.insert_batch(&keys[..length]);
        batch.insert_batch(&keys[length..]);
        assert_eq!(batch, one);
        let mut asked: Vec<String> = keys[..length].to_vec();
        asked.extend(texts("stranger", length));
        let mut out = vec![false; asked.len()];
        one.may_contain_batch(&asked, &mut out);
        let single: Vec<bool> = asked.iter().map(|k| one.may_contain(k)).collect();
        assert_eq!(out, single);
        let hashed: Vec<Key> = asked
            .iter()
            .map(|k| one.hasher().key(k.as_bytes()))
            .collect();
        one.may_contain_keys(&hashed, &mut out);
        assert_eq!(out, single);
    }
}

fn order_and_repetition_do_not_matter<K: BitKind>(kind: K) {
    let keys = texts("k", 50);
    let mut reversed: Vec<String> = keys.iter().rev().cloned().collect();
    reversed.extend(keys[..10].to_vec());
    assert_eq!(filled(&kind, &keys), filled(&kind, &reversed));
}

fn a_merge_is_the_union<K: BitKind>(kind: K) {
    let keys = texts("k", 60);
    let (mut left, right) = (filled(&kind, &keys[..40]), filled(&kind, &keys[20..]));
    left.merge(&right).unwrap();
    assert_eq!(left, filled(&kind, &keys));
    left.clear();
    assert_eq!(left.ones(), 0);
    assert_eq!(left, FilterOf::empty(kind).unwrap());
}

fn an_intersection_has_the_keys_of_both<K: BitKind>(kind: K) {
    let keys = texts("k", 60);
    let (mut left, right) = (filled(&kind, &keys[..40]), filled(&kind, &keys[20..]));
    let (one, other) = (left.payload(), right.payload());
    left.intersect(&right).unwrap();
    assert!(keys[20..40].iter().all(|k| left.may_contain(k)));
    let both: Vec<u8> = one.iter().zip(&other).map(|(a, b)| a & b).collect();
    assert_eq!(left.payload(), both);
}

fn insert_if_absent_is_a_lookup_and_an_insertion<K: BitKind>(kind: K) {
    let keys = texts("k", 60);
    let (mut f, mut plain) = (filled(&kind, &keys[..30]), filled(&kind, &keys[..30]));
    for key in &keys {
        assert_eq!(f.insert_if_absent(key), Ok(!plain.may_contain(key)));
        plain.insert(key);
        assert_eq!(f, plain);
        assert_eq!(f.insert_if_absent(key), Ok(false));
    }
}

/// For new keys, old ones, and new ones that happen to be false positives.
fn insert_reports_what_a_lookup_before_it_would<K: BitKind>(kind: K) {
    let mut keys = texts("k", 60);
    keys.extend(texts("k", 60));
    let integers = kind.hasher().of(KeySource::Integers);
    let mut f = FilterOf::empty(kind.clone()).unwrap();
    for key in &keys {
        let before = f.clone();
        assert_eq!(f.insert(key), !before.may_contain(key), "{} {:?}", key, f);
        assert_eq!(f == before, before.may_contain(key));
    }
    let mut ids = FilterOf::empty(kind).unwrap().of(KeySource::Integers);
    for x in (0..60).chain(0..60) {
        let present = ids.may_contain_key(integers.key_of_integer(x));
        assert_eq!(ids.insert_integer(x), !present);
    }
}

/// Megabytes of bits in a log help nobody.
fn debug_is_short<K: BitKind + Into<AnyKind>>(kind: K) {
    let f = filled(&kind, &texts("k", 60));
    let atomic = AtomicOf::try_from(f.clone()).unwrap();
    let file = f.to_container(&Extras::default()).unwrap();
    let options = ReadOptions::new();
    let options = secret_of(f.hasher()).map_or(options, |s| options.secret(s));
    let read = container::read_with(&file, &options).unwrap();
    let view = ContainerView::open_with(&file[..], &options).unwrap();
    let any: AnyFilter = read.into_filter().unwrap();
    for (what, most) in [
        (format!("{:?}", f), 400),
        (format!("{:?}", atomic), 400),
        (format!("{:?}", any), 400),
        (format!("{:?}", view), 1200),
    ] {
        assert!(what.len() < most, "{}", what);
        assert!(!what.contains("a secret of ours") && !what.contains("97, 32, 115"));
    }
}

fn what_can_be_refused_is_what_cannot<K: BitKind>(kind: K) {
    let keys = texts("k", 90);
    let mut f = FilterOf::empty(kind.clone()).unwrap();
    f.try_insert(&keys[0]).unwrap();
    f.try_insert_batch(&keys).unwrap();
    assert_eq!(f, filled(&kind, &keys));
}

fn a_container_gives_back_what_it_got<K: BitKind + Into<AnyKind>>(kind: K) {
    let keys = texts("k", 60);
    let f = filled(&kind, &keys).with_capacity(99);
    let extras = Extras {
        asked_fpr: 0.25,
        keys: 60,
        sentinels: sentinels_of(f.hasher(), &keys),
        notes: vec![
            Note {
                tag: 7,
                bytes: b"seven".to_vec(),
            },
            Note {
                tag: 3,
                bytes: Vec::new(),
            },
        ],
    };
    let file = f.to_container(&extras).unwrap();
    let (read, view) = match secret_of(f.hasher()) {
        Some(s) => (
            container::read_with_secret(&file, s).unwrap(),
            ContainerView::open_with_secret(&file, s).unwrap(),
        ),
        None => (
            container::read(&file).unwrap(),
            ContainerView::open(&file).unwrap(),
        ),
    };
    assert_eq!(read.damaged_chunks(), 0);
    assert_eq!(read.notes(), &extras.notes[..]);
    assert_eq!(read.sentinels(), &extras.sentinels[..]);
    assert_eq!((read.header().capacity, read.header().keys), (99, 60));
    assert_eq!(read.header().ones, f.ones());
    let any = read.into_filter().unwrap();
    assert_eq!(any.kind(), &kind.into());
    assert_eq!(any.words(), f.words());
    assert_eq!(any.to_container(&extras).unwrap(), file);
    for key in keys.iter().chain(&texts("x", 60)) {
        assert_eq!(view.may_contain(key), f.may_contain(key));
    }
    assert_eq!(view.damaged_chunks(), 0);
}

fn atomic_words_are_the_same_words<K: BitKind>(kind: K) {
    let keys = texts("k", 60);
    let atomic = AtomicOf::empty(kind.clone()).unwrap();
    for key in &keys {
        atomic.insert(key);
    }
    assert!(keys.iter().all(|k| atomic.may_contain(k)));
    assert_eq!(atomic.snapshot().unwrap(), filled(&kind, &keys));
}

fn ones_are_the_bits_that_keys_have<K: BitKind>(kind: K) {
    let key = kind.hasher().key(b"only");
    let mut bits = Vec::new();
    kind.probe(key, |bit| {
        bits.push(bit);
        true
    });
    assert!(bits.iter().all(|b| *b < kind.bits()));
    bits.sort_unstable();
    bits.dedup();
    let mut f = FilterOf::empty(kind).unwrap();
    f.insert("only");
    assert_eq!(f.ones(), bits.len() as u64);
    assert_eq!(f.payload().len() as u64, f.size_in_bytes());
}

macro_rules! laws {
    ($($law:ident),*) => {
        $(mod $law {
            #[test]
            fn holds() {
                super::for_every_bit_kind!(super::$law);
            }
        })*
    };
}

laws!(
    no_key_is_forgotten,
    a_batch_is_what_its_keys_are,
    order_and_repetition_do_not_matter,
    a_merge_is_the_union,
    an_intersection_has_the_keys_of_both,
    insert_if_absent_is_a_lookup_and_an_insertion,
    insert_reports_what_a_lookup_before_it_would,
    debug_is_short,
    what_can_be_refused_is_what_cannot,
    a_container_gives_back_what_it_got,
    atomic_words_are_the_same_words,
    ones_are_the_bits_that_keys_have
);

#[test]
fn calls_are_those_of_the_table() {
    all().into_iter().for_each(has_the_calls_of_the_table);
}

#[test]
fn filters_of_different_shapes_are_not_combined() {
    let mut shapes = all();
    shapes.retain(|kind| kind.facts().can(Call::Intersect));
    let mut refused = 0;
    for (one, other) in shapes.iter().zip(&shapes[1..]) {
        let mut f = AnyFilter::empty(one.clone()).unwrap();
        let other = AnyFilter::empty(other.clone()).unwrap();
        let e = f.intersect(&other).unwrap_err();
        assert_eq!(e.code(), Code::Incompatible);
        // Filters of blocks fold the larger.
        if let Err(e) = f.merge(&other) {
            assert_eq!(e.code(), Code::Incompatible);
            refused += 1;
        }
    }
    assert!(refused > 0);
}

#[test]
fn the_md5_of_the_contract() {
    // Its sum is in spec/dialects.md; the vectors have the bytes. Here: what leads to them, by every way there is.
    let keys = texts("k", 1000);
    let mut one = FilterOf::empty(Portable::by_rate(1000, 0.01).unwrap()).unwrap();
    one.extend(&keys);
    let file = one.encode().unwrap();
    let mut streamed = Vec::new();
    one.write_to(&mut streamed).unwrap();
    assert_eq!(streamed, file);
    assert_eq!(
        bloomery::PortableBloom::read_from(&mut &file[..]).unwrap(),
        one
    );
    assert_eq!(container::crc32c(&file), container::crc32c(&streamed));
    assert_eq!(file.len(), 1211);
}
