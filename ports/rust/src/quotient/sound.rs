//! What a reader checks (spec/filters.md 15.6), and the fingerprints in their order: one pass over all slots.

use super::array::SATURATED;
use super::Quotient;
use crate::kind::Payload;

impl Quotient {
    /// Visits the fingerprints, ascending, with their counts, up to where the payload is not what a writer makes; reports whether it
    /// is, all of it.
    pub(super) fn walk(&self, payload: &impl Payload, visit: &mut dyn FnMut(u64, u64)) -> bool {
        let mut free = 0;
        for block in 0..self.shape.blocks {
            let begin = 64 * block;
            if self.offset(payload, block) != Some(SATURATED.min(free - begin)) {
                return false;
            }
            let mut runs = self.occupieds(payload, block);
            while runs != 0 {
                let quotient = begin + u64::from(runs.trailing_zeros());
                runs &= runs - 1;
                let start = free.max(quotient);
                if quotient >= self.shape.quotients || !self.are_free(payload, free, start) {
                    return false;
                }
                free = match self.walk_run(payload, quotient, start, visit) {
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
    fn walk_run(
        &self,
        payload: &impl Payload,
        quotient: u64,
        start: u64,
        visit: &mut dyn FnMut(u64, u64),
    ) -> Option<u64> {
        let end = self.next_runend(payload, start)?;
        let (mut slot, mut least) = (start, 0);
        while slot <= end {
            let group = self.group(payload, slot, end);
            if group.remainder < least || !group.is_sound() {
                return None;
            }
            let fingerprint = quotient << self.shape.remainder_bits | group.remainder;
            visit(fingerprint, group.copies());
            least = group.remainder + 1;
            slot = group.next;
        }
        Some(end)
    }

    fn next_runend(&self, payload: &impl Payload, slot: u64) -> Option<u64> {
        let mut mask = u64::MAX << (slot % 64);
        for block in slot / 64..self.shape.blocks {
            let ends = self.runends(payload, block) & mask;
            if ends != 0 {
                return Some(64 * block + u64::from(ends.trailing_zeros()));
            }
            mask = u64::MAX;
        }
        None
    }
}
