//! Containers put together by the page alone (spec/container.md), of kinds that this port does not write.

use bloomery::container::crc32c;
use bloomery::{AnyFilter, Hasher, SplitBlock, SplitBlockBloom};

/// A container with these bytes in its header, each at its offset; lengths, places, ones and checksums follow.
fn assemble(fields: &[(usize, &[u8])], payload: &[u8], offset: usize, notes: &[u8]) -> Vec<u8> {
    let ones: u32 = payload.iter().map(|b| b.count_ones()).sum();
    let mut file = b"\x89BLM\r\n\x1a\n\x01\0".to_vec();
    file.resize(124, 0);
    let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    put(17, &[12]);
    put(72, &(offset as u64).to_le_bytes());
    put(80, &(payload.len() as u64).to_le_bytes());
    put(88, &u64::from(ones).to_le_bytes());
    put(96, &(notes.len() as u32).to_le_bytes());
    for (at, bytes) in fields {
        put(*at, bytes);
    }
    file.extend(crc32c(&file).to_le_bytes());
    file.resize(offset, 0);
    file.extend(payload);
    file.resize(offset + (payload.len() + 63) / 64 * 64, 0);
    let tail = file.len();
    let sums: Vec<u32> = file[offset..].chunks(4096).map(crc32c).collect();
    file.extend(sums.iter().flat_map(|s| s.to_le_bytes()));
    file.extend(notes);
    let covered = [&file[128..offset], &file[tail..]].concat();
    file.extend(crc32c(&covered).to_le_bytes());
    file
}

/// A container of kind 128.
pub fn foreign(dialect: &str, payload: &[u8]) -> Vec<u8> {
    let mut note = 0x8001u16.to_le_bytes().to_vec();
    note.extend([0, 0]);
    note.extend((dialect.len() as u32).to_le_bytes());
    note.extend(dialect.as_bytes());
    let check = Hasher::DEFAULT.check().to_le_bytes();
    let offset = if payload.len() < 65536 { 128 } else { 4096 };
    let fields: [(usize, &[u8]); 3] = [(10, &[128]), (16, &[1]), (40, &check)];
    assemble(&fields, payload, offset, &note)
}

/// A packed set of one block filter, of one block of so many bytes, all set.
pub fn packed_block(profile: u8, k: u8, block_bytes: usize) -> Vec<u8> {
    let mut payload = vec![0xff; block_bytes];
    payload.extend([0u64, 1].iter().flat_map(|d| d.to_le_bytes()));
    let check = Hasher::DEFAULT.check().to_le_bytes();
    let fields: [(usize, &[u8]); 6] = [
        (10, &[129, profile]),
        (16, &[1]),
        (19, &[2]),
        (20, &[k]),
        (24, &[1]),
        (40, &check),
    ];
    assemble(&fields, &payload, 4096, &[])
}

/// A container of kind 129: split-block filters of so many blocks each; key i is in member i modulo their number.
pub fn packed(blocks: &[u64], keys: &[String]) -> Vec<u8> {
    let members = blocks.len();
    let mut payload = Vec::new();
    let mut directory = vec![0u64];
    for (member, blocks) in blocks.iter().enumerate() {
        let mut f = SplitBlockBloom::empty(SplitBlock::new(*blocks).unwrap()).unwrap();
        f.extend(keys.iter().skip(member).step_by(members));
        payload.extend(f.payload());
        directory.push(directory[member] + blocks);
    }
    payload.extend(directory.iter().flat_map(|d| d.to_le_bytes()));
    let check = Hasher::Xxh64 { seed: 0 }.check().to_le_bytes();
    let fields: [(usize, &[u8]); 6] = [
        (10, &[129, 4]),
        (16, &[3]),
        (19, &[3]),
        (20, &[8]),
        (24, &[blocks.len() as u8]),
        (40, &check),
    ];
    assemble(&fields, &payload, 4096, &[])
}

/// A container of kind 130, of filters of one kind with the default hasher.
pub fn packed_static(members: &[AnyFilter]) -> Vec<u8> {
    let (mut payload, mut directory) = (Vec::new(), Vec::new());
    let mut kind = 0;
    for member in members {
        let file = member.to_container(&Default::default()).unwrap();
        kind = file[10];
        payload.extend(member.payload());
        directory.extend((payload.len() as u64).to_le_bytes());
        directory.extend(&file[24..32]);
        directory.extend(&file[20..24]);
        directory.extend([0; 4]);
        directory.extend(&file[100..124]);
        payload.resize((payload.len() + 7) / 8 * 8, 0);
    }
    payload.extend(directory);
    let check = Hasher::DEFAULT.check().to_le_bytes();
    let fields: [(usize, &[u8]); 5] = [
        (10, &[130]),
        (16, &[1]),
        (19, &[kind]),
        (24, &[members.len() as u8]),
        (40, &check),
    ];
    assemble(&fields, &payload, 4096, &[])
}
