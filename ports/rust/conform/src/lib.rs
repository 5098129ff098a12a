//! How this port shows that it keeps the contract (spec/conformance.md): vectors, and scripts with their traces.

pub mod hex;
pub mod json;
pub mod keys;
mod kinds;
pub mod repair;
pub mod script;
pub mod seeds;
pub mod vectors;
