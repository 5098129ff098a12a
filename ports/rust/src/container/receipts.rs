//! The record of numbered receipts (spec/container.md 7). This crate issues and uses none, but keeps what was used: without it a receipt
//! could be used again, and delete another key.

use super::checked::Checked;
use super::notes::Note;
use crate::error::Error;
use crate::kind::Kind;
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

/// The tag of the record.
const RECEIPTS: u16 = 3;
const MAX_RANGES: usize = 4095;
const RANGE: usize = 16;

/// What the receipts of a filter are for; none if its kind erases no keys.
fn identity(kind: &impl Kind) -> Option<u64> {
    let mut at = 0;
    for p in kind.facts().parameters {
        if p.name == "identity" {
            return Some(number(&kind.parameters()[at..]));
        }
        at += p.bytes;
    }
    None
}

fn number(bytes: &[u8]) -> u64 {
    let mut n = [0; 8];
    n.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(n)
}

/// Whether a record says how many were issued, and then ascending ranges of them with others between.
fn is_record(bytes: &[u8], identity: u64) -> bool {
    if identity == 0 || bytes.len() % RANGE != 8 || bytes.len() > 8 + RANGE * MAX_RANGES {
        return false;
    }
    let issued = number(bytes);
    let mut before = 0;
    issued != 0
        && issued != u64::MAX
        && bytes[8..].chunks(RANGE).all(|range| {
            let (first, end) = (number(range), number(&range[8..]));
            let follows = before < first && first < end && end <= issued + 1;
            before = end;
            follows
        })
}

impl<B: AsRef<[u8]>> Checked<B> {
    /// The record of the filter; empty if there is none.
    pub(super) fn receipts(&self, kind: &impl Kind) -> Result<Vec<u8>, Error> {
        let identity = match identity(kind) {
            Some(identity) => identity,
            None => return Ok(Vec::new()),
        };
        let mut at = self.file().len() as u64 - 4 - u64::from(self.header.notes_length);
        for note in &self.notes.records {
            if note.tag == RECEIPTS {
                if !is_record(&note.bytes, identity) {
                    return Err(Error::corrupt(at, "a record of receipts no filter wrote"));
                }
                return Ok(note.bytes.clone());
            }
            at += 8 + note.bytes.len() as u64;
        }
        Ok(Vec::new())
    }
}

/// The notes of the caller, and the record of the filter. Notes that were read may have it already.
pub(super) fn with_record<'a>(
    notes: &'a [Note],
    kind: &impl Kind,
    own: &[u8],
) -> Result<Cow<'a, [Note]>, Error> {
    let told = notes.iter().find(|note| note.tag == RECEIPTS);
    match told {
        _ if identity(kind).is_none() => Ok(Cow::Borrowed(notes)),
        Some(told) if told.bytes == own => Ok(Cow::Borrowed(notes)),
        Some(_) => Err(Error::invalid("a note says other receipts were used")),
        None if own.is_empty() => Ok(Cow::Borrowed(notes)),
        None => {
            // Behind the record of the source, which comes first.
            let (source, others): (Vec<Note>, Vec<Note>) = notes
                .iter()
                .cloned()
                .partition(|n| n.tag == super::notes::SOURCE);
            let record = Note {
                tag: RECEIPTS,
                bytes: own.to_vec(),
            };
            Ok(Cow::Owned([source, vec![record], others].concat()))
        }
    }
}
