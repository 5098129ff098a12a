//! Files: replaced whole, read within a limit, and streams that fail.

use crate::texts;
use bloomery::container::ReadOptions;
use bloomery::container::{self, Extras};
use bloomery::{
    build, load, load_container, read_all, save, BlockBloom, Bloom, Code, Hasher, PartitionedBloom,
    PortableBloom, SplitBlockBloom,
};
use std::error::Error as _;
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bloomery-{}-{}", name, std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_replaced_and_nothing_is_left_beside_it() {
    let folder = Folder::new("save");
    let path = folder.0.join("users.bloom");
    let built = build(texts("k", 100), Hasher::DEFAULT, |n| {
        BlockBloom::make(n, 0.01)
    })
    .unwrap();
    save(&path, b"old").unwrap();
    let file = built.filter.to_container(&built.extras).unwrap();
    save(&path, &file).unwrap();
    assert_eq!(load(&path, 1 << 20).unwrap(), file);
    let again: BlockBloom = container::read_as(&load(&path, 1 << 20).unwrap()).unwrap();
    assert_eq!(again, built.filter);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(load(&path, 10).unwrap_err().code(), Code::TooLarge);
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("mode");
    let path = folder.0.join("users.bloom");
    for mode in [0o600, 0o640, 0o666] {
        save(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        save(&path, b"new").unwrap();
        let now = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(now & 0o7777, mode);
    }
}

#[test]
fn a_save_that_fails_leaves_the_old_file() {
    let folder = Folder::new("fail");
    let missing = folder.0.join("no/such/folder");
    assert_eq!(save(missing, b"x").unwrap_err().code(), Code::Io);
    // A directory cannot be replaced by a file: the rename fails after all was written.
    let taken = folder.0.join("taken");
    fs::create_dir(&taken).unwrap();
    assert_eq!(save(&taken, b"x").unwrap_err().code(), Code::Io);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(save("/", b"x").unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn a_filter_is_saved_and_loaded_by_its_path() {
    let folder = Folder::new("load");
    let path = folder.0.join("users.bloom");
    let f = BlockBloom::from_keys(texts("k", 100), 0.01).unwrap();
    f.save(&path).unwrap();
    let file = load(&path, 1 << 20).unwrap();
    assert_eq!(file, f.to_container(&f.extras()).unwrap());
    let again = BlockBloom::load(&path).unwrap();
    assert_eq!((&again, again.asked_fpr()), (&f, 0.01));
    let any = load_container(&path, &ReadOptions::new()).unwrap();
    assert_eq!(any.into_filter().unwrap().downcast(), Ok(f));
    // Refusals are those of the bytes, and name the file.
    let of_bytes = container::read_as::<bloomery::Classic>(&file).unwrap_err();
    assert!(of_bytes.to_string().contains("block, not bloom"));
    let any = container::read(&file).unwrap().into_filter().unwrap();
    let of_any = any.downcast::<bloomery::Classic>().unwrap_err();
    assert!(of_any.to_string().contains("block, not bloom"));
    let of_file = Bloom::load(&path).unwrap_err();
    assert_eq!(of_file.code(), of_bytes.code());
    assert_eq!(of_file.offset(), of_bytes.offset());
    assert_eq!(of_file.path(), Some(path.as_path()));
    let wanted = format!("{}: {}", path.display(), of_bytes);
    assert_eq!(of_file.to_string(), wanted);
    for wrong in [&file[..50], &file[..file.len() - 1], b"text"] {
        save(&path, wrong).unwrap();
        let of_bytes = container::read(wrong).unwrap_err();
        let of_file = BlockBloom::load(&path).unwrap_err();
        assert_eq!(
            (of_file.code(), of_file.offset()),
            (of_bytes.code(), of_bytes.offset())
        );
    }
    save(&path, &[&file[..], b"x"].concat()).unwrap();
    assert_eq!(
        BlockBloom::load(&path).unwrap_err().offset(),
        Some(file.len() as u64)
    );
}

#[test]
fn errors_of_files_have_the_path_and_the_reason() {
    let folder = Folder::new("errors");
    let missing = folder.0.join("missing.bloom");
    for e in [
        BlockBloom::load(&missing).unwrap_err(),
        load(&missing, 10).unwrap_err(),
        load_container(&missing, &ReadOptions::new()).unwrap_err(),
    ] {
        assert_eq!((e.code(), e.path()), (Code::Io, Some(missing.as_path())));
        assert!(
            e.to_string().starts_with(missing.to_str().unwrap()),
            "{}",
            e
        );
        let cause = e.source().unwrap().downcast_ref::<io::Error>().unwrap();
        assert_eq!(cause.kind(), io::ErrorKind::NotFound);
        assert!(e.to_string().ends_with(&cause.to_string()), "{}", e);
        assert_eq!(e.clone(), e);
        assert_eq!(io::Error::from(e).kind(), io::ErrorKind::NotFound);
    }
    let nowhere = folder.0.join("no/x.bloom");
    let e = BlockBloom::make(1, 0.5)
        .unwrap()
        .save(&nowhere)
        .unwrap_err();
    assert_eq!((e.code(), e.path()), (Code::Io, Some(nowhere.as_path())));
    let refused = PortableBloom::decode(b"").unwrap_err();
    assert!(refused.path().is_none() && refused.source().is_none());
    assert_eq!(io::Error::from(refused).kind(), io::ErrorKind::InvalidData);
    assert_eq!(Code::TooManyCopies.to_string(), "too_many_copies");
}

#[test]
fn from_keys_counts_and_sizes() {
    let keys = texts("k", 1000);
    let twice = || keys.iter().chain(&keys);
    macro_rules! check {
        ($($filter:ident)*) => {$({
            let f = $filter::from_keys(twice(), 0.01).unwrap();
            let mut made = $filter::make(1000, 0.01).unwrap();
            made.extend(&keys);
            assert_eq!((&f, f.capacity(), f.asked_fpr()), (&made, 1000, 0.01));
            let none = $filter::from_keys([""; 0], 0.01).unwrap();
            assert_eq!(none.ones(), 0);
            assert_eq!($filter::from_keys(&keys, 2.0).unwrap_err().code(), Code::InvalidArgument);
        })*};
    }
    check!(PortableBloom BlockBloom SplitBlockBloom Bloom PartitionedBloom);
}

/// Gives a byte at a time, with interruptions, then fails.
struct Slow<'a>(&'a [u8], u32);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1 % 3 == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match self.0.split_first() {
            Some((b, rest)) => {
                buffer[0] = *b;
                self.0 = rest;
                Ok(1)
            }
            None => Err(io::ErrorKind::ConnectionReset.into()),
        }
    }
}

#[test]
fn streams_that_stutter_and_break() {
    let mut f = PortableBloom::make(10, 0.01).unwrap();
    f.insert("k");
    let file = f.encode().unwrap();
    let e = PortableBloom::read_from(&mut Slow(&file[..20], 0)).unwrap_err();
    assert_eq!(e.code(), Code::Io);
    let mut whole = Slow(&file, 0).take(file.len() as u64);
    assert_eq!(PortableBloom::read_from(&mut whole).unwrap(), f);
    assert_eq!(read_all(&mut &file[..], 24).unwrap(), file);
    assert_eq!(
        read_all(&mut &file[..], 23).unwrap_err().code(),
        Code::TooLarge
    );
}

#[test]
fn what_no_reader_would_take_is_not_written() {
    let mut f = PortableBloom::make(10, 0.01).unwrap();
    f.insert("k");
    let note = |tag| container::Note {
        tag,
        bytes: Vec::new(),
    };
    let stranger = f.hasher().key(b"stranger");
    let found = f.hasher().key(b"k");
    let wrong = [
        Extras {
            asked_fpr: 1.0,
            ..Extras::default()
        },
        Extras {
            asked_fpr: f64::NAN,
            ..Extras::default()
        },
        Extras {
            sentinels: vec![stranger],
            ..Extras::default()
        },
        Extras {
            sentinels: vec![found, found],
            ..Extras::default()
        },
        Extras {
            notes: vec![note(1), note(1)],
            ..Extras::default()
        },
        Extras {
            notes: vec![note(0x8001)],
            ..Extras::default()
        },
    ];
    for extras in wrong {
        let e = f.to_container(&extras).unwrap_err();
        assert_eq!(e.code(), Code::InvalidArgument, "{:?}", extras);
    }
}

#[test]
fn many_bytes_at_once() {
    // More than one buffer of the streams, and a last word that is not whole.
    let mut f = PortableBloom::make_by_memory(100_000, 200_003).unwrap();
    f.insert_batch(&texts("k", 100_000));
    let mut file = Vec::new();
    f.write_to(&mut file).unwrap();
    assert_eq!(file, f.encode().unwrap());
    assert_eq!(PortableBloom::read_from(&mut &file[..]).unwrap(), f);
}
