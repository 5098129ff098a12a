//! The fuse filter (spec/filters.md 10): the slots of a key lie in adjacent segments.

use crate::kind::{Facts, ReadOnly};
use crate::slots::{Placement, Slots};
use crate::words::mulhi;

/// Slots in three or four adjacent segments, one in each.
#[derive(Clone, Debug)]
pub struct Segments;

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Slots<Segments>>;

impl Placement for Segments {
    const FACTS: &'static Facts = &crate::kinds::FUSE;

    fn max_log(layout: u8) -> Option<u8> {
        Some(16).filter(|_| layout == 3 || layout == 4)
    }

    fn fits(layout: u8, slots: u64, log: u8) -> bool {
        slots % (1 << log) == 0 && slots >> log >= u64::from(layout)
    }

    #[inline]
    fn slots(layout: u8, x: u64, slots: u64, log: u8) -> [u64; 4] {
        let length = 1 << log;
        let first = mulhi(x, slots - u64::from(layout - 1) * length);
        let other = |j: u64| (first + j * length) ^ (x >> (16 * (j - 1)) & (length - 1));
        let fourth = if layout == 4 { other(3) } else { 0 };
        [first, other(1), other(2), fourth]
    }
}
