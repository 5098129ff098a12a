//! Notes (spec/container.md 7): records that readers may skip, or must understand.

use super::foreign;
use super::header::{u16_at, u32_at};
use crate::error::Error;
use crate::hash::KeySource;
use alloc::format;
use alloc::vec::Vec;

/// The tag of the dialect of foreign bytes.
pub(super) const DIALECT: u16 = 0x8001;
/// The tag of the source of the keys, in all other kinds.
pub(super) const SOURCE: u16 = 0x8002;
/// Tags with this bit must be understood.
const CRITICAL: u16 = 0x8000;
const RECORD: usize = 8;

/// A note of a container. Those with unknown tags are kept, so that a file can be written as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about; the highest bit says that readers must know the tag.
    pub tag: u16,
    /// What it says.
    pub bytes: Vec<u8>,
}

/// What notes say.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) records: Vec<Note>,
    /// The source of the keys, and where its record begins in the file.
    pub(super) source: Option<(KeySource, u64)>,
}

/// Whether a tag that must be understood is.
fn understood(tag: u16, kind: u8) -> bool {
    tag == if kind == foreign::FACTS.number {
        DIALECT
    } else {
        SOURCE
    }
}

/// A source by its name; bytes are said by saying nothing.
fn source(name: &[u8], at: u64) -> Result<KeySource, Error> {
    core::str::from_utf8(name)
        .ok()
        .and_then(KeySource::from_name)
        .filter(|source| *source != KeySource::Bytes)
        .ok_or_else(|| Error::unsupported(at, "a source of keys that is not known"))
}

/// The notes in `bytes`, which begin at `base` in a file of this kind.
pub(super) fn parse(bytes: &[u8], base: u64, kind: u8) -> Result<Notes, Error> {
    let mut notes = Notes::default();
    let mut at = 0;
    while at < bytes.len() {
        let begin = base + at as u64;
        let rest = &bytes[at..];
        let does_not_fit = || Error::corrupt(begin, "a note that does not fit");
        if rest.len() < RECORD || u16_at(rest, 2) != 0 {
            return Err(does_not_fit());
        }
        let tag = u16_at(rest, 0);
        let length = u32_at(rest, 4) as usize;
        let body = rest[RECORD..].get(..length).ok_or_else(does_not_fit)?;
        if tag & CRITICAL != 0 && !understood(tag, kind) {
            let what = format!("a note with tag {:#06x}, which must be understood", tag);
            return Err(Error::unsupported(begin, what));
        }
        if notes.records.iter().any(|n| n.tag == tag) {
            return Err(Error::corrupt(begin, "a note that comes twice"));
        }
        if tag == SOURCE {
            notes.source = Some((source(body, begin)?, begin));
        }
        notes.records.push(Note {
            tag,
            bytes: body.to_vec(),
        });
        at += RECORD + length;
    }
    Ok(notes)
}

/// The records of a file whose keys have this source, of which the notes may have the record already; refused where no reader would
/// take them, or they contradict the source.
pub(super) fn to_bytes(notes: &[Note], kind: u8, source: KeySource) -> Result<Vec<u8>, Error> {
    let own = Note {
        tag: SOURCE,
        bytes: source.name().as_bytes().to_vec(),
    };
    let told = notes.iter().find(|note| note.tag == SOURCE);
    if told.map_or(false, |told| *told != own) {
        return Err(Error::invalid("a note says that keys are something else"));
    }
    let untold = source != KeySource::Bytes && told.is_none();
    let mut out = Vec::new();
    for note in untold.then_some(&own).into_iter().chain(notes) {
        let length = u32::try_from(note.bytes.len())
            .map_err(|_| Error::invalid("a note of more than 2^32 bytes"))?;
        out.extend_from_slice(&note.tag.to_le_bytes());
        out.extend_from_slice(&[0, 0]);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&note.bytes);
    }
    if u32::try_from(out.len()).is_err() {
        return Err(Error::invalid("notes of more than 2^32 bytes"));
    }
    parse(&out, 0, kind)
        .map_err(|_| Error::invalid("a tag comes twice, or must be understood and is not known"))?;
    Ok(out)
}
