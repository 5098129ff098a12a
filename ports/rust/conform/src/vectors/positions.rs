//! The bits of a key, in each kind.

use super::{same, Report};
use crate::json::Value;
use bloomery::{Block, Classic, Hasher, Key, Kind, Portable, Profile, SplitBlock};

/// The profile of a name.
pub(super) fn profile(name: &str) -> Option<Profile> {
    [Profile::HalfLine, Profile::Line, Profile::TwoLines]
        .into_iter()
        .find(|p| p.name() == name)
}

fn case(kind: &impl Kind, row: &Value) -> Option<Result<(), String>> {
    let hash = row.hex("hash")?;
    if let Some(text) = row.text("text") {
        let hashed = kind.hasher().key(text.as_bytes()).raw();
        if let Err(e) = same("hash", hashed, hash) {
            return Some(Err(e));
        }
    }
    let mut positions = Vec::new();
    kind.probe(Key::from_raw(hash), |bit| {
        positions.push(bit);
        true
    });
    // A walk over fewer bits than hashes ends once it repeats itself: the rest of the row must be such a repetition.
    let mut wanted = row.numbers("positions")?;
    if kind.number() == Portable::NUMBER && positions.len() as u64 == kind.bits() {
        let round = positions.len();
        if wanted
            .iter()
            .enumerate()
            .any(|(i, p)| *p != wanted[i % round])
        {
            return Some(Err("a walk that does not repeat itself".to_string()));
        }
        wanted.truncate(round);
    }
    Some(same("positions", positions, wanted))
}

pub(super) fn portable(v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        r.case(row, |row| {
            let k = row.u64("hashes")? as u32;
            case(&Portable::new(row.u64("bits")?, k).ok()?, row)
        });
    }
}

pub(super) fn block(v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        r.case(row, |row| {
            let p = profile(row.text("profile")?)?;
            case(
                &Block::new(p, row.u64("blocks")?, Hasher::DEFAULT).ok()?,
                row,
            )
        });
    }
}

pub(super) fn split_block(v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        r.case(row, |row| {
            case(&SplitBlock::new(row.u64("blocks")?).ok()?, row)
        });
    }
}

pub(super) fn bloom(v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        r.case(row, |row| {
            let k = row.u64("hashes")? as u32;
            case(
                &Classic::new(row.u64("bits")?, k, Hasher::DEFAULT).ok()?,
                row,
            )
        });
    }
}
