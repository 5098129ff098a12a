//! The xor filter (spec/filters.md 11): the slots of a key lie in three blocks.

use crate::kind::{Facts, ReadOnly};
use crate::slots::{Placement, Slots};

/// Slots in three blocks, one in each.
#[derive(Clone, Debug)]
pub struct Blocks;

/// The name by which the table of kinds has it.
pub type Shape = ReadOnly<Slots<Blocks>>;

impl Placement for Blocks {
    const FACTS: &'static Facts = &crate::kinds::XOR;

    fn max_log(layout: u8) -> Option<u8> {
        Some(0).filter(|_| layout == 3)
    }

    fn fits(_: u8, slots: u64, _: u8) -> bool {
        slots % 3 == 0 && (1..=u64::from(u32::MAX)).contains(&(slots / 3))
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
