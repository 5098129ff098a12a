//! hash.json and hash_long.json.

use super::{same, Report};
use crate::json::Value;
use bloomery::hash::{fnv1a64, splitmix64};
use bloomery::{Hasher, KeySource};

pub(super) const SECRET: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Columns of a row that name a hasher. MurmurHash makes no keys: it belongs to dialects that are not offered here.
pub(super) fn hasher(column: &str) -> Option<Hasher> {
    // A seed is its digits; f stands for all ones.
    let seed = |digits| match digits {
        "f" => Some(u64::MAX),
        digits => u64::from_str_radix(digits, 16).ok(),
    };
    if let Some(digits) = column.strip_prefix("xxh3_") {
        return seed(digits).map(|seed| Hasher::Xxh3 { seed });
    }
    if let Some(digits) = column.strip_prefix("xxh64_") {
        return seed(digits).map(|seed| Hasher::Xxh64 { seed });
    }
    match column {
        "fnv1a-splitmix" => Some(Hasher::FnvSplitMix),
        "siphash13" => Some(Hasher::SipHash13 { secret: SECRET }),
        _ => None,
    }
}

/// The input of a length in edge65.
pub fn edge(length: usize) -> Vec<u8> {
    (0..length)
        .map(|j| (31 * length + 7 * j + 128) as u8)
        .collect()
}

fn columns(row: &Value, hash: impl Fn(&Hasher) -> u64) -> Option<Result<(), String>> {
    let members = match row {
        Value::Object(members) => members,
        _ => return None,
    };
    let mut checked = 0;
    for (name, _) in members {
        if let Some(h) = hasher(name) {
            if let Err(e) = same(name, hash(&h), row.hex(name)?) {
                return Some(Err(e));
            }
            checked += 1;
        }
    }
    Some(if checked > 3 {
        Ok(())
    } else {
        Err("no hashes".to_string())
    })
}

fn strings(row: &Value, input: &[u8]) -> Option<Result<(), String>> {
    let fnv = same("fnv1a64", fnv1a64(input), row.hex("fnv1a64")?);
    Some(fnv.and(columns(row, |h| h.key(input).raw())?))
}

pub(super) fn hashes(v: &Value, r: &mut Report) {
    for row in v.rows("edge65") {
        r.case(row, |row| strings(row, &edge(row.u64("length")? as usize)));
    }
    for row in v.rows("texts") {
        r.case(row, |row| strings(row, row.text("text")?.as_bytes()));
    }
    for row in v.rows("splitmix64") {
        r.case(row, |row| {
            Some(same(
                "result",
                splitmix64(row.hex("x")?),
                row.hex("result")?,
            ))
        });
    }
    for row in v.rows("integers") {
        r.case(row, |row| {
            let x = row.hex("x")?;
            columns(row, |h| h.of(KeySource::Integers).key_of_integer(x).raw())
        });
    }
}

pub(super) fn long(v: &Value, r: &mut Report) {
    for row in v.rows("patterns") {
        r.case(row, |row| {
            let input: Vec<u8> = (0..row.u64("length")?).map(|j| (j % 251) as u8).collect();
            columns(row, |h| h.key(&input).raw())
        });
    }
}
