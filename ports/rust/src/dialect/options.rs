//! What the bytes of a dialect do not say.

use crate::error::{Code, Error};
use alloc::string::String;

/// A system whose files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// The bare portable filter.
    Portable,
    /// Apache Parquet.
    Parquet,
}

impl Dialect {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Portable => "portable",
            Dialect::Parquet => "parquet",
        }
    }

    /// The dialect of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Dialect::Portable, Dialect::Parquet];
        all.iter().copied().find(|d| d.name() == name)
    }
}

/// What a key was before it became bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Bytes, as they are.
    Bytes,
    /// A string as Rust hashes it.
    Text,
    /// The little-endian bytes of a number.
    Integer,
}

/// How bytes are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whose they are.
    pub dialect: Dialect,
    /// Their form, where they do not say.
    pub variant: Option<String>,
    /// Which of several filters is queried; all, if none is named.
    pub part: Option<u64>,
    /// How many hashes there are, as somebody says; refused if the bytes say another number.
    pub hashes: Option<u32>,
    /// What keys were.
    pub form: Form,
}

impl Options {
    /// A dialect, and nothing else said.
    pub fn new(dialect: Dialect) -> Self {
        Options {
            dialect,
            variant: None,
            part: None,
            hashes: None,
            form: Form::Bytes,
        }
    }

    /// A dialect in one of its forms.
    pub fn with_variant(dialect: Dialect, variant: &str) -> Self {
        Options {
            variant: Some(String::from(variant)),
            ..Options::new(dialect)
        }
    }

    /// The text of a container's note: a name, then options in their order (spec/container.md 5).
    pub(crate) fn from_note(text: &[u8]) -> Result<Self, Error> {
        const ORDER: [&str; 6] = ["variant", "bits", "hashes", "seed", "form", "part"];
        let unknown = || Error::new(Code::Unsupported, "a dialect or option that is not known");
        let text = String::from_utf8_lossy(text);
        let mut words = text.split(' ');
        let name = words.next().unwrap_or("");
        // Portable filters have their own kind.
        let dialect = Dialect::from_name(name).filter(|d| *d != Dialect::Portable);
        let mut options = Options::new(dialect.ok_or_else(unknown)?);
        let mut left = &ORDER[..];
        for word in words {
            let (name, value) = word.split_once('=').ok_or_else(unknown)?;
            let place = left.iter().position(|o| *o == name).ok_or_else(unknown)?;
            left = &left[place + 1..];
            let decimal = || {
                let plain = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
                value
                    .parse::<u64>()
                    .ok()
                    .filter(|_| plain)
                    .ok_or_else(unknown)
            };
            match name {
                "variant" if value.is_empty() => return Err(unknown()),
                "variant" => options.variant = Some(String::from(value)),
                "part" => match decimal()? {
                    u64::MAX => return Err(unknown()),
                    part => options.part = Some(part),
                },
                "hashes" => {
                    let hashes = u32::try_from(decimal()?).map_err(|_| unknown())?;
                    options.hashes = Some(hashes);
                }
                "form" => {
                    options.form = match decimal()? {
                        0 => Form::Bytes,
                        1 => Form::Text,
                        2 => Form::Integer,
                        _ => return Err(unknown()),
                    }
                }
                // The dialects here record their bits themselves, and have no seed to choose.
                _ => {
                    decimal()?;
                }
            }
        }
        Ok(options)
    }
}
