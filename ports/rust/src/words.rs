//! Bit arrays as words of 64 bits; in files they are bytes, least significant bit first, on every machine.

use crate::error::{Code, Error};
use alloc::vec::Vec;

/// The upper 64 bits of a product.
#[inline]
pub(crate) fn mulhi(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// So many words of zeros, or a refusal: nothing aborts because a filter is too large.
pub(crate) fn zeros(bits: u64) -> Result<Vec<u64>, Error> {
    let count = bits / 64 + u64::from(bits % 64 != 0);
    let count = usize::try_from(count)
        .ok()
        .filter(|c| *c <= isize::MAX as usize / 8)
        .ok_or_else(|| Error::new(Code::TooLarge, "more bits than the address space holds"))?;
    let mut words = reserve(count)?;
    words.resize(count, 0);
    Ok(words)
}

/// An empty vector with room for so many.
pub(crate) fn reserve<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut v = Vec::new();
    v.try_reserve_exact(count)
        .map_err(|_| Error::new(Code::OutOfMemory, "no memory for the bits"))?;
    Ok(v)
}

/// The words of some bytes; the last may be shorter.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Vec<u64>, Error> {
    let mut words = reserve(bytes.len() / 8 + 1)?;
    extend(&mut words, bytes);
    Ok(words)
}

/// Appends bytes that begin at a word.
pub(crate) fn extend(words: &mut Vec<u64>, bytes: &[u8]) {
    words.extend(bytes.chunks(8).map(|c| {
        let mut w = [0; 8];
        w[..c.len()].copy_from_slice(c);
        u64::from_le_bytes(w)
    }));
}

/// Appends the first `count` bytes of an array.
pub(crate) fn to_bytes(words: &[u64], count: usize, out: &mut Vec<u8>) {
    let whole = count / 8;
    for w in &words[..whole] {
        out.extend_from_slice(&w.to_le_bytes());
    }
    if count % 8 != 0 {
        out.extend_from_slice(&words[whole].to_le_bytes()[..count % 8]);
    }
}

/// How many of the first `bits` bits are set.
pub(crate) fn ones(words: &[u64], bits: u64) -> u64 {
    let whole = (bits / 64) as usize;
    let mut sum: u64 = words[..whole]
        .iter()
        .map(|w| u64::from(w.count_ones()))
        .sum();
    if bits % 64 != 0 {
        let mask = (1u64 << (bits % 64)) - 1;
        sum += u64::from((words[whole] & mask).count_ones());
    }
    sum
}

/// Whether all bits from `bits` on are clear.
pub(crate) fn clear_from(words: &[u64], bits: u64) -> bool {
    let whole = (bits / 64) as usize;
    words[whole..].iter().enumerate().all(|(i, w)| {
        let below = if i == 0 { (1u64 << (bits % 64)) - 1 } else { 0 };
        w & !below == 0
    })
}

/// Sets the bits of the bytes `from .. to`.
pub(crate) fn fill_bytes(words: &mut [u64], from: usize, to: usize) {
    for at in from..to {
        words[at / 8] |= 0xff << (8 * (at % 8));
    }
}

/// Clears the bits of the bytes `from .. to`.
pub(crate) fn clear_bytes(words: &mut [u64], from: usize, to: usize) {
    for at in from..to {
        words[at / 8] &= !(0xff << (8 * (at % 8)));
    }
}

/// Each group of `factor` blocks as the union of its blocks (spec/filters.md 2.4).
pub(crate) fn fold(words: &[u64], block: usize, factor: usize) -> Result<Vec<u64>, Error> {
    let mut out = reserve(words.len() / factor)?;
    for group in words.chunks_exact(block * factor) {
        let at = out.len();
        out.extend_from_slice(&group[..block]);
        for other in group[block..].chunks_exact(block) {
            for (to, from) in out[at..].iter_mut().zip(other) {
                *to |= from;
            }
        }
    }
    Ok(out)
}
