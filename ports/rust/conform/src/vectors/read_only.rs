//! Whole filters of kinds that are only read: what they hold is in their bytes.

use super::filters::some;
use super::same;
use crate::hex;
use crate::json::Value;
use crate::keys::texts;
use crate::repair;
use crate::script::digits;
use bloomery::container::{self, Extras};
use bloomery::kind::{Call, Kind};
use bloomery::{AnyFilter, AnyKind, Counting, Quotient};

pub(super) fn is_only_read(kind: &AnyKind) -> bool {
    let fills = [Call::Insert, Call::TryInsert, Call::Build];
    !fills.iter().any(|call| kind.facts().can(*call))
}

/// A container with a payload.
fn container_of(kind: AnyKind, payload: &[u8]) -> Option<Vec<u8>> {
    let empty = AnyFilter::empty(kind).ok()?;
    let mut file = empty.to_container(&Extras::default()).ok()?;
    let header = container::inspect(&file, None).ok()?;
    if header.payload_length != payload.len() as u64 {
        return None;
    }
    let at = header.payload_offset as usize;
    file[at..at + payload.len()].copy_from_slice(payload);
    let ones: u64 = payload.iter().map(|b| u64::from(b.count_ones())).sum();
    file[88..96].copy_from_slice(&ones.to_le_bytes());
    repair::container(&mut file);
    Some(file)
}

/// A number, or text in hexadecimal where it is too large for one.
fn count(v: &Value) -> Option<u64> {
    match v {
        Value::Text(t) => u64::from_str_radix(t, 16).ok(),
        other => other.whole(),
    }
}

pub(super) fn case(kind: AnyKind, row: &Value) -> Option<Result<(), String>> {
    let file = container_of(kind, &row.bytes("hex")?)?;
    let read = container::read(&file).ok()?;
    read.verify_ones().ok()?;
    let f = read.into_filter().ok()?;
    let prefix = row.text("prefix").unwrap_or("k");
    // What is made of fingerprints has no keys.
    let made = row.text("what").map(|_| 0);
    let keys = some(prefix, made.or_else(|| row.u64("inserted"))?);
    let maybe = texts("x", 0, 999).filter(|x| f.may_contain(x)).count() as u64;
    let found = found(&f, &keys, row);
    let wanted: Option<Vec<u64>> = row.rows("counts").iter().map(count).collect();
    let wanted = wanted?;
    let asked = some(prefix, wanted.len() as u64);
    let counts: Result<Vec<u64>, _> = asked.iter().map(|k| f.count(k)).collect();
    let ones = row
        .u64("ones")
        .map_or(Ok(()), |o| same("ones", f.ones(), o));
    let rates = [
        ("realised", f.realised_fpr()),
        ("estimated", f.estimated_keys()),
    ];
    let agree = |(name, got)| real(row, name).map_or(Ok(()), |wanted| near(name, got, wanted));
    let rates: Result<(), String> = rates.into_iter().try_for_each(agree);
    let again = f.to_container(&Extras::default()).ok()?;
    let result = same("maybe", maybe, row.u64("maybe")?)
        .and(found)
        .and(same("counts", counts.ok()?, wanted))
        .and(ones)
        .and(rates)
        .and(same("written again", again == file, true));
    Some(result.and(match f.kind() {
        AnyKind::Cuckoo(_) => tags(&f, row)?,
        AnyKind::Counting(_) => cells(f, row)?,
        AnyKind::Quotient(_) => list(f, row)?,
        AnyKind::Stable(_) => {
            let nonzero = (f.fill() * f.kind().units() as f64).round() as u64;
            same("nonzero", nonzero, row.u64("nonzero")?)
        }
        _ => Ok(()),
    }))
}

/// A real number, or text where it is given to so many digits.
fn real(row: &Value, name: &str) -> Option<f64> {
    match row.text(name) {
        Some(text) => text.parse().ok(),
        None => row.f64(name),
    }
}

/// All keys are found. Of a kind that forgets the row says how many, or which.
fn found(f: &AnyFilter, keys: &[String], row: &Value) -> Result<(), String> {
    let found: Vec<bool> = keys.iter().map(|k| f.may_contain(k)).collect();
    if let Some(which) = row.text("found") {
        return same("found", digits(&found).as_str(), which);
    }
    let all = keys.len() as u64;
    let wanted = if f.kind().facts().forgets {
        row.u64("found").unwrap_or(all)
    } else {
        all
    };
    same("found", found.iter().filter(|f| **f).count() as u64, wanted)
}

/// Rates agree within 1e-6 (spec/model.md).
fn near(what: &str, got: f64, wanted: f64) -> Result<(), String> {
    let agree = (got - wanted).abs() <= 1e-6 * wanted;
    same(what, agree, true).map_err(|_| format!("{} is {}, not {}", what, got, wanted))
}

/// Slots in use, and 2 D - C of spec/model.md 9.
fn tags(f: &AnyFilter, row: &Value) -> Option<Result<(), String>> {
    let pairs = f.kind().units() as f64 * ((1u64 << f.hashes()) - 1) as f64;
    let classes = (f.realised_fpr() * pairs).round() as u64;
    let occupied = same("occupied", f.estimated_keys(), row.f64("occupied")?);
    Some(occupied.and(same("classes", classes, row.u64("classes")?)))
}

/// Slots in use, and all fingerprints with their counts.
fn list(f: AnyFilter, row: &Value) -> Option<Result<(), String>> {
    let f = f.downcast::<Quotient>().ok()?;
    let mut listed = Vec::new();
    f.list(|fingerprint, copies| listed.push(vec![fingerprint, copies]))
        .ok()?;
    let pair = |v: &Value| v.list().iter().map(count).collect::<Option<Vec<u64>>>();
    let wanted: Option<Vec<_>> = row.rows("list").iter().map(pair).collect();
    let used = same("used", f.used_slots().ok()?, row.u64("used")?);
    Some(used.and(same("list", listed, wanted?)))
}

/// Cells in use, those that lost count, and the filter of bits.
fn cells(f: AnyFilter, row: &Value) -> Option<Result<(), String>> {
    let f = f.downcast::<Counting>().ok()?;
    let bits = f.to_bloom().ok()?;
    let nonzero = (f.fill() * f.kind().units() as f64).round() as u64;
    Some(
        same("nonzero", nonzero, row.u64("nonzero")?)
            .and(same("stuck", f.stuck_cells(), row.u64("stuck")?))
            .and(same("rate", f.realised_fpr(), bits.realised_fpr()))
            .and(same(
                "bits",
                hex::text(&bits.payload()).as_str(),
                row.text("bits")?,
            )),
    )
}
