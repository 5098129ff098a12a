//! The facts of a kind: a row of spec/kinds.json.

use super::calls::Call;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What is fixed about a kind (spec/container.md 3 and 4). Header checks, damage and refusals follow from it, and it is
/// made from spec/kinds.json (`src/kinds/mod.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its number in a container.
    pub number: u8,
    /// Its name.
    pub name: &'static str,
    /// Ids of the hashes that its keys may have.
    pub hashes: &'static [u8],
    /// Whether that hash may have a seed, where it takes one at all.
    pub seed: bool,
    /// Numbers of its profiles; 0 alone for kinds without.
    pub profiles: &'static [u8],
    /// How many hashes, k, a file may state.
    pub k: HashCount,
    /// What a file counts as units.
    pub units: &'static str,
    /// The largest size: the name of its member in kinds.json (`max_units`, `max_payload`, ..) and the number.
    pub limit: Option<(&'static str, u64)>,
    /// How the length of the payload follows from the units.
    pub payload: &'static str,
    /// What lies in bytes 100 to 123 of the header, in order.
    pub parameters: &'static [Parameter],
    /// What a damaged chunk means.
    pub damage: Damage,
    /// Whether files carry sentinels.
    pub sentinels: bool,
    /// Whether files carry a count of distinct keys.
    pub keys: bool,
    /// Whether filters keep recent keys only, by design: "definitely not present" then means not inserted, or forgotten. Programs
    /// tell their users so.
    pub forgets: bool,
    /// Whether filters are built of all keys at once.
    pub built: bool,
    /// The calls that this crate has for a filter of the kind, beside lookups.
    pub can: &'static [Call],
}

impl Facts {
    /// Whether a filter of the kind has a call.
    pub fn can(&self, call: Call) -> bool {
        self.can.contains(&call)
    }

    /// The bytes of the header's 24 that the parameters take.
    pub(crate) fn parameter_bytes(&self) -> usize {
        self.parameters.iter().map(|p| p.bytes).sum()
    }
}

/// The refusal of a filter of one kind where others are expected.
pub(crate) fn another_kind(own: &str, expected: &[&Facts]) -> String {
    let names: Vec<&str> = expected.iter().map(|f| f.name).collect();
    format!("a filter of the kind {}, not {}", own, names.join(" or "))
}

/// The range of k, the hashes per key (byte 20 of a header).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashCount {
    /// From the first to the second.
    Between(u32, u32),
    /// The profile decides.
    OfProfile,
    /// 0: the kind has none.
    None,
}

/// A parameter of a kind, in bytes 100 to 123 of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its width.
    pub bytes: usize,
}

/// What a damaged chunk of the payload means (spec/container.md 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Its bits count as set: for payloads of bits that only insertion sets.
    Ones,
    /// A lookup that reads a byte of it answers "possibly present": for fingerprints, counters, solutions of equations. Ones would
    /// cause false negatives.
    PossiblyPresent,
    /// As the dialect of foreign bytes says.
    Dialect,
}

impl Damage {
    /// Its name in spec/kinds.json.
    pub fn name(self) -> &'static str {
        match self {
            Damage::Ones => "ones",
            Damage::PossiblyPresent => "possibly-present",
            Damage::Dialect => "dialect",
        }
    }
}

/// Whether a filter of one of these kinds can have bytes that are in doubt. A constant, so that filters of bits pay nothing.
pub(crate) const fn may_doubt(kinds: &[&Facts]) -> bool {
    let mut i = 0;
    while i < kinds.len() {
        if matches!(kinds[i].damage, Damage::PossiblyPresent) {
            return true;
        }
        i += 1;
    }
    false
}
