//! Files that the vectors hold: where tests and fuzzers begin.

use crate::hex;
use crate::json::{self, Value};
use std::path::Path;

/// Every member of the vectors that is a file of this form (`native`, or the name of a dialect), in the order they come.
pub fn files(vectors: &Path, form: &str) -> Vec<Vec<u8>> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(vectors.join(name)).ok()?;
        json::parse(&text)
    };
    let mut found = Vec::new();
    let mut rows = |name: &str, list: &str, member: &str, wanted: Option<&str>| {
        let value = read(name);
        let rows = value.as_ref().map_or(&[][..], |v| v.rows(list));
        let fits = |row: &&Value| wanted.map_or(true, |w| row.text("dialect") == Some(w));
        found.extend(rows.iter().filter(fits).filter_map(|row| row.bytes(member)));
    };
    match form {
        "native" => {
            rows("containers.json", "cases", "container", None);
            if let Some(Value::Object(bases)) = read("container_hostile.json")
                .as_ref()
                .and_then(|v| v.get("bases"))
            {
                found.extend(bases.iter().filter_map(|(_, v)| match v {
                    Value::Text(t) => hex::bytes(t),
                    _ => None,
                }));
            }
        }
        "portable" => {
            rows("portable_hostile.json", "refused", "hex", None);
            rows("portable_hostile.json", "accepted", "hex", None);
        }
        dialect => {
            for name in [
                "dialects.json",
                "dialect_files.json",
                "dialect_hostile.json",
            ] {
                rows(name, "cases", "image", Some(dialect));
            }
        }
    }
    found
}
