//! receipts.json (spec/hash.md section 8). This port issues no receipts; their check is computed here alone.

use super::hashes::{hasher, SECRET};
use super::{same, Report};
use crate::json::Value;
use bloomery::hash::{siphash13, splitmix64};
use bloomery::Hasher;

fn half(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, b| sum << 8 | *b as u64)
}

/// The parameters of a hasher, and its number.
fn parts(h: &Hasher) -> (u64, u64, u64) {
    match h {
        Hasher::Xxh3 { seed, .. } => (*seed, 0, 1),
        Hasher::FnvSplitMix { .. } => (0, 0, 2),
        Hasher::Xxh64 { seed, .. } => (*seed, 0, 3),
        _ => (half(&SECRET[..8]), half(&SECRET[8..]), 4),
    }
}

fn check(h: &Hasher, hash: u64, scope: u64) -> u64 {
    let (a, b, id) = parts(h);
    let mut secret = [0; 16];
    secret[..8].copy_from_slice(&(a ^ 0x72656d6f6f6c622e).to_le_bytes());
    secret[8..].copy_from_slice(&(b ^ 0x7470696563657279 ^ id).to_le_bytes());
    let message = [hash.to_le_bytes(), scope.to_le_bytes()].concat();
    siphash13(&message, &secret).max(1)
}

fn receipt(row: &Value) -> Option<Result<(), String>> {
    let h = hasher(row.text("hasher")?)?;
    let hash = h.key(row.text("text")?.as_bytes()).raw();
    let check = check(&h, hash, row.hex("scope")?);
    let bytes: String = [hash.to_le_bytes(), check.to_le_bytes()]
        .concat()
        .iter()
        .map(|b| format!("{:02x}", b))
        .collect();
    Some(
        same("hash", hash, row.hex("hash")?)
            .and(same("check", check, row.hex("check")?))
            .and(same("receipt", bytes.as_str(), row.text("receipt")?)),
    )
}

pub(super) fn receipts(v: &Value, r: &mut Report) {
    for row in v.rows("scopes") {
        r.case(row, |row| {
            let mut scope = splitmix64(row.u64("kind")?);
            for name in ["units", "shape", "identity"].iter() {
                scope = splitmix64(scope ^ row.hex(name)?);
            }
            Some(same("scope", scope, row.hex("scope")?))
        });
    }
    for row in v.rows("receipts") {
        r.case(row, receipt);
    }
}
