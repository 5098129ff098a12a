//! Shapes of every kind by the names of the contract: options of `make`, members of vectors.

use crate::script::{broken, Stop};
use bloomery::{
    AnyKind, Block, Classic, Counting, Cuckoo, Fuse, Hasher, Kind, Layout, Partitioned, Policy,
    Portable, Profile, Quotient, QuotientShape, Ribbon, RibbonShape, Scalable, ScalableShape,
    SlotShape, SplitBlock, Stable, StableShape, Window, WindowShape, Xor,
};

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
        "cuckoo" => {
            let identity = from.number("identity").unwrap_or(0);
            let tag_bits = u32::try_from(number(from, "tag_bits")?).unwrap_or(0);
            Cuckoo::new(tag_bits, number(from, "buckets")?, identity, hash)?.into()
        }
        "counting" => {
            let identity = from.number("identity").unwrap_or(0);
            let hashes = hashes(from)?;
            let layout = match from.word("profile") {
                Some("line") if hashes == 8 => Layout::Line,
                Some("flat") => Layout::Flat(hashes),
                _ => return Err(broken("no layout")),
            };
            let width = u32::try_from(number(from, "cell_bits")?).unwrap_or(0);
            Counting::new(layout, number(from, "cells")?, width, identity, hash)?.into()
        }
        "ribbon" => Ribbon::new(ribbon(from)?, hash)?.into(),
        "fuse" => Fuse::new(slots(from)?, hash)?.into(),
        "xor" => Xor::new(slots(from)?, hash)?.into(),
        "scalable" => Scalable::new(scalable(from)?, hash)?.into(),
        "stable" => Stable::new(stable(from)?, hash)?.into(),
        "window" => Window::new(window(from)?, hash)?.into(),
        "quotient" => Quotient::new(quotient(from)?, hash)?.into(),
        _ => return Err(broken("no such kind")),
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

fn small<T: TryFrom<u64>>(from: &mut impl Fields, name: &str) -> Result<T, Stop> {
    T::try_from(number(from, name)?).map_err(|_| Stop::Refused("too_large", None))
}

fn ribbon(from: &mut impl Fields) -> Result<RibbonShape, Stop> {
    let buckets = from.numbers("buckets").unwrap_or_default();
    let buckets: Result<Vec<u32>, _> = buckets.into_iter().map(u32::try_from).collect();
    Ok(RibbonShape {
        window: small(from, "width")?,
        columns: small(from, "columns")?,
        buckets: <[u32; 4]>::try_from(buckets.unwrap_or_default())
            .map_err(|_| broken("a ribbon filter has four numbers of buckets"))?,
        narrow: small(from, "narrow")?,
        rest: small(from, "rest")?,
        kept: number(from, "kept")? == 1,
        seed: small(from, "seed")?,
    })
}

/// Positions depend on neither the width of a slot nor the residue; they have fingerprints of 32 bits.
fn slots(from: &mut impl Fields) -> Result<SlotShape, Stop> {
    Ok(SlotShape {
        slots: number(from, "slots")?,
        slot_bits: u32::try_from(from.number("width").unwrap_or(32)).unwrap_or(0),
        shards: small(from, "shards")?,
        layout: small(from, "layout")?,
        segment_log: small(from, "segment_log")?,
        residue: from.number("residue").unwrap_or(0),
    })
}

/// A number of hashes; beyond 32 bits no kind has as many.
fn hashes(from: &mut impl Fields) -> Result<u32, Stop> {
    let hashes = number(from, "hashes")?;
    u32::try_from(hashes).map_err(|_| Stop::Refused("too_large", None))
}

/// Positions depend on neither the rate nor the policy.
fn scalable(from: &mut impl Fields) -> Result<ScalableShape, Stop> {
    let most = from.number("max_levels").unwrap_or(0);
    let most = u8::try_from(most).map_err(|_| broken("too many levels"))?;
    Ok(ScalableShape {
        lines: number(from, "lines")?,
        levels: small(from, "levels")?,
        growth: small(from, "growth")?,
        rate: from.real("fpr").unwrap_or(0.5),
        policy: match from.word("policy").unwrap_or("dynamic") {
            "equal" => Policy::Equal(most),
            "geometric" if most == 0 => Policy::Geometric,
            "dynamic" if most == 0 => Policy::Dynamic,
            _ => return Err(broken("no such policy")),
        },
        line_from: small(from, "line_from")?,
        two_lines_from: small(from, "two_lines_from")?,
    })
}

/// All inserts so far are those of the row, unless it has a number of its own.
fn stable(from: &mut impl Fields) -> Result<StableShape, Stop> {
    let inserts = from.word("inserts").map(|t| u64::from_str_radix(t, 16));
    let inserts = match inserts {
        Some(told) => told.map_err(|_| broken("no number of inserts"))?,
        None => from.number("inserted").unwrap_or(0),
    };
    Ok(StableShape {
        cells: number(from, "cells")?,
        cell_bits: small(from, "cell_bits")?,
        max: small(from, "max")?,
        hashes: hashes(from)?,
        decrement: small(from, "decrement")?,
        fraction: small(from, "fraction")?,
        seed: small(from, "seed")?,
        inserts,
    })
}

fn window(from: &mut impl Fields) -> Result<WindowShape, Stop> {
    Ok(WindowShape {
        profile: profile(from)?,
        generations: small(from, "generations")?,
        blocks: number(from, "blocks")?,
        current: small(from, "current")?,
        generation_keys: number(from, "generation_keys")?,
        count: number(from, "count")?,
    })
}

fn quotient(from: &mut impl Fields) -> Result<QuotientShape, Stop> {
    let quotients = number(from, "quotients")?;
    Ok(QuotientShape {
        remainder_bits: small(from, "remainder_bits")?,
        quotients,
        // Positions do not depend on it.
        blocks: from.number("blocks").unwrap_or((quotients + 63) / 64),
        identity: from.number("identity").unwrap_or(0),
    })
}

fn profile(from: &mut impl Fields) -> Result<Profile, Stop> {
    let name = from.word("profile").unwrap_or("none");
    let mut all = (0..=u8::MAX).filter_map(Profile::from_number);
    all.find(|p| p.name() == name)
        .ok_or_else(|| broken("no profile"))
}
