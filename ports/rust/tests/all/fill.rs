//! Filters of kinds that are only read, filled by the tests: bit by bit, as the pages describe the arrays.

use crate::kinds::secret_of;
use crate::{runs, solve};
use bloomery::container::{self, crc32c, Extras, ReadOptions};
use bloomery::kind::{Call, Kind};
use bloomery::{AnyFilter, AnyKind, Code, Key};
use std::collections::BTreeMap;

/// Whether filters of a kind can be filled here.
pub fn is_only_read(kind: &AnyKind) -> bool {
    let fills = [Call::Insert, Call::TryInsert, Call::Build];
    !fills.iter().any(|call| kind.facts().can(*call))
}

pub fn number(payload: &[u8], from: u64, bits: u64) -> u64 {
    let bit = |i: u64| u64::from(payload[((from + i) / 8) as usize] >> ((from + i) % 8) & 1);
    (0..bits).map(|i| bit(i) << i).sum()
}

pub fn set_number(payload: &mut [u8], from: u64, bits: u64, value: u64) {
    for i in 0..bits {
        let (at, mask) = (((from + i) / 8) as usize, 1 << ((from + i) % 8));
        payload[at] = payload[at] & !mask | if value >> i & 1 == 1 { mask } else { 0 };
    }
}

/// How many bits a key has in each level or generation.
fn parts_of(kind: &AnyKind) -> Vec<usize> {
    match kind {
        AnyKind::Scalable(own) => {
            let s = *own.shape();
            let bits = |level| match level {
                _ if level < s.line_from.into() => 4,
                _ if level < s.two_lines_from.into() => 8,
                _ => 16,
            };
            (0..s.levels).map(bits).collect()
        }
        AnyKind::Window(own) => {
            vec![own.hashes() as usize; own.shape().generations as usize]
        }
        _ => panic!("{} has no parts", kind.name()),
    }
}

/// Puts a key in; there must be room, because nothing is moved.
fn put(kind: &AnyKind, payload: &mut [u8], key: Key) {
    match kind {
        AnyKind::Cuckoo(cuckoo) => {
            let bits = u64::from(cuckoo.hashes());
            let (tag, buckets) = cuckoo.places(key);
            let slots = buckets.iter().flat_map(|b| 4 * b..4 * b + 4);
            let mut free = slots.filter(|slot| number(payload, slot * bits, bits) == 0);
            let slot = free.next().expect("no room");
            drop(free);
            set_number(payload, slot * bits, bits, tag);
        }
        AnyKind::Counting(counting) => {
            let bits = counting.bits() / counting.units();
            for cell in kind.positions(key).unwrap() {
                let value = number(payload, cell * bits, bits) + 1;
                set_number(payload, cell * bits, bits, value.min(1 << (bits - 1)));
            }
        }
        // Into any level or generation: all are asked.
        AnyKind::Scalable(_) | AnyKind::Window(_) => {
            let bits = kind.positions(key).unwrap();
            let parts = parts_of(kind);
            let part = (key.raw() % parts.len() as u64) as usize;
            let from: usize = parts[..part].iter().sum();
            for bit in &bits[from..from + parts[part]] {
                set_number(payload, *bit, 1, 1);
            }
        }
        AnyKind::Stable(stable) => {
            let (bits, max) = (u64::from(stable.shape().cell_bits), stable.shape().max);
            for cell in kind.positions(key).unwrap() {
                set_number(payload, cell * bits, bits, max.into());
            }
        }
        _ => panic!("{} is filled by its own calls", kind.name()),
    }
}

/// The container of a filter with another payload.
pub fn with_payload(file: &[u8], payload: &[u8]) -> Vec<u8> {
    let offset = container::inspect(file, None).unwrap().payload_offset as usize;
    let ones: u64 = payload.iter().map(|b| u64::from(b.count_ones())).sum();
    let padded = (payload.len() + 63) / 64 * 64;
    let mut out = file[..offset + padded].to_vec();
    out[88..96].copy_from_slice(&ones.to_le_bytes());
    let crc = crc32c(&out[..124]);
    out[124..128].copy_from_slice(&crc.to_le_bytes());
    out[offset..offset + payload.len()].copy_from_slice(payload);
    let sums: Vec<u32> = out[offset..].chunks(4096).map(crc32c).collect();
    let mut tail: Vec<u8> = sums.iter().flat_map(|s| s.to_le_bytes()).collect();
    let notes = offset + padded + tail.len();
    tail.extend(&file[notes..file.len() - 4]);
    let crc = crc32c(&[&out[128..offset], &tail].concat());
    out.extend(tail);
    out.extend(crc.to_le_bytes());
    out
}

/// Where a container is refused as corrupt, once the checksum of its header is made right.
pub fn refused_at(mut file: Vec<u8>) -> Option<u64> {
    let crc = crc32c(&file[..124]);
    file[124..128].copy_from_slice(&crc.to_le_bytes());
    let e = container::read(&file).err()?;
    assert_eq!(e.code(), Code::Corrupt);
    e.offset()
}

/// Where the container of an empty filter is refused with these numbers, each at an offset and of so many bytes, in its header.
pub fn verdict(kind: &AnyKind, edits: &[((usize, usize), u64)]) -> Option<u64> {
    let file = AnyFilter::empty(kind.clone()).unwrap();
    let mut file = file.to_container(&Extras::default()).unwrap();
    for ((at, bytes), with) in edits {
        file[*at..at + bytes].copy_from_slice(&with.to_le_bytes()[..*bytes]);
    }
    refused_at(file)
}

/// A filter of a kind that is only read, with some keys, by way of a container.
pub fn filled_with(kind: &AnyKind, keys: impl IntoIterator<Item = Key>) -> AnyFilter {
    let empty = AnyFilter::empty(kind.clone()).unwrap();
    let mut payload = empty.payload();
    let raw = |keys: Vec<Key>| keys.into_iter().map(Key::raw).collect();
    let keys: Vec<Key> = keys.into_iter().collect();
    match kind {
        AnyKind::Quotient(own) => {
            let mut counts = BTreeMap::new();
            let r = own.shape().remainder_bits;
            for (q, x) in keys.iter().map(|k| own.parts(*k)) {
                *counts.entry(q << r | x).or_insert(0) += 1;
            }
            payload = runs::payload(own.shape(), &counts);
        }
        AnyKind::Ribbon(own) => solve::ribbon(own, raw(keys), &mut payload),
        AnyKind::Fuse(own) => {
            let places = |key, round| own.places(key, round);
            solve::slots(own.shape(), raw(keys), places, &mut payload);
        }
        AnyKind::Xor(own) => {
            let places = |key, round| own.places(key, round);
            solve::slots(own.shape(), raw(keys), places, &mut payload);
        }
        _ => keys
            .into_iter()
            .for_each(|key| put(kind, &mut payload, key)),
    }
    let file = empty.to_container(&Extras::default()).unwrap();
    let mut options = ReadOptions::new().any_source();
    if let Some(secret) = secret_of(kind.hasher()) {
        options = options.secret(secret);
    }
    let read = container::read_with(&with_payload(&file, &payload), &options).unwrap();
    read.verify_ones().unwrap();
    read.into_filter().unwrap()
}

/// The same with byte strings.
pub fn filled(kind: &AnyKind, keys: &[String]) -> AnyFilter {
    let hasher = *kind.hasher();
    filled_with(kind, keys.iter().map(|k| hasher.key(k.as_bytes())))
}
