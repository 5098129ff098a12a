//! What the targets share: bytes of a dialect, opened in every form and asked.

use bloomery::dialect::{Dialect, Form, Image, Options};

/// Opens bytes as every variant, and asks for some keys: one of them lies in the bytes themselves.
pub fn dialect(dialect: Dialect, variants: &[Option<&str>], bytes: &[u8]) {
    for variant in variants {
        for part in [None, Some(0), Some(1)] {
            let options = Options {
                variant: variant.map(String::from),
                part,
                form: match dialect {
                    Dialect::Parquet if part.is_some() => Form::Integer,
                    _ => Form::Bytes,
                },
                ..Options::new(dialect)
            };
            match Image::open(bytes, &options) {
                Ok(image) => {
                    for key in [&b""[..], b"k0", &bytes[..bytes.len().min(9)]] {
                        image.may_contain(key);
                    }
                    assert!(image.parts() > 0 || image.cells() == 0);
                }
                Err(e) => assert!(e.offset().map_or(true, |o| o <= bytes.len() as u64)),
            }
        }
    }
}
