//! The vectors (spec/conformance.md 2).

mod files;
mod filters;
mod hashes;
mod model;
mod positions;
mod read_only;

use crate::json::{self, Value};
use crate::kinds::{self, Fields};
use bloomery::{AnyKind, Hasher};
use std::fs;
use std::path::Path;

/// What came of one file.
#[derive(Debug, Default)]
pub struct Report {
    pub passed: u64,
    pub skipped: u64,
    pub failed: Vec<String>,
}

impl Report {
    /// Runs a case; one that lacks a member fails, so that nothing is passed over.
    fn case(&mut self, row: &Value, check: impl FnOnce(&Value) -> Option<Result<(), String>>) {
        match check(row).unwrap_or_else(|| Err("a member is missing or of another type".into())) {
            Ok(()) => self.passed += 1,
            Err(what) => {
                let row: String = format!("{:?}", row).chars().take(160).collect();
                self.failed.push(format!("{}: {}", what, row));
            }
        }
    }
}

/// Fails with both values where they differ.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: T, wanted: T) -> Result<(), String> {
    if got == wanted {
        Ok(())
    } else {
        Err(format!("{} is {:?}, not {:?}", what, got, wanted))
    }
}

/// A row that is read for the sizes of a shape.
struct Row<'a>(&'a Value);

impl Fields for Row<'_> {
    fn number(&mut self, name: &str) -> Option<u64> {
        self.0.u64(name)
    }

    fn word(&mut self, name: &str) -> Option<&str> {
        self.0.text(name)
    }

    fn real(&mut self, name: &str) -> Option<f64> {
        self.0.f64(name)
    }

    fn numbers(&mut self, name: &str) -> Option<Vec<u64>> {
        self.0.numbers(name)
    }
}

/// The shape of a row, with the default hasher where the kind takes any.
fn shape(kind: &str, row: &Value) -> Option<AnyKind> {
    kinds::shape(kind, Hasher::DEFAULT, &mut Row(row)).ok()
}

/// Checks one file.
pub fn check(name: &str, text: &str, dir: &Path) -> Report {
    let mut r = Report::default();
    let v = match json::parse(text) {
        Some(v) => v,
        None => {
            r.failed.push("not JSON".to_string());
            return r;
        }
    };
    match name {
        "hash.json" => hashes::hashes(&v, &mut r),
        "hash_long.json" => hashes::long(&v, &mut r),
        // Above the level of this port: it issues no receipts.
        "receipts.json" => r.skipped += v.count_rows(),
        "portable_sizing.json" => model::sizing(&v, &mut r),
        "portable_model.json" => model::rates(&v, &mut r),
        "portable_hostile.json" => files::portable_hostile(&v, &mut r),
        "portable_verdicts.json" => files::verdicts(&v, dir, &mut r),
        "containers.json" => files::containers(&v, &mut r),
        "container_hostile.json" => files::container_hostile(&v, &mut r),
        "dialects.json" => files::dialects(&v, &mut r),
        "dialect_files.json" | "dialect_hostile.json" => files::dialect_files(&v, &mut r),
        _ if name.starts_with("portable_") && name.contains("_n") && name.contains("_p") => {
            filters::portable(&v, name, &mut r)
        }
        _ => {
            let positions = kinds::of_vectors(name, "_positions.json");
            let whole = kinds::of_vectors(name, "_filters.json");
            match (positions, whole) {
                (Some(kind), _) => positions::check(kind, &v, &mut r),
                (_, Some(kind)) => filters::check(kind, &v, &mut r),
                _ => r.failed.push("a file that is not known".to_string()),
            }
        }
    }
    r
}

/// All files of a folder, in the order of their names.
pub fn check_all(dir: &Path) -> Result<Vec<(String, Report)>, String> {
    let said = |e: std::io::Error| format!("{}: {}", dir.display(), e);
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(said)? {
        let name = entry
            .map_err(said)?
            .file_name()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".json") {
            names.push(name);
        }
    }
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let text = fs::read_to_string(dir.join(&name)).map_err(said)?;
            let report = check(&name, &text, dir);
            Ok((name, report))
        })
        .collect()
}

/// Prints what came of each file; reports whether nothing failed.
pub fn run(dir: &Path) -> Result<bool, String> {
    let mut good = true;
    for (name, r) in check_all(dir)? {
        let failed = r.failed.len();
        println!(
            "{} passed={} skipped={} failed={}",
            name, r.passed, r.skipped, failed
        );
        for what in &r.failed {
            println!("  {}", what);
        }
        good &= failed == 0;
    }
    Ok(good)
}
