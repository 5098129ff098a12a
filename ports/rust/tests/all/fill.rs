//! Filters of kinds that are only read. Any bytes are a filter of most of them: these are drawn. The bytes of a quotient filter are
//! those of its fingerprints: here the example of spec/filters.md 15.9, with the key "k0".

use crate::kinds::secret_of;
use crate::texts;
use bloomery::container::{self, crc32c, Extras, ReadOptions};
use bloomery::hash::splitmix64;
use bloomery::kind::{Call, Kind};
use bloomery::{AnyFilter, AnyKind};

/// Whether filters of a kind are made by other programs only.
pub fn is_only_read(kind: &AnyKind) -> bool {
    !kind.facts().can(Call::Insert)
}

/// The checksums of a container, made right.
pub fn seal(file: &mut [u8]) {
    let word = |file: &[u8], at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let (offset, length) = (word(file, 72) as usize, word(file, 80) as usize);
    let ones: u32 = file[offset..offset + length]
        .iter()
        .map(|b| b.count_ones())
        .sum();
    file[88..96].copy_from_slice(&u64::from(ones).to_le_bytes());
    let crc = crc32c(&file[..124]);
    file[124..128].copy_from_slice(&crc.to_le_bytes());
    let tail = offset + (length + 63) / 64 * 64;
    let sums = tail + 8 * usize::from(file[18]);
    let chunks: Vec<u32> = file[offset..tail].chunks(4096).map(crc32c).collect();
    for (i, sum) in chunks.iter().enumerate() {
        file[sums + 4 * i..sums + 4 * i + 4].copy_from_slice(&sum.to_le_bytes());
    }
    let end = file.len() - 4;
    let covered = [&file[128..offset], &file[tail..end]].concat();
    file[end..].copy_from_slice(&crc32c(&covered).to_le_bytes());
}

/// The container of a filter of a shape, with a payload.
pub fn file_of(kind: &AnyKind, payload: &[u8]) -> Vec<u8> {
    let empty = AnyFilter::empty(kind.clone()).unwrap();
    let mut file = empty.to_container(&Extras::default()).unwrap();
    let at = container::inspect(&file, None).unwrap().payload_offset as usize;
    file[at..at + payload.len()].copy_from_slice(payload);
    seal(&mut file);
    file
}

/// The filter of a shape with a payload.
pub fn holding(kind: &AnyKind, payload: &[u8]) -> AnyFilter {
    let mut options = ReadOptions::new().source(kind.hasher().source());
    if let Some(secret) = secret_of(kind.hasher()) {
        options = options.secret(secret);
    }
    let read = container::read_with(&file_of(kind, payload), &options).unwrap();
    read.into_filter().unwrap()
}

/// So many drawn bytes, of which each bit is set with the chance of a quarter, a half or three quarters.
pub fn bytes(seed: u64, count: usize, quarters: u32) -> Vec<u8> {
    let byte = |i: usize| {
        let r = splitmix64(seed << 32 ^ i as u64);
        let (a, b) = (r as u8, (r >> 8) as u8);
        match quarters {
            1 => a & b,
            2 => a,
            _ => a | b,
        }
    };
    (0..count).map(byte).collect()
}

/// A filter of a kind that is only read.
pub fn drawn(kind: &AnyKind, seed: u64) -> AnyFilter {
    if kind.name() == "quotient" {
        let one = [0, 0, 0, 0, 0, 8, 0, 0];
        let words = [one, one, [0; 8], one, one, one, one, one, one, [0; 8]];
        return holding(kind, &words.concat());
    }
    let length = kind.payload_length() as usize;
    // The unused bits of the last byte are 0, as every writer leaves them.
    let mut payload = bytes(seed, length, 2);
    if let (Some(last), rest @ 1..=7) = (payload.last_mut(), kind.bits() % 8) {
        *last &= (1 << rest) - 1;
    }
    holding(kind, &payload)
}

/// Such a filter, and up to ten texts that it has.
pub fn with_keys(kind: &AnyKind) -> (AnyFilter, Vec<String>) {
    let f = drawn(kind, 1);
    let mut keys = texts("k", 20_000);
    keys.retain(|k| f.may_contain(k));
    keys.truncate(10);
    (f, keys)
}
