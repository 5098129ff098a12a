//! Operations on filters.

use super::line::Line;
use super::numbers::{hasher, shape};
use super::{broken, Held, Machine, Stop};
use crate::hex;
use crate::keys::Word;
use crate::kinds;
use bloomery::kind::Call;
use bloomery::{AnyFilter, Code, Hasher, Key, Kind, Portable, PortableBloom};

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
            // A copy: if one key is refused, none went in.
            let mut filter = machine.own(name)?.clone();
            for key in taken(line.keys()?, filter.hasher())? {
                match key {
                    Word::Bytes(b) => filter.try_insert(b)?,
                    other => filter.try_insert_key(other.key(filter.hasher()))?,
                }
            }
            machine.set(name, Held::Own(filter))?;
            ok()
        }
        "insert-batch" => {
            let mut filter = machine.own(name)?.clone();
            let keys = taken(line.keys()?, filter.hasher())?;
            let inserted = match all_bytes(&keys) {
                Some(strings) => filter.try_insert_batch(&strings),
                None => filter.try_insert_keys(&hashed(&keys, filter.hasher())),
            };
            inserted.map_err(|(_, e)| e)?;
            machine.set(name, Held::Own(filter))?;
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
        "source" => Ok(machine.own(name)?.hasher().source().name().to_string()),
        "rate" => {
            let f = machine.own(name)?;
            let rates = f
                .rates()
                .map_err(|_| broken("a kind whose rate is above level 2"))?;
            Ok(format!(
                "realised={} keys={}",
                hex::real(rates.realised_fpr),
                hex::real(rates.estimated_keys)
            ))
        }
        "expect" => {
            let keys = line.number()?;
            let f = machine.own(name)?;
            let f = f.clone().downcast::<Portable>();
            let f = f.map_err(|_| broken("the rate of another kind is no part of the contract"))?;
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
            if !f.kind().facts().can(Call::Fold) {
                return Err(broken("a filter without blocks"));
            }
            let folded = f.fold(factor)?;
            let result = format!("ok blocks={}", folded.kind().units());
            machine.set(name, Held::Own(folded))?;
            Ok(result)
        }
        "clear" => {
            machine.own_mut(name)?.clear()?;
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

/// The keys, if a filter with this hasher takes all of them.
pub(super) fn taken(keys: Vec<Word>, hasher: &Hasher) -> Result<Vec<Word>, Stop> {
    if keys.iter().all(|key| key.is_taken(hasher.source())) {
        Ok(keys)
    } else {
        Err(Stop::Refused(Code::Incompatible.name(), None))
    }
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
            let keys = taken(keys, f.hasher())?;
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
                other => f.may_contain_key(other.key(f.hasher())),
            };
            Ok(taken(keys, f.hasher())?.iter().map(one).collect())
        }
        Some(Held::Packed(set)) => {
            let member = line.needed("member")?;
            let keys = hashed(&taken(keys, set.hasher())?, set.hasher());
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

fn make(line: &mut Line<'_>) -> Result<AnyFilter, Stop> {
    let kind = line.word()?;
    let source = line.source()?;
    if kind == "portable" {
        if let Some(keys) = line.option_as("keys")? {
            let fpr = line.needed("fpr")?;
            let forced = line.option("force") == Some("1");
            let made = if forced {
                PortableBloom::make_forced(keys, fpr)
            } else {
                PortableBloom::make(keys, fpr)
            };
            return Ok(made?.of(source).into());
        }
    }
    let hash = match line.option("hash") {
        Some(word) => hasher(word)?,
        None => Hasher::DEFAULT,
    };
    let kind = kinds::shape(kind, hash, line)?.of(source);
    let capacity = line.option_as("capacity")?.unwrap_or(0);
    Ok(AnyFilter::empty(kind)?.with_capacity(capacity))
}
