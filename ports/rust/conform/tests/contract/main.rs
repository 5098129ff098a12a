//! The contract, as every implementation shows that it keeps it.

mod kinds;
mod mutations;

use bloomery_conform::{script, vectors};
use std::fs;
use std::path::{Path, PathBuf};

fn spec() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../spec")
}

#[test]
fn vectors_are_met() {
    let reports = vectors::check_all(&spec().join("vectors")).unwrap();
    let failed: Vec<_> = reports.iter().filter(|r| !r.1.failed.is_empty()).collect();
    assert!(failed.is_empty(), "{:#?}", failed);
    assert!(
        reports.iter().all(|r| r.1.passed + r.1.skipped > 0),
        "a file without a case"
    );
    // Rows above the level of this port are skipped, and no others.
    let skipped = reports.iter().filter(|r| r.1.skipped > 0);
    let skipped: Vec<_> = skipped.map(|r| (r.0.as_str(), r.1.skipped)).collect();
    let above = [
        ("container_hostile.json", 80),
        ("containers.json", 1),
        ("dialect_files.json", 15),
        ("dialect_hostile.json", 70),
        ("dialects.json", 60),
        ("receipts.json", 170),
    ];
    assert_eq!(skipped, above);
    assert!(reports.len() >= 20, "vectors are missing");
}

/// The trace beside a script.
fn expected(script: &Path) -> String {
    fs::read_to_string(script.with_extension("trace")).unwrap()
}

fn assert_trace(script: &Path, files: &Path) {
    let text = fs::read_to_string(script).unwrap();
    let trace = script::run(&text, files).unwrap();
    for (got, wanted) in trace.lines().zip(expected(script).lines()) {
        assert_eq!(got, wanted, "{}", script.display());
    }
    assert_eq!(trace, expected(script), "{}", script.display());
}

/// Whether the first line of a script names the level of this port, or one below it.
fn is_of_level_2(script: &Path) -> bool {
    let text = fs::read_to_string(script).unwrap();
    let first = text.lines().next().unwrap_or("");
    let of = |level: &str| first.starts_with(&format!("# {}: ", level));
    assert!(["Level 1", "Level 2", "Level 3", "All"].into_iter().any(of));
    of("Level 1") || of("Level 2")
}

#[test]
fn scripts_leave_their_traces() {
    let mut count = 0;
    for entry in fs::read_dir(spec().join("scripts")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().map_or(false, |e| e == "script") && is_of_level_2(&path) {
            assert_trace(&path, Path::new("."));
            count += 1;
        }
    }
    assert!(count >= 16, "scripts are missing");
}

#[test]
fn what_is_written_is_read() {
    let folder = std::env::temp_dir().join(format!("bloomery-exchange-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let exchange = spec().join("scripts/exchange");
    assert_trace(&exchange.join("write.script"), &folder);
    assert_trace(&exchange.join("read.script"), &folder);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn scripts_that_do_not_parse_are_no_traces() {
    for wrong in [
        "no-such-verb a",
        "query a t:k",
        "make a block blocks=1",
        "hash xxh3 h:0000000000000000",
        "show b more",
    ] {
        assert!(script::run(wrong, Path::new(".")).is_err(), "{}", wrong);
    }
}
