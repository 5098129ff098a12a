//! Whole filters.

use super::{hashes, read_only, same, shape, Report};
use crate::hex;
use crate::json::Value;
use crate::keys::texts;
use bloomery::{AnyFilter, AnyKind, PortableBloom};

/// The texts PREFIX0, PREFIX1, ..
pub(super) fn some(prefix: &str, count: u64) -> Vec<String> {
    texts(prefix, 0, count).take(count as usize).collect()
}

fn case(kind: AnyKind, row: &Value) -> Option<Result<(), String>> {
    let mut f = AnyFilter::empty(kind).ok()?;
    f.try_insert_batch(&some(row.text("prefix")?, row.u64("inserted")?))
        .ok()?;
    let maybe = texts("x", 0, 999).filter(|x| f.may_contain(x)).count() as u64;
    Some(
        same(
            "bytes",
            hex::text(&f.payload()),
            row.text("hex")?.to_string(),
        )
        .and(same("ones", f.ones(), row.u64("ones")?))
        .and(same("maybe", maybe, row.u64("maybe")?)),
    )
}

pub(super) fn check(kind: &str, v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        r.case(row, |row| {
            let kind = shape(kind, row)?;
            if read_only::is_only_read(&kind) {
                return read_only::case(kind, row);
            }
            case(kind, row)
        });
    }
}

/// The keys that the name of a file tells: portable_KEYS_nN_pP.json.
fn keys_of(name: &str, inserted: u64) -> Option<Vec<Vec<u8>>> {
    let keys = name.strip_prefix("portable_")?.split('_').next()?;
    let prefix = keys.trim_end_matches(|c: char| c.is_ascii_digit());
    let bytes = |keys: Vec<String>| keys.into_iter().map(String::into_bytes).collect();
    match prefix {
        "edge" => Some((0..inserted as usize).map(hashes::edge).collect()),
        "empty" => Some(Vec::new()),
        "k" | "key" => Some(bytes(some(prefix, inserted))),
        _ => None,
    }
}

pub(super) fn portable(v: &Value, name: &str, r: &mut Report) {
    r.case(v, |v| {
        let sized = v.get("sized_for")?;
        let mut f = PortableBloom::make_forced(sized.u64("keys")?, sized.f64("fpr")?).ok()?;
        let keys = keys_of(name, v.u64("inserted")?)?;
        f.insert_batch(&keys);
        let file = f.encode().ok()?;
        let again = PortableBloom::decode(&file).ok()?;
        Some(
            same("bits", f.bits(), v.u64("bits")?)
                .and(same("hashes", u64::from(f.hashes()), v.u64("hashes")?))
                .and(same("ones", f.ones(), v.u64("ones")?))
                .and(same("file", hex::text(&file), v.text("hex")?.to_string()))
                .and(same("decoded", again == f, true))
                .and(same(
                    "found",
                    keys.iter().all(|k| again.may_contain(k)),
                    true,
                )),
        )
    });
}
