//! What a quotient filter holds, as far as its bytes are not damaged (spec/model.md 15).

use super::array::SATURATED;
use super::Quotient;
use crate::kind::Payload;
use core::ops::Range;

/// What is known of its quotients.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Census {
    /// The share of the quotients for which a lookup reads no damaged byte.
    known: f64,
    fingerprints: u64,
    copies: f64,
    /// Slots of the runs that can be followed.
    pub(super) slots: u64,
}

impl Census {
    #[cfg(feature = "std")]
    pub(super) fn rate(&self, kind: &Quotient) -> f64 {
        let found = self.fingerprints as f64 / kind.fingerprints() as f64;
        (1.0 - self.known + found).min(1.0)
    }

    #[cfg(feature = "std")]
    pub(super) fn keys(&self) -> f64 {
        if self.known == 0.0 {
            return f64::INFINITY;
        }
        self.copies / self.known
    }

    pub(super) fn fill(&self, kind: &Quotient) -> f64 {
        if self.known == 0.0 {
            return 1.0;
        }
        (self.slots as f64 / self.known / kind.shape.quotients as f64).min(1.0)
    }
}

/// One pass over all blocks. Bytes of a damaged file were not checked: whatever they say, no slot is looked at twice.
struct Follow<'a, P> {
    kind: &'a Quotient,
    payload: &'a P,
    census: Census,
    /// Slots before this one were looked at.
    seen: u64,
    /// Slots where no run ends before one that is damaged, or before the end.
    barren: Range<u64>,
    /// Quotients for which a lookup reads a damaged byte.
    lost: u64,
}

impl<P: Payload> Follow<'_, P> {
    fn next_runend(&mut self, slot: u64) -> Option<u64> {
        if self.barren.contains(&slot) {
            return None;
        }
        let mut mask = u64::MAX << (slot % 64);
        let mut block = slot / 64;
        while block < self.kind.shape.blocks && self.kind.is_whole(self.payload, block) {
            let ends = self.kind.runends(self.payload, block) & mask;
            if ends != 0 {
                return Some(64 * block + u64::from(ends.trailing_zeros()));
            }
            mask = u64::MAX;
            block += 1;
        }
        self.barren = slot..(64 * block).max(slot);
        None
    }

    /// The last slot of a run that begins with a slot, and what it holds.
    fn run(&mut self, mut slot: u64) -> Option<u64> {
        // Slots that other runs have are not its own.
        if slot < self.seen {
            return None;
        }
        let end = self.next_runend(slot)?;
        self.census.slots += end + 1 - slot;
        while slot <= end {
            let group = self.kind.group(self.payload, slot, end);
            self.census.fingerprints += 1;
            self.census.copies += group.copies() as f64;
            slot = group.next;
        }
        self.seen = end + 1;
        Some(end)
    }

    /// The first slot that runs of the quotients up to those of a block do not use, where `first` is that of the block; none if
    /// it is not known.
    fn block(&mut self, block: u64, first: Option<u64>) -> Option<u64> {
        let begin = 64 * block;
        let own = (self.kind.shape.quotients - begin).min(64);
        if !self.kind.is_whole(self.payload, block) {
            self.lost += own;
            return None;
        }
        let mut runs = self.kind.occupieds(self.payload, block) & (u64::MAX >> (64 - own));
        let mut free = first;
        while runs != 0 {
            let quotient = begin + u64::from(runs.trailing_zeros());
            let end = free.and_then(|slot| self.run(slot.max(quotient)));
            if end.is_none() {
                self.lost += u64::from(runs.count_ones());
                return None;
            }
            free = end.map(|slot| slot + 1);
            runs &= runs - 1;
        }
        free.map(|slot| slot.max(begin + 64))
    }
}

impl Quotient {
    pub(super) fn census(&self, payload: &impl Payload) -> Census {
        let mut follow = Follow {
            kind: self,
            payload,
            census: Census::default(),
            seen: 0,
            barren: 0..0,
            lost: 0,
        };
        let mut free = Some(0);
        for block in 0..(self.shape.quotients + 63) / 64 {
            if block > 0 {
                free = match self.offset(payload, block) {
                    Some(SATURATED) => free,
                    // Blocks up to the first slot are read too; otherwise runs before led over them.
                    Some(offset) => {
                        let slot = 64 * block + offset;
                        Some(slot).filter(|slot| self.are_whole(payload, block..slot / 64))
                    }
                    None => None,
                };
            }
            free = follow.block(block, free);
        }
        let quotients = self.shape.quotients;
        let known = (quotients - follow.lost) as f64 / quotients as f64;
        Census {
            known,
            ..follow.census
        }
    }
}
