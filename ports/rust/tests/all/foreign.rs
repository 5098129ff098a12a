//! Another system's bytes in a container.

use crate::assemble::foreign as wrap;
use bloomery::container::{read, Content};
use bloomery::Code;

/// A filter of Parquet with no keys, longer than a chunk: 65536 bytes behind a header of 17.
fn section() -> Vec<u8> {
    let mut b = vec![
        0x15, 0x80, 0x80, 0x08, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c,
    ];
    b.extend([0, 0, 0]);
    b.resize(17 + 65536, 0);
    b
}

fn image(file: &[u8]) -> bloomery::dialect::Image<Vec<u8>> {
    match read(file).unwrap().into_content() {
        Content::Foreign(image) => image,
        other => panic!("{:?}", other),
    }
}

#[test]
fn it_comes_out_as_it_went_in() {
    let file = wrap("parquet variant=header", &section());
    assert_eq!(image(&file).bytes(), &section()[..]);
    assert!(!image(&file).may_contain("k0"));
}

#[test]
fn damaged_bits_count_as_set() {
    let mut file = wrap("parquet", &section());
    for chunk in 1..=16 {
        file[4096 + 4096 * chunk] = 1;
    }
    assert_eq!(read(&file).unwrap().damaged_chunks(), 16);
    let image = image(&file);
    assert!(image.bytes()[4096..].iter().all(|b| *b == 0xff));
    assert!(image.bytes()[17..4096].iter().all(|b| *b == 0));
    let passed = (0..1000).filter(|i| image.may_contain(format!("k{}", i)));
    // A key passes if its block lies behind the first sixteenth.
    assert!((900..970).contains(&passed.count()));
}

#[test]
fn a_damaged_form_is_refused() {
    let mut file = wrap("parquet", &section());
    file[4096 + 100] = 1;
    file[4096 + 4096] = 1;
    let e = read(&file).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(4096)));
}

#[test]
fn notes_that_name_no_dialect_of_ours() {
    let notes_at = |file: &[u8], text: &str| (file.len() - 4 - 8 - text.len()) as u64;
    for text in [
        "guava",
        "nori",
        "atomicbloom",
        "parquet  variant=header",
        "parquet part=1 variant=header",
        "parquet form=9",
        "parquet x=1",
        "parquet part=+1",
    ] {
        let file = wrap(text, &section());
        let e = read(&file).unwrap_err();
        let wanted = (Code::Unsupported, Some(notes_at(&file, text)));
        assert_eq!((e.code(), e.offset()), wanted, "{}", text);
    }
    let file = wrap("", &section());
    assert_eq!(read(&file).unwrap_err().code(), Code::Corrupt);
    let file = wrap("parquet", &section()[..1000]);
    let e = read(&file).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(128 + 1000)));
}
