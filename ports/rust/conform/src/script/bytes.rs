//! Operations on bytes.

use super::filters::taken;
use super::line::Line;
use super::{broken, Held, Machine, Stop};
use crate::hex;
use crate::keys::{self, Word};
use bloomery::container::{self, crc32c, smallest, Extras};
use bloomery::PortableBloom;
use std::path::PathBuf;

fn summary(bytes: &[u8]) -> String {
    format!("{} {:08x}", bytes.len(), crc32c(bytes))
}

fn parse(text: &str) -> Result<Vec<u8>, Stop> {
    hex::bytes(if text == "-" { "" } else { text }).ok_or_else(|| broken("no bytes"))
}

/// A file of the folder, and of no other.
fn path(machine: &Machine, name: &str) -> Result<PathBuf, Stop> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    if name.starts_with('.') || !name.bytes().all(plain) {
        return Err(broken("no name of a file"));
    }
    Ok(machine.files.join(name))
}

pub(super) fn run(machine: &mut Machine, line: &mut Line<'_>) -> Result<String, Stop> {
    let name = line.word()?;
    let mut out_of_range = false;
    let bytes = match line.verb {
        "encode" => encode(machine, line)?,
        "bytes" => parse(line.word()?)?,
        "read" => {
            let path = path(machine, line.word()?)?;
            bloomery::load(&path, u64::MAX).map_err(|e| Stop::Broken(e.to_string()))?
        }
        "show" => return Ok(hex::text(machine.bytes(name)?)),
        "write" => {
            let path = path(machine, line.word()?)?;
            bloomery::save(path, machine.bytes(name)?)?;
            return Ok("ok".to_string());
        }
        "inspect" => return inspect(machine.bytes(name)?),
        verb => {
            let mut b = machine.bytes(name)?.clone();
            match verb {
                "flip" => {
                    let bit = line.number()?;
                    match b.get_mut((bit / 8) as usize) {
                        Some(byte) => *byte ^= 1 << (bit % 8),
                        None => out_of_range = true,
                    }
                }
                "put" => {
                    let at = line.number()? as usize;
                    let with = parse(line.word()?)?;
                    match b.get_mut(at..).and_then(|b| b.get_mut(..with.len())) {
                        Some(place) => place.copy_from_slice(&with),
                        None => out_of_range = true,
                    }
                }
                "cut" => {
                    let length = line.number()? as usize;
                    out_of_range = length > b.len();
                    b.truncate(length);
                }
                _ => b.extend(parse(line.word()?)?),
            }
            b
        }
    };
    if out_of_range {
        return Err(broken("beyond the end of the bytes"));
    }
    let result = summary(&bytes);
    machine.set(name, Held::Bytes(bytes))?;
    Ok(result)
}

fn encode(machine: &Machine, line: &mut Line<'_>) -> Result<Vec<u8>, Stop> {
    let filter = machine.own(line.word()?)?;
    match line.word()? {
        "portable" => {
            let portable: PortableBloom = filter
                .clone()
                .downcast()
                .map_err(|_| broken("only a portable filter has this form"))?;
            Ok(portable.encode()?)
        }
        "native" => {
            let mut extras = Extras {
                asked_fpr: line.option_as("fpr")?.unwrap_or(0.0),
                keys: line.option_as("keys")?.unwrap_or(0),
                ..Extras::default()
            };
            if let Some(word) = line.option("sentinels") {
                let keys: Vec<Word> = keys::parse(word).ok_or_else(|| broken("no keys"))?;
                let keys = taken(keys, filter.hasher())?;
                extras.sentinels = smallest(keys.iter().map(|k| k.key(filter.hasher())));
            }
            Ok(filter.to_container(&extras)?)
        }
        _ => Err(broken("no such form")),
    }
}

fn inspect(bytes: &[u8]) -> Result<String, Stop> {
    let h = container::inspect(bytes, Some(bytes.len() as u64))?;
    Ok(format!(
        "kind={} hashes={} units={} payload={}+{} sentinels={} notes={} keys={}",
        h.kind_name(),
        h.hashes,
        h.units,
        h.payload_offset,
        h.payload_length,
        h.sentinels,
        h.notes_length,
        h.keys
    ))
}
