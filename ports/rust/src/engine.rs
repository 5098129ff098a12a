//! The filters that storage engines keep in their tables: blocks of a block filter and a trailer of 13 bytes (spec/table_filter.md).
//!
//! One filter for all keys of a table; 10 bits per key give 1.05 % false positives. [`decode`] checks every byte: what it refuses is
//! to be taken as "every key is possibly present". Sets of some tens of keys lose too much to whole blocks.
//!
//! ```
//! # fn main() -> Result<(), bloomery::Error> {
//! use bloomery::engine;
//! let mut keys = engine::Writer::new(10.0);
//! keys.add(b"alice");
//! let bytes = engine::encode(&keys.finish()?)?;
//! assert_eq!(bytes.len(), engine::size(1, 10.0));
//! let filter = engine::decode(&bytes)?;
//! assert!(filter.may_contain("alice"));
//! assert!(engine::decode(&bytes[1..]).is_err());
//! # Ok(())
//! # }
//! ```

use crate::container::crc32c::Crc;
use crate::error::{Code, Error};
use crate::hash::{Hasher, Key};
use crate::kind::Kind as _;
use crate::{words, Block, BlockBloom, FilterOf, Profile};
use alloc::vec::Vec;

/// The name of these filters in the files of engines that record one. It changes if their bytes do.
pub const NAME: &str = "bloomery.Block1";

const TRAILER: usize = 13;

/// The last five bytes, with the number of the profile in the second. Filters of LevelDB, RocksDB and pebble that meet them answer
/// "possibly present".
const ENDING: [u8; 5] = [0, 0, b'b', b'l', b'm'];

/// The keys of one table after another.
#[derive(Clone, Debug)]
pub struct Writer {
    bits_per_key: f64,
    keys: Vec<Key>,
}

impl Writer {
    /// Filters of so many bits per key: 1 to 100, what is outside counts as the nearer bound.
    pub fn new(bits_per_key: f64) -> Self {
        Writer {
            bits_per_key: within_bounds(bits_per_key),
            keys: Vec::new(),
        }
    }

    /// Takes a key. Versions of a key that follow each other count once.
    pub fn add(&mut self, key: &[u8]) {
        let key = Hasher::DEFAULT.key(key);
        if self.keys.last() != Some(&key) {
            self.keys.push(key);
        }
    }

    /// The filter of the keys that were added since the last one, which are forgotten.
    pub fn finish(&mut self) -> Result<BlockBloom, Error> {
        let (profile, blocks) = layout(self.keys.len(), self.bits_per_key);
        let mut filter = BlockBloom::empty(Block::new(profile, blocks, Hasher::DEFAULT)?)?
            .with_capacity(self.keys.len() as u64);
        filter.insert_keys(&self.keys);
        self.keys.clear();
        Ok(filter)
    }
}

/// The length of the bytes of so many distinct keys.
pub fn size(keys: usize, bits_per_key: f64) -> usize {
    let (profile, blocks) = layout(keys, within_bounds(bits_per_key));
    (blocks * profile.block_bytes()) as usize + TRAILER
}

fn within_bounds(bits_per_key: f64) -> f64 {
    if bits_per_key > 1.0 {
        bits_per_key.min(100.0)
    } else {
        1.0 // what is no number, too
    }
}

/// The profile with the lowest rate at so many bits per key (spec/model.md 8), and the fewest blocks that give every key its bits.
fn layout(keys: usize, bits_per_key: f64) -> (Profile, u64) {
    let profile = if bits_per_key < 8.5 {
        Profile::HalfLine
    } else if bits_per_key > 18.0 {
        Profile::TwoLines
    } else {
        Profile::Line
    };
    let blocks = keys as f64 * bits_per_key / (8 * profile.block_bytes()) as f64;
    let whole = blocks as u64; // there is no ceil() without std
    let blocks = whole + u64::from((whole as f64) < blocks);
    (profile, blocks.clamp(1, u64::from(u32::MAX)))
}

/// The bytes of a filter, which must be of the default hasher and of the profiles half-line, line or two-lines (`incompatible`).
pub fn encode(filter: &BlockBloom) -> Result<Vec<u8>, Error> {
    filter.must_be_whole()?;
    let profile = filter.kind().profile_of_blocks();
    let blocks = u32::try_from(filter.kind().units());
    if *filter.hasher() != Hasher::DEFAULT || profile == Profile::Lanes16 || blocks.is_err() {
        return Err(Error::new(
            Code::Incompatible,
            "a table's filter has the default hasher, blocks of 64-bit lanes, and fewer than 2^32 of them",
        ));
    }
    let mut ending = ENDING;
    ending[1] = profile.number();
    let blocks = blocks.unwrap_or(0).to_le_bytes();
    let mut out = filter.payload();
    let mut crc = Crc::new();
    for part in [&out[..], &blocks, &ending] {
        crc.add(part);
    }
    out.reserve_exact(TRAILER);
    out.extend_from_slice(&crc.value().to_le_bytes());
    out.extend_from_slice(&blocks);
    out.extend_from_slice(&ending);
    Ok(out)
}

/// The filter that some bytes are; anything else is `corrupt`, a changed bit too.
pub fn decode(bytes: &[u8]) -> Result<BlockBloom, Error> {
    let (bits, count, profile) = parts(bytes)
        .ok_or_else(|| Error::new(Code::Corrupt, "these bytes are not a table's filter"))?;
    let mut crc = Crc::new();
    crc.add(bits);
    crc.add(&bytes[bits.len() + 4..]);
    if bytes[bits.len()..bits.len() + 4] != crc.value().to_le_bytes() {
        return Err(Error::new(
            Code::Corrupt,
            "the checksum of a table's filter differs",
        ));
    }
    let shape = Block::new(profile, count, Hasher::DEFAULT)?;
    Ok(FilterOf::from_parts(shape, words::from_bytes(bits)?))
}

/// The bits, how many blocks they are, and of which profile, if the bytes are of the right form.
fn parts(bytes: &[u8]) -> Option<(&[u8], u64, Profile)> {
    let (bits, trailer) = bytes.split_at(bytes.len().checked_sub(TRAILER)?);
    let profile = Profile::from_number(trailer[9]).filter(|p| *p != Profile::Lanes16)?;
    let mut ending = ENDING;
    ending[1] = profile.number();
    let count = u64::from(u32::from_le_bytes([
        trailer[4], trailer[5], trailer[6], trailer[7],
    ]));
    let fits = count > 0 && count * profile.block_bytes() == bits.len() as u64;
    (fits && trailer[8..] == ending).then_some((bits, count, profile))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn key(i: u64) -> [u8; 8] {
        i.to_be_bytes()
    }

    fn bytes_of(keys: u64, bits_per_key: f64) -> Vec<u8> {
        let mut w = Writer::new(bits_per_key);
        (0..keys).for_each(|i| w.add(&key(i)));
        encode(&w.finish().unwrap()).unwrap()
    }

    /// The bytes that the port to Go makes too (spec/table_filter.md).
    #[test]
    fn bytes_are_those_of_every_language() {
        for (keys, bits, length, crc) in VECTORS {
            let bytes = bytes_of(keys, bits);
            assert_eq!(
                (bytes.len(), crate::container::crc32c(&bytes)),
                (length, crc),
                "{keys} keys, {bits} bits per key"
            );
            assert_eq!(size(keys as usize, bits), length);
        }
    }

    #[test]
    fn keys_are_found_and_rates_are_those_of_the_model() {
        for bits in [1.0, 4.0, 8.5, 10.0, 18.0, 20.0] {
            for n in [0, 1, 50, 2000] {
                let f = decode(&bytes_of(n, bits)).unwrap();
                assert!((0..n).all(|i| f.may_contain(key(i))), "{n} keys, {bits}");
                #[cfg(feature = "std")]
                {
                    let passed = (0..20_000u64)
                        .filter(|i| f.may_contain(key(1 << 40 | *i)))
                        .count() as f64;
                    let wanted = 20_000.0 * f.realised_fpr();
                    let slack = 6.0 * wanted.sqrt() + 1.0;
                    assert!(
                        (passed - wanted).abs() <= slack,
                        "{n} keys, {bits}: {passed}, not about {wanted}"
                    );
                }
            }
        }
    }

    /// A writer is used again, and keys that follow each other count once.
    #[test]
    fn a_writer_forgets() {
        let mut w = Writer::new(10.0);
        w.add(b"a");
        w.add(b"a");
        assert_eq!(w.finish().unwrap().capacity(), 1);
        w.add(b"b");
        let second = w.finish().unwrap();
        let mut other = Writer::new(10.0);
        other.add(b"b");
        assert_eq!(second, other.finish().unwrap());
    }

    /// Cut, longer, random, and every flipped bit.
    #[test]
    fn hostile_bytes_are_refused() {
        let good = bytes_of(300, 10.0);
        assert!((0..good.len()).all(|n| decode(&good[..n]).is_err()));
        assert!((1..good.len()).all(|n| decode(&good[n..]).is_err()));
        let mut longer = good.clone();
        longer.push(0);
        assert_eq!(decode(&longer).unwrap_err().code(), Code::Corrupt);
        for bit in 0..8 * good.len() {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&bad).is_err(), "bit {bit}");
        }
        let mut h = 1u64;
        for _ in 0..20_000 {
            h = crate::hash::splitmix64(h);
            let bytes: Vec<u8> = (0..h % 200)
                .map(|i| crate::hash::splitmix64(h ^ i) as u8)
                .collect();
            assert!(decode(&bytes).is_err());
        }
    }

    #[test]
    fn other_filters_are_not_encoded() {
        let seeded = Block::new(Profile::Line, 3, Hasher::Xxh3 { seed: 1 }).unwrap();
        let lanes = Block::new(Profile::Lanes16, 3, Hasher::DEFAULT).unwrap();
        for shape in [seeded, lanes] {
            let refused = encode(&BlockBloom::empty(shape).unwrap()).unwrap_err();
            assert_eq!(
                refused.code(),
                Code::Incompatible,
                "{}",
                format!("{refused}")
            );
        }
    }

    /// Keys 0.. as eight bytes, big-endian; bits per key; length; CRC-32C of the bytes.
    const VECTORS: [(u64, f64, usize, u32); 6] = [
        (0, 10.0, 77, 0xd970_fb01),
        (1, 4.0, 45, 0x924d_3a98),
        (50, 10.0, 77, 0x3b7f_95d2),
        (1000, 8.25, 1069, 0x67ac_c221),
        (1000, 20.0, 2573, 0xef25_fc87),
        (12_345, 10.0, 15_501, 0x3d38_aa35),
    ];
}
