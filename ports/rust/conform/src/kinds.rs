//! Shapes of every kind by the names of the contract: options of `make`, members of vectors.

use crate::script::{broken, Stop};
use bloomery::kind::Facts;
use bloomery::{AnyKind, Block, Classic, Hasher, Kind, Partitioned, Portable, Profile, SplitBlock};

/// Where the sizes of a shape are written.
pub(crate) trait Fields {
    /// A whole number.
    fn number(&mut self, name: &str) -> Option<u64>;
    /// A word.
    fn word(&mut self, name: &str) -> Option<&str>;
    /// A real number; only vectors have such.
    fn real(&mut self, _: &str) -> Option<f64> {
        None
    }
    /// Several numbers; only vectors have such.
    fn numbers(&mut self, _: &str) -> Option<Vec<u64>> {
        None
    }
}

/// The shape of a kind by its name; refused as the library says.
pub(crate) fn shape(kind: &str, hash: Hasher, from: &mut impl Fields) -> Result<AnyKind, Stop> {
    Ok(match kind {
        "portable" => Portable::new(number(from, "bits")?, hashes(from)?)?.into(),
        "block" => Block::new(profile(from)?, number(from, "blocks")?, hash)?.into(),
        "split-block" => SplitBlock::new(number(from, "blocks")?)?.into(),
        "bloom" => Classic::new(number(from, "bits")?, hashes(from)?, hash)?.into(),
        "partitioned" => Partitioned::new(number(from, "slice")?, hashes(from)?, hash)?.into(),
        _ => {
            let mut all = AnyKind::KINDS.iter();
            let facts = all.find(|facts| facts.name == kind);
            read_only(facts.ok_or_else(|| broken("no such kind"))?, hash, from)?
        }
    })
}

/// The kind whose vectors have this name: that of the kind, with underscores, and what they are about.
pub(crate) fn of_vectors(file: &str, about: &str) -> Option<&'static str> {
    let stem = file.strip_suffix(about)?;
    if stem == Profile::Lanes16.name() {
        return Some(Block::FACTS.name); // a profile that came later
    }
    let mut names = AnyKind::KINDS.iter().map(|facts| facts.name);
    names.find(|name| name.replace('-', "_") == stem)
}

fn number(from: &mut impl Fields, name: &str) -> Result<u64, Stop> {
    from.number(name)
        .ok_or_else(|| broken("a number is missing, or is none"))
}

/// A number of hashes; beyond 32 bits no kind has as many.
fn hashes(from: &mut impl Fields) -> Result<u32, Stop> {
    let hashes = number(from, "hashes")?;
    u32::try_from(hashes).map_err(|_| Stop::Refused("too_large", None))
}

fn profile(from: &mut impl Fields) -> Result<Profile, Stop> {
    let name = from.word("profile").unwrap_or("none");
    let mut all = (0..=u8::MAX).filter_map(Profile::from_number);
    all.find(|p| p.name() == name)
        .ok_or_else(|| broken("no profile"))
}

/// The shape of a kind that is only read. Rows of later kinds have the names of the table (spec/conformance.md); those of the
/// first ones have some of their own.
fn read_only(facts: &Facts, hash: Hasher, from: &mut impl Fields) -> Result<AnyKind, Stop> {
    let name = facts.name;
    let profile = match (name, from.word("profile")) {
        ("counting", Some("line")) => 5,
        ("counting", Some("flat")) => 0,
        (_, Some(_)) => profile(from)?.number(),
        _ => facts.profiles[0],
    };
    let k = match name {
        "cuckoo" => number(from, "tag_bits")?,
        "ribbon" => number(from, "columns")?,
        // Positions have fingerprints of 32 bits.
        "fuse" | "xor" => from.number("width").unwrap_or(32),
        "scalable" => number(from, "levels")?,
        "quotient" => number(from, "remainder_bits")?,
        "window" => 4 << (profile - 1),
        _ => number(from, "hashes")?,
    };
    let of_units = facts.units.split(' ').next().unwrap_or("");
    let units = match name {
        "ribbon" => from.numbers("buckets").map_or(0, |b| b[0]),
        "window" => number(from, "blocks")? * number(from, "generations")?,
        _ => number(from, of_units)?,
    };
    let mut parameters = [0; 24];
    let mut at = 0;
    for p in facts.parameters {
        let value = parameter(name, p.name, from)?;
        parameters[at..at + p.bytes].copy_from_slice(&value.to_le_bytes()[..p.bytes]);
        at += p.bytes;
    }
    let k = u32::try_from(k).map_err(|_| broken("too many hashes"))?;
    Ok(AnyKind::from_numbers(
        facts.number,
        profile,
        k,
        units,
        parameters,
        hash,
    )?)
}

/// A parameter of a row; 0 where no answer depends on it.
fn parameter(kind: &str, name: &str, from: &mut impl Fields) -> Result<u64, Stop> {
    Ok(match (kind, name) {
        ("ribbon", "buckets_1") => from.numbers("buckets").map_or(0, |b| b[1]),
        ("ribbon", "buckets_2") => from.numbers("buckets").map_or(0, |b| b[2]),
        ("ribbon", "buckets_3") => from.numbers("buckets").map_or(0, |b| b[3]),
        ("scalable", "rate") => from.real("fpr").unwrap_or(0.5).to_bits(),
        ("scalable", "policy") => match from.word("policy").unwrap_or("dynamic") {
            "equal" => 0,
            "geometric" => 1,
            "dynamic" => 2,
            _ => return Err(broken("no such policy")),
        },
        ("stable", "inserts") => match from.word("inserts") {
            Some(text) => u64::from_str_radix(text, 16).map_err(|_| broken("no number"))?,
            None => 0,
        },
        // Positions do not depend on it.
        ("quotient", "blocks") => match from.number(name) {
            Some(blocks) => blocks,
            None => (number(from, "quotients")? + 63) / 64,
        },
        _ => from.number(name).unwrap_or(0),
    })
}
