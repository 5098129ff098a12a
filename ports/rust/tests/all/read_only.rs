//! Kinds that are only read: their lookups, their damage, and what is read is written again.

use crate::fill::{bytes, file_of, holding, seal};
use crate::kinds::read_only;
use bloomery::container::{self, ContainerView};
use bloomery::hash::splitmix64;
use bloomery::kind::Kind;
use bloomery::{AnyFilter, AnyKind, Block, BlockBloom, Code, Hasher, Key, Profile};

fn hex(text: &str) -> Vec<u8> {
    let digits = |i| u8::from_str_radix(&text[i..i + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digits).collect()
}

fn keys(count: u64) -> impl Iterator<Item = Key> {
    (0..count).map(|i| Key::from_raw(splitmix64(!i)))
}

/// The examples of spec/filters.md 7.2, 9.3, 10.6, 14 and 15.9: one key in a payload.
#[test]
fn the_examples_of_the_page() {
    let line0 = "0008000000000000000000000000000000000080000200000000000000000000\
                 0000000080000000004000000001000000000000000000008000000000010000";
    let (one, counted) = ("0000000000080000", "0000000000380000");
    let zeros = |n: usize| "00".repeat(n);
    let fuse = || read_only("fuse", (0, 8, 7), &[1, 0, 0, 0]);
    let quotient = || read_only("quotient", (0, 7, 60), &[0, 1]);
    for (kind, payload) in [
        (
            read_only("cuckoo", (0, 12, 6), &[0]),
            zeros(24) + "2f" + &zeros(11),
        ),
        (
            read_only("cuckoo", (0, 9, 6), &[0]),
            zeros(18) + "06" + &zeros(8),
        ),
        (
            read_only("ribbon", (0, 8, 0), &[64, 0, 0, 0, 0, 0, 0, 1]),
            "43".to_string(),
        ),
        (fuse(), "0000000000000200".to_string()),
        (fuse(), "0002000000000000".to_string()),
        (
            read_only("window", (2, 8, 6), &[2, 0, 1, 1]),
            zeros(128) + line0 + &zeros(192),
        ),
        (
            quotient(),
            [one, one, &zeros(8), &one.repeat(6), &zeros(8)].concat(),
        ),
        (
            quotient(),
            [
                one,
                "0000000000400000",
                &zeros(8),
                &counted.repeat(6),
                &zeros(8),
            ]
            .concat(),
        ),
    ] {
        let f = holding(&kind, &hex(&payload));
        assert!(f.may_contain("k0") && !f.may_contain("k1"), "{:?}", kind);
        assert_eq!(f.payload(), hex(&payload));
    }
    let key = Hasher::DEFAULT.key(b"k0");
    let cuckoo = read_only("cuckoo", (0, 12, 6), &[0]);
    assert_eq!(cuckoo.positions(key).unwrap(), [47, 4, 5]);
    assert_eq!(quotient().positions(key).unwrap(), [5630, 43, 126]);
}

/// A chain is its parts: each a block filter, which all see the same hash.
#[test]
fn chains_are_block_filters() {
    let scalable = [0.01f64.to_bits(), 4, 1, 0, 2, 3];
    let half = Profile::HalfLine;
    for (kind, parts) in [
        (
            read_only("scalable", (0, 4, 3), &scalable),
            vec![
                (half, 6),
                (half, 24),
                (Profile::Line, 48),
                (Profile::TwoLines, 192),
            ],
        ),
        (
            read_only("window", (3, 16, 35), &[5, 0, 100, 0]),
            vec![(Profile::TwoLines, 7); 5],
        ),
        (
            read_only("window", (1, 4, 33), &[3, 0, 100, 0]),
            vec![(half, 11); 3],
        ),
    ] {
        let payload = bytes(7, kind.payload_length() as usize, 3);
        let f = holding(&kind, &payload);
        let mut at = 0;
        let mut blocks: Vec<AnyFilter> = Vec::new();
        for (profile, count) in parts {
            let part: AnyKind = Block::new(profile, count, Hasher::DEFAULT).unwrap().into();
            let size = part.payload_length() as usize;
            blocks.push(holding(&part, &payload[at..at + size]));
            at += size;
        }
        assert_eq!(at, payload.len());
        let mut answers = [0; 2];
        for key in keys(20_000) {
            let seen = match kind.name() {
                "scalable" => Key::from_raw(splitmix64(key.raw())),
                _ => key,
            };
            let wanted = blocks.iter().any(|b| b.may_contain_key(seen));
            assert_eq!(f.may_contain_key(key), wanted);
            answers[usize::from(wanted)] += 1;
        }
        assert!(answers.iter().all(|n| *n > 10), "{:?}", answers);
    }
}

/// Filters of several chunks of every kind whose payload may be any bytes, how dense they are drawn, and the chunks to damage: not
/// those that every lookup reads.
fn of_many_chunks() -> Vec<(AnyKind, u32, Vec<usize>)> {
    let rate = 0.01f64.to_bits();
    let counting = |profile, k, cells, bits| read_only("counting", (profile, k, cells), &[1, bits]);
    let stable = |cells, k, bits, max| read_only("stable", (0, k, cells), &[0, 1, 0, 0, bits, max]);
    let ends = || vec![0, 2, usize::MAX];
    vec![
        (read_only("cuckoo", (0, 8, 8192), &[1]), 2, ends()),
        (read_only("cuckoo", (0, 13, 5042), &[1]), 2, ends()),
        (read_only("cuckoo", (0, 32, 2048), &[1]), 2, ends()),
        (counting(5, 8, 128 * 512, 4), 1, ends()),
        (counting(5, 8, 128 * 256, 8), 1, ends()),
        (counting(0, 3, 65537, 4), 1, ends()),
        (counting(0, 5, 32767, 8), 1, ends()),
        (stable(200_000, 3, 1, 1), 2, ends()),
        (stable(100_001, 4, 2, 3), 1, ends()),
        (stable(50_000, 2, 4, 15), 1, ends()),
        (
            read_only("scalable", (0, 5, 20), &[rate, 2, 0, 9, 1, 3]),
            1,
            vec![usize::MAX],
        ),
        (read_only("window", (1, 4, 6000), &[3, 0, 0, 0]), 1, ends()),
        (read_only("window", (3, 16, 1280), &[2, 0, 0, 0]), 1, ends()),
        (
            read_only(
                "ribbon",
                (0, 4, 1028),
                &[64, 0, 0, 96, 20, 3, 0x5000_0000, 900],
            ),
            2,
            vec![0, 2],
        ),
        (
            read_only("ribbon", (0, 3, 512), &[128, 0, 1, 33, 5, 1, 0, 1000]),
            2,
            vec![0, 2],
        ),
        (
            read_only("fuse", (0, 13, 12800), &[50, 5, 4, 3]),
            2,
            vec![0, 2],
        ),
        (
            read_only("xor", (0, 9, 15360), &[64, 0, 3, 0]),
            2,
            vec![0, 2],
        ),
    ]
}

/// Whatever a damaged chunk held, no key that a filter with these bytes has is denied; and not every key is passed because of it.
#[test]
fn damage_denies_no_key() {
    for (kind, quarters, hurt) in of_many_chunks() {
        let whole = file_of(&kind, &bytes(1, kind.payload_length() as usize, quarters));
        let header = container::inspect(&whole, None).unwrap();
        let (at, length) = (
            header.payload_offset as usize,
            header.payload_length as usize,
        );
        let last = header.chunks() as usize - 1;
        assert!(last >= 3, "{:?}", kind);
        let chunk =
            |c: &usize| at + 4096 * last.min(*c)..(at + 4096 * (last.min(*c) + 1)).min(at + length);
        let mut damaged = whole.clone();
        for c in &hurt {
            damaged[chunk(c).start] ^= 0x40;
        }
        let f = container::read(&damaged).unwrap().into_filter().unwrap();
        let view = ContainerView::open(&damaged).unwrap();
        assert_eq!(f.damaged_chunks(), hurt.len() as u64);
        let denied: Vec<Key> = keys(20_000).filter(|k| !f.may_contain_key(*k)).collect();
        assert!(
            (1000..20_000).contains(&denied.len()),
            "{:?}: {}",
            kind,
            denied.len()
        );
        for key in keys(2000) {
            assert_eq!(f.may_contain_key(key), view.may_contain_key(key));
        }
        let again = f.to_container(&Default::default());
        assert_eq!(again.unwrap_err().code(), Code::Corrupt);
        for seed in 0..8 {
            let mut other = whole.clone();
            for place in hurt.iter().map(chunk) {
                let with = match seed {
                    6 => vec![0; place.len()],
                    7 => vec![0xff; place.len()],
                    _ => bytes(seed + 9, place.len(), 2),
                };
                other[place].copy_from_slice(&with);
            }
            seal(&mut other);
            let other = container::read(&other).unwrap().into_filter().unwrap();
            let lost = denied.iter().find(|k| other.may_contain_key(**k));
            assert_eq!(lost, None, "{:?}", kind);
        }
    }
}

/// Any bytes of the right length are a filter: lookups end, in the array, and one by one, many at once and in a view answer the same.
#[test]
fn any_bytes_are_a_filter() {
    let mut kinds: Vec<AnyKind> = of_many_chunks().into_iter().map(|k| k.0).collect();
    kinds.extend((6..=32).map(|f| read_only("cuckoo", (0, f, 6), &[0])));
    for bits in [4, 8, 32] {
        kinds.push(read_only("counting", (5, 8, 128), &[0, bits]));
        kinds.push(read_only("counting", (0, 64, 7), &[0, bits]));
    }
    for kind in kinds {
        for quarters in 1..=3 {
            let file = file_of(
                &kind,
                &bytes(quarters.into(), kind.payload_length() as usize, quarters),
            );
            let f = container::read(&file).unwrap().into_filter().unwrap();
            let view = ContainerView::open(&file).unwrap();
            let ends = [0, 1, u64::MAX].map(Key::from_raw);
            let asked: Vec<Key> = ends.into_iter().chain(keys(300)).collect();
            let mut out = vec![false; asked.len()];
            f.may_contain_keys(&asked, &mut out);
            for (key, answer) in asked.iter().zip(out) {
                let answers = (f.may_contain_key(*key), view.may_contain_key(*key));
                assert_eq!(answers, (answer, answer), "{:?}", kind);
            }
            assert_eq!(
                f.to_container(&Default::default()).unwrap(),
                file,
                "{:?}",
                kind
            );
        }
    }
}

/// A quotient filter whose bytes are not those of its fingerprints is refused, at the payload.
#[test]
fn quotients_that_contradict_themselves() {
    let kind = read_only("quotient", (0, 7, 60), &[0, 1]);
    let one = hex("0000000000080000");
    let payload = [&one[..], &one, &[0; 8], &one.repeat(6), &[0; 8]].concat();
    let whole = file_of(&kind, &payload);
    let (mut refused, mut accepted) = (0, 0);
    for bit in 0..8 * payload.len() {
        let mut file = whole.clone();
        file[128 + bit / 8] ^= 1 << (bit % 8);
        seal(&mut file);
        match container::read(&file) {
            Ok(_) => accepted += 1, // another remainder
            Err(e) => {
                assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(128)));
                refused += 1;
            }
        }
    }
    assert_eq!((refused, accepted), (8 * payload.len() - 7, 7));
    // In a damaged file nothing is checked, and a slot that does not exist is "possibly present".
    let kind = read_only("quotient", (0, 7, 64 * 200), &[0, 200]);
    let mut payload = vec![0; kind.payload_length() as usize];
    payload[72 * 150] = 1; // the first quotient of block 150 is occupied, and no run ends
    let mut file = file_of_unchecked(&kind, &payload);
    file[128] ^= 1;
    let f = container::read(&file).unwrap().into_filter().unwrap();
    for (quotient, wanted) in [
        (64 * 150, true),
        (64 * 150 + 1, false),
        (0, true),
        (64 * 199, false),
    ] {
        let fingerprint = u128::from(quotient * 128 + 5u64) << 64;
        let least = fingerprint / (64 * 200 * 128) + 1;
        assert_eq!(
            f.may_contain_key(Key::from_raw(least as u64)),
            wanted,
            "{}",
            quotient
        );
    }
}

fn file_of_unchecked(kind: &AnyKind, payload: &[u8]) -> Vec<u8> {
    file_of(kind, payload)
}

#[test]
fn they_are_of_their_own_kind() {
    let kind = read_only("cuckoo", (0, 12, 10), &[7]);
    let f = AnyFilter::empty(kind).unwrap();
    assert_eq!(
        f.clone().downcast::<Block>().unwrap_err().code(),
        Code::Incompatible
    );
    let mut block: AnyFilter = BlockBloom::make(10, 0.01).unwrap().into();
    assert_eq!(block.merge(&f).unwrap_err().code(), Code::Incompatible);
    assert_eq!(f.kind().parameters()[..8], 7u64.to_le_bytes());
}
