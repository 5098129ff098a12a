//! Filters of Apache Parquet (spec/dialects/parquet.md) and the bare portable filter, read where they lie.
//!
//! A dialect is named, not guessed: several share their header and differ in the hash, and a wrong guess would give
//! false negatives.

mod bits;
mod options;
mod parquet;
mod parquet_file;
mod thrift;

use crate::error::{Code, Error};
use alloc::string::String;
use alloc::vec::Vec;
use bits::Section;
use core::fmt;
use core::ops::Range;
use parquet::Bitset;

pub use options::{Dialect, Form, Options};

/// A filter of another system. It borrows or owns its bytes, whatever is `AsRef<[u8]>`.
///
/// ```
/// # fn main() -> Result<(), bloomery::Error> {
/// use bloomery::dialect::{Dialect, Image, Options};
/// // "k0" .. "k9" in a bitset of one block
/// let hex = "1262404a03200c72b084e001d282441015d202400640a48548481e20c1609020";
/// let bytes: Vec<u8> = (0..hex.len()).step_by(2)
///     .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
///     .collect();
/// let image = Image::open(&bytes, &Options::with_variant(Dialect::Parquet, "bitset"))?;
/// assert!(image.may_contain("k3"));
/// assert!(!image.may_contain("x3"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Image<B> {
    bytes: B,
    dialect: Dialect,
    variant: &'static str,
    form: Form,
    part: Option<usize>,
    parts: Parts,
    places: Places,
    /// Parts that answer every key, because something of them is damaged.
    doubted: Vec<usize>,
}

/// What opening gives.
type Opened = (&'static str, Parts, Places);

/// Where things lie whose damage matters. Other bytes are bits that only insertion sets, or nobody looks at them.
#[derive(Clone, Debug, Default)]
struct Places {
    /// Bytes that give the filters their form.
    form: Vec<Range<usize>>,
    /// Parts that are not to be believed, as a whole, once anything in them is damaged.
    parts: Vec<Range<usize>>,
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// What the bytes turned out to hold; places are offsets into them.
#[derive(Clone, Debug)]
enum Parts {
    One(Cells),
    /// Filters that are all queried, with whether its column holds integers of 32 bits, and its name.
    Columns(Vec<(Bitset, bool, String)>),
}

#[derive(Clone, Debug)]
enum Cells {
    Section(Section),
    Bitset(Bitset),
}

impl Cells {
    fn may_contain(&self, bytes: &[u8], key: &[u8]) -> bool {
        match self {
            Cells::Section(s) => s.may_contain(bytes, key),
            Cells::Bitset(b) => b.may_contain(bytes, key),
        }
    }
}

impl<B> fmt::Debug for Image<B> {
    /// What it is, not its bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image")
            .field("dialect", &self.dialect)
            .field("variant", &self.variant)
            .field("form", &self.form)
            .field("part", &self.part)
            .finish_non_exhaustive()
    }
}

impl<B: AsRef<[u8]>> Image<B> {
    /// Opens the bytes of a dialect. Everything is checked against their length before it is used.
    pub fn open(bytes: B, options: &Options) -> Result<Self, Error> {
        let b = bytes.as_ref();
        let named = options.variant.as_deref();
        if options.form != Form::Bytes && options.dialect != Dialect::Parquet {
            return Err(Error::invalid("the dialect hashes all forms of keys alike"));
        }
        if options.form == Form::Text {
            return Err(Error::invalid("the dialect has no keys of that form"));
        }
        let (variant, parts, places) = match options.dialect {
            Dialect::Portable => bits::opened("portable", bits::portable(b)?),
            Dialect::Parquet => parquet::open(b, named)?,
        };
        let mut image = Image {
            dialect: options.dialect,
            variant,
            form: options.form,
            part: None,
            parts,
            places,
            doubted: Vec::new(),
            bytes,
        };
        if options
            .hashes
            .map_or(false, |h| u64::from(h) != image.hashes())
        {
            return Err(Error::invalid("the bytes tell another number of hashes"));
        }
        if let Some(part) = options.part {
            let part = usize::try_from(part).ok().filter(|p| *p < image.parts());
            image.part = Some(
                part.ok_or_else(|| Error::new(Code::InvalidArgument, "there is no such part"))?,
            );
        }
        Ok(image)
    }

    /// Whether a key is possibly present: in the part that was selected, or in any.
    pub fn may_contain(&self, key: impl AsRef<[u8]>) -> bool {
        let (bytes, key) = (self.bytes.as_ref(), key.as_ref());
        match &self.parts {
            Parts::One(cells) => self.is_doubted(0) || cells.may_contain(bytes, key),
            Parts::Columns(columns) => {
                let asked = match self.part {
                    Some(part) => part..part + 1,
                    None => 0..columns.len(),
                };
                asked.into_iter().any(|i| {
                    let (bitset, narrow, _) = &columns[i];
                    let key = match self.form {
                        Form::Integer if *narrow => key.get(..4).unwrap_or(key),
                        _ => key,
                    };
                    self.is_doubted(i) || bitset.may_contain(bytes, key)
                })
            }
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The form that its bytes have.
    pub fn variant(&self) -> &'static str {
        self.variant
    }

    /// How many filters there are.
    pub fn parts(&self) -> usize {
        match &self.parts {
            Parts::One(_) => 1,
            Parts::Columns(c) => c.len(),
        }
    }

    /// What a part is called, where it has a name.
    pub fn part_name(&self, part: usize) -> Option<&str> {
        match &self.parts {
            Parts::Columns(c) => c.get(part).map(|(_, _, name)| name.as_str()),
            _ => None,
        }
    }

    /// The bits of all parts.
    pub fn cells(&self) -> u64 {
        match &self.parts {
            Parts::One(Cells::Section(s)) => s.bits(),
            Parts::One(Cells::Bitset(b)) => b.bits(),
            Parts::Columns(c) => c.iter().map(|(b, _, _)| b.bits()).sum(),
        }
    }

    /// How many cells a lookup reads in one part.
    pub fn hashes(&self) -> u64 {
        match &self.parts {
            Parts::One(Cells::Section(s)) => s.hashes(),
            Parts::One(Cells::Bitset(_)) | Parts::Columns(_) => 8,
        }
    }

    fn is_doubted(&self, part: usize) -> bool {
        self.doubted.contains(&part)
    }

    /// Takes notice that some bytes are damaged: parts that need them answer every key from now on. False if they give a
    /// filter its form, so that nothing can be said at all.
    pub(crate) fn doubt(&mut self, damaged: &Range<usize>) -> bool {
        let parts = self.places.parts.iter().enumerate();
        let met = parts.filter(|(_, place)| meet(place, damaged)).map(|p| p.0);
        self.doubted.extend(met);
        !self.places.form.iter().any(|place| meet(place, damaged))
    }

    /// Where bytes lie whose every bit only insertion sets.
    pub(crate) fn bit_cells(&self) -> Option<Range<usize>> {
        match &self.parts {
            Parts::One(Cells::Section(s)) => Some(s.place()),
            Parts::One(Cells::Bitset(b)) => Some(b.place()),
            _ => None,
        }
    }
}

/// A little-endian number of so many bytes.
fn number(b: &[u8], at: usize, bytes: usize) -> u64 {
    b[at..at + bytes]
        .iter()
        .rev()
        .fold(0, |x, b| x << 8 | u64::from(*b))
}

fn no_such_variant() -> Error {
    Error::invalid("the dialect has no such variant")
}
