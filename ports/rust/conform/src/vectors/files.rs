//! Files to read and to refuse.

use super::{same, Report};
use crate::hex;
use crate::json::{self, Value};
use crate::keys::{self, texts, Word};
use crate::script::{decode, digits, form_of, Decoded};
use bloomery::container::{self, Extras};
use bloomery::dialect::{Dialect, Options};
use bloomery::{Code, Error, Kind, PortableBloom};
use std::path::Path;

/// Whether a refusal is the one of a row; its offset, 0 where no byte is to blame, counts where the row has one.
fn refusal(row: &Value, e: &Error) -> Result<(), String> {
    let wanted = row.text("error").unwrap_or("accepted");
    let offset = row
        .u64("offset")
        .map_or(Ok(()), |o| same("offset", e.offset().unwrap_or(0), o));
    same("error", e.code().name(), wanted).and(offset)
}

fn answers(d: &Decoded, keys: &[Word]) -> String {
    let ask = |k: &Word| k.bytes().map_or(false, |b| d.may_contain(b));
    digits(&keys.iter().map(ask).collect::<Vec<_>>())
}

/// The keys of some words.
fn words(text: &str) -> Option<Vec<Word>> {
    let all: Option<Vec<_>> = text.split(' ').map(keys::parse).collect();
    Some(all?.concat())
}

/// Refused, or accepted with what is said and answered.
fn outcome(row: &Value, decoded: Result<Decoded, Error>) -> Option<Result<(), String>> {
    Some(match decoded {
        Err(e) => refusal(row, &e),
        Ok(d) => {
            let asked = row.text("asked").unwrap_or("k[0..9] x[0..15]");
            let said = row.text("accepted").unwrap_or("a refusal");
            same("accepted", d.adds.as_str(), said).and(same(
                "answers",
                answers(&d, &words(asked)?).as_str(),
                row.text("answers").unwrap_or(""),
            ))
        }
    })
}

pub(super) fn portable_hostile(v: &Value, r: &mut Report) {
    for row in v.rows("refused") {
        r.case(row, |row| {
            let bytes = row.bytes("hex")?;
            let streamed = PortableBloom::read_from(&mut &bytes[..]);
            Some(match (PortableBloom::decode(&bytes), streamed) {
                (Err(e), Err(s)) => refusal(row, &e).and(refusal(row, &s)),
                _ => Err("not refused".to_string()),
            })
        });
    }
    for row in v.rows("accepted") {
        r.case(row, |row| {
            let file = row.bytes("hex")?;
            let f = PortableBloom::decode(&file).ok()?;
            let clear = Value::Bool(f.padding_is_clear());
            let k = u64::from(f.hashes());
            Some(
                same("bits", f.bits(), row.u64("bits")?)
                    .and(same("hashes", k, row.u64("hashes")?))
                    .and(same("ones", f.ones(), row.u64("ones")?))
                    .and(same(
                        "padding_is_clear",
                        Some(&clear),
                        row.get("padding_is_clear"),
                    ))
                    .and(same("encoded", f.encode().ok()?, file)),
            )
        });
    }
}

pub(super) fn verdicts(v: &Value, dir: &Path, r: &mut Report) {
    r.case(v, |v| {
        let text = std::fs::read_to_string(dir.join(v.text("filter")?)).ok()?;
        let f = PortableBloom::decode(&json::parse(&text)?.bytes("hex")?).ok()?;
        let maybe: Vec<u64> = (0..v.u64("asked")?)
            .filter(|i| f.may_contain(format!("x{}", i)))
            .collect();
        let all = texts("k", 0, 999).all(|k| f.may_contain(k));
        Some(
            same("maybe", maybe.len() as u64, v.u64("maybe")?)
                .and(same("numbers", maybe, v.numbers("numbers")?))
                .and(same("all keys found", all, true)),
        )
    });
}

pub(super) fn containers(v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        if row.text("kind") == Some("foreign") {
            // Guava's, which this port does not read.
            r.skipped += 1;
            continue;
        }
        r.case(row, |row| {
            let d = decode(&row.bytes("container")?, "native", Options::new)?.ok()?;
            let said = format!("kind={} damaged=0", row.text("kind")?);
            same("kind", d.adds.starts_with(&said), true).ok()?;
            if let Some(set) = d.packed() {
                let found = (0..set.members())
                    .map(|i| {
                        set.member_may_contain(i, format!("k{}", i))
                            .unwrap_or(false)
                    })
                    .collect::<Vec<_>>();
                return Some(same("members", found, vec![true; 3]));
            }
            let f = d.filter()?;
            let extras = Extras {
                keys: if f.kind().facts().keys { 10 } else { 0 },
                ..Extras::default()
            };
            let written = f.to_container(&extras).ok()?;
            let plain = f.to_container(&Extras::default()).ok()?;
            let wanted = row.text("container")?;
            let bytes = [written, plain].iter().any(|b| hex::text(b) == wanted);
            let maybe = answers(&d, &words("x[0..63]")?);
            // A kind that forgets has the last of its keys.
            let kept = if f.kind().facts().forgets {
                "k[9..9]"
            } else {
                "k[0..9]"
            };
            let keys = answers(&d, &words(kept)?);
            Some(
                same("written again", bytes, true)
                    .and(same("maybe", maybe.as_str(), row.text("maybe")?))
                    .and(same("keys", keys.contains('0'), false)),
            )
        });
    }
}

pub(super) fn container_hostile(v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        let bytes = edited(v, row).unwrap_or_default();
        if is_elsewhere(&bytes) && row.text("error") != Some("unsupported") {
            r.skipped += 1; // what decides is behind the note that names the dialect
            continue;
        }
        r.case(row, |row| {
            outcome(row, decode(&bytes, "native", Options::new)?)
        });
    }
}

/// The file of a row.
fn edited(v: &Value, row: &Value) -> Option<Vec<u8>> {
    let mut bytes = v.get("bases")?.bytes(row.text("base")?)?;
    if let Some(length) = row.u64("length") {
        bytes.resize(length as usize, 0);
    }
    for edit in row.rows("edits") {
        let at = edit.list().first()?.whole()? as usize;
        let with = match edit.list().get(1)? {
            Value::Text(t) => hex::bytes(t)?,
            _ => return None,
        };
        bytes.get_mut(at..at + with.len())?.copy_from_slice(&with);
    }
    Some(bytes)
}

/// Whether a container is refused because it names a dialect that is not offered here: unsupported, where its notes begin.
fn is_elsewhere(bytes: &[u8]) -> bool {
    let header = match container::inspect(bytes, Some(bytes.len() as u64)) {
        Ok(header) => header,
        Err(_) => return false,
    };
    let notes = bytes.len() as u64 - 4 - u64::from(header.notes_length);
    match container::read(bytes) {
        Err(e) => {
            let foreign = header.kind_name() == "foreign";
            foreign && e.code() == Code::Unsupported && e.offset() == Some(notes)
        }
        Ok(_) => false,
    }
}

fn options(row: &Value, dialect: Dialect) -> Options {
    let read = row.get("read");
    let text = |name| read.and_then(|r| r.text(name));
    Options {
        variant: text("variant").map(String::from),
        part: text("part").and_then(|p| p.parse().ok()),
        form: text("form")
            .and_then(form_of)
            .unwrap_or(bloomery::dialect::Form::Bytes),
        ..Options::new(dialect)
    }
}

pub(super) fn dialect_files(v: &Value, r: &mut Report) {
    for row in v.rows("cases") {
        if row.text("dialect").and_then(Dialect::from_name).is_none() {
            r.skipped += 1;
            continue;
        }
        r.case(row, |row| {
            let decoded = decode(&row.bytes("image")?, row.text("dialect")?, |d| {
                options(row, d)
            });
            outcome(row, decoded?)
        });
    }
}

pub(super) fn dialects(v: &Value, r: &mut Report) {
    let edges: Option<Vec<Word>> = v
        .rows("edges")
        .iter()
        .map(|e| match e {
            Value::Text(t) => hex::bytes(t).map(Word::Bytes),
            _ => None,
        })
        .collect();
    for row in v.rows("cases") {
        if row.text("dialect").and_then(Dialect::from_name).is_none() {
            r.skipped += 1;
            continue;
        }
        r.case(row, |row| {
            let image = row.bytes("image")?;
            let d = decode(&image, row.text("dialect")?, |d| options(row, d))?.ok()?;
            let keys = match row.text("keys")? {
                "edges" => edges.clone()?,
                _ => words("k[0..9]")?,
            };
            let said = match d.filter() {
                Some(f) => f.bits() == row.u64("bits")?,
                None => d.adds.contains(&format!(
                    "variant={} bits={} ",
                    row.text("variant")?,
                    row.u64("bits")?
                )),
            };
            Some(
                same("keys", answers(&d, &keys), "1".repeat(keys.len()))
                    .and(same("variant and bits", said, true))
                    .and(same(
                        "maybe",
                        answers(&d, &words("x[0..63]")?).as_str(),
                        row.text("maybe")?,
                    )),
            )
        });
    }
}
