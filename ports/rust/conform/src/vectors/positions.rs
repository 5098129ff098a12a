//! The bits of a key, in each kind.

use super::{same, shape, Report};
use crate::json::Value;
use bloomery::{AnyKind, Key, Kind};

fn case(kind: &AnyKind, row: &Value) -> Option<Result<(), String>> {
    let hash = row.hex("hash")?;
    if let Some(text) = row.text("text") {
        let hashed = kind.hasher().key(text.as_bytes()).raw();
        if let Err(e) = same("hash", hashed, hash) {
            return Some(Err(e));
        }
    }
    let positions = kind.positions(Key::from_raw(hash)).ok()?;
    // A walk over fewer bits than hashes ends once it repeats itself: the rest of the row must be such a repetition.
    let places = || Some(vec![row.u64("tag")?, row.u64("first")?, row.u64("second")?]);
    let mut wanted = row.numbers("positions").or_else(places)?;
    if positions.len() < wanted.len() && positions.len() as u64 == kind.bits() {
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

pub(super) fn check(kind: &str, v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        r.case(row, |row| case(&shape(kind, row)?, row));
    }
}
