//! What keys are is said, recorded and asked for: no key is asked as something that it was not inserted as.

use crate::fill::{holding, is_only_read};
use crate::kinds::{all, hashers, secret_of, small};
use bloomery::container::{self, inspect, ContainerView, Extras, Note, ReadOptions};
use bloomery::kind::Call;
use bloomery::{
    save, AnyFilter, AnyKind, AtomicOf, BlockBloom, Code, FilterOf, Hasher, Key, KeySource, Kind,
    Portable, PortableBloom, SplitBlock,
};
use std::panic::{catch_unwind, AssertUnwindSafe};

const BYTES: KeySource = KeySource::Bytes;

/// A key of the hasher's source.
fn key_of(hasher: &Hasher, n: u64) -> Key {
    match hasher.source() {
        KeySource::Integers => hasher.key_of_integer(n),
        KeySource::Hashes => hasher.key_of_hash(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        _ => hasher.key(&n.to_le_bytes()),
    }
}

/// What a call says when it panics.
fn panic_of<T>(call: impl FnOnce() -> T) -> Option<String> {
    let result = catch_unwind(AssertUnwindSafe(call));
    result
        .err()
        .map(|e| e.downcast_ref::<String>().cloned().unwrap_or_default())
}

/// A filter of each small shape, with keys of a source.
fn filters_of(source: KeySource) -> Vec<AnyFilter> {
    // The read-only kinds that have every key if all bits are set.
    let full = ["counting", "stable", "scalable", "window"];
    let takes = |kind: &AnyKind| !is_only_read(kind) || full.contains(&kind.name());
    let shapes = small().into_iter();
    let shapes = shapes.filter(|kind| kind.bits() < 700 && takes(kind));
    let filled = shapes.map(|kind| {
        let kind = kind.of(source);
        if is_only_read(&kind) {
            let payload = vec![0xff; kind.payload_length() as usize];
            return holding(&kind, &payload).of(source);
        }
        let mut f = AnyFilter::empty(kind).unwrap();
        for n in 0..4 {
            f.try_insert_key(key_of(f.hasher(), n)).unwrap();
        }
        f
    });
    filled.collect()
}

#[test]
fn sources_are_those_of_the_page() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/hash.md");
    let page = std::fs::read_to_string(path).expect("spec/ beside ports/");
    let table = page.split("| source | keys are |").nth(1).unwrap();
    let rows = table.split("\n\n").next().unwrap().lines();
    let names: Vec<&str> = rows
        .filter(|row| row.starts_with("| `"))
        .flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2))
        .collect();
    assert_eq!(names, KeySource::ALL.map(KeySource::name));
    for source in KeySource::ALL {
        assert_eq!(KeySource::from_name(source.name()), Some(source));
    }
    assert_eq!(KeySource::from_name("any"), None);
}

#[test]
fn keys_of_another_source_are_refused() {
    for hasher in hashers() {
        for source in KeySource::ALL {
            let h = hasher.of(source);
            let integers = source == KeySource::Integers;
            let hashes = source == KeySource::Hashes;
            let mut out = [Key::default()];
            for (sort, own, said) in [
                ("bytes", !integers && !hashes, panic_of(|| h.key(b"k"))),
                (
                    "bytes",
                    !integers && !hashes,
                    panic_of(|| h.key_batch(&["k"], &mut out)),
                ),
                ("integers", integers, panic_of(|| h.key_of_integer(42))),
                ("hashes", hashes, panic_of(|| h.key_of_hash(42))),
            ] {
                assert_eq!(said.is_none(), own, "{} under {:?}", sort, h);
                if let Some(said) = said {
                    assert!(said.contains(source.name()) && said.contains(sort));
                }
            }
        }
    }
}

#[test]
fn the_source_is_not_hashed() {
    for hasher in hashers() {
        for source in KeySource::ALL {
            let h = hasher.of(source);
            assert_eq!((h.check(), h.source()), (hasher.check(), source));
            assert_eq!(
                (h.id(), h.name(), h.seed()),
                (hasher.id(), hasher.name(), hasher.seed())
            );
            assert_eq!(h == hasher, source == BYTES);
            assert_eq!((h.of(BYTES), h.of(source)), (hasher, h));
            let said = format!("{:?}", h);
            assert!(!said.contains("97, 32, 115"), "the secret is shown");
            assert_eq!(said.contains(source.name()), source != BYTES);
        }
        assert_eq!(hasher.of(KeySource::Utf16).key(b"k"), hasher.key(b"k"));
        assert_eq!(hasher.of(KeySource::Hashes).key_of_hash(7).raw(), 7);
    }
}

#[test]
fn filters_take_only_their_own_keys() {
    let mut f = PortableBloom::make(100, 0.01)
        .unwrap()
        .of(KeySource::Integers);
    f.insert_integer(42);
    f.clone().try_insert_integer(43).unwrap();
    assert!(f.may_contain_integer(42));
    assert_eq!((f.capacity(), f.promise().is_some()), (100, true));
    assert!(panic_of(|| f.may_contain("k")).is_some());
    assert!(panic_of(|| f.may_contain_batch(&["k"], &mut [false])).is_some());
    assert!(panic_of(|| f.clone().insert("k")).is_some());
    assert!(panic_of(|| f.clone().insert_batch(&["k"])).is_some());
    assert!(panic_of(|| f.clone().insert_if_absent("k")).is_some());
    let bytes = BlockBloom::make(100, 0.01).unwrap();
    assert!(panic_of(|| bytes.may_contain_integer(42)).is_some());
    assert!(panic_of(|| bytes.clone().insert_integer(42)).is_some());

    let shared = AtomicOf::try_from(f).unwrap();
    shared.insert_integer(7);
    assert!(shared.may_contain_integer(42) && shared.may_contain_integer(7));
    assert!(panic_of(|| shared.insert("k")).is_some());
    let plain = shared.snapshot().unwrap();
    assert_eq!(plain.hasher().source(), KeySource::Integers);
    assert!(plain.may_contain_integer(7));
}

#[test]
fn mixtures_do_not_merge() {
    let combines = |kind: &AnyKind| kind.bits() < 700 && kind.facts().can(Call::Intersect);
    for kind in all().into_iter().filter(combines) {
        let empty = |source| AnyFilter::empty(kind.clone().of(source)).unwrap();
        let mut ours = empty(KeySource::Integers);
        ours.try_insert_integer(42).unwrap();
        let before = ours.clone();
        for source in KeySource::ALL {
            let mut theirs = empty(source);
            let mixed = source != KeySource::Integers;
            for result in [ours.merge(&theirs), theirs.merge(&ours)] {
                assert_eq!(result.map_err(|e| e.code()).is_err(), mixed);
            }
            if mixed {
                let refused = ours.intersect(&theirs).unwrap_err();
                assert_eq!(refused.code(), Code::Incompatible);
                assert_ne!(ours, empty(source));
            }
            assert_eq!(ours, before);
        }
    }
    let folded = FilterOf::empty(SplitBlock::new(4).unwrap().of(KeySource::Int32)).unwrap();
    assert_eq!(folded.fold(2).unwrap().hasher().source(), KeySource::Int32);
}

#[test]
fn a_file_is_asked_what_was_inserted() {
    for source in KeySource::ALL {
        for f in filters_of(source) {
            let file = f.to_container(&Extras::default()).unwrap();
            let notes = u64::from(inspect(&file, None).unwrap().notes_length);
            assert_eq!(notes == 0, source == BYTES);
            let record = file.len() as u64 - 4 - notes;
            for asked in KeySource::ALL.map(Some).into_iter().chain([None]) {
                let mut options = ReadOptions::new().any_source();
                if let Some(asked) = asked {
                    options = options.source(asked);
                }
                let read = container::read_with(&file, &options);
                let view = ContainerView::open_with(&file, &options);
                if source != BYTES && asked.map_or(false, |asked| asked != source) {
                    for e in [read.map(|_| ()).unwrap_err(), view.map(|_| ()).unwrap_err()] {
                        assert_eq!((e.code(), e.offset()), (Code::Incompatible, Some(record)));
                        assert!(e.what().contains(source.name()));
                        assert!(e.what().contains(asked.unwrap().name()));
                    }
                    continue;
                }
                let (read, view) = (read.unwrap(), view.unwrap());
                let wanted = f.hasher().of(asked.unwrap_or(source));
                assert_eq!(*view.hasher(), wanted);
                let notes = read.notes().to_vec();
                let again = read.into_filter().unwrap();
                assert_eq!((*again.hasher(), again.words()), (wanted, f.words()));
                if wanted == *f.hasher() {
                    assert!((0..4).all(|n| view.may_contain_key(key_of(&wanted, n))));
                    let extras = Extras {
                        notes,
                        ..Extras::default()
                    };
                    assert_eq!(again.to_container(&extras).unwrap(), file);
                    assert_eq!(again.to_container(&Extras::default()).unwrap(), file);
                }
            }
            let plain = container::read(&file).map(|_| ());
            assert_eq!(plain.is_ok(), source == BYTES);
        }
    }
}

#[test]
fn the_kind_is_asked_before_the_source_and_the_secret_too() {
    let secret = *b"a secret of ours";
    let keyed = Hasher::SipHash13 { secret }.of(KeySource::Integers);
    assert_eq!(secret_of(&keyed.of(BYTES)), Some(secret));
    let f = BlockBloom::make_with(10, 0.01, bloomery::Profile::Line, keyed).unwrap();
    let file = f.to_container(&f.extras()).unwrap();
    let refused = |options| {
        let e = container::read_with(&file, &options)
            .map(|_| ())
            .unwrap_err();
        (e.code(), e.offset())
    };
    let new = ReadOptions::new();
    let record = file.len() as u64 - 20;
    assert_eq!(refused(new), (Code::Incompatible, Some(16)));
    assert_eq!(refused(new.secret([0; 16])), (Code::Incompatible, Some(40)));
    assert_eq!(
        refused(new.secret(secret)),
        (Code::Incompatible, Some(record))
    );
    let right = new.secret(secret).source(KeySource::Integers);
    let read: BlockBloom = container::read_as_with(&file, &right).unwrap();
    assert_eq!(read, f);
    let other = container::read_as_with::<Portable>(&file, &new).unwrap_err();
    assert_eq!(
        (other.code(), other.offset()),
        (Code::Incompatible, Some(10))
    );
}

#[test]
fn bare_bytes_are_of_bytes() {
    let plain = PortableBloom::make(10, 0.01).unwrap();
    let file = plain.encode().unwrap();
    let ids = PortableBloom::decode(&file)
        .unwrap()
        .of(KeySource::Integers);
    assert_ne!(ids, plain);
    let mut sink = Vec::new();
    for e in [
        ids.encode().unwrap_err(),
        ids.write_to(&mut sink).unwrap_err(),
    ] {
        assert_eq!(e.code(), Code::Unsupported);
        assert!(e.what().contains("integers"));
    }
    assert!(sink.is_empty());
    assert_eq!(ids.of(BYTES).encode().unwrap(), file);
}

#[test]
fn notes_that_contradict_the_filter_are_not_written() {
    let note = |name: &str| Extras {
        notes: vec![Note {
            tag: 0x8002,
            bytes: name.into(),
        }],
        ..Extras::default()
    };
    let plain = PortableBloom::make(10, 0.01).unwrap();
    let ids = plain.clone().of(KeySource::Integers);
    for (f, name, taken) in [
        (&plain, "integers", false),
        (&plain, "bytes", false),
        (&ids, "hashes", false),
        (&ids, "", false),
        (&ids, "integers", true),
    ] {
        let written = f.to_container(&note(name)).map_err(|e| e.code());
        if taken {
            assert_eq!(
                written,
                f.to_container(&Extras::default()).map_err(|e| e.code())
            );
        } else {
            assert_eq!(written, Err(Code::InvalidArgument), "{}", name);
        }
    }
}

/// A save cannot replace a good file by one that every reader refuses: its bytes are not made.
#[test]
fn what_readers_refuse_is_not_saved() {
    let path = std::env::temp_dir().join(format!("bloomery-notes-{}", std::process::id()));
    for f in filters_of(KeySource::Integers) {
        let options = ReadOptions::new().source(KeySource::Integers);
        save(&path, &f.to_container(&Extras::default()).unwrap()).unwrap();
        let own: Vec<Key> = (0..4).map(|n| key_of(f.hasher(), n)).collect();
        let mut own = container::smallest(own);
        let mut strange = (0..1000).map(|n| f.hasher().key_of_integer(n << 20 | 5));
        let stranger = strange.find(|key| !f.may_contain_key(*key));
        let wrong = [
            (1.0, vec![]),
            (-0.5, vec![]),
            (f64::NAN, vec![]),
            (0.0, vec![own[1], own[0]]),
            (0.0, vec![own[0], own[0]]),
            (0.0, vec![own[0]; 9]),
            (0.0, stranger.into_iter().collect()),
        ];
        for (asked_fpr, sentinels) in wrong {
            if asked_fpr == 0.0 && sentinels.is_empty() {
                continue; // so small a filter that it has every key
            }
            let extras = Extras {
                asked_fpr,
                sentinels,
                ..Extras::default()
            };
            let saved = f.to_container(&extras).and_then(|file| save(&path, &file));
            assert_eq!(
                saved.unwrap_err().code(),
                Code::InvalidArgument,
                "{:?}",
                extras
            );
            container::read_with(&bloomery::load(&path, 1 << 20).unwrap(), &options).unwrap();
        }
        if !f.kind().facts().sentinels {
            own.clear();
        }
        let extras = Extras {
            asked_fpr: 0.999,
            sentinels: own,
            ..Extras::default()
        };
        container::read_with(&f.to_container(&extras).unwrap(), &options).unwrap();
    }
    std::fs::remove_file(&path).unwrap();
}
