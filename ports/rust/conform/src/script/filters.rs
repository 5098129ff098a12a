//! Operations on filters.

use super::line::Line;
use super::numbers::{hasher, shape};
use super::{broken, Held, Machine, Stop};
use crate::hex;
use crate::keys::Word;
use bloomery::{
    AnyFilter, AnyKind, Block, Classic, Hasher, Key, Kind, Portable, PortableBloom, Profile,
    SplitBlock,
};

pub(super) fn run(machine: &mut Machine, line: &mut Line<'_>) -> Result<String, Stop> {
    let name = line.word()?;
    match line.verb {
        "make" => {
            let filter = make(line)?;
            let result = format!("ok {}", shape(filter.kind()));
            machine.set(name, Held::Own(filter))?;
            Ok(result)
        }
        "insert" => {
            let filter = machine.own_mut(name)?;
            for key in line.keys()? {
                match key {
                    Word::Bytes(b) => filter.insert(b),
                    Word::Integer(x) => filter.insert_integer(x),
                    Word::Hashed(key) => filter.insert_key(key),
                }
            }
            ok()
        }
        "insert-batch" => {
            let filter = machine.own_mut(name)?;
            let keys = line.keys()?;
            match all_bytes(&keys) {
                Some(strings) => filter.insert_batch(&strings),
                None => filter.insert_keys(&hashed(&keys, filter.hasher())),
            }
            ok()
        }
        "query" | "query-batch" | "count" => {
            let answers = ask(machine, name, line)?;
            if line.verb == "count" {
                return Ok(answers.iter().filter(|a| **a).count().to_string());
            }
            Ok(digits(&answers))
        }
        "info" => {
            let f = machine.own(name)?;
            Ok(format!(
                "kind={} {} capacity={} ones={} bytes={} hash={} check={:016x}",
                f.kind().name(),
                shape(f.kind()),
                f.capacity(),
                f.ones(),
                f.size_in_bytes(),
                f.hasher().name(),
                f.hasher().check()
            ))
        }
        "rate" => {
            let f = machine.own(name)?;
            let (rate, keys) = (f.realised_fpr(), f.estimated_keys());
            Ok(format!(
                "realised={} keys={}",
                hex::real(rate),
                hex::real(keys)
            ))
        }
        "expect" => {
            let keys = line.number()?;
            let f = machine.own(name)?;
            if f.kind().number() != Portable::NUMBER {
                return Err(broken(
                    "the rate of another kind is no part of the contract",
                ));
            }
            Ok(hex::real(f.expected_fpr(keys)))
        }
        "merge" => {
            let other = machine.own(line.word()?)?.clone();
            machine.own_mut(name)?.merge(&other)?;
            ok()
        }
        "fold" => {
            let factor = line.number()?;
            let f = machine.own(name)?;
            if f.kind().profile() == 0 {
                return Err(broken("a filter without blocks"));
            }
            let folded = f.fold(factor)?;
            let result = format!("ok blocks={}", folded.kind().units());
            machine.set(name, Held::Own(folded))?;
            Ok(result)
        }
        "clear" => {
            machine.own_mut(name)?.clear();
            ok()
        }
        "equal" => {
            let equal = machine.own(name)? == machine.own(line.word()?)?;
            Ok(if equal { "yes" } else { "no" }.to_string())
        }
        _ => Err(broken("no such operation")),
    }
}

fn ok() -> Result<String, Stop> {
    Ok("ok".to_string())
}

/// Answers as digits.
pub fn digits(answers: &[bool]) -> String {
    answers.iter().map(|a| if *a { '1' } else { '0' }).collect()
}

fn hashed(keys: &[Word], hasher: &Hasher) -> Vec<Key> {
    keys.iter().map(|k| k.key(hasher)).collect()
}

fn all_bytes(keys: &[Word]) -> Option<Vec<&[u8]>> {
    keys.iter().map(Word::bytes).collect()
}

fn ask(machine: &Machine, name: &str, line: &mut Line<'_>) -> Result<Vec<bool>, Stop> {
    let keys = line.keys()?;
    match machine.variables.get(name) {
        Some(Held::Own(f)) if line.verb == "query-batch" => {
            let mut out = vec![false; keys.len()];
            match all_bytes(&keys) {
                Some(strings) => f.may_contain_batch(&strings, &mut out),
                None => f.may_contain_keys(&hashed(&keys, f.hasher()), &mut out),
            }
            Ok(out)
        }
        Some(Held::Own(f)) => {
            let one = |k: &Word| match k {
                Word::Bytes(b) => f.may_contain(b),
                Word::Integer(x) => f.may_contain_integer(*x),
                Word::Hashed(key) => f.may_contain_key(*key),
            };
            Ok(keys.iter().map(one).collect())
        }
        Some(Held::Packed(set)) => {
            let member = line.needed("member")?;
            let keys = hashed(&keys, set.hasher());
            let ask = |key: Key| set.member_may_contain_key(member, key);
            Ok(keys.into_iter().map(ask).collect::<Result<_, _>>()?)
        }
        Some(Held::Foreign(image)) => {
            let strings = all_bytes(&keys).ok_or_else(|| broken("a foreign filter takes bytes"))?;
            Ok(strings.iter().map(|s| image.may_contain(s)).collect())
        }
        _ => Err(broken("no such filter")),
    }
}

/// A number of hashes; beyond 32 bits no kind has as many.
fn hashes(line: &mut Line<'_>) -> Result<u32, Stop> {
    let hashes: u64 = line.needed("hashes")?;
    u32::try_from(hashes).map_err(|_| Stop::Refused("too_large", None))
}

fn make(line: &mut Line<'_>) -> Result<AnyFilter, Stop> {
    let kind = line.word()?;
    if kind == "portable" {
        if let Some(keys) = line.option_as("keys")? {
            let fpr = line.needed("fpr")?;
            let forced = line.option("force") == Some("1");
            let made = if forced {
                PortableBloom::make_forced(keys, fpr)
            } else {
                PortableBloom::make(keys, fpr)
            };
            return Ok(made?.into());
        }
    }
    let hash = match line.option("hash") {
        Some(word) => hasher(word)?,
        None => Hasher::DEFAULT,
    };
    let kind: AnyKind = match kind {
        "portable" => Portable::new(line.needed("bits")?, hashes(line)?)?.into(),
        "block" => {
            let name = line.option("profile");
            let profile = [Profile::HalfLine, Profile::Line, Profile::TwoLines]
                .into_iter()
                .find(|p| Some(p.name()) == name)
                .ok_or_else(|| broken("no profile"))?;
            Block::new(profile, line.needed("blocks")?, hash)?.into()
        }
        "split-block" => SplitBlock::new(line.needed("blocks")?)?.into(),
        "bloom" => Classic::new(line.needed("bits")?, hashes(line)?, hash)?.into(),
        _ => return Err(broken("no such kind")),
    };
    let capacity = line.option_as("capacity")?.unwrap_or(0);
    Ok(AnyFilter::empty(kind)?.with_capacity(capacity))
}
