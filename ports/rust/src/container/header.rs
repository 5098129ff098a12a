//! The first 128 bytes of a container (spec/container.md 2), and where everything else lies.

use super::crc32c::crc32c;
use super::{foreign, packed, packed_static};
use crate::any::{facts_of, AnyKind};
use crate::error::Error;
use crate::hash::Hasher;
use crate::kind::{Facts, Kind, CHUNK};
use alloc::format;
use core::ops::Range;

/// Its length.
pub const HEADER: usize = 128;
/// Where the parameters of the kind lie.
pub(super) const PARAMETERS: Range<usize> = 100..124;
const MAGIC: [u8; 8] = [0x89, 0x42, 0x4c, 0x4d, 0x0d, 0x0a, 0x1a, 0x0a];
/// From this length on the payload begins at a page.
const LONG: u64 = 65536;
const PAGE: u64 = 4096;

/// The fields of a header; read by [`inspect`](super::inspect).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// The number of the kind.
    pub kind: u8,
    /// The number of the profile of blocks; 0 for kinds without.
    pub profile: u8,
    /// Flags; those of bits 16 to 31 may be set and not known.
    pub flags: u32,
    /// The number of the hash function.
    pub hash: u8,
    /// The number of sentinels.
    pub sentinels: u8,
    /// The kind of the members of a packed set; otherwise 0.
    pub member_kind: u8,
    /// Bits that a key has.
    pub hashes: u32,
    /// Bits, blocks or members.
    pub units: u64,
    /// The seed of the hash.
    pub seed: u64,
    /// The hash of "bloomery".
    pub check: u64,
    /// The rate that was requested; 0: not recorded.
    pub asked_fpr: f64,
    /// The keys it was sized for; 0: not recorded.
    pub capacity: u64,
    /// Distinct keys that its builder counted; 0: unknown.
    pub keys: u64,
    /// Where the payload begins.
    pub payload_offset: u64,
    /// The bytes of the payload.
    pub payload_length: u64,
    /// Set bits of the payload when it was written.
    pub ones: u64,
    /// The bytes of the notes.
    pub notes_length: u32,
    /// The parameters of the kind; 0 for kinds that have none, unless a flag gives these bytes a meaning.
    pub parameters: [u8; 24],
}

/// What a container holds: a filter of our kinds, or what is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Filter,
    Packed,
    Foreign,
}

pub(super) fn u16_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

pub(super) fn u32_at(b: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]])
}

pub(super) fn u64_at(b: &[u8], at: usize) -> u64 {
    u64::from(u32_at(b, at)) | u64::from(u32_at(b, at + 4)) << 32
}

impl Header {
    /// Reads and checks the header, in the order of spec/container.md 8. `length` is that of the file, where it is known.
    pub(super) fn parse(b: &[u8], length: Option<u64>) -> Result<Self, Error> {
        if b.len() < HEADER {
            return Err(Error::corrupt(
                b.len() as u64,
                "shorter than the header of a container",
            ));
        }
        if b[..8] != MAGIC {
            return Err(Error::corrupt(0, "not a container"));
        }
        if crc32c(&b[..124]) != u32_at(b, 124) {
            return Err(Error::corrupt(124, "the header is damaged"));
        }
        let version = u16_at(b, 8);
        if version != 1 {
            return Err(Error::unsupported(
                8,
                format!("version {} of the container", version),
            ));
        }
        let mut h = Header {
            kind: b[10],
            profile: b[11],
            flags: u32_at(b, 12),
            hash: b[16],
            sentinels: b[18],
            member_kind: b[19],
            hashes: u32_at(b, 20),
            units: u64_at(b, 24),
            seed: u64_at(b, 32),
            check: u64_at(b, 40),
            asked_fpr: f64::from_bits(u64_at(b, 48)),
            capacity: u64_at(b, 56),
            keys: u64_at(b, 64),
            payload_offset: u64_at(b, 72),
            payload_length: u64_at(b, 80),
            ones: u64_at(b, 88),
            notes_length: u32_at(b, 96),
            parameters: [0; 24],
        };
        h.parameters.copy_from_slice(&b[PARAMETERS]);
        if h.flags & 0xffff != 0 {
            let flag = h.flags.trailing_zeros();
            return Err(Error::unsupported(
                12,
                format!("flag {} is not known", flag),
            ));
        }
        let facts = facts_of(h.kind)
            .ok_or_else(|| Error::unsupported(10, format!("kind {} is not known", h.kind)))?;
        if !(1..=4).contains(&h.hash) {
            return Err(Error::unsupported(
                16,
                format!("hash {} is not known", h.hash),
            ));
        }
        let unused = &h.parameters[facts.parameter_bytes()..];
        if h.flags == 0 && unused.iter().any(|b| *b != 0) {
            let what = "bytes that the kind does not use are not zero";
            return Err(Error::corrupt(PARAMETERS.start as u64, what));
        }
        let packed = h.holds() == Holds::Packed;
        let members = if h.kind == packed::FACTS.number {
            packed::member_facts(h.member_kind).is_some()
        } else if packed {
            packed_static::member_facts(h.member_kind).is_some()
        } else {
            h.member_kind == 0
        };
        if !members {
            return Err(Error::corrupt(19, "an impossible kind of members"));
        }
        if b[17] != 12 {
            return Err(Error::corrupt(17, "an impossible size of chunks"));
        }
        if h.sentinels > 8 {
            return Err(Error::corrupt(18, "too many sentinels"));
        }
        if !is_rate(h.asked_fpr) {
            return Err(Error::corrupt(48, "an impossible rate"));
        }
        if let Some(length) = length.filter(|l| h.payload_length > *l) {
            return Err(Error::corrupt(
                length,
                "the payload is longer than the file",
            ));
        }
        if h.payload_offset != offset_of(h.kind, h.payload_length) {
            return Err(Error::corrupt(72, "an impossible place for the payload"));
        }
        if let Some(length) = length {
            let total = h.file_length();
            if total != u128::from(length) {
                let shorter = total.min(u128::from(length)) as u64;
                return Err(Error::corrupt(
                    shorter,
                    "the file has not the length its header adds up to",
                ));
            }
        }
        if !packed && u128::from(h.ones) > 8 * u128::from(h.payload_length) {
            return Err(Error::corrupt(88, "more ones than bits"));
        }
        h.expect_counts(facts)?;
        match h.holds() {
            Holds::Foreign => foreign::check(&h)?,
            Holds::Packed if h.kind == packed::FACTS.number => packed::check(&h)?,
            Holds::Packed => packed_static::check(&h)?,
            Holds::Filter => {
                AnyKind::from_header(&h, h.placeholder())?;
            }
        }
        Ok(h)
    }

    /// What such a container holds.
    pub(super) fn holds(&self) -> Holds {
        if self.kind == foreign::FACTS.number {
            Holds::Foreign
        } else if is_packed(self.kind) {
            Holds::Packed
        } else {
            Holds::Filter
        }
    }

    /// The facts of its kind.
    pub fn facts(&self) -> Option<&'static Facts> {
        facts_of(self.kind)
    }

    /// The hasher that the header names, with any secret: for checks that do not hash.
    pub(super) fn placeholder(&self) -> Hasher {
        Hasher::from_id(self.hash, self.seed, Some([0; 16])).unwrap_or_default()
    }

    /// The same fields for a filter of a member's kind, so many blocks long.
    pub(super) fn of_member(&self, blocks: u64, block_bytes: u64) -> Header {
        Header {
            kind: self.member_kind,
            units: blocks,
            payload_length: blocks * block_bytes,
            ..self.clone()
        }
    }

    /// The length of payload and padding.
    pub(super) fn padded(&self) -> u128 {
        (u128::from(self.payload_length) + 63) / 64 * 64
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> u64 {
        ((self.padded() + u128::from(CHUNK) - 1) / u128::from(CHUNK)) as u64
    }

    /// Where the sentinels begin, or what follows.
    pub(super) fn tail(&self) -> u128 {
        u128::from(self.payload_offset) + self.padded()
    }

    /// The length of the whole file.
    pub fn file_length(&self) -> u128 {
        self.tail()
            + 8 * u128::from(self.sentinels)
            + 4 * u128::from(self.chunks())
            + u128::from(self.notes_length)
            + 4
    }

    /// The name of the kind.
    pub fn kind_name(&self) -> &'static str {
        self.facts().map_or("unknown", |f| f.name)
    }

    /// The 128 bytes.
    pub(super) fn to_bytes(&self) -> [u8; HEADER] {
        let mut b = [0; HEADER];
        b[..8].copy_from_slice(&MAGIC);
        b[8] = 1;
        b[10] = self.kind;
        b[11] = self.profile;
        b[12..16].copy_from_slice(&self.flags.to_le_bytes());
        b[16] = self.hash;
        b[17] = 12;
        b[18] = self.sentinels;
        b[19] = self.member_kind;
        b[20..24].copy_from_slice(&self.hashes.to_le_bytes());
        let words = [
            self.units,
            self.seed,
            self.check,
            self.asked_fpr.to_bits(),
            self.capacity,
            self.keys,
            self.payload_offset,
            self.payload_length,
            self.ones,
        ];
        for (to, word) in b[24..96].chunks_exact_mut(8).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        b[96..100].copy_from_slice(&self.notes_length.to_le_bytes());
        b[PARAMETERS].copy_from_slice(&self.parameters);
        let crc = crc32c(&b[..124]);
        b[124..].copy_from_slice(&crc.to_le_bytes());
        b
    }
}

/// Whether a header may hold a rate that was requested; 0 is not recorded.
pub(super) fn is_rate(fpr: f64) -> bool {
    (0.0..1.0).contains(&fpr)
}

/// Whether containers of this kind hold many filters.
fn is_packed(kind: u8) -> bool {
    kind == packed::FACTS.number || kind == packed_static::FACTS.number
}

/// Where the payload of this kind and length begins.
pub(super) fn offset_of(kind: u8, payload_length: u64) -> u64 {
    if is_packed(kind) || payload_length >= LONG {
        PAGE
    } else {
        HEADER as u64
    }
}
