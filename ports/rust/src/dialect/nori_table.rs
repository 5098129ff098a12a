//! A whole table of nori-sstable: its footer, and the filters of its blocks.

use super::nori::section;
use super::quotient::Quotient;
use super::{number, Cells, Parts};
use crate::container::crc32c;
use crate::error::Error;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

const FOOTER: usize = 64;
const MARK: &[u8; 8] = b"NORISSTL";

/// Whether the bytes are certainly a table.
pub(super) fn has_mark(b: &[u8]) -> bool {
    b.len() >= FOOTER && &b[b.len() - 12..b.len() - 4] == MARK
}

/// A section that the footer names, which must lie before it.
fn place(b: &[u8], footer: usize, field: usize) -> Result<Range<usize>, Error> {
    let at = footer + field;
    let (from, size) = (number(b, at, 8), number(b, at + 8, 8));
    match from.checked_add(size) {
        Some(to) if to <= footer as u64 => Ok(from as usize..to as usize),
        _ => Err(Error::corrupt(at as u64, "a section that does not lie before the footer")),
    }
}

pub(super) fn open(b: &[u8]) -> Result<Parts, Error> {
    if b.len() < FOOTER {
        return Err(Error::corrupt(b.len() as u64, "shorter than the footer of a table"));
    }
    let footer = b.len() - FOOTER;
    if !has_mark(b) {
        return Err(Error::corrupt(footer as u64 + 52, "not a table"));
    }
    if u64::from(crc32c(&b[footer..footer + 60])) != number(b, footer + 60, 4) {
        return Err(Error::corrupt(footer as u64 + 60, "the footer is damaged"));
    }
    let format = b[footer + 45];
    if format > 2 {
        let what = format!("format {} of the table", format);
        return Err(Error::unsupported(footer as u64 + 45, what));
    }
    let index = place(b, footer, 0)?;
    let bloom = place(b, footer, 16)?;
    if format < 2 {
        let s = section(&b[bloom.clone()], false).map_err(|e| e.shifted(bloom.start as u64))?;
        return Ok(Parts::One(Cells::Section(s.moved(bloom.start))));
    }
    if b[footer + 32] != 0 {
        return Err(Error::unsupported(
            footer as u64 + 32,
            "compressed blocks: the filters are inside",
        ));
    }
    blocks(b, index).map(Parts::Blocks)
}

/// Blocks by their first keys: where the key lies, and the filter if there is one.
type Blocks = Vec<(Range<usize>, Option<Quotient>)>;

/// The index: for each block a length and its first key, an offset and a size; at the end the number of blocks.
fn blocks(b: &[u8], index: Range<usize>) -> Result<Blocks, Error> {
    let wrong = |at: usize, what| Error::corrupt(at as u64, what);
    let end = match index.len().checked_sub(4) {
        Some(length) => index.start + length,
        None => return Err(wrong(index.start, "an index without a number of blocks")),
    };
    let count = number(b, end, 4);
    let mut blocks: Blocks = Vec::new();
    let mut at = index.start;
    let mut free = 0;
    while at < end {
        let begin = at;
        let does_not_fit = || wrong(begin, "an entry of the index that does not fit");
        let length = varint(&b[..end], &mut at).ok_or_else(does_not_fit)?;
        if length > (end - at) as u64 || end - at - (length as usize) < 12 {
            return Err(does_not_fit());
        }
        let key = at..at + length as usize;
        at = key.end + 12;
        if let Some((last, _)) = blocks.last() {
            if b[last.clone()] >= b[key.clone()] {
                return Err(wrong(begin, "first keys that do not ascend"));
            }
        }
        let (from, size) = (number(b, key.end, 8), number(b, key.end + 8, 4));
        let to = from.checked_add(size).filter(|to| *to <= index.start as u64);
        match to {
            Some(to) if from >= free => {
                free = to;
                let q = filter_of(b, from as usize..to as usize)?;
                blocks.push((key, q));
            }
            _ => {
                let what = "a block that overlaps another or reaches into the index";
                return Err(wrong(key.end, what));
            }
        }
    }
    if blocks.len() as u64 != count {
        return Err(wrong(end, "another number of blocks than the index has"));
    }
    Ok(blocks)
}

fn varint(b: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *b.get(*at)?;
        *at += 1;
        let part = u64::from(byte & 127);
        if part << shift >> shift != part {
            return None;
        }
        value |= part << shift;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

/// A block ends in its filter and the size of that.
fn filter_of(b: &[u8], block: Range<usize>) -> Result<Option<Quotient>, Error> {
    let wrong = |at: usize| Error::corrupt(at as u64, "a block without the size of its filter");
    let end = match block.len().checked_sub(2) {
        Some(length) => block.start + length,
        None => return Err(wrong(block.start)),
    };
    let size = number(b, end, 2) as usize;
    if size == 0 {
        return Ok(None);
    }
    if size > end - block.start {
        return Err(wrong(end));
    }
    let from = end - size;
    Quotient::parse(&b[from..end])
        .map(Some)
        .map_err(|e| e.shifted(from as u64))
}
