//! What a reader checks (spec/filters.md 15.6): one pass over all slots.

use super::array::SATURATED;
use super::Quotient;
use crate::kind::Payload;

impl Quotient {
    /// Whether the payload is what a writer makes of its fingerprints, to the bit.
    pub(super) fn is_sound_in(&self, payload: &impl Payload) -> bool {
        let mut free = 0;
        for block in 0..self.blocks {
            let begin = 64 * block;
            if self.offset(payload, block) != Some(SATURATED.min(free - begin)) {
                return false;
            }
            let mut runs = self.occupieds(payload, block);
            while runs != 0 {
                let quotient = begin + u64::from(runs.trailing_zeros());
                runs &= runs - 1;
                let start = free.max(quotient);
                if quotient >= self.quotients || !self.are_free(payload, free, start) {
                    return false;
                }
                free = match self.sound_run(payload, start) {
                    Some(end) => end + 1,
                    None => return false,
                };
            }
            if !self.are_free(payload, free, begin + 64) {
                return false;
            }
            free = free.max(begin + 64);
        }
        self.rest(payload) == 0
    }

    /// The last slot of a run; none if it has none, or if its groups are not what a writer makes.
    fn sound_run(&self, payload: &impl Payload, start: u64) -> Option<u64> {
        let end = self.next_runend(payload, start)?;
        let (mut slot, mut least) = (start, 0);
        while slot <= end {
            let group = self.group(payload, slot, end);
            if group.remainder < least || !group.is_sound() {
                return None;
            }
            least = group.remainder + 1;
            slot = group.next;
        }
        Some(end)
    }

    fn next_runend(&self, payload: &impl Payload, slot: u64) -> Option<u64> {
        let mut mask = u64::MAX << (slot % 64);
        for block in slot / 64..self.blocks {
            let ends = self.runends(payload, block) & mask;
            if ends != 0 {
                return Some(64 * block + u64::from(ends.trailing_zeros()));
            }
            mask = u64::MAX;
        }
        None
    }
}
