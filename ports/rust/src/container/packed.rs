//! Packed sets (spec/container.md 6): many small filters of blocks, and a directory behind them.

use super::checked::{Checked, Reads};
use super::header::Header;
use crate::any::AnyKind;
use crate::block::block_form;
use crate::error::Error;
use crate::hash::{Hasher, Key};
use crate::kind::{Facts, Kind};

/// The facts of the kind. Hash, seed, profile and k are those of the members' kind.
pub(crate) const FACTS: Facts = crate::kinds::PACKED;

/// The kinds that members can have.
const MEMBERS: [&Facts; 2] = [&crate::kinds::BLOCK, &crate::kinds::SPLIT_BLOCK];

/// The facts of the kind of the members.
pub(super) fn member_facts(number: u8) -> Option<&'static Facts> {
    MEMBERS.iter().copied().find(|f| f.number == number)
}

/// The bytes of a member's block, by the profile.
fn block_bytes(profile: u8) -> u64 {
    block_form(profile).map_or(1, |form| form.0)
}

/// What a header of this kind must hold.
pub(super) fn check(h: &Header) -> Result<(), Error> {
    let facts = member_facts(h.member_kind).unwrap_or(&FACTS);
    // Not every profile of the members' kind.
    let profiles = if FACTS.profiles.contains(&h.profile) {
        facts.profiles
    } else {
        &[]
    };
    h.expect_facts(&Facts { profiles, ..*facts })?;
    let directory = 8 * (u128::from(h.units) + 1);
    h.expect_units(h.units >= 1 && directory <= u128::from(h.payload_length))?;
    let blocks = h.payload_length - directory as u64;
    let whole = h.payload_length % 8 == 0 && blocks % block_bytes(h.profile) == 0;
    h.expect_payload(if whole {
        h.payload_length
    } else {
        !h.payload_length
    })
}

/// The blocks of a member, from and to; none where the directory cannot be believed.
fn blocks_of<B: AsRef<[u8]>>(c: &Checked<B>, member: u64) -> Option<(u64, u64)> {
    let h = &c.header;
    let directory = (h.payload_length - 8 * (h.units + 1)) as usize;
    let total = directory as u64 / block_bytes(h.profile);
    let entry = |i: u64| c.number(directory + 8 * i as usize);
    let (from, to) = (entry(member)?, entry(member + 1)?);
    let ends = (member > 0 || from == 0) && (member + 1 < h.units || to == total);
    if from <= to && to <= total && ends {
        Some((from, to))
    } else {
        None
    }
}

/// Whether a key is possibly in a member, whose number must be below that of the members.
pub(super) fn may_contain<B: AsRef<[u8]>>(
    c: &Checked<B>,
    hasher: Hasher,
    member: u64,
    key: Key,
) -> bool {
    let (from, to) = match blocks_of(c, member) {
        Some(blocks) => blocks,
        None => return true,
    };
    if from == to {
        return false;
    }
    let size = block_bytes(c.header.profile);
    match AnyKind::from_header(&c.header.of_member(to - from, size), hasher) {
        Ok(kind) => Reads::new(c, from * size, FACTS.damage).may_contain(&kind, key),
        Err(_) => true,
    }
}
