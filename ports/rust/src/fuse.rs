//! The fuse filter (spec/filters.md 10), as it is read: the slots of a key lie in adjacent segments.

use crate::cuckoo::mulhi;
use crate::filter_of::FilterOf;
use crate::slots::{Placement, Slots};

/// Slots in three or four adjacent segments, one in each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segments;

/// The shape of a fuse filter.
pub type Fuse = Slots<Segments>;

/// A static filter, small and fast. It comes out of a container, and is queried and written again.
pub type FuseFilter = FilterOf<Fuse>;

impl Placement for Segments {
    const NUMBER: u8 = 9;
    const NAME: &'static str = "fuse";

    fn max_log(layout: u8) -> Option<u8> {
        Some(16).filter(|_| layout == 3 || layout == 4)
    }

    fn fits(layout: u8, slots: u64, log: u8) -> bool {
        slots % (1 << log) == 0 && slots >> log >= u64::from(layout)
    }

    fn part(_: u64, log: u8) -> u64 {
        1 << log
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
