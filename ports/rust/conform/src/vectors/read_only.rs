//! Whole filters of kinds that are only read: what they hold is in their bytes.

use super::filters::some;
use super::same;
use crate::json::Value;
use crate::repair;
use crate::script::digits;
use bloomery::container::{self, Extras};
use bloomery::kind::{Call, Kind};
use bloomery::{AnyFilter, AnyKind};

pub(super) fn is_only_read(kind: &AnyKind) -> bool {
    !kind.facts().can(Call::Insert)
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

/// Level 1 of spec/conformance.md: answers, and the bytes again. What a filter counts, lists or rates is above the level of this port.
pub(super) fn case(kind: AnyKind, row: &Value) -> Option<Result<(), String>> {
    let file = container_of(kind, &row.bytes("hex")?)?;
    let read = container::read(&file).ok()?;
    read.verify_ones().ok()?;
    let f = read.into_filter().ok()?;
    let prefix = row.text("prefix").unwrap_or("k");
    // What is made of fingerprints has no keys.
    let made = row.text("what").map(|_| 0);
    let keys = some(prefix, made.or_else(|| row.u64("inserted"))?);
    let absent = some("x", 1000);
    let mut answers = vec![false; absent.len()];
    f.may_contain_batch(&absent, &mut answers);
    let maybe = answers.iter().filter(|a| **a).count() as u64;
    let one_by_one: Vec<bool> = absent.iter().map(|x| f.may_contain(x)).collect();
    let ones = row
        .u64("ones")
        .map_or(Ok(()), |o| same("ones", f.ones(), o));
    let again = f.to_container(&Extras::default()).ok()?;
    Some(
        same("maybe", maybe, row.u64("maybe")?)
            .and(same("one by one", one_by_one, answers))
            .and(found(&f, &keys, row))
            .and(ones)
            .and(same("written again", again == file, true)),
    )
}

/// All keys are found. For a kind that forgets, the row says how many, or which.
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
