//! Damaged files: never a forgotten key, never a panic, never written again as if whole.

use crate::fill::{is_only_read, with_keys};
use crate::harness::{flip_every_bit, read, Flips};
use crate::kinds::small;
use crate::{assemble, full, texts};
use bloomery::container::{self, ContainerView, Extras, Note};
use bloomery::kind::Kind;
use bloomery::{build, AnyFilter, AnyKind, Bloom, Classic, Code, Hasher, Portable, PortableBloom};

/// A small file of each kind, with a note and what its builder knows, and ten keys in it; of kinds that are only read, fewer.
fn files() -> Vec<(Vec<u8>, Vec<String>)> {
    let file = |kind: AnyKind| {
        let hasher = *kind.hasher();
        let (filter, mut extras, keys) = if is_only_read(&kind) {
            let (filter, keys) = with_keys(&kind);
            assert!(!keys.is_empty(), "{:?}", kind);
            (filter, known(&kind, &keys), keys)
        } else {
            let keys = texts("k", 10);
            let built = build(&keys, hasher, |_| AnyFilter::empty(kind)).unwrap();
            (built.filter, built.extras, keys)
        };
        extras.notes.push(Note {
            tag: 5,
            bytes: vec![1, 2, 3],
        });
        (filter.to_container(&extras).unwrap(), keys)
    };
    small().into_iter().map(file).collect()
}

/// What a builder knows, if the kind carries it.
fn known(kind: &AnyKind, keys: &[String]) -> Extras {
    if !kind.facts().sentinels {
        return Extras::default();
    }
    Extras {
        keys: keys.len() as u64,
        sentinels: container::sentinels_of(kind.hasher(), keys),
        ..Extras::default()
    }
}

#[test]
fn every_flipped_bit() {
    for (file, keys) in files() {
        let header = container::inspect(&file, None).unwrap();
        // The payload and its padding may be read; every other byte lies under a checksum that refuses.
        let covered = (header.payload_length as usize + 63) / 64 * 64;
        let wanted = Flips {
            refused: 8 * (file.len() - covered),
            reported: 8 * covered,
        };
        assert_eq!(
            flip_every_bit(&file, &keys),
            wanted,
            "{}",
            header.kind_name()
        );
    }
}

#[test]
fn every_flipped_bit_of_a_packed_set() {
    let keys = texts("k", 10);
    // The directory lies in the second of two chunks.
    let file = assemble::packed(&[60, 1, 80], &keys);
    let covered = 32 * 141 + 32;
    let wanted = Flips {
        refused: 8 * (file.len() - covered),
        reported: 8 * covered,
    };
    assert_eq!(flip_every_bit(&file, &keys), wanted);
}

#[test]
fn every_flipped_bit_of_foreign_bytes() {
    let keys = texts("k", 10);
    // Bits alone; bits behind a header in the only chunk, and in the first of two.
    let header = |size: u8| {
        [
            &[
                0x15, size, 1, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c,
            ][..],
            &[0, 0, 0],
        ]
        .concat()
    };
    let long = [&[0x15, 0x80, 0x48][..], &header(0)[3..]].concat();
    let bitset = assemble::packed(&[1], &keys)[4096..4128].to_vec();
    for (dialect, payload, reported) in [
        ("parquet variant=bitset", bitset, 64),
        ("parquet", [header(0x80), vec![0xff; 64]].concat(), 0),
        (
            "parquet",
            [long, vec![0xff; 4608]].concat(),
            (16 + 4608 + 63) / 64 * 64 - 4096,
        ),
    ] {
        let file = assemble::foreign(dialect, &payload);
        let wanted = Flips {
            refused: 8 * (file.len() - reported),
            reported: 8 * reported,
        };
        assert_eq!(flip_every_bit(&file, &keys), wanted, "{}", dialect);
    }
}

#[test]
fn every_truncation_and_some_more() {
    for (file, _) in files() {
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
    let step = if full() { 1 } else { 37 };
    for (file, keys) in files() {
        for first in (0..8 * file.len()).step_by(step) {
            for second in (0..8 * file.len()).step_by(101) {
                let mut hurt = file.clone();
                hurt[first / 8] ^= 1 << (first % 8);
                hurt[second / 8] ^= 1 << (second % 8);
                read(&hurt, &keys);
            }
        }
    }
}

#[test]
fn a_damaged_filter_is_not_written_again() {
    let keys = texts("k", 10);
    let mut f = PortableBloom::empty(Portable::new(96, 7).unwrap()).unwrap();
    f.insert_batch(&keys);
    let file = &f.to_container(&Extras::default()).unwrap();
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
fn only_the_damaged_chunk_counts_as_set() {
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
    for (mut file, _) in files() {
        let read = container::read(&file).unwrap();
        assert!(read.verify_ones().is_ok());
        if read.header().ones == 8 * read.header().payload_length {
            // One more is refused by readers.
            continue;
        }
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
