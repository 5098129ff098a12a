//! Operations without a filter: hashes, sizes, promises.

use super::line::Line;
use super::{broken, Stop};
use crate::hex;
use crate::keys::{self, Word};
use bloomery::{Hasher, Kind, Portable};

pub(super) fn hasher(word: &str) -> Result<Hasher, Stop> {
    keys::hasher(word).ok_or_else(|| broken("no hasher"))
}

pub(super) fn run(line: &mut Line<'_>) -> Result<String, Stop> {
    match line.verb {
        "hash" => {
            let hasher = hasher(line.word()?)?;
            let keys = line.keys()?;
            if keys.iter().any(|k| matches!(k, Word::Hashed(_))) {
                return Err(broken("a key that is hashed already"));
            }
            let hashes = keys
                .iter()
                .map(|k| format!("{:016x}", k.key(&hasher).raw()));
            Ok(hashes.collect::<Vec<_>>().join(" "))
        }
        "check" => Ok(format!("{:016x}", hasher(line.word()?)?.check())),
        "size" => {
            let keys = line.needed("keys")?;
            let kind = if let Some(fpr) = line.option_as("fpr")? {
                Portable::by_rate(keys, fpr)
            } else if let Some(bits) = line.option_as("bits-per-key")? {
                Portable::by_bits_per_key(keys, bits)
            } else {
                Portable::by_memory(keys, line.needed("memory")?)
            };
            kind.map(|k| shape(&k)).map_err(Stop::from)
        }
        _ => {
            let (keys, fpr) = (line.needed("keys")?, line.needed("fpr")?);
            let promise = Portable::by_rate(keys, fpr)?.promise(keys, fpr);
            let verdict = promise.verdict.name();
            Ok(format!("{} {}", verdict, hex::real(promise.true_fpr)))
        }
    }
}

pub(super) fn shape(kind: &impl Kind) -> String {
    format!("bits={} hashes={}", kind.bits(), kind.hashes())
}
