//! Which bytes of a payload are damaged, for kinds under the rule `possibly-present`.

use crate::error::{Code, Error};
use alloc::vec::Vec;

/// Bytes under one checksum.
pub(crate) const CHUNK: u64 = 4096;

/// The damaged chunks of a payload, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DamageMap {
    chunks: Vec<u64>,
}

impl DamageMap {
    /// No chunk is damaged.
    pub(crate) const NONE: DamageMap = DamageMap { chunks: Vec::new() };

    /// Chunks come in ascending order.
    pub(crate) fn add(&mut self, chunk: u64) -> Result<(), Error> {
        self.chunks
            .try_reserve(1)
            .map_err(|_| Error::new(Code::OutOfMemory, "no memory for the damaged chunks"))?;
        self.chunks.push(chunk);
        Ok(())
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Whether any of `length` bytes from `at` on is damaged.
    #[inline]
    pub(crate) fn touches(&self, at: u64, length: u64) -> bool {
        if length == 0 {
            return false;
        }
        let (first, last) = (at / CHUNK, (at + length - 1) / CHUNK);
        let next = self.chunks.partition_point(|c| *c < first);
        self.chunks.get(next).map_or(false, |c| *c <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touches_whole_chunks() {
        let mut map = DamageMap::default();
        assert!(!map.touches(0, u64::MAX));
        for chunk in [1, 2, 7] {
            map.add(chunk).unwrap();
        }
        assert!(!map.touches(0, 4096) && map.touches(0, 4097) && map.touches(4095, 2));
        assert!(map.touches(4096, 1) && map.touches(3 * 4096 - 1, 1) && !map.touches(3 * 4096, 1));
        assert!(!map.touches(4096, 0) && map.touches(6 * 4096, 3 * 4096));
        assert!(map.touches(8 * 4096 - 1, 8) && !map.touches(8 * 4096, 1 << 40));
    }
}
