//! What went wrong, and where.

use alloc::borrow::Cow;
use core::fmt;

/// The class of a failure; every port of the library uses the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The caller asked for something that has no meaning.
    InvalidArgument,
    /// More than the format or the address space holds.
    TooLarge,
    /// The allocator refused.
    OutOfMemory,
    /// The format cannot deliver the rate that was asked for.
    Unattainable,
    /// Bytes that no writer makes.
    Corrupt,
    /// Bytes that may be right, but that this version does not read; or a call that the kind of filter does not have.
    Unsupported,
    /// Two things that do not go together.
    Incompatible,
    /// The operating system refused.
    Io,
    /// No room for the key: it was not inserted, and nothing has changed.
    Full,
    /// The key to erase is not in the filter, and nothing has changed.
    NotPresent,
    /// The filter holds the key as often as its kind can hold one key, and nothing has changed.
    TooManyCopies,
}

impl Code {
    /// The name of the code, as the specification spells it.
    pub fn name(self) -> &'static str {
        match self {
            Code::InvalidArgument => "invalid_argument",
            Code::TooLarge => "too_large",
            Code::OutOfMemory => "out_of_memory",
            Code::Unattainable => "unattainable",
            Code::Corrupt => "corrupt",
            Code::Unsupported => "unsupported",
            Code::Incompatible => "incompatible",
            Code::Io => "io",
            Code::Full => "full",
            Code::NotPresent => "not_present",
            Code::TooManyCopies => "too_many_copies",
        }
    }
}

/// A refusal: its class, what was wrong, and for bytes the offset of the one to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: Code,
    offset: Option<u64>,
    what: Cow<'static, str>,
}

impl Error {
    pub(crate) fn new(code: Code, what: impl Into<Cow<'static, str>>) -> Self {
        Error {
            code,
            offset: None,
            what: what.into(),
        }
    }

    pub(crate) fn at(code: Code, offset: u64, what: impl Into<Cow<'static, str>>) -> Self {
        Error {
            code,
            offset: Some(offset),
            what: what.into(),
        }
    }

    pub(crate) fn corrupt(offset: u64, what: impl Into<Cow<'static, str>>) -> Self {
        Error::at(Code::Corrupt, offset, what)
    }

    pub(crate) fn unsupported(offset: u64, what: impl Into<Cow<'static, str>>) -> Self {
        Error::at(Code::Unsupported, offset, what)
    }

    pub(crate) fn invalid(what: impl Into<Cow<'static, str>>) -> Self {
        Error::new(Code::InvalidArgument, what)
    }

    /// The same refusal of bytes that begin at `base` in a larger file.
    pub(crate) fn shifted(mut self, base: u64) -> Self {
        self.offset = self.offset.map(|o| o.saturating_add(base));
        self
    }

    /// The class.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The byte to blame, where bytes were refused.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// What was wrong, in words.
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if let Some(offset) = self.offset {
            write!(f, " (at byte {})", offset)?;
        }
        Ok(())
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Error {}

#[cfg(feature = "std")]
impl From<std::io::Error> for Error {
    fn from(e: std::io::Error) -> Self {
        Error::new(Code::Io, alloc::format!("{}", e))
    }
}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(e: Error) -> Self {
        std::io::Error::new(std::io::ErrorKind::InvalidData, e)
    }
}
