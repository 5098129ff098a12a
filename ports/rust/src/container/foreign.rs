//! Another system's bytes in a container (spec/container.md 5).

use super::checked::Checked;
use super::header::Header;
use super::notes::DIALECT;
use crate::dialect::{Image, Options};
use crate::error::Error;
use crate::kind::Facts;
use crate::words::reserve;
use alloc::string::String;
use alloc::vec::Vec;

/// The facts of the kind.
pub(crate) const FACTS: Facts = crate::kinds::FOREIGN;

/// What a header of this kind must hold.
pub(super) fn check(h: &Header) -> Result<(), Error> {
    h.expect_facts(&FACTS)?;
    h.expect_units(h.units == 0)
}

/// The bytes, whole. In damaged chunks, cells that only insertion sets count as set; a filter of other cells answers every
/// key; and where bytes are damaged that give a filter its form, the file is refused.
pub(super) fn read(c: &Checked<&[u8]>) -> Result<Image<Vec<u8>>, Error> {
    let notes_at = (c.file().len() - 4 - c.header.notes_length as usize) as u64;
    let note = c.notes.records.iter().find(|n| n.tag == DIALECT);
    let text = note
        .map(|n| &n.bytes[..])
        .filter(|b| !b.is_empty())
        .ok_or_else(|| Error::corrupt(notes_at, "foreign bytes of no dialect"))?;
    let options = Options::from_note(text)
        .map_err(|e| Error::at(e.code(), notes_at, String::from(e.what())))?;
    c.check_padding()?;
    let (base, _) = c.chunk_at(0);
    let payload = c.payload();
    let mut bytes = reserve(payload.len())?;
    bytes.extend_from_slice(payload);
    let refused = |e: Error| e.shifted(base as u64);
    let cells = Image::open(payload, &options).map_err(refused)?.bit_cells();
    let damaged: Vec<_> = (0..c.chunk_count())
        .filter(|i| !c.is_intact(*i))
        .map(|i| c.chunk_at(i))
        .map(|(from, to)| from - base..(to - base).min(payload.len()))
        .collect();
    for place in &damaged {
        if let Some(cells) = &cells {
            let (from, to) = (cells.start.max(place.start), cells.end.min(place.end));
            if from < to {
                bytes[from..to].fill(0xff);
            }
        }
    }
    let mut image = Image::open(bytes, &options).map_err(refused)?;
    for place in &damaged {
        if !image.doubt(place) {
            let first = (base + damaged[0].start) as u64;
            let what = "a damaged chunk holds bytes that give the filter its form";
            return Err(Error::corrupt(first, what));
        }
    }
    Ok(image)
}
