//! Packed sets of filters that are built from all keys at once.

use crate::assemble::packed_static;
use crate::fill::drawn;
use crate::harness::{flip_every_bit, Flips};
use crate::{kinds, texts};
use bloomery::container::{crc32c, ContainerView};
use bloomery::kind::Kind;
use bloomery::AnyFilter;

/// Filters of each kind with the default hasher, and keys: key i is in member i modulo their number.
fn sets() -> Vec<(Vec<AnyFilter>, Vec<String>)> {
    let set = |name: &&str| {
        let shapes = kinds::small().into_iter();
        let shapes = shapes.filter(|k| k.name() == *name && k.hashes() < 10);
        let members: Vec<_> = shapes.map(|kind| drawn(&kind, 1)).collect();
        let mut texts = texts("k", 50_000).into_iter();
        let key = |i: usize| texts.find(|k| members[i % members.len()].may_contain(k));
        let keys = (0..2 * members.len()).map(key).collect::<Option<_>>();
        (members, keys.unwrap())
    };
    ["ribbon", "fuse", "xor"].iter().map(set).collect()
}

#[test]
fn members_answer_as_the_filters_do() {
    for (members, keys) in sets() {
        assert!(!members.is_empty());
        let file = packed_static(&members);
        let view = ContainerView::open(&file).unwrap();
        assert_eq!(view.members(), members.len() as u64);
        for text in keys.iter().chain(&texts("x", 100)) {
            for (i, member) in members.iter().enumerate() {
                let answer = view.member_may_contain(i as u64, text).unwrap();
                assert_eq!(answer, member.may_contain(text), "{} {}", i, text);
            }
        }
    }
}

#[test]
fn every_flipped_bit() {
    for (members, keys) in sets() {
        let file = packed_static(&members);
        let length = u64::from_le_bytes(file[80..88].try_into().unwrap()) as usize;
        let covered = (length + 63) / 64 * 64;
        let flips = flip_every_bit(&file, &keys);
        assert_eq!(flips.refused + flips.reported, 8 * file.len());
        assert_eq!(
            flips,
            Flips {
                refused: 8 * (file.len() - covered),
                reported: 8 * covered,
            }
        );
    }
}

/// Entries that lie under correct checksums: no panic, and other members answer as before.
#[test]
fn entries_that_lie() {
    for (members, keys) in sets() {
        let whole = packed_static(&members);
        let n = members.len();
        let length = u64::from_le_bytes(whole[80..88].try_into().unwrap()) as usize;
        let directory = 4096 + length - 48 * n;
        for member in 0..n {
            for field in (0..48).step_by(4) {
                for lie in [0u32, 1, 7, 1 << 31, u32::MAX] {
                    let mut file = whole.clone();
                    let at = directory + 48 * member + field;
                    file[at..at + 4].copy_from_slice(&lie.to_le_bytes());
                    seal(&mut file, length);
                    let view = ContainerView::open(&file).unwrap();
                    for (i, key) in keys.iter().enumerate() {
                        let found = view.member_may_contain((i % n) as u64, key).unwrap();
                        assert!(found || i % n == member || i % n == member + 1);
                    }
                    if field == 20 && lie != 0 {
                        assert!(view.member_may_contain(member as u64, "absent").unwrap());
                    }
                }
            }
        }
    }
}

/// The checksums of the chunks and of the tail, made right.
fn seal(file: &mut [u8], length: usize) {
    let tail = 4096 + (length + 63) / 64 * 64;
    let sums: Vec<u32> = file[4096..tail].chunks(4096).map(crc32c).collect();
    for (i, sum) in sums.iter().enumerate() {
        file[tail + 4 * i..tail + 4 * i + 4].copy_from_slice(&sum.to_le_bytes());
    }
    let end = file.len() - 4;
    let covered = [&file[128..4096], &file[tail..end]].concat();
    file[end..].copy_from_slice(&crc32c(&covered).to_le_bytes());
}
