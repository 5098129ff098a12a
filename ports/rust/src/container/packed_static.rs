//! Packed sets of static filters (spec/container.md 6.1): small filters that are built from all keys at once, and a directory
//! behind them that has what a header would have of each.

use super::checked::{Checked, Reads};
use super::header::{u32_at, u64_at, Header};
use crate::any::AnyKind;
use crate::error::Error;
use crate::hash::{Hasher, Key};
use crate::kind::{Facts, Kind, CHUNK};

/// The facts of the kind.
pub(crate) const FACTS: Facts = crate::kinds::PACKED_STATIC;

/// The bytes of the directory for each member.
const ENTRY: u64 = 48;

/// The facts of the kind of the members, which are built of all keys at once.
pub(super) fn member_facts(number: u8) -> Option<&'static Facts> {
    let facts = crate::any::facts_of(number)?;
    Some(facts).filter(|f| f.built)
}

/// What a header of this kind must hold.
pub(super) fn check(h: &Header) -> Result<(), Error> {
    h.expect_facts(&FACTS)?;
    h.expect_units(h.units >= 1 && h.units <= h.payload_length / ENTRY)?;
    h.expect_payload(if h.payload_length % 8 == 0 {
        h.payload_length
    } else {
        !h.payload_length
    })
}

/// Where the member after one that ends here begins.
fn begin_after(end: u64) -> Option<u64> {
    end.checked_add(7).map(|e| e / 8 * 8)
}

/// Whether all bytes of a part of the payload are intact.
fn intact<B: AsRef<[u8]>>(c: &Checked<B>, at: u64, length: u64) -> bool {
    length == 0 || (at / CHUNK..=(at + length - 1) / CHUNK).all(|i| c.is_intact(i as usize))
}

/// The header that a container of the member alone would have, and where its bytes begin; none where the directory cannot be
/// believed.
fn member_of<B: AsRef<[u8]>>(c: &Checked<B>, member: u64) -> Option<(Header, u64)> {
    let h = &c.header;
    let directory = h.payload_length - ENTRY * h.units;
    let at = directory + ENTRY * member;
    let first = if member > 0 { at - ENTRY } else { at };
    if !intact(c, first, at + ENTRY - first) {
        return None;
    }
    let before = if member > 0 {
        u64_at(c.payload(), first as usize)
    } else {
        0
    };
    let entry = &c.payload()[at as usize..(at + ENTRY) as usize];
    let (begin, end) = (begin_after(before)?, u64_at(entry, 0));
    let last = member + 1 == h.units;
    if begin > end || end > directory || u32_at(entry, 20) != 0 {
        return None;
    }
    if last && begin_after(end) != Some(directory) {
        return None;
    }
    let mut of = Header {
        kind: h.member_kind,
        member_kind: 0,
        units: u64_at(entry, 8),
        hashes: u32_at(entry, 16),
        payload_length: end - begin,
        ..h.clone()
    };
    of.parameters.copy_from_slice(&entry[24..]);
    let unused = member_facts(of.kind)?.parameter_bytes();
    if of.parameters[unused..].iter().any(|b| *b != 0) {
        return None;
    }
    Some((of, begin))
}

/// Whether a key is possibly in a member, whose number must be below that of the members. A member with a damaged byte answers so
/// for every key.
pub(super) fn may_contain<B: AsRef<[u8]>>(
    c: &Checked<B>,
    hasher: Hasher,
    member: u64,
    key: Key,
) -> bool {
    let (header, begin) = match member_of(c, member) {
        Some(found) => found,
        None => return true,
    };
    if !intact(c, begin, header.payload_length) {
        return true;
    }
    match AnyKind::from_header(&header, hasher) {
        Ok(kind) => Reads::new(c, begin, FACTS.damage).may_contain(&kind, key),
        Err(_) => true,
    }
}
