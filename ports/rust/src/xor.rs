//! The xor filter (spec/filters.md 11), as it is read: the slots of a key lie in three blocks.

use crate::filter_of::FilterOf;
use crate::slots::{Placement, Slots};

/// Slots in three blocks, one in each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks;

/// The shape of an xor filter.
pub type Xor = Slots<Blocks>;

/// A static filter as [`FuseFilter`](crate::FuseFilter) is, of 9 % more slots.
pub type XorFilter = FilterOf<Xor>;

impl Placement for Blocks {
    const NUMBER: u8 = 10;
    const NAME: &'static str = "xor";

    fn max_log(layout: u8) -> Option<u8> {
        Some(0).filter(|_| layout == 3)
    }

    fn fits(_: u8, slots: u64, _: u8) -> bool {
        slots % 3 == 0 && (1..=u64::from(u32::MAX)).contains(&(slots / 3))
    }

    fn part(slots: u64, _: u8) -> u64 {
        slots / 3
    }

    #[inline]
    fn slots(_: u8, x: u64, slots: u64, _: u8) -> [u64; 4] {
        let block = slots / 3;
        let slot = |j: u32| {
            let low = x.rotate_left(21 * j) & u64::from(u32::MAX);
            u64::from(j) * block + ((low * block) >> 32)
        };
        [slot(0), slot(1), slot(2), 0]
    }
}
