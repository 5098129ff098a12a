//! A whole table of nori-sstable: its footer, and the filters of its blocks.

use super::nori::section;
use super::quotient::Quotient;
use super::{number, Cells, Opened, Parts, Places};
use crate::container::crc32c;
use crate::error::Error;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

const FOOTER: usize = 64;
const MARK: &[u8; 8] = b"NORISSTL";
/// The bytes of a block without entries.
const LEAST_BLOCK: u64 = 6;

/// Whether the bytes are certainly a table.
pub(super) fn has_mark(b: &[u8]) -> bool {
    b.len() >= FOOTER && &b[b.len() - 12..b.len() - 4] == MARK
}

/// A section that the footer names, if it lies before it.
fn place(b: &[u8], footer: usize, field: usize) -> Option<Range<usize>> {
    let at = footer + field;
    let (from, size) = (number(b, at, 8), number(b, at + 8, 8));
    let to = from.checked_add(size).filter(|to| *to <= footer as u64)?;
    Some(from as usize..to as usize)
}

pub(super) fn open(b: &[u8]) -> Result<Opened, Error> {
    let wrong = |at: usize, what| Err(Error::corrupt(at as u64, what));
    if b.len() < FOOTER {
        return wrong(b.len(), "shorter than the footer of a table");
    }
    let footer = b.len() - FOOTER;
    if !has_mark(b) {
        return wrong(footer + 52, "not a table");
    }
    if u64::from(crc32c(&b[footer..footer + 60])) != number(b, footer + 60, 4) {
        return wrong(footer + 60, "the footer is damaged");
    }
    match b[footer + 45] {
        0 | 1 => match place(b, footer, 16) {
            Some(bloom) => {
                let s =
                    section(&b[bloom.clone()], false).map_err(|e| e.shifted(bloom.start as u64))?;
                let s = s.moved(bloom.start);
                let places = Places {
                    form: alloc::vec![bloom.start..s.place().start, footer..b.len()],
                    ..Places::default()
                };
                Ok(("sstable", Parts::One(Cells::Section(s)), places))
            }
            None => wrong(footer + 16, "a section that does not lie before the footer"),
        },
        2 if b[footer + 32] != 0 => Err(Error::unsupported(
            footer as u64 + 32,
            "compressed blocks: the filters are inside",
        )),
        2 => match place(b, footer, 0).filter(|index| index.len() >= 4) {
            Some(index) => {
                let mut places = Places {
                    form: alloc::vec![index.clone(), footer..b.len()],
                    ..Places::default()
                };
                let blocks = blocks(b, index, &mut places.parts)?;
                Ok(("sstable", Parts::Blocks(blocks), places))
            }
            None => wrong(footer, "an index that does not lie before the footer"),
        },
        format => Err(Error::unsupported(
            footer as u64 + 45,
            format!("format {} of the table", format),
        )),
    }
}

/// Blocks by their first keys: where the key lies, and the filter if there is one.
type Blocks = Vec<(Range<usize>, Option<Quotient>)>;

/// The index: for each block a length and its first key, an offset and a size; at the end the number of blocks. Where the
/// filters lie is added to `filters`.
fn blocks(b: &[u8], index: Range<usize>, filters: &mut Vec<Range<usize>>) -> Result<Blocks, Error> {
    let wrong = |at: usize, what| Error::corrupt(at as u64, what);
    let end = index.end - 4;
    let count = number(b, end, 4);
    let mut blocks: Blocks = Vec::new();
    let mut at = index.start;
    let mut free = 0;
    for _ in 0..count {
        let does_not_fit = |at| wrong(at, "an entry of the index that does not fit");
        let mut next = at;
        let length = varint(&b[..end], &mut next).ok_or_else(|| does_not_fit(at))?;
        at = next;
        let key = match usize::try_from(length) {
            Ok(length) if length <= end - at => at..at + length,
            _ => return Err(does_not_fit(at)),
        };
        at = key.end;
        if end - at < 8 {
            return Err(does_not_fit(at));
        }
        if end - at < 12 {
            return Err(does_not_fit(at + 8));
        }
        let (from, size) = (number(b, at, 8), number(b, at + 8, 4));
        if let Some((last, _)) = blocks.last() {
            if b[last.clone()] >= b[key.clone()] {
                return Err(wrong(at, "first keys that do not ascend"));
            }
        }
        let to = from
            .checked_add(size)
            .filter(|to| size >= LEAST_BLOCK && from >= free && *to <= index.start as u64)
            .ok_or_else(|| wrong(at, "a block that is too short, or lies elsewhere"))?;
        free = to;
        let block = from as usize..to as usize;
        let filter = filter_of(b, &block)?;
        // With its size, two bytes at the end of the block.
        let size = 2 + number(b, block.end - 2, 2) as usize;
        filters.push(block.end - size..block.end);
        blocks.push((key, filter));
        at += 12;
    }
    if at != end {
        return Err(wrong(at, "entries left over"));
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

/// A block, which is not shorter than the least, ends in its filter and the size of that.
fn filter_of(b: &[u8], block: &Range<usize>) -> Result<Option<Quotient>, Error> {
    let end = block.end - 2;
    let size = number(b, end, 2) as usize;
    if size == 0 {
        return Ok(None);
    }
    if size > end - block.start {
        return Err(Error::corrupt(end as u64, "a filter larger than its block"));
    }
    let from = end - size;
    Quotient::parse(&b[from..end])
        .map(Some)
        .map_err(|e| e.shifted(from as u64))
}
