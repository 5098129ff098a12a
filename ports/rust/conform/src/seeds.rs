//! Files that the vectors hold: where tests and fuzzers begin.

use crate::hex;
use crate::json::{self, Value};
use std::fs;
use std::io;
use std::path::Path;

/// Every member of the vectors that is a file of this form (`native`, or the name of a dialect), in the order they come.
pub fn files(vectors: &Path, form: &str) -> Vec<Vec<u8>> {
    let read = |name: &str| {
        let text = fs::read_to_string(vectors.join(name)).ok()?;
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

fn write(corpus: &Path, target: &str, files: &[Vec<u8>]) -> io::Result<()> {
    let folder = corpus.join(target);
    fs::create_dir_all(&folder)?;
    for (i, file) in files.iter().enumerate() {
        fs::write(folder.join(format!("seed{:04}", i)), file)?;
    }
    Ok(())
}

/// Writes the files of the contract to a folder for each fuzzer.
pub fn write_corpus(vectors: &Path, scripts: &Path, corpus: &Path) -> io::Result<()> {
    for form in ["native", "portable", "parquet"] {
        let target = if form == "native" { "container" } else { form };
        write(corpus, target, &files(vectors, form))?;
    }
    let mut texts = Vec::new();
    for entry in fs::read_dir(scripts)? {
        let path = entry?.path();
        if path.extension().map_or(false, |e| e == "script") {
            // A few lines each: a fuzzer puts short ones together better than it takes long ones apart.
            let text = fs::read_to_string(path)?;
            let lines: Vec<&str> = text.lines().filter(|l| l.len() < 300).collect();
            texts.extend(lines.chunks(12).map(|c| c.join("\n").into_bytes()));
        }
    }
    write(corpus, "script", &texts)
}
