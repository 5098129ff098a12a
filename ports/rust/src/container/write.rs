//! A filter as a container.

use super::crc32c::{crc32c, Crc};
use super::header::{is_rate, offset_of, Header, HEADER};
use super::notes::{self, Note};
use super::receipts;
use crate::error::Error;
use crate::filter_of::FilterOf;
use crate::hash::{Hasher, Key};
use crate::kind::{Facts, Kind, CHUNK};
use crate::words;
use alloc::vec::Vec;

/// What a container may hold beside the filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// The rate that was requested; 0: not recorded.
    pub asked_fpr: f64,
    /// Distinct keys, where somebody counted; 0: unknown.
    pub keys: u64,
    /// The smallest hashes of all keys, at most 8; see [`sentinels_of`].
    pub sentinels: Vec<Key>,
    /// Notes; that of the source of the keys need not be among them.
    pub notes: Vec<Note>,
}

/// The sentinels of a set of keys: the smallest distinct hashes, at most 8, ascending.
pub fn sentinels_of(hasher: &Hasher, keys: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<Key> {
    smallest(keys.into_iter().map(|key| hasher.key(key.as_ref())))
}

/// The same of keys that were hashed already.
pub fn smallest(keys: impl IntoIterator<Item = Key>) -> Vec<Key> {
    let mut least: Vec<Key> = Vec::with_capacity(9);
    for key in keys {
        if let Err(at) = least.binary_search(&key) {
            if at < 8 {
                least.insert(at, key);
                least.truncate(8);
            }
        }
    }
    least
}

impl<K: Kind> FilterOf<K> {
    /// The filter as a container. The same filter with the same extras always gives the same bytes.
    ///
    /// What a reader would refuse is refused: a rate outside [0, 1), sentinels that are not in the filter, or a count of keys where
    /// the kind carries none; and a filter that came from a damaged file.
    pub fn to_container(&self, extras: &Extras) -> Result<Vec<u8>, Error> {
        self.must_be_whole()?;
        check(extras, self.kind().facts(), |key| self.may_contain_key(key))?;
        let source = self.hasher().source();
        let records = receipts::with_record(&extras.notes, self.kind(), self.receipts())?;
        let notes = notes::to_bytes(&records, self.kind().number(), source)?;
        let size = self.size_in_bytes();
        let kind = self.kind();
        let header = Header {
            kind: kind.number(),
            profile: kind.profile(),
            flags: 0,
            hash: kind.hasher().id(),
            sentinels: extras.sentinels.len() as u8,
            member_kind: 0,
            hashes: kind.hashes(),
            units: kind.units(),
            seed: kind.hasher().seed(),
            check: kind.hasher().check(),
            asked_fpr: extras.asked_fpr,
            capacity: self.capacity(),
            keys: extras.keys,
            payload_offset: offset_of(kind.number(), size),
            payload_length: size,
            // All bits of the payload, those after the last of the filter too, if its file had such.
            ones: words::ones(self.words(), 64 * self.words().len() as u64),
            notes_length: notes.len() as u32,
            parameters: kind.parameters(),
        };
        let mut out = words::reserve(header.file_length() as usize)?;
        out.extend_from_slice(&header.to_bytes());
        out.resize(header.payload_offset as usize, 0);
        words::to_bytes(self.words(), size as usize, &mut out);
        out.resize(header.tail() as usize, 0);
        let sums: Vec<u32> = out[header.payload_offset as usize..]
            .chunks(CHUNK as usize)
            .map(crc32c)
            .collect();
        for key in &extras.sentinels {
            out.extend_from_slice(&key.raw().to_le_bytes());
        }
        for sum in sums {
            out.extend_from_slice(&sum.to_le_bytes());
        }
        out.extend_from_slice(&notes);
        let mut crc = Crc::new();
        crc.add(&out[HEADER..header.payload_offset as usize]);
        crc.add(&out[header.tail() as usize..]);
        out.extend_from_slice(&crc.value().to_le_bytes());
        Ok(out)
    }

    /// The extras that the filter itself knows: the rate that was requested.
    pub fn extras(&self) -> Extras {
        Extras {
            asked_fpr: self.asked_fpr(),
            ..Extras::default()
        }
    }
}

fn check(extras: &Extras, facts: &Facts, found: impl Fn(Key) -> bool) -> Result<(), Error> {
    if !is_rate(extras.asked_fpr) {
        return Err(Error::invalid("a requested rate lies between 0 and 1"));
    }
    let s = &extras.sentinels;
    if !facts.sentinels && !s.is_empty() || !facts.keys && extras.keys != 0 {
        return Err(Error::invalid(
            "a kind whose keys can leave carries no sentinels and no count of keys",
        ));
    }
    if s.len() > 8 || s.windows(2).any(|w| w[0] >= w[1]) {
        return Err(Error::invalid(
            "sentinels are at most 8 different keys, ascending",
        ));
    }
    if !s.iter().all(|key| found(*key)) {
        return Err(Error::invalid("a sentinel is not in the filter"));
    }
    Ok(())
}
