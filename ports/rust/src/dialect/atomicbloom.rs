//! `atomicbloom` (spec/dialects/atomicbloom.md): m, k, the number of words, words.

use super::bits::{opened, Rule, Section};
use super::{no_such_variant, number, Opened};
use crate::error::Error;

const HEADER: usize = 24;

pub(super) fn open(b: &[u8], named: Option<&str>) -> Result<Opened, Error> {
    if named.map_or(false, |v| v != "words") {
        return Err(no_such_variant());
    }
    if b.len() < HEADER {
        return Err(Error::corrupt(
            b.len() as u64,
            "shorter than the header of a filter",
        ));
    }
    let (m, k, words) = (number(b, 0, 8), number(b, 8, 8), number(b, 16, 8));
    if m == 0 {
        return Err(Error::corrupt(0, "a filter of no bits"));
    }
    if k == 0 || k > u64::from(u32::MAX) {
        return Err(Error::corrupt(8, "an impossible number of hashes"));
    }
    if words != m / 64 + u64::from(m % 64 != 0) {
        return Err(Error::corrupt(
            16,
            "as many words as the bits need, and no others",
        ));
    }
    let body = (b.len() - HEADER) as u64;
    // At most 2^58 words: eight times that does not overflow.
    if body < 8 * words {
        return Err(Error::corrupt(
            b.len() as u64,
            "fewer words than the header promises",
        ));
    }
    if body > 8 * words {
        return Err(Error::corrupt(
            HEADER as u64 + 8 * words,
            "bytes after the last word",
        ));
    }
    let section = Section::new(Rule::Turned, k, m, HEADER);
    Ok(opened("words", section))
}
