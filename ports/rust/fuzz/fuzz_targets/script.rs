#![no_main]
//! Scripts of the conformance kit: whatever they do, nothing panics.

use bloomery_conform::script;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

/// Numbers of more than four digits would only make large filters; bytes may be as long as they like.
fn is_small(line: &str) -> bool {
    let free = ["bytes", "put", "add", "#"];
    let long = |w: &str| w.bytes().all(|b| b.is_ascii_digit()) && w.len() > 4;
    free.iter().any(|f| line.starts_with(f))
        || !line.split(|c: char| !c.is_ascii_alphanumeric()).any(long)
}

fuzz_target!(|text: &str| {
    let small: Vec<&str> = text
        .lines()
        .filter(|l| is_small(l) && !l.starts_with("write") && !l.starts_with("read"))
        .take(40)
        .collect();
    let _ = script::run(&small.join("\n"), Path::new("."));
});
