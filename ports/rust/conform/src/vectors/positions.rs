//! The bits of a key, in each kind.

use super::{same, shape, Report};
use crate::json::Value;
use bloomery::{AnyKind, Equation, Key, Kind, Ribbon};

fn case(kind: &AnyKind, row: &Value) -> Option<Result<(), String>> {
    let hash = row.hex("hash")?;
    if let Some(text) = row.text("text") {
        let hashed = kind.hasher().key(text.as_bytes()).raw();
        if let Err(e) = same("hash", hashed, hash) {
            return Some(Err(e));
        }
    }
    let key = Key::from_raw(hash);
    match kind {
        AnyKind::Ribbon(own) => return equations(own.rule(), key, row),
        AnyKind::Fuse(own) => return slots(row, |round| own.rule().places(key, round)),
        AnyKind::Xor(own) => return slots(row, |round| own.rule().places(key, round)),
        AnyKind::Scalable(_) => return levels(kind, key, row),
        AnyKind::Quotient(_) => {
            let fingerprint = row.hex("fingerprint")?;
            let wanted = vec![fingerprint, row.u64("quotient")?, row.u64("remainder")?];
            return Some(same("positions", kind.positions(key).ok()?, wanted));
        }
        _ => {}
    }
    let positions = kind.positions(key).ok()?;
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

/// The fingerprint of a key and its slots, in a round of its shard.
fn slots(row: &Value, places: impl Fn(u8) -> (u64, [u64; 4])) -> Option<Result<(), String>> {
    let (fingerprint, slots) = places(u8::try_from(row.u64("round")?).ok()?);
    let wanted = row.numbers("positions")?;
    let count = match row.u64("layout")? {
        0 => 4,
        other => other as usize,
    };
    let got = slots.get(..count)?.to_vec();
    let positions = same("positions", got, wanted);
    Some(positions.and(same("fingerprint", fingerprint, row.u64("fingerprint")?)))
}

/// The bits of a key in every level.
fn levels(kind: &AnyKind, key: Key, row: &Value) -> Option<Result<(), String>> {
    let levels = row.rows("positions");
    let wanted = levels.iter().flat_map(|level| level.list());
    let wanted: Option<Vec<u64>> = wanted.map(Value::whole).collect();
    let count = same("levels", levels.len() as u64, row.u64("levels")?);
    Some(count.and(same("positions", kind.positions(key).ok()?, wanted?)))
}

/// What a key has in every layer, and in the last.
fn equations(kind: &Ribbon, key: Key, row: &Value) -> Option<Result<(), String>> {
    let shape = kind.shape();
    let (window, bucket, segment) = match shape.window {
        64 => (64, 128, 512),
        _ => (128, 512, 256),
    };
    let layers = row.rows("layers");
    let mut result = Ok(());
    for (i, wanted) in layers.iter().enumerate() {
        let e = kind.equation(key, i)?;
        let buckets = u64::from(shape.buckets[i]);
        let slots = buckets / (buckets / segment).max(1) * bucket;
        let place = wanted.u64("segment")? * slots + wanted.u64("start")?;
        result = result
            .and(same("slot", e.slot, place))
            .and(same("bucket", e.slot / bucket, wanted.u64("bucket")?))
            .and(same("position", e.slot % bucket, wanted.u64("position")?))
            .and(same("block", e.slot / window, wanted.u64("block")?))
            .and(same("shift", e.slot % window, wanted.u64("shift")?))
            .and(equation(&e, wanted, window as usize / 4)?);
    }
    let last = kind.equation(key, layers.len());
    Some(match (last, row.get("last")) {
        (None, None) => result,
        (Some(e), Some(wanted)) => result
            .and(same("start", e.slot, wanted.u64("start")?))
            .and(equation(&e, wanted, 16)?),
        _ => Err("a last layer, or none".to_string()),
    })
}

fn equation(e: &Equation, wanted: &Value, digits: usize) -> Option<Result<(), String>> {
    let coefficients = format!("{:01$x}", e.coefficients, digits);
    let fingerprint = u64::from(e.fingerprint);
    let columns = u64::from(e.columns);
    Some(
        same(
            "coefficients",
            coefficients.as_str(),
            wanted.text("coefficients")?,
        )
        .and(same("fingerprint", fingerprint, wanted.u64("fingerprint")?))
        .and(same("columns", columns, wanted.u64("columns")?)),
    )
}

pub(super) fn check(kind: &str, v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        r.case(row, |row| case(&shape(kind, row)?, row));
    }
}
