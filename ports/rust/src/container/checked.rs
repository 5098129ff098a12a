//! The bytes of a container under their checksums: a chunk is checked when it is first needed.

use super::crc32c::{crc32c, Crc};
use super::header::{u32_at, u64_at, Header, HEADER};
use super::notes::{self, Notes};
use super::options::ReadOptions;
use crate::error::{Code, Error};
use crate::hash::{Hasher, Key, KeySource};
use crate::kind::{Damage, Kind, Payload, CHUNK};
use crate::words::reserve;
use alloc::format;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const INTACT: u8 = 1;
const DAMAGED: u8 = 2;

/// A container whose header and tail are right.
pub(super) struct Checked<B> {
    file: B,
    pub(super) header: Header,
    pub(super) notes: Notes,
    payload: usize,
    tail: usize,
    /// What is known of each chunk. No other memory depends on it: relaxed order is enough.
    chunks: Vec<AtomicU8>,
}

impl<B> fmt::Debug for Checked<B> {
    /// The header and the notes, not the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked")
            .field("header", &self.header)
            .field("notes", &self.notes)
            .finish_non_exhaustive()
    }
}

impl<B: AsRef<[u8]>> Checked<B> {
    /// Everything that spec/container.md 8 requires up to the notes.
    pub(super) fn new(file: B) -> Result<Self, Error> {
        let bytes = file.as_ref();
        let header = Header::parse(bytes, Some(bytes.len() as u64))?;
        // The file has exactly the length that the header adds up to: all of these lie in it.
        let payload = header.payload_offset as usize;
        let tail = header.tail() as usize;
        let end = bytes.len() - 4;
        let gap = &bytes[HEADER..payload];
        if gap.iter().any(|b| *b != 0) {
            return Err(Error::corrupt(
                HEADER as u64,
                "the gap after the header is not zero",
            ));
        }
        let mut crc = Crc::new();
        crc.add(gap);
        crc.add(&bytes[tail..end]);
        if crc.value() != u32_at(bytes, end) {
            return Err(Error::corrupt(tail as u64, "the tail is damaged"));
        }
        let at = end - header.notes_length as usize;
        let notes = notes::parse(&bytes[at..end], at as u64, header.kind)?;
        // A file of that length is there: the number of its chunks can be believed.
        let count = header.chunks() as usize;
        let mut chunks = reserve(count)?;
        chunks.resize_with(count, || AtomicU8::new(UNKNOWN));
        Ok(Checked {
            file,
            header,
            notes,
            payload,
            tail,
            chunks,
        })
    }

    /// The hasher of the keys that the reader will look up.
    pub(super) fn hasher(&self, options: &ReadOptions) -> Result<Hasher, Error> {
        let hash = self.hash(options.secret)?;
        let source = match (self.notes.source, options.source) {
            (None, asked) => asked.unwrap_or(KeySource::Bytes),
            (Some((told, at)), Some(asked)) if told != asked => {
                let what = format!(
                    "its keys are {}, and {} were to be asked",
                    told.name(),
                    asked.name()
                );
                return Err(Error::at(Code::Incompatible, at, what));
            }
            (Some((told, _)), _) => told,
        };
        Ok(hash.of(source))
    }

    /// The hash, once its check agrees.
    fn hash(&self, secret: Option<[u8; 16]>) -> Result<Hasher, Error> {
        let h = &self.header;
        let keyed = h.hash == 4;
        if keyed != secret.is_some() {
            let what = if keyed {
                "the hash is keyed, and no secret is given"
            } else {
                "a secret is given, and the hash takes none"
            };
            return Err(Error::at(Code::Incompatible, 16, what));
        }
        let hasher = Hasher::from_id(h.hash, h.seed, secret).unwrap_or_default();
        if hasher.check() == h.check {
            Ok(hasher)
        } else if keyed {
            Err(Error::at(
                Code::Incompatible,
                40,
                "another secret made this filter",
            ))
        } else {
            Err(Error::corrupt(40, "another hash function made this filter"))
        }
    }

    /// The whole file.
    pub(super) fn file(&self) -> &[u8] {
        self.file.as_ref()
    }

    /// The payload, unchecked.
    pub(super) fn payload(&self) -> &[u8] {
        &self.file()[self.payload..self.payload + self.header.payload_length as usize]
    }

    /// Where a chunk lies in the file.
    pub(super) fn chunk_at(&self, chunk: usize) -> (usize, usize) {
        let from = self.payload + chunk * CHUNK as usize;
        (from, (from + CHUNK as usize).min(self.tail))
    }

    pub(super) fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// Whether a chunk is as it was written.
    #[inline]
    pub(super) fn is_intact(&self, chunk: usize) -> bool {
        match self.chunks[chunk].load(Ordering::Relaxed) {
            INTACT => true,
            DAMAGED => false,
            _ => self.check(chunk),
        }
    }

    #[cold]
    fn check(&self, chunk: usize) -> bool {
        let (from, to) = self.chunk_at(chunk);
        let sums = self.tail + 8 * usize::from(self.header.sentinels);
        let intact = crc32c(&self.file()[from..to]) == u32_at(self.file(), sums + 4 * chunk);
        let state = if intact { INTACT } else { DAMAGED };
        self.chunks[chunk].store(state, Ordering::Relaxed);
        intact
    }

    /// How many chunks are damaged; checks those that were not needed yet.
    pub(super) fn damaged(&self) -> u64 {
        let damaged = (0..self.chunks.len()).filter(|c| !self.is_intact(*c));
        damaged.count() as u64
    }

    /// A number of the payload, if its chunk is intact; numbers lie in one chunk, since both are aligned.
    pub(super) fn number(&self, at: usize) -> Option<u64> {
        if self.is_intact(at / CHUNK as usize) {
            Some(u64_at(self.payload(), at))
        } else {
            None
        }
    }

    /// Padding lies in the last chunk.
    pub(super) fn check_padding(&self) -> Result<(), Error> {
        let from = self.payload + self.header.payload_length as usize;
        let padding = &self.file()[from..self.tail];
        if padding.iter().any(|b| *b != 0) && self.is_intact(self.chunks.len() - 1) {
            return Err(Error::corrupt(from as u64, "the padding is not zero"));
        }
        Ok(())
    }

    pub(super) fn sentinels(&self) -> Vec<Key> {
        let from = &self.file()[self.tail..];
        (0..usize::from(self.header.sentinels))
            .map(|i| Key::from_raw(u64_at(from, 8 * i)))
            .collect()
    }

    /// Looks up each sentinel.
    pub(super) fn check_sentinels(&self, mut found: impl FnMut(Key) -> bool) -> Result<(), Error> {
        for (i, key) in self.sentinels().into_iter().enumerate() {
            if !found(key) {
                let at = (self.tail + 8 * i) as u64;
                return Err(Error::corrupt(
                    at,
                    "a key that its builder saw is not found",
                ));
            }
        }
        Ok(())
    }
}

/// The payload as one lookup reads it, from `base` on. What it reads of damaged chunks is made of ones under the rule `ones` and
/// of zeros under `possibly-present`, where they never cause a negative answer.
pub(super) struct Reads<'a, B> {
    checked: &'a Checked<B>,
    base: u64,
    rule: Damage,
    met: Cell<bool>,
}

impl<'a, B: AsRef<[u8]>> Reads<'a, B> {
    pub(super) fn new(checked: &'a Checked<B>, base: u64, rule: Damage) -> Self {
        Reads {
            checked,
            base,
            rule,
            met: Cell::new(false),
        }
    }

    /// Whether a key is possibly present.
    #[inline]
    pub(super) fn may_contain(&self, kind: &impl Kind, key: Key) -> bool {
        kind.lookup(self, key) || (self.met.get() && self.rule != Damage::Ones)
    }

    #[inline]
    fn byte(&self, at: u64) -> u8 {
        if self.checked.is_intact((at / CHUNK) as usize) {
            return self.checked.payload()[at as usize];
        }
        self.met.set(true);
        match self.rule {
            Damage::Ones => 0xff,
            _ => 0,
        }
    }
}

impl<B: AsRef<[u8]>> Payload for Reads<'_, B> {
    fn number(&self, at: u64, bytes: u32) -> u64 {
        let at = self.base + at;
        (0..u64::from(bytes)).fold(0, |n, i| n | u64::from(self.byte(at + i)) << (8 * i))
    }

    fn known(&self, at: u64, bytes: u32) -> Option<u64> {
        if self.rule == Damage::Ones || self.is_known(at, bytes.into()) {
            return Some(self.number(at, bytes));
        }
        None
    }

    fn is_known(&self, at: u64, bytes: u64) -> bool {
        let (from, to) = (self.base + at, self.base + at + bytes);
        let mut chunks = from / CHUNK..(to + CHUNK - 1) / CHUNK;
        chunks.all(|c| self.checked.is_intact(c as usize))
    }

    #[inline]
    fn bit(&self, bit: u64) -> bool {
        self.byte(self.base + bit / 8) >> (bit % 8) & 1 != 0
    }
}
