//! Notes (spec/container.md 7): records that readers may skip, or must understand.

use super::foreign;
use super::header::{u16_at, u32_at};
use crate::error::Error;
use alloc::format;
use alloc::vec::Vec;

/// The tag of the dialect of foreign bytes.
pub(super) const DIALECT: u16 = 0x8001;
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

/// The notes in `bytes`, which begin at `base` in a file of this kind.
pub(super) fn parse(bytes: &[u8], base: u64, kind: u8) -> Result<Vec<Note>, Error> {
    let mut notes: Vec<Note> = Vec::new();
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
        if tag & CRITICAL != 0 && !(tag == DIALECT && kind == foreign::FACTS.number) {
            let what = format!("a note with tag {:#06x}, which must be understood", tag);
            return Err(Error::unsupported(begin, what));
        }
        if notes.iter().any(|n| n.tag == tag) {
            return Err(Error::corrupt(begin, "a note that comes twice"));
        }
        notes.push(Note {
            tag,
            bytes: body.to_vec(),
        });
        at += RECORD + length;
    }
    Ok(notes)
}

/// The records; refused where no reader would take them.
pub(super) fn to_bytes(notes: &[Note], kind: u8) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    for note in notes {
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
