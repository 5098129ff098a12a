//! Shapes of every kind, small and odd, each with every hasher that it takes.

use bloomery::{AnyKind, Block, Classic, Hasher, Kind, Partitioned, Portable, Profile, SplitBlock};

const SECRET: [u8; 16] = *b"a secret of ours";

pub fn hashers() -> Vec<Hasher> {
    vec![
        Hasher::DEFAULT,
        Hasher::Xxh3 { seed: 77 },
        Hasher::FnvSplitMix,
        Hasher::Xxh64 { seed: u64::MAX },
        Hasher::SipHash13 { secret: SECRET },
    ]
}

pub fn secret_of(hasher: &Hasher) -> Option<[u8; 16]> {
    match hasher {
        Hasher::SipHash13 { secret } => Some(*secret),
        _ => None,
    }
}

/// Sizes around the edges of bytes, words and chunks.
const BITS: [u64; 11] = [1, 7, 8, 63, 64, 65, 1000, 4099, 32768, 32769, 600_011];

pub fn portable() -> Vec<Portable> {
    let hashes = [1, 2, 7, 8, 9, 30, 70];
    let shape = |m| hashes.iter().map(move |k| Portable::new(m, *k).unwrap());
    let mut all: Vec<_> = BITS.iter().copied().flat_map(shape).collect();
    all.push(Portable::new(13, u32::MAX).unwrap());
    all
}

pub fn block() -> Vec<Block> {
    let mut all = Vec::new();
    for profile in (0..8).filter_map(Profile::from_number) {
        for blocks in [1, 2, 3, 64, 129, 1100] {
            for hasher in hashers() {
                all.push(Block::new(profile, blocks, hasher).unwrap());
            }
        }
    }
    all
}

pub fn split_block() -> Vec<SplitBlock> {
    let blocks = [1, 2, 3, 128, 129, 2500];
    blocks
        .iter()
        .map(|z| SplitBlock::new(*z).unwrap())
        .collect()
}

pub fn bloom() -> Vec<Classic> {
    let mut all = Vec::new();
    for m in BITS {
        for (k, hasher) in [1, 3, 7, 8, 64].into_iter().zip(hashers()) {
            all.push(Classic::new(m, k, hasher).unwrap());
        }
    }
    all
}

pub fn partitioned() -> Vec<Partitioned> {
    let mut all = Vec::new();
    for s in [1, 7, 13, 16, 63, 64, 65, 4099, 9000] {
        for (k, hasher) in [1, 3, 7, 8, 64].into_iter().zip(hashers()) {
            all.push(Partitioned::new(s, k, hasher).unwrap());
        }
    }
    all
}

/// A shape of a kind that is only read: profile, k, units, and parameters in their order.
pub fn read_only(name: &str, (profile, k, units): (u8, u32, u64), parameters: &[u64]) -> AnyKind {
    let facts = AnyKind::KINDS.iter().find(|f| f.name == name).unwrap();
    let mut bytes = [0; 24];
    let mut at = 0;
    for (p, value) in facts.parameters.iter().zip(parameters) {
        bytes[at..at + p.bytes].copy_from_slice(&value.to_le_bytes()[..p.bytes]);
        at += p.bytes;
    }
    AnyKind::from_numbers(facts.number, profile, k, units, bytes, Hasher::DEFAULT).unwrap()
}

/// Small shapes of the kinds that are only read. A kind to come has its own test.
fn only_read() -> Vec<AnyKind> {
    let ribbon = |k, buckets: [u64; 4], narrow, rest| {
        let [first, a, b, c] = buckets;
        read_only("ribbon", (0, k, first), &[64, 0, 0, a, b, c, narrow, rest])
    };
    let scalable = |lines, levels, (growth, policy, most), (a, b)| {
        let rate = 0.01f64.to_bits();
        let parameters = [rate, growth, policy, most, a, b];
        read_only("scalable", (0, levels, lines), &parameters)
    };
    vec![
        read_only("cuckoo", (0, 6, 10), &[7]),
        read_only("cuckoo", (0, 9, 14), &[0]),
        read_only("cuckoo", (0, 16, 10), &[1 << 63]),
        read_only("counting", (5, 8, 128), &[9, 4]),
        read_only("counting", (0, 5, 101), &[0, 4]),
        read_only("counting", (0, 3, 61), &[0, 32]),
        ribbon(8, [1, 0, 0, 0], 0, 70),
        ribbon(2, [2, 1, 1, 1], 0xb000_0000, 30),
        ribbon(10, [0; 4], 0xffff_ffff, 90),
        read_only("fuse", (0, 8, 64), &[1, 0, 3, 3]),
        read_only("fuse", (0, 7, 47), &[1, 0, 0, 0]),
        read_only("fuse", (0, 9, 64), &[2, 0, 4, 2]),
        read_only("xor", (0, 10, 60), &[1, 0, 3, 0]),
        read_only("xor", (0, 9, 99), &[3, 0, 3, 0]),
        scalable(1, 2, (2, 0, 5), (1, 2)),
        scalable(2, 1, (4, 1, 0), (0, 48)),
        read_only("stable", (0, 5, 101), &[0, 9, 1 << 31, 0, 2, 3]),
        read_only("stable", (0, 3, 67), &[0, 9, 0, 0, 4, 15]),
        read_only("window", (1, 4, 6), &[2, 1, 4, 1]),
        read_only("window", (2, 8, 2), &[2, 0, 0, 9]),
        read_only("quotient", (0, 7, 60), &[0, 1]),
        read_only("quotient", (0, 7, 60), &[1 << 63, 1]),
    ]
}

/// Calls a function with every shape of every kind of bits.
macro_rules! for_every_bit_kind {
    ($call:expr) => {
        $crate::kinds::portable().into_iter().for_each($call);
        $crate::kinds::block().into_iter().for_each($call);
        $crate::kinds::split_block().into_iter().for_each($call);
        $crate::kinds::bloom().into_iter().for_each($call);
        $crate::kinds::partitioned().into_iter().for_each($call);
    };
}
pub(crate) use for_every_bit_kind;

/// Every shape of every kind.
pub fn all() -> Vec<AnyKind> {
    let mut all = Vec::new();
    for_every_bit_kind!(|kind| all.push(AnyKind::from(kind)));
    all.extend(only_read());
    all
}

/// Those whose files can be tried bit by bit, without a secret.
pub fn small() -> Vec<AnyKind> {
    let mut all = all();
    all.retain(|k| (63..4000).contains(&k.bits()) && secret_of(k.hasher()).is_none());
    all
}

#[test]
fn no_kind_of_the_table_is_left_out() {
    for facts in AnyKind::KINDS.iter().filter(|f| f.number <= 14) {
        for shapes in [all(), small()] {
            let count = shapes.iter().filter(|k| k.facts() == *facts).count();
            assert!(count >= 2, "{} has {} shapes", facts.name, count);
        }
    }
}
