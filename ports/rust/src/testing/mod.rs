//! Two kinds that are not made of bits, in the table of unit tests alone: fingerprints that can be erased, and a sorted list
//! that is built of all keys at once. They stand for kinds to come: parameters, the damage rule `perhaps`, calls that are refused.

mod fingerprints;
mod sorted;
mod tests;

#[path = "../../tests/all/harness.rs"]
mod harness;

pub(crate) use fingerprints::Fingerprints;
pub(crate) use sorted::Sorted;

/// What is stored of a key; 0 is an empty cell.
fn fingerprint(key: crate::Key) -> u64 {
    (key.raw() & 0xffff).max(1)
}
