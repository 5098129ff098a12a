//! Another system's bytes in a container.

use crate::assemble::foreign as wrap;
use bloomery::container::{read, Content};
use bloomery::Code;

/// A section of nori with no keys, longer than a chunk.
fn section() -> Vec<u8> {
    let mut b = vec![7, 0, 0, 0];
    b.extend((65536u64 * 8).to_le_bytes());
    b.resize(12 + 65536, 0);
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
    let file = wrap("nori variant=current", &section());
    assert_eq!(image(&file).bytes(), &section()[..]);
    assert!(!image(&file).may_contain("k0"));
}

#[test]
fn damaged_bits_count_as_set() {
    let mut file = wrap("nori", &section());
    for chunk in 1..=16 {
        file[4096 + 4096 * chunk] = 1;
    }
    assert_eq!(read(&file).unwrap().damaged_chunks(), 16);
    let image = image(&file);
    assert!(image.bytes()[4096..].iter().all(|b| *b == 0xff));
    assert!(image.bytes()[12..4096].iter().all(|b| *b == 0));
    let passed = (0..1000).filter(|i| image.may_contain(format!("k{}", i)));
    // A key passes unless one of its seven bits lies in the first sixteenth: (15/16)^7 is 64 %.
    assert!((500..800).contains(&passed.count()));
}

#[test]
fn a_damaged_form_is_refused() {
    let mut file = wrap("nori", &section());
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
        "nori  variant=current",
        "nori part=1 variant=current",
        "nori form=9",
        "nori x=1",
        "nori part=+1",
    ] {
        let file = wrap(text, &section());
        let e = read(&file).unwrap_err();
        let wanted = (Code::Unsupported, Some(notes_at(&file, text)));
        assert_eq!((e.code(), e.offset()), wanted, "{}", text);
    }
    let file = wrap("", &section());
    assert_eq!(read(&file).unwrap_err().code(), Code::Corrupt);
    let file = wrap("nori variant=old-mod", &section()[..1000]);
    let e = read(&file).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(128 + 1000)));
}

/// A quotient filter of 2^12 slots, of which one is taken, for a fingerprint that is nobody's.
fn quotient() -> Vec<u8> {
    let mut b = vec![1, 12, 7];
    b.extend(1u32.to_le_bytes());
    b.extend(4096u32.to_le_bytes());
    b.extend([0; 4095]);
    b.extend([1, 255, 15, 0, 0, 127, 0]);
    b
}

#[test]
fn a_damaged_quotient_filter_denies_nothing() {
    let file = wrap("nori variant=quotient", &quotient());
    assert!(!image(&file).may_contain("k0"));
    let mut hurt = file.clone();
    // The remainder of the last slot, in the second chunk.
    hurt[128 + 4096 + 15] ^= 1;
    assert_eq!(read(&hurt).unwrap().damaged_chunks(), 1);
    assert!(image(&hurt).may_contain("k0"));
    let mut formless = file;
    // More bits of remainder: the bytes still parse, but their form lies in a damaged chunk.
    formless[128 + 2] = 8;
    let e = read(&formless).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(128)));
}
