//! What fuse and xor filters (spec/filters.md 10 and 11) share, as they are read: the exclusive or of the slots of a key is its
//! fingerprint.

use crate::container::Header;
use crate::cuckoo::mulhi;
use crate::error::{Code, Error};
use crate::hash::{Hasher, Key, KeySource};
#[cfg(feature = "std")]
use crate::kind::Words;
use crate::kind::{bytes_of, Calls, Damage, Facts, HashCount, Kind, Parameter, Payload, ANY_HASH};
use crate::residue::Residue;
use core::fmt::Debug;
use core::marker::PhantomData;

const MAX_SLOT: u32 = 32;
const MAX_BITS: u64 = 1 << 48;
const MAX_RESIDUE: u64 = 1 << 40;
/// The number of the layout that both kinds have: four slots anywhere in a small shard.
const DENSE: u8 = 0;
const MAX_DENSE: u64 = 1 << 16;

/// Where the slots of a key lie in the layouts of one kind, beside the dense one.
pub trait Placement: Clone + Debug + PartialEq {
    /// The number of the kind.
    const NUMBER: u8;
    /// Its name.
    const NAME: &'static str;

    /// The largest log2 of the length of a segment; none if there is no such layout.
    fn max_log(layout: u8) -> Option<u8>;

    /// Whether a shard can have so many slots.
    fn fits(layout: u8, slots: u64, log: u8) -> bool;

    /// Slots of a segment or block: a key has one in each of several that are adjacent, all of these equally likely.
    fn part(slots: u64, log: u8) -> u64;

    /// The slots of a key, of a shard of so many, from the mixed hash x; as many as the number of the layout says.
    fn slots(layout: u8, x: u64, slots: u64, log: u8) -> [u64; 4];
}

/// The sizes of a fuse or xor filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotShape {
    /// Slots in all shards together.
    pub slots: u64,
    /// Bits of a slot and of a fingerprint: 1 to 32.
    pub slot_bits: u32,
    /// Parts of the array that were built separately, at least one.
    pub shards: u32,
    /// Which slots a key has: 0 (dense), 3, and of fuse filters 4.
    pub layout: u8,
    /// log2 of the length of a segment; 0 where there are none.
    pub segment_log: u8,
    /// Hashes that are stored as they are.
    pub residue: u64,
}

/// The shape of a fuse or xor filter, and its hasher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots<P> {
    shape: SlotShape,
    hasher: Hasher,
    placement: PhantomData<P>,
}

impl SlotShape {
    fn shard_slots(&self) -> u64 {
        self.slots / u64::from(self.shards)
    }

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
            DENSE => self.shard_slots() <= MAX_DENSE,
            other => P::fits(other, self.shard_slots(), self.segment_log),
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
    /// The facts of the kind.
    pub const FACTS: Facts = Facts {
        number: P::NUMBER,
        name: P::NAME,
        hashes: ANY_HASH,
        seed: true,
        profiles: &[0],
        k: HashCount::Between(1, MAX_SLOT),
        units: "slots",
        limit: Some(("max_bits", MAX_BITS)),
        payload: "slots",
        parameters: &[
            Parameter {
                name: "shards",
                bytes: 4,
            },
            Parameter {
                name: "residue",
                bytes: 8,
            },
            Parameter {
                name: "layout",
                bytes: 1,
            },
            Parameter {
                name: "segment_log",
                bytes: 1,
            },
        ],
        damage: Damage::Perhaps,
        sentinels: true,
        keys: true,
        forgets: false,
        can: &[],
    };

    /// A shape that the kind has.
    pub fn new(shape: SlotShape, hasher: Hasher) -> Result<Self, Error> {
        let log = shape.max_log::<P>();
        if !(1..=MAX_SLOT).contains(&shape.slot_bits)
            || shape.shards == 0
            || log.map_or(true, |most| shape.segment_log > most)
        {
            return Err(Error::invalid(
                "a filter of slots has 1 to 32 bits in each, one shard at least, and a layout of its kind",
            ));
        }
        if shape.slots > MAX_BITS / u64::from(shape.slot_bits) || shape.residue > MAX_RESIDUE {
            let what = "a filter of slots has at most 2^48 bits, and 2^40 hashes beside them";
            return Err(Error::new(Code::TooLarge, what));
        }
        if !shape.slots_fit::<P>() {
            return Err(Error::invalid("the layout has no such number of slots"));
        }
        Ok(Slots {
            shape,
            hasher,
            placement: PhantomData,
        })
    }

    /// Its sizes.
    pub fn shape(&self) -> &SlotShape {
        &self.shape
    }

    /// The shard of a key.
    pub fn shard(&self, key: Key) -> u64 {
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
        let own = s.shard_slots();
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

    /// Slots that are not 0, and those that are damaged.
    fn census(&self, payload: &impl Payload) -> (u64, u64) {
        let (mut taken, mut damaged) = (0, 0);
        for slot in 0..self.shape.slots {
            match self.slot(payload, slot) {
                None => damaged += 1,
                Some(value) => taken += u64::from(value != 0),
            }
        }
        (taken, damaged)
    }

    /// The rate of a fingerprint: 2^-r.
    fn by_chance(&self) -> f64 {
        1.0 / (1u64 << self.shape.slot_bits) as f64
    }

    /// Each key but those of the residue determines a slot, whose value is uniform; the others are 0 (spec/model.md 11).
    fn keys(&self, taken: u64, damaged: u64) -> f64 {
        let all = self.shape.slots;
        if all == 0 {
            return self.shape.residue as f64;
        }
        if damaged == all {
            return f64::INFINITY;
        }
        let intact = (all - damaged) as f64 / all as f64;
        taken as f64 / ((1.0 - self.by_chance()) * intact) + self.shape.residue as f64
    }

    /// The share of a part of the array that is not damaged.
    #[cfg(feature = "std")]
    fn intact(&self, payload: &impl Payload, from: u64, slots: u64) -> f64 {
        let known = (from..from + slots).filter(|slot| self.slot(payload, *slot).is_some());
        known.count() as f64 / slots as f64
    }

    /// The share of the lookups in a shard that read no damaged byte.
    #[cfg(feature = "std")]
    fn trusted(&self, payload: &impl Payload, shard: u64) -> f64 {
        let s = &self.shape;
        if payload.known(s.rounds_at() + shard, 1).is_none() {
            return 0.0;
        }
        let own = s.shard_slots();
        let first = shard * own;
        if s.layout == DENSE {
            return self.intact(payload, first, own).powi(4);
        }
        let part = P::part(own, s.segment_log);
        let (parts, arity) = (own / part, s.arity());
        // The last parts that were looked at.
        let mut recent = [1.0; 4];
        let mut sum = 0.0;
        for i in 0..parts {
            recent[i as usize % arity] = self.intact(payload, first + i * part, part);
            if i + 1 >= arity as u64 {
                sum += recent[..arity].iter().product::<f64>();
            }
        }
        sum / (parts - arity as u64 + 1) as f64
    }

    /// With the lookups that read damaged bytes.
    #[cfg(feature = "std")]
    fn rate(&self, payload: &impl Payload) -> f64 {
        let s = &self.shape;
        if !s.residue().is_known(payload) {
            return 1.0;
        }
        let (taken, damaged) = self.census(payload);
        let alike = self.keys(taken, damaged) / 2f64.powi(64);
        if s.slots == 0 {
            return alike.min(1.0);
        }
        let shards = 0..u64::from(s.shards);
        let trusted: f64 = shards.map(|shard| self.trusted(payload, shard)).sum();
        let passing = (self.by_chance() + alike).min(1.0);
        1.0 - trusted / f64::from(s.shards) * (1.0 - passing)
    }
}

impl<P: Placement> Kind for Slots<P> {
    const KINDS: &'static [&'static Facts] = &[&Slots::<P>::FACTS];

    type Calls = Self;

    fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    fn of(mut self, source: KeySource) -> Self {
        self.hasher = self.hasher.of(source);
        self
    }

    fn bits(&self) -> u64 {
        8 * self.shape.length()
    }

    /// The bits of a slot, which files keep in the place of a number of hashes.
    fn hashes(&self) -> u32 {
        self.shape.slot_bits
    }

    fn units(&self) -> u64 {
        self.shape.slots
    }

    fn parameters(&self) -> [u8; 24] {
        let mut p = [0; 24];
        p[..4].copy_from_slice(&self.shape.shards.to_le_bytes());
        p[4..12].copy_from_slice(&self.shape.residue.to_le_bytes());
        p[12] = self.shape.layout;
        p[13] = self.shape.segment_log;
        p
    }

    fn from_header(h: &Header, hasher: Hasher) -> Result<Self, Error> {
        let p = &h.parameters;
        let mut residue = [0; 8];
        residue.copy_from_slice(&p[4..12]);
        let shape = SlotShape {
            slots: h.units,
            slot_bits: h.hashes,
            shards: u32::from_le_bytes([p[0], p[1], p[2], p[3]]),
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
        h.expect_payload(shape.length())?;
        Slots::new(shape, hasher)
    }

    #[inline]
    fn lookup(&self, payload: &impl Payload, key: Key) -> bool {
        if self.shape.slots > 0 && self.in_slots(payload, key).unwrap_or(true) {
            return true;
        }
        self.shape.residue().may_contain(payload, key.raw())
    }

    #[cfg(feature = "std")]
    fn expected_fpr(&self, keys: u64) -> f64 {
        if keys == 0 {
            return 0.0;
        }
        self.by_chance() + keys as f64 / 2f64.powi(64)
    }

    #[cfg(feature = "std")]
    fn realised_fpr(&self, words: &[u64], _: u64) -> f64 {
        self.rate(&Words(words))
    }

    #[cfg(feature = "std")]
    fn damaged_fpr(&self, payload: &impl Payload, _: &[u64], _: u64, _: f64) -> f64 {
        self.rate(payload)
    }

    #[cfg(feature = "std")]
    fn keys_of(&self, words: &[u64], _: u64) -> f64 {
        let (taken, damaged) = self.census(&Words(words));
        self.keys(taken, damaged)
    }

    #[cfg(feature = "std")]
    fn damaged_keys(&self, payload: &impl Payload, _: &[u64], _: u64) -> f64 {
        let (taken, damaged) = self.census(payload);
        self.keys(taken, damaged)
    }

    fn fill_of(&self, payload: &impl Payload, _: u64) -> f64 {
        if self.shape.slots == 0 {
            return if self.shape.residue == 0 { 0.0 } else { 1.0 };
        }
        let (taken, damaged) = self.census(payload);
        (self.keys(taken, damaged) / self.shape.slots as f64).min(1.0)
    }
}

/// It is only read: all keys were built in by the program that made it.
impl<P: Placement> Calls<Slots<P>> for Slots<P> {}
