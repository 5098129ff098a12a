//! xorf_reader FILE VARIANT < numbers: prints those that xorf finds in the file.
//!
//! xorf has no reader for these bytes; its types have public fields, which are filled from
//! the offsets of spec/dialects/fastfilter.md.  Hash, positions and comparison are its own.
use std::io::{BufRead, Write};
use xorf::{BinaryFuse16, BinaryFuse8, Descriptor, Filter, Xor16, Xor8};

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}
fn words(bytes: &[u8]) -> Box<[u16]> {
    bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect()
}

fn fuse(bytes: &[u8]) -> (Descriptor, &[u8]) {
    let descriptor = Descriptor {
        seed: u64_at(bytes, 0),
        segment_length: u32_at(bytes, 12),
        segment_length_mask: u32_at(bytes, 12) - 1,
        segment_count_length: u32_at(bytes, 20),
    };
    (descriptor, &bytes[28..])
}

fn open(bytes: &[u8], variant: &str) -> Box<dyn Filter<u64>> {
    match variant {
        "fuse8" => {
            let (descriptor, rest) = fuse(bytes);
            Box::new(BinaryFuse8 { descriptor, fingerprints: rest.into() })
        }
        "fuse16" => {
            let (descriptor, rest) = fuse(bytes);
            Box::new(BinaryFuse16 { descriptor, fingerprints: words(rest) })
        }
        "xor8" => Box::new(Xor8 {
            seed: u64_at(bytes, 0),
            block_length: u64_at(bytes, 8) as usize,
            fingerprints: bytes[16..].into(),
        }),
        "xor16" => Box::new(Xor16 {
            seed: u64_at(bytes, 0),
            block_length: u64_at(bytes, 8) as usize,
            fingerprints: words(&bytes[16..]),
        }),
        _ => panic!("xorf has no {variant}"),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[1]).unwrap();
    let filter = open(&bytes, &args[2]);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        if filter.contains(&line.parse().unwrap()) {
            writeln!(out, "{line}").unwrap();
        }
    }
}
