//! Sizes and rates of the portable filter.

use super::{same, Report};
use crate::json::Value;
use crate::keys::texts;
use bloomery::{BitKind, Error, FilterOf, Kind, Portable};

/// Within 1e-6, relatively.
fn near(what: &str, got: f64, wanted: f64) -> Result<(), String> {
    if got == wanted || (got - wanted).abs() <= 1e-6 * wanted.abs() {
        Ok(())
    } else {
        Err(format!("{} is {:e}, not {:e}", what, got, wanted))
    }
}

fn size(row: &Value, kind: Result<Portable, Error>) -> Option<Result<(), String>> {
    Some(match (kind, row.text("error")) {
        (Err(e), Some(code)) => same("error", e.code().name(), code),
        (Ok(kind), None) => same("bits", kind.bits(), row.u64("bits")?).and(same(
            "hashes",
            u64::from(kind.hashes()),
            row.u64("hashes")?,
        )),
        (Err(e), None) => Err(e.to_string()),
        (Ok(_), Some(code)) => Err(format!("not refused as {}", code)),
    })
}

pub(super) fn sizing(v: &Value, r: &mut Report) {
    for row in v.rows("by_rate") {
        r.case(row, |row| {
            let kind = Portable::by_rate(row.u64("keys")?, row.f64("fpr")?);
            size(row, kind)
        });
    }
    for row in v.rows("by_bits_per_key") {
        r.case(row, |row| {
            let kind = Portable::by_bits_per_key(row.u64("keys")?, row.f64("bits_per_key")?);
            size(row, kind)
        });
    }
    for row in v.rows("by_memory") {
        r.case(row, |row| {
            let kind = Portable::by_memory(row.u64("keys")?, row.u64("bytes")?);
            size(row, kind)
        });
    }
}

fn shape(row: &Value) -> Option<Portable> {
    Portable::new(row.u64("bits")?, row.u64("hashes")? as u32).ok()
}

pub(super) fn rates(v: &Value, r: &mut Report) {
    for row in v.rows("expected") {
        r.case(row, |row| {
            let got = shape(row)?.expected_fpr(row.u64("keys")?);
            Some(near("fpr", got, row.f64("fpr")?))
        });
    }
    for row in v.rows("promises") {
        r.case(row, |row| {
            let (keys, asked) = (row.u64("keys")?, row.f64("asked")?);
            let promise = Portable::by_rate(keys, asked).ok()?.promise(keys, asked);
            let verdict = same("verdict", promise.verdict.name(), row.text("verdict")?);
            Some(verdict.and(near("true", promise.true_fpr, row.f64("true")?)))
        });
    }
    for row in v.rows("realised") {
        r.case(row, |row| {
            let mut f = FilterOf::empty(shape(row)?).ok()?;
            f.extend(texts("k", 0, u64::MAX - 1).take(row.u64("inserted")? as usize));
            // JSON has no infinity.
            let keys = row.f64("estimated_keys").unwrap_or(f64::INFINITY);
            Some(
                same("ones", f.ones(), row.u64("ones")?)
                    .and(near("fpr", f.realised_fpr(), row.f64("fpr")?))
                    .and(near("estimated_keys", f.estimated_keys(), keys)),
            )
        });
    }
}
