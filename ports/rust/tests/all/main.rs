//! What must hold for every kind of filter, and the files of others; one program, because linking takes longer than running.
//! `BLOOMERY_TEST_FULL=1` tries more of everything.

mod assemble;
mod atomic;
mod damage;
mod facts;
mod files;
mod fill;
mod fixtures;
mod foreign;
mod harness;
mod kinds;
mod laws;
mod packed_static;
mod rates;
mod read_only;
mod sources;

/// Whether to try more.
fn full() -> bool {
    std::env::var_os("BLOOMERY_TEST_FULL").map_or(false, |v| v == "1")
}

/// The texts PREFIX0, PREFIX1, ..
fn texts(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{}{}", prefix, i)).collect()
}
