//! Lookups in a quotient filter (spec/filters.md 15.5 and 15.8), for any bytes.

use super::array::{select, SATURATED};
use super::Quotient;
use crate::hash::Key;
use crate::kind::Payload;

/// The most blocks that a lookup goes through, whatever the bytes are.
const MAX_BLOCKS: u64 = 4096;
/// The most slots of a run that it goes through.
const MAX_RUN: u64 = 1024;

/// Why a run is not found: a byte that leads to it is damaged, a slot that leads to it is not there, in bytes that no writer wrote, or
/// it is farther than a lookup goes. The answer is "possibly present".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lost;

/// The search for a run. A block is found whole, and all before it down to the first that the search needs, before it is used.
struct Search<'a, P> {
    kind: &'a Quotient,
    payload: &'a P,
    /// The first block that was not looked at.
    next: u64,
    /// The block at which the search ends.
    end: u64,
}

impl<P: Payload> Search<'_, P> {
    #[inline]
    fn reach(&mut self, block: u64) -> Result<(), Lost> {
        while self.next <= block {
            if !self.kind.is_whole(self.payload, self.next) {
                return Err(Lost);
            }
            self.next += 1;
        }
        Ok(())
    }

    /// The n-th slot, from 1 on, that is the last of a run and not before `slot`.
    #[inline]
    fn runend(&mut self, slot: u64, n: u64) -> Result<u64, Lost> {
        let (mut block, mut mask, mut left) = (slot / 64, u64::MAX << (slot % 64), n);
        while block < self.end {
            self.reach(block)?;
            let ends = self.kind.runends(self.payload, block) & mask;
            let ones = u64::from(ends.count_ones());
            if ones >= left {
                return Ok(64 * block + select(ends, left - 1));
            }
            left -= ones;
            mask = u64::MAX;
            block += 1;
        }
        Err(Lost)
    }

    /// The first slot that runs of quotients before a block do not use.
    #[inline]
    fn first(&mut self, block: u64) -> Result<u64, Lost> {
        let (mut from, mut offset) = (block, 0);
        // Block 0 has nothing before it: its offset is not read.
        while from > 0 {
            let own = self.kind.offset(self.payload, from);
            offset = own.ok_or(Lost)?;
            if offset != SATURATED {
                break;
            }
            if block - from == MAX_BLOCKS - 1 {
                return Err(Lost);
            }
            offset = 0;
            from -= 1;
        }
        self.next = from;
        self.end = self.kind.blocks.min(from + MAX_BLOCKS);
        let mut slot = 64 * from + offset;
        for block in from..block {
            self.reach(block)?;
            let runs = self.kind.occupieds(self.payload, block).count_ones();
            if runs > 0 {
                slot = 1 + self.runend(slot, runs.into())?;
            }
            slot = slot.max(64 * (block + 1));
        }
        Ok(slot)
    }
}

impl Quotient {
    /// The first and the last slot of the run of a quotient; none if it has no run.
    #[inline]
    fn run(&self, payload: &impl Payload, quotient: u64) -> Result<Option<(u64, u64)>, Lost> {
        let block = quotient / 64;
        if !self.is_whole(payload, block) {
            return Err(Lost);
        }
        let up_to = self.occupieds(payload, block) << (63 - quotient % 64);
        if up_to >> 63 == 0 {
            return Ok(None);
        }
        let mut search = Search {
            kind: self,
            payload,
            next: block,
            end: block,
        };
        let mut slot = search.first(block)?;
        let before = u64::from(up_to.count_ones()) - 1;
        if before > 0 {
            slot = 1 + search.runend(slot, before)?;
        }
        let start = slot.max(quotient);
        let end = search.runend(start, 1)?;
        if end - start >= MAX_RUN {
            return Err(Lost);
        }
        // Blocks from the first on that the search needed to that of the end are whole now.
        Ok(Some((start, end)))
    }

    /// Whether the run of a key's quotient has its remainder.
    fn has(&self, payload: &impl Payload, key: Key) -> Result<bool, Lost> {
        let (quotient, remainder) = self.parts(key);
        let (mut slot, end) = match self.run(payload, quotient)? {
            Some(run) => run,
            None => return Ok(false),
        };
        while slot <= end {
            let group = self.group(payload, slot, end);
            if group.remainder == remainder {
                return Ok(true);
            }
            slot = group.next;
        }
        Ok(false)
    }

    #[inline]
    pub(super) fn find_key(&self, payload: &impl Payload, key: Key) -> bool {
        self.has(payload, key).unwrap_or(true)
    }
}
