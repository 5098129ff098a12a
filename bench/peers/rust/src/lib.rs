//! Rust filters beside ours.  Versions are pinned in Cargo.toml and named in `about`.
#![allow(non_upper_case_globals)]
mod fast_bloom;
mod one_key;
mod peer;
mod xor;
