//! What fuse and xor filters (spec/filters.md 10 and 11) share: the exclusive or of the slots of a key is its
//! fingerprint.

use crate::container::Header;
use crate::error::Error;
use crate::hash::Key;
use crate::kind::{bytes_of, Facts, Payload, Rule, Words};
use crate::residue::Residue;
use crate::words::mulhi;
use core::fmt::Debug;
use core::marker::PhantomData;

const MAX_BITS: u64 = 1 << 48;
const MAX_RESIDUE: u64 = 1 << 40;
/// The number of the layout that both kinds have: four slots anywhere in a small shard.
const DENSE: u8 = 0;
const MAX_DENSE: u64 = 1 << 16;

/// Where the slots of a key lie in the layouts of one kind, beside the dense one.
pub trait Placement: Clone + Debug {
    /// The facts of the kind.
    const FACTS: &'static Facts;

    /// The largest log2 of the length of a segment; none if there is no such layout.
    fn max_log(layout: u8) -> Option<u8>;

    /// Whether a shard can have so many slots.
    fn fits(layout: u8, slots: u64, log: u8) -> bool;

    /// The slots of a key, of a shard of so many, from the mixed hash x; as many as the number of the layout says.
    fn slots(layout: u8, x: u64, slots: u64, log: u8) -> [u64; 4];
}

/// The sizes of a fuse or xor filter.
#[derive(Clone, Copy, Debug)]
struct SlotShape {
    /// Slots in all shards together.
    slots: u64,
    /// Bits of a slot and of a fingerprint: 1 to 32.
    slot_bits: u32,
    /// Parts of the array that were built separately, at least one.
    shards: u32,
    /// Slots of a shard: no division per key.
    shard_slots: u64,
    /// Which slots a key has: 0 (dense), 3, and of fuse filters 4.
    layout: u8,
    /// log2 of the length of a segment; 0 where there are none.
    segment_log: u8,
    /// Hashes that are stored as they are.
    residue: u64,
}

/// The rule of a fuse or xor filter.
#[derive(Clone, Debug)]
pub struct Slots<P> {
    shape: SlotShape,
    placement: PhantomData<P>,
}

impl SlotShape {
    /// Where the bytes of the rounds begin, one for each shard.
    fn rounds_at(&self) -> u64 {
        bytes_of(self.slots * u64::from(self.slot_bits))
    }

    fn residue(&self) -> Residue {
        Residue {
            at: self.rounds_at() + u64::from(self.shards),
            count: self.residue,
        }
    }

    /// The bytes of the payload.
    fn length(&self) -> u64 {
        self.rounds_at() + u64::from(self.shards) + 8 * self.residue
    }

    fn max_log<P: Placement>(&self) -> Option<u8> {
        match self.layout {
            DENSE => Some(0),
            other => P::max_log(other),
        }
    }

    fn slots_fit<P: Placement>(&self) -> bool {
        if self.slots > MAX_BITS / u64::from(self.slot_bits)
            || self.slots % u64::from(self.shards) != 0
        {
            return false;
        }
        match self.layout {
            DENSE => self.shard_slots <= MAX_DENSE,
            other => P::fits(other, self.shard_slots, self.segment_log),
        }
    }

    /// Slots of a key.
    fn arity(&self) -> usize {
        match self.layout {
            DENSE => 4,
            other => usize::from(other),
        }
    }
}

impl<P: Placement> Slots<P> {
    /// The shard of a key.
    fn shard(&self, key: Key) -> u64 {
        mulhi(key.raw(), u64::from(self.shape.shards))
    }

    /// The fingerprint of a key in a round of its shard, and its slots: three or four, by the layout.
    #[inline]
    pub fn places(&self, key: Key, round: u8) -> (u64, [u64; 4]) {
        let s = &self.shape;
        let h = key.raw();
        let y = h
            .wrapping_add(u64::from(round).wrapping_mul(0xd134_2543_de82_ef95))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (y ^ (y >> 32)).wrapping_mul(0xf135_7aea_2e62_a9c5);
        let own = s.shard_slots;
        let slots = match s.layout {
            DENSE => [0, 16, 32, 48].map(|shift| ((x >> shift & 0xffff) * own) >> 16),
            other => P::slots(other, x, own, s.segment_log),
        };
        let first = self.shard(key) * own;
        (y >> (64 - s.slot_bits), slots.map(|slot| first + slot))
    }

    /// The value of a slot; none if a byte of it is damaged.
    #[inline]
    fn slot(&self, payload: &impl Payload, slot: u64) -> Option<u64> {
        let width = self.shape.slot_bits;
        let bit = u64::from(width) * slot;
        let shift = (bit % 8) as u32;
        let bytes = payload.known(bit / 8, (shift + width + 7) / 8)?;
        Some(bytes >> shift & ((1 << width) - 1))
    }

    /// Whether the slots of a key have its fingerprint; none if a byte that this takes is damaged. A round that is not known gives
    /// no slots.
    #[inline]
    fn in_slots(&self, payload: &impl Payload, key: Key) -> Option<bool> {
        let round = payload.known(self.shape.rounds_at() + self.shard(key), 1)?;
        let (fingerprint, slots) = self.places(key, round as u8);
        let mut found = 0;
        for slot in &slots[..self.shape.arity()] {
            found ^= self.slot(payload, *slot)?;
        }
        Some(found == fingerprint)
    }
}

impl<P: Placement> Rule for Slots<P> {
    const FACTS: &'static Facts = P::FACTS;

    fn from_header(h: &Header) -> Result<Self, Error> {
        let p = &h.parameters;
        let mut residue = [0; 8];
        residue.copy_from_slice(&p[4..12]);
        let shards = u32::from_le_bytes([p[0], p[1], p[2], p[3]]);
        let shape = SlotShape {
            slots: h.units,
            slot_bits: h.hashes,
            shards,
            shard_slots: h.units / u64::from(shards.max(1)),
            layout: p[12],
            segment_log: p[13],
            residue: u64::from_le_bytes(residue),
        };
        // In the order of spec/container.md 8.
        h.expect_parameter(0, shape.shards >= 1)?;
        let log = shape.max_log::<P>();
        h.expect_parameter(12, log.is_some())?;
        h.expect_parameter(13, log.map_or(false, |most| shape.segment_log <= most))?;
        h.expect_units(shape.slots_fit::<P>())?;
        h.expect_parameter(4, shape.residue <= MAX_RESIDUE)?;
        Ok(Slots {
            shape,
            placement: PhantomData,
        })
    }

    fn bits(&self) -> u64 {
        8 * self.shape.length()
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        if self.shape.slots > 0 && self.in_slots(payload, key).unwrap_or(true) {
            return true;
        }
        self.shape.residue().may_contain(payload, key.raw())
    }

    /// Slots of a byte, which is what a rate of 0.4 % has, are read as bytes.
    #[inline]
    fn find(&self, words: &[u64], key: Key) -> bool {
        let s = &self.shape;
        if s.slot_bits != 8 || s.slots == 0 {
            return self.lookup(&Words(words), key);
        }
        let byte = |at: u64| words[(at / 8) as usize] >> (8 * (at % 8)) & 0xff;
        let (fingerprint, [a, b, c, d]) =
            self.places(key, byte(s.rounds_at() + self.shard(key)) as u8);
        let fourth = if s.arity() == 4 { byte(d) } else { 0 };
        byte(a) ^ byte(b) ^ byte(c) ^ fourth == fingerprint
            || s.residue().may_contain(&Words(words), key.raw())
    }
}
