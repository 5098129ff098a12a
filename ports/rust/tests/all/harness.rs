//! What every kind of the table is held to, whatever it is made of.

use bloomery::container::{self, ContainerView, Content};
use bloomery::kind::{Call, Kind};
use bloomery::{build, facts_of, AnyFilter, AnyKind, Code, KINDS};

/// What came of flipping every bit of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Flips {
    pub refused: usize,
    /// Read, with damage that was reported, and no key missing.
    pub reported: usize,
}

/// Flips every bit of a container, one after the other. Each must be refused, or reported as damage, and then every key must be
/// found.
pub fn flip_every_bit(file: &[u8], keys: &[String]) -> Flips {
    assert_eq!(read(file, keys), Some(0), "the file is not intact");
    let mut flips = Flips {
        refused: 0,
        reported: 0,
    };
    for bit in 0..8 * file.len() {
        let mut hurt = file.to_vec();
        hurt[bit / 8] ^= 1 << (bit % 8);
        match read(&hurt, keys) {
            None => flips.refused += 1,
            Some(0) => panic!("bit {} is not noticed", bit),
            Some(_) => flips.reported += 1,
        }
    }
    flips
}

/// Reads by every way, and asks for all keys; tells how many chunks are damaged, or none where the file is refused. Key i of a
/// packed set is in member i modulo their number.
pub fn read(file: &[u8], keys: &[String]) -> Option<u64> {
    let read = container::read(file);
    let view = ContainerView::open(file);
    let read = match read {
        Ok(read) => read,
        Err(e) => {
            assert!(e.offset().is_some(), "{} blames no byte", e);
            assert!(view.is_err(), "a view of what cannot be read");
            return None;
        }
    };
    let damaged = read.damaged_chunks();
    let number = read.header().kind;
    match read.into_content() {
        Content::Filter(f) => {
            let view = view.expect("what is read can be viewed");
            assert_eq!(
                (f.damaged_chunks(), view.damaged_chunks()),
                (damaged, damaged)
            );
            let mut batch = vec![false; keys.len()];
            f.may_contain_batch(keys, &mut batch);
            for (key, batch) in keys.iter().zip(batch) {
                let found = (f.may_contain(key), batch, view.may_contain(key));
                assert_eq!(found, (true, true, true), "{} in {}", key, f.kind().name());
            }
            let written = f.to_container(&Default::default());
            assert_eq!(written.is_err(), damaged > 0);
            assert_eq!(f.kind().number(), number);
        }
        Content::Packed(set) => {
            let view = view.expect("what is read can be viewed");
            for (i, key) in keys.iter().enumerate() {
                let member = i as u64 % set.members();
                for set in [
                    &set.member_may_contain(member, key),
                    &view.member_may_contain(member, key),
                ] {
                    assert_eq!(set.as_ref(), Ok(&true), "{} in member {}", key, member);
                }
            }
        }
        Content::Foreign(image) => {
            for key in keys {
                assert!(image.may_contain(key), "{} in foreign bytes", key);
            }
        }
        // From outside the crate there may be more.
        #[allow(unreachable_patterns)]
        other => panic!("{:?}", other),
    }
    Some(damaged)
}

/// A filter has the calls that the table says, and refuses the others as unsupported, naming its kind and those that have them.
pub fn has_the_calls_of_the_table(kind: AnyKind) {
    let keys: Vec<String> = (0..3).map(|i| format!("k{}", i)).collect();
    let facts = kind.facts();
    let empty = AnyFilter::empty(kind.clone()).unwrap();
    let inserts = facts.can(Call::Insert);
    let built = match build(&keys, *kind.hasher(), |_| Ok(empty.clone())) {
        Ok(built) => {
            assert!(keys.iter().all(|k| built.filter.may_contain(k)));
            built.filter
        }
        Err(e) => {
            // A kind that is only read.
            assert!(!inserts, "{}: {}", facts.name, e);
            assert_eq!(e.code(), Code::Unsupported);
            empty
        }
    };
    assert_eq!(built.rates().is_ok(), inserts, "{}", facts.name);
    assert_eq!(built.clone().clear().is_ok(), inserts, "{}", facts.name);
    for call in [
        Call::Insert,
        Call::InsertIfAbsent,
        Call::Merge,
        Call::Fold,
        Call::Intersect,
    ] {
        let mut f = built.clone();
        let (has, result) = match call {
            Call::Insert => {
                let one = f.try_insert("another");
                let mut f = built.clone();
                let many = f.try_insert_batch(&["another"]);
                assert_eq!(one.clone().map_err(|e| (0, e)), many);
                (inserts, one)
            }
            Call::InsertIfAbsent => (facts.can(call), f.insert_if_absent("k0").map(|_| ())),
            Call::Merge => (facts.can(call), f.merge(&built)),
            Call::Fold => (facts.can(call), f.fold(1).map(|_| ())),
            _ => (facts.can(call), f.intersect(&built)),
        };
        match result {
            Ok(()) => assert!(has, "{} {:?}", facts.name, call),
            Err(e) => {
                assert!(!has, "{} {:?}: {}", facts.name, call, e);
                assert_eq!((e.code(), e.offset()), (Code::Unsupported, None));
                let (who, others) = e.what().split_once(';').expect("two parts");
                assert!(who.contains(facts.name), "{}", e);
                let named = |n: &str| others.split([' ', ',']).any(|w| w == n);
                for other in KINDS {
                    assert_eq!(named(other.name), other.can(call), "{}", e);
                }
                assert_eq!(f, built, "a call that was refused changed something");
            }
        }
    }
    assert_eq!(facts_of(facts.number), Some(facts));
}
