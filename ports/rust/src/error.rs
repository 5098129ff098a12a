//! What went wrong, and where.

use alloc::borrow::Cow;
use core::fmt;

/// The class of a failure; every port of the library uses the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// An argument outside its documented range.
    InvalidArgument,
    /// More than the format or the address space holds.
    TooLarge,
    /// The allocator refused.
    OutOfMemory,
    /// The format cannot deliver the rate that was requested.
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

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A refusal: its class, what was wrong, for bytes the offset of the one to blame, and for files the path.
///
/// ```
/// use bloomery::{BlockBloom, Code};
/// let e = BlockBloom::load("missing.bloom").unwrap_err();
/// assert_eq!(e.code(), Code::Io);
/// assert!(e.to_string().starts_with("missing.bloom: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: Code,
    offset: Option<u64>,
    what: Cow<'static, str>,
    #[cfg(feature = "std")]
    file: Option<alloc::boxed::Box<InFile>>,
}

/// What only errors of files and streams have.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
struct InFile {
    path: Option<std::path::PathBuf>,
    cause: Option<std::sync::Arc<std::io::Error>>,
}

#[cfg(feature = "std")]
impl PartialEq for InFile {
    /// Causes are compared by their kind, which is all that they have for it.
    fn eq(&self, other: &Self) -> bool {
        let kind = |f: &InFile| f.cause.as_ref().map(|c| c.kind());
        self.path == other.path && kind(self) == kind(other)
    }
}

#[cfg(feature = "std")]
impl Eq for InFile {}

impl Error {
    pub(crate) fn new(code: Code, what: impl Into<Cow<'static, str>>) -> Self {
        Error {
            code,
            offset: None,
            what: what.into(),
            #[cfg(feature = "std")]
            file: None,
        }
    }

    pub(crate) fn at(code: Code, offset: u64, what: impl Into<Cow<'static, str>>) -> Self {
        Error {
            code,
            offset: Some(offset),
            what: what.into(),
            #[cfg(feature = "std")]
            file: None,
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

    /// The byte offset, where bytes were refused.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// What was wrong, in words.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The file, where one was read or written by its path.
    #[cfg(feature = "std")]
    pub fn path(&self) -> Option<&std::path::Path> {
        self.file.as_ref()?.path.as_deref()
    }

    /// The same refusal, about a file.
    #[cfg(feature = "std")]
    pub(crate) fn in_file(mut self, path: &std::path::Path) -> Self {
        self.file.get_or_insert_with(Default::default).path = Some(path.to_owned());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "std")]
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        write!(f, "{}", self.what)?;
        if let Some(offset) = self.offset {
            write!(f, " (at byte {})", offset)?;
        }
        Ok(())
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Error {
    /// The error of the operating system, where that is the reason.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let cause = self.file.as_ref()?.cause.as_ref()?;
        Some(cause.as_ref())
    }
}

#[cfg(feature = "std")]
impl From<std::io::Error> for Error {
    fn from(e: std::io::Error) -> Self {
        let mut error = Error::new(Code::Io, alloc::format!("{}", e));
        error.file = Some(alloc::boxed::Box::new(InFile {
            path: None,
            cause: Some(std::sync::Arc::new(e)),
        }));
        error
    }
}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(e: Error) -> Self {
        let cause = e.file.as_ref().and_then(|f| f.cause.as_ref());
        let kind = cause.map_or(std::io::ErrorKind::InvalidData, |c| c.kind());
        std::io::Error::new(kind, e)
    }
}
