//! Remainders and counts in a run (spec/filters.md 15.4).

use super::Quotient;
use crate::kind::Payload;

/// One more than the largest count.
const COUNTS: u64 = 1 << 48;

/// A remainder in a run, and its copies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) remainder: u64,
    /// None if no writer writes such a group: cut off by the end of the run, with a digit too many, or of too many copies.
    count: Option<u64>,
    /// The slot after it.
    pub(super) next: u64,
}

impl Group {
    pub(super) fn is_sound(&self) -> bool {
        self.count.is_some()
    }
}

impl Quotient {
    /// The group that begins with a slot of a run, whose last slot is `end`.
    #[inline]
    pub(super) fn group(&self, payload: &impl Payload, slot: u64, end: u64) -> Group {
        let remainder = self.value(payload, slot);
        let again = |slot: u64| slot <= end && self.value(payload, slot) == remainder;
        let of = |copies: u64| Group {
            remainder,
            count: Some(copies),
            next: slot + copies,
        };
        if !again(slot + 1) {
            return of(1);
        }
        if !again(slot + 2) {
            return of(2);
        }
        self.counter(payload, remainder, slot + 3, end)
    }

    /// A count of three or more, whose digits begin with a slot.
    fn counter(&self, payload: &impl Payload, remainder: u64, mut slot: u64, end: u64) -> Group {
        let width = self.remainder_bits - 1;
        let (mut count, mut shift) = (Some(3u64), 0u32);
        loop {
            if slot > end {
                return Group {
                    remainder,
                    count: None,
                    next: slot + 1,
                };
            }
            let value = self.value(payload, slot);
            let (more, digit) = (value >> width != 0, value & ((1 << width) - 1));
            // Digits are below 2^31, and those from 2^48 on are 0 if the count is one that there can be.
            let add = if shift < 48 {
                u128::from(digit) << shift
            } else {
                u128::from(digit) << 48
            };
            let sum = count.map(|c| u128::from(c) + add);
            count = sum.filter(|c| *c < u128::from(COUNTS)).map(|c| c as u64);
            slot += 1;
            if !more {
                let minimal = digit != 0 || shift == 0;
                return Group {
                    remainder,
                    count: count.filter(|_| minimal),
                    next: slot,
                };
            }
            shift = (shift + width).min(48);
        }
    }
}
