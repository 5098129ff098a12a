//! Another system's bytes in a container (spec/container.md 5).

use super::checked::Checked;
use super::notes::DIALECT;
use crate::dialect::{Image, Options};
use crate::error::Error;
use crate::words::reserve;
use alloc::string::String;
use alloc::vec::Vec;

/// The bytes, whole. In damaged chunks, cells that only insertion sets count as set; where other bytes are damaged the
/// file is refused, because a filter whose form is not known answers nothing.
pub(super) fn read(c: &Checked<&[u8]>) -> Result<Image<Vec<u8>>, Error> {
    let notes_at = (c.file().len() - 4 - c.header.notes_length as usize) as u64;
    let note = c.notes.iter().find(|n| n.tag == DIALECT);
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
    let image = Image::open(payload, &options).map_err(|e| e.shifted(base as u64))?;
    let cells = image.bit_cells();
    let mut first_damaged = None;
    for chunk in (0..c.chunk_count()).filter(|i| !c.is_intact(*i)) {
        let (from, to) = c.chunk_at(chunk);
        let first = *first_damaged.get_or_insert(from as u64);
        let damaged = from - base..(to - base).min(payload.len());
        if image.has_form_in(&damaged) {
            return Err(Error::corrupt(
                first,
                "a damaged chunk holds bytes that give the filter its form",
            ));
        }
        for cells in &cells {
            let (from, to) = (cells.start.max(damaged.start), cells.end.min(damaged.end));
            if from < to {
                bytes[from..to].fill(0xff);
            }
        }
    }
    Image::open(bytes, &options).map_err(|e| e.shifted(base as u64))
}
