//! A whole Parquet file: its footer, and the filters that it names.

use super::parquet::{with_header, Bitset};
use super::thrift::{Reader, Type};
use super::{number, Opened, Parts, Places};
use crate::error::Error;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const MARK: &[u8; 4] = b"PAR1";
const ENCRYPTED: &[u8; 4] = b"PARE";
/// Mark, length of the footer, mark.
const LEAST: usize = 12;
/// The physical type of 32-bit integers.
const INT32: i64 = 1;

/// Whether the bytes are certainly a Parquet file.
pub(super) fn has_mark(b: &[u8]) -> bool {
    let ends = |mark: &[u8; 4]| b.len() >= LEAST && b.starts_with(mark) && b.ends_with(mark);
    ends(MARK) || ends(ENCRYPTED)
}

/// What the footer says of a column chunk.
#[derive(Default)]
struct Chunk {
    elsewhere: bool,
    encrypted: bool,
    narrow: bool,
    path: String,
    /// Both with the place in the file where the value stands.
    offset: Option<(usize, i64)>,
    length: Option<(usize, i64)>,
}

pub(super) fn open(b: &[u8]) -> Result<Opened, Error> {
    if b.len() < LEAST {
        return Err(Error::corrupt(
            b.len() as u64,
            "shorter than a Parquet file",
        ));
    }
    if !has_mark(b) {
        return Err(Error::corrupt(0, "not a Parquet file"));
    }
    let tail = b.len() - 8;
    if b.ends_with(ENCRYPTED) {
        return Err(Error::unsupported(tail as u64 + 4, "an encrypted footer"));
    }
    let length = number(b, tail, 4);
    if length > (tail - MARK.len()) as u64 {
        return Err(Error::corrupt(tail as u64, "a footer longer than the file"));
    }
    let footer = tail - length as usize;
    let mut columns = Vec::new();
    let mut places = Places {
        form: alloc::vec![0..MARK.len(), footer..b.len()],
        ..Places::default()
    };
    let mut total = 0;
    let mut refused = None;
    let parsed = chunks(&b[..tail], footer, |group, chunk| {
        let (at, offset) = match chunk.offset {
            Some(offset) if !chunk.elsewhere && !chunk.encrypted => offset,
            _ => return Some(()),
        };
        match filter(&b[..footer], &chunk, at, offset, &mut total) {
            Ok(bitset) => {
                places.parts.push(offset as usize..bitset.place().end);
                let name = format!("row group {}, column {}", group, chunk.path);
                columns.push((bitset, chunk.narrow, name));
                Some(())
            }
            Err(e) => {
                refused = Some(e);
                None
            }
        }
    });
    if let Some(e) = refused {
        return Err(e);
    }
    if parsed.is_none() {
        let what = "a footer that is no such structure";
        return Err(Error::corrupt(footer as u64, what));
    }
    if columns.is_empty() {
        return Err(Error::unsupported(
            footer as u64,
            "no filter that can be read",
        ));
    }
    Ok(("file", Parts::Columns(columns), places))
}

/// The filter of a column, whose offset stands at `place`; `total` grows by the bytes it takes.
fn filter(
    data: &[u8],
    chunk: &Chunk,
    place: usize,
    offset: i64,
    total: &mut u64,
) -> Result<Bitset, Error> {
    let wrong = |what| Error::corrupt(place as u64, what);
    let at = usize::try_from(offset)
        .ok()
        .filter(|at| *at >= MARK.len() && *at < data.len())
        .ok_or_else(|| wrong("a filter outside the data"))?;
    let bitset = with_header(data, at)?;
    let size = (bitset.place().end - at) as u64;
    if let Some((place, length)) = chunk.length {
        if length != size as i64 {
            let what = "a length that is not that of header and bitset";
            return Err(Error::corrupt(place as u64, what));
        }
    }
    *total += size;
    if *total > (data.len() - MARK.len()) as u64 {
        return Err(wrong("filters that together are larger than the data"));
    }
    Ok(bitset)
}

/// Gives each column chunk, with the number of its row group, to `visit`.
fn chunks(b: &[u8], footer: usize, mut visit: impl FnMut(u64, Chunk) -> Option<()>) -> Option<()> {
    Reader::new(b, footer).fields(|r, id, kind| {
        if (id, kind) != (4, Type::List) {
            return Some(false);
        }
        r.elements(Type::Struct, |r, group| {
            r.fields(|r, id, kind| {
                if (id, kind) != (1, Type::List) {
                    return Some(false);
                }
                r.elements(Type::Struct, |r, _| visit(group, chunk(r)?))?;
                Some(true)
            })
        })?;
        Some(true)
    })
}

fn chunk(r: &mut Reader<'_>) -> Option<Chunk> {
    let mut c = Chunk::default();
    r.fields(|r, id, kind| {
        match (id, kind) {
            (1, Type::Binary) => {
                c.elsewhere = !r.binary()?.is_empty();
                return Some(true);
            }
            (8 | 9, _) => c.encrypted = true,
            (3, Type::Struct) => {
                meta(r, &mut c)?;
                return Some(true);
            }
            _ => {}
        }
        Some(false)
    })?;
    Some(c)
}

/// The meta data of a column chunk.
fn meta(r: &mut Reader<'_>, c: &mut Chunk) -> Option<()> {
    r.fields(|r, id, kind| {
        match (id, kind) {
            (1, Type::I32) => c.narrow = r.integer()? == INT32,
            (3, Type::List) => {
                let path = &mut c.path;
                r.elements(Type::Binary, |r, i| {
                    if i > 0 {
                        path.push('.');
                    }
                    path.push_str(&String::from_utf8_lossy(r.binary()?));
                    Some(())
                })?;
            }
            (14, Type::I64) => c.offset = Some((r.at, r.integer()?)),
            (15, Type::I32) => c.length = Some((r.at, r.integer()?)),
            _ => return Some(false),
        }
        Some(true)
    })
}
