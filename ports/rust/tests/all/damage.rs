//! Damaged files: never a forgotten key, never a panic, never written again as if whole.

use crate::full;
use crate::texts;
use bloomery::container::{self, sentinels_of, ContainerView, Extras};
use bloomery::{AnyFilter, Bloom, Code, FilterOf, Hasher, Kind, PortableBloom, Profile};
use bloomery::{Block, Classic, Portable, SplitBlock};

/// A small file of each kind, and the keys in it.
fn files(keys: &[String]) -> Vec<Vec<u8>> {
    fn file<K: Kind>(kind: K, keys: &[String]) -> Vec<u8> {
        let mut f = FilterOf::empty(kind).unwrap();
        f.insert_batch(keys);
        let extras = Extras {
            sentinels: sentinels_of(f.hasher(), keys),
            notes: vec![container::Note {
                tag: 5,
                bytes: vec![1, 2, 3],
            }],
            ..Extras::default()
        };
        f.to_container(&extras).unwrap()
    }
    let xxh3 = Hasher::DEFAULT;
    vec![
        file(Portable::new(96, 7).unwrap(), keys),
        file(Block::new(Profile::HalfLine, 3, xxh3).unwrap(), keys),
        file(Block::new(Profile::TwoLines, 2, xxh3).unwrap(), keys),
        file(SplitBlock::new(2).unwrap(), keys),
        file(Classic::new(99, 5, xxh3).unwrap(), keys),
    ]
}

/// Reads by every way; all keys must be there if it can be read at all.
fn no_key_is_missing(file: &[u8], keys: &[String]) -> bool {
    let read = container::read(file);
    let view = ContainerView::open(file);
    assert_eq!(read.is_ok(), view.is_ok());
    if let (Ok(read), Ok(view)) = (read, view) {
        assert_eq!(read.damaged_chunks(), view.damaged_chunks());
        let f = read.into_filter().unwrap();
        for key in keys {
            assert!(
                f.may_contain(key) && view.may_contain(key),
                "{} was forgotten",
                key
            );
        }
        return true;
    }
    false
}

#[test]
fn every_flipped_bit() {
    let keys = texts("k", 10);
    for file in files(&keys) {
        let mut refused = 0;
        for bit in 0..8 * file.len() {
            let mut hurt = file.clone();
            hurt[bit / 8] ^= 1 << (bit % 8);
            refused += usize::from(!no_key_is_missing(&hurt, &keys));
        }
        // The payload and its padding may be read; every other byte lies under a checksum that refuses.
        let header = container::inspect(&file, None).unwrap();
        let covered = (header.payload_length + 63) / 64 * 64;
        assert_eq!(refused as u64, 8 * (file.len() as u64 - covered));
    }
}

#[test]
fn every_truncation_and_some_more() {
    let keys = texts("k", 10);
    for file in files(&keys) {
        for length in 0..file.len() {
            let e = container::read(&file[..length]).unwrap_err();
            assert_eq!(e.code(), Code::Corrupt);
            assert!(e.offset().unwrap() <= length as u64);
            assert!(ContainerView::open(&file[..length]).is_err());
        }
        let mut longer = file.clone();
        longer.push(0);
        let e = container::read(&longer).unwrap_err();
        assert_eq!(e.offset(), Some(file.len() as u64));
    }
}

#[test]
fn pairs_of_flipped_bits() {
    let keys = texts("k", 10);
    let step = if full() { 1 } else { 37 };
    for file in files(&keys) {
        for first in (0..8 * file.len()).step_by(step) {
            for second in (0..8 * file.len()).step_by(101) {
                let mut hurt = file.clone();
                hurt[first / 8] ^= 1 << (first % 8);
                hurt[second / 8] ^= 1 << (second % 8);
                no_key_is_missing(&hurt, &keys);
            }
        }
    }
}

#[test]
fn a_damaged_filter_is_not_written_again() {
    let keys = texts("k", 10);
    let file = &files(&keys)[0];
    let mut hurt = file.clone();
    hurt[130] ^= 4;
    let f: PortableBloom = container::read_as(&hurt).unwrap();
    assert_eq!(f.damaged_chunks(), 1);
    assert_eq!(f.realised_fpr(), 1.0);
    assert_eq!(
        f.to_container(&Extras::default()).unwrap_err().code(),
        Code::Corrupt
    );
    assert_eq!(f.encode().unwrap_err().code(), Code::Corrupt);
    assert_eq!(
        f.write_to(&mut Vec::new()).unwrap_err().code(),
        Code::Corrupt
    );
    // Nor is one that took it in, through whatever it went.
    let mut whole: PortableBloom = container::read_as(file).unwrap();
    whole.merge(&f).unwrap();
    assert!(whole.encode().is_err());
    let atomic = bloomery::AtomicOf::try_from(f.clone()).unwrap();
    assert!(atomic.snapshot().unwrap().encode().is_err());
    let any: AnyFilter = f.into();
    assert!(any.to_container(&Extras::default()).is_err());
    let mut emptied = whole;
    emptied.clear();
    assert!(emptied.encode().is_ok());
}

#[test]
fn only_the_damaged_chunk_answers_perhaps() {
    let mut f = Bloom::empty(Classic::new(3 * 32768, 3, Hasher::DEFAULT).unwrap()).unwrap();
    f.insert_batch(&texts("k", 100));
    let mut file = f.to_container(&Extras::default()).unwrap();
    file[128 + 5000] ^= 1;
    let hurt: Bloom = container::read_as(&file).unwrap();
    assert_eq!(hurt.damaged_chunks(), 1);
    assert!(hurt.words()[512..1024].iter().all(|w| *w == !0));
    assert_eq!(hurt.words()[..512], f.words()[..512]);
    assert_eq!(hurt.words()[1024..], f.words()[1024..]);
}

#[test]
fn ones_that_are_not_those_of_the_header() {
    for mut file in files(&texts("k", 10)) {
        assert!(container::read(&file).unwrap().verify_ones().is_ok());
        file[88] ^= 1;
        let crc = container::crc32c(&file[..124]);
        file[124..128].copy_from_slice(&crc.to_le_bytes());
        let e = container::read(&file).unwrap().verify_ones().unwrap_err();
        assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(88)));
        // Where a chunk is damaged the count says nothing.
        file[129] ^= 1;
        assert!(container::read(&file).unwrap().verify_ones().is_ok());
    }
}

#[test]
fn bits_after_the_last_are_kept_and_counted() {
    let f = PortableBloom::decode(&[2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1, 0xfe]).unwrap();
    assert!(!f.padding_is_clear());
    assert_eq!(f.ones(), 1);
    let file = f.to_container(&Extras::default()).unwrap();
    let read = container::read(&file).unwrap();
    assert!(read.verify_ones().is_ok());
    assert_eq!(read.header().ones, 8);
    assert_eq!(read.into_filter().unwrap().payload(), [1, 0xfe]);
}

#[test]
fn portable_files_cut_short_or_too_long() {
    let mut f = PortableBloom::make(20, 0.02).unwrap();
    f.insert_batch(&texts("k", 20));
    let file = f.encode().unwrap();
    for length in 0..file.len() {
        let e = PortableBloom::decode(&file[..length]).unwrap_err();
        assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(length as u64)));
        let s = PortableBloom::read_from(&mut &file[..length]).unwrap_err();
        assert_eq!(s, e);
    }
    for bit in 0..8 * file.len() {
        let mut hurt = file.clone();
        hurt[bit / 8] ^= 1 << (bit % 8);
        let decoded = PortableBloom::decode(&hurt);
        assert_eq!(decoded, PortableBloom::read_from(&mut &hurt[..]));
        if let Ok(f) = decoded {
            assert_eq!(f.encode().unwrap(), hurt);
            f.may_contain("k0");
        }
    }
}

#[test]
fn a_promise_of_many_bytes_takes_no_memory() {
    let mut header = vec![7, 0, 0, 0];
    header.extend((1u64 << 63).to_le_bytes());
    let e = PortableBloom::read_from(&mut &header[..]).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(12)));
}
