//! Files: replaced whole, read within a limit, and streams that fail.

use crate::texts;
use bloomery::container::{self, Extras};
use bloomery::{build, load, read_all, save, BlockBloom, Code, Hasher, PortableBloom};
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
