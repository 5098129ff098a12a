//! `parquet` (spec/dialects/parquet.md): the split-block filter behind its header, or bare.

use super::thrift::{Reader, Type};
use super::{no_such_variant, parquet_file, Cells, Opened, Parts, Places};
use crate::error::Error;
use crate::hash::xxh64;
use crate::split_block::positions;
use core::ops::Range;

/// A header that is longer is not accepted as one.
const LONGEST_HEADER: usize = 128;
/// The largest bitset that a header can describe.
const LONGEST_BITSET: usize = (1 << 31) - 32;

/// Where a bitset lies.
#[derive(Clone, Debug)]
pub(super) struct Bitset {
    at: usize,
    blocks: u64,
}

impl Bitset {
    pub(super) fn bits(&self) -> u64 {
        256 * self.blocks
    }

    pub(super) fn place(&self) -> Range<usize> {
        self.at..self.at + 32 * self.blocks as usize
    }

    pub(super) fn may_contain(&self, bytes: &[u8], key: &[u8]) -> bool {
        let array = &bytes[self.place()];
        positions(xxh64(key, 0), self.blocks)
            .all(|bit| array[(bit / 8) as usize] >> (bit % 8) & 1 != 0)
    }
}

pub(super) fn open(b: &[u8], named: Option<&str>) -> Result<Opened, Error> {
    let one = |variant, bitset: Bitset| {
        let places = Places {
            form: alloc::vec![0..bitset.at],
            ..Places::default()
        };
        Ok((variant, Parts::One(Cells::Bitset(bitset)), places))
    };
    match named {
        Some("file") => parquet_file::open(b),
        None if parquet_file::has_mark(b) => parquet_file::open(b),
        Some("bitset") => one("bitset", bare(b)?),
        Some("header") | None => {
            let bitset = with_header(b, 0)?;
            let end = bitset.place().end;
            if end < b.len() {
                return Err(Error::corrupt(end as u64, "bytes after the bitset"));
            }
            one("header", bitset)
        }
        Some(_) => Err(no_such_variant()),
    }
}

fn bare(b: &[u8]) -> Result<Bitset, Error> {
    if b.is_empty() || b.len() % 32 != 0 {
        let what = "a bitset has a positive multiple of 32 bytes";
        return Err(Error::corrupt((b.len() / 32 * 32) as u64, what));
    }
    if b.len() > LONGEST_BITSET {
        let what = "a bitset larger than a header could say";
        return Err(Error::corrupt(LONGEST_BITSET as u64, what));
    }
    Ok(Bitset {
        at: 0,
        blocks: b.len() as u64 / 32,
    })
}

/// The header at `at` and the bitset behind it, which must lie in the bytes.
pub(super) fn with_header(b: &[u8], at: usize) -> Result<Bitset, Error> {
    let mut size = None;
    // Algorithm, hash and compression: whether each is the one in use.
    let mut unions = [None; 3];
    let mut reader = Reader::new(&b[..b.len().min(at + LONGEST_HEADER)], at);
    let parsed = reader.fields(|r, id, kind| {
        match (id, kind) {
            (1, Type::I32) => size = Some((r.at, r.integer()?)),
            (2..=4, Type::Struct) => unions[(id - 2) as usize] = Some(is_first_member(r)?),
            _ => return Some(false),
        }
        Some(true)
    });
    if parsed.is_none() {
        return Err(Error::corrupt(at as u64, "no header of a filter"));
    }
    let end = reader.at;
    let missing = || Error::corrupt(end as u64, "a field of the header is missing");
    let (place, size) = size.ok_or_else(missing)?;
    if unions.contains(&None) {
        return Err(missing());
    }
    if size <= 0 || size % 32 != 0 {
        let what = "a bitset has a positive multiple of 32 bytes";
        return Err(Error::corrupt(place as u64, what));
    }
    if size as u64 > (b.len() - end) as u64 {
        return Err(Error::corrupt(b.len() as u64, "the bitset is cut short"));
    }
    if unions.contains(&Some(false)) {
        let what = "another algorithm, hash or compression";
        return Err(Error::unsupported(at as u64, what));
    }
    Ok(Bitset {
        at: end,
        blocks: size as u64 / 32,
    })
}

/// Whether a union has exactly its member 1.
fn is_first_member(r: &mut Reader<'_>) -> Option<bool> {
    let mut members = 0;
    let mut first = true;
    r.fields(|_, id, _| {
        members += 1;
        first &= id == 1;
        Some(false)
    })?;
    Some(first && members == 1)
}
