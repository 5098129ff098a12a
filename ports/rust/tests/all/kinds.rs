//! Shapes of every kind, small and odd, each with every hasher that it takes.

use bloomery::{
    AnyKind, Block, Classic, Counting, Cuckoo, Fuse, Hasher, Kind, Layout, Partitioned, Portable,
    Profile, Ribbon, RibbonShape, SlotShape, SplitBlock, Xor,
};

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

/// With room for some ten keys, none of which has to be moved.
pub fn cuckoo() -> Vec<Cuckoo> {
    let shapes = [(6, 30), (9, 14), (12, 10), (31, 10), (32, 12), (16, 1000)];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |((f, b), hasher)| Cuckoo::new(f, b, 77, hasher).unwrap();
    shapes.map(shape).collect()
}

pub fn counting() -> Vec<Counting> {
    let shapes = [
        (Layout::Line, 128, 4),
        (Layout::Line, 128, 8),
        (Layout::Flat(5), 101, 4),
        (Layout::Flat(3), 41, 32),
        (Layout::Flat(64), 1, 32),
        (Layout::Line, 1280, 32),
        (Layout::Flat(7), 5001, 8),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |((layout, n, w), hasher)| Counting::new(layout, n, w, 77, hasher).unwrap();
    shapes.map(shape).collect()
}

/// A shape with windows of so many slots.
pub fn ribbon_shape(window: u32, columns: u32, buckets: [u32; 4], narrow: u32) -> RibbonShape {
    RibbonShape {
        window,
        columns,
        buckets,
        narrow,
        ..RibbonShape::default()
    }
}

/// With room for some ten keys; the rest: (rest, kept, seed).
pub fn ribbon() -> Vec<Ribbon> {
    let half = 1 << 31;
    let shapes = [
        (ribbon_shape(64, 3, [1, 0, 0, 0], half), (20, false, 0)),
        (ribbon_shape(64, 8, [0; 4], half), (70, false, 9)),
        (ribbon_shape(64, 2, [1, 1, 0, 0], 0), (5, true, 0)),
        (ribbon_shape(64, 5, [0; 4], 0), (25, false, 255)),
        (ribbon_shape(128, 1, [0; 4], 0), (12, true, 0)),
        (ribbon_shape(128, 1, [1, 0, 0, 0], 0), (0, false, 0)),
        (
            ribbon_shape(128, 7, [3, 2, 1, 1], u32::MAX),
            (100, false, 0),
        ),
        (ribbon_shape(64, 32, [7, 3, 0, 0], half), (40, false, 1)),
        (ribbon_shape(64, 1, [1024, 4, 2, 1], 0), (64, false, 0)),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |((shape, (rest, kept, seed)), hasher)| {
        let shape = RibbonShape {
            rest,
            kept,
            seed,
            ..shape
        };
        Ribbon::new(shape, hasher).unwrap()
    };
    shapes.map(shape).collect()
}

pub fn slots(slots: u64, slot_bits: u32, shards: u32, layout: u8, segment_log: u8) -> SlotShape {
    SlotShape {
        slots,
        slot_bits,
        shards,
        layout,
        segment_log,
        residue: 0,
    }
}

pub fn fuse() -> Vec<Fuse> {
    let shapes = [
        (slots(16, 8, 1, 0, 0), 0),
        (slots(48, 5, 1, 3, 3), 3),
        (slots(40, 9, 2, 0, 0), 0),
        (slots(96, 3, 2, 4, 2), 0),
        (slots(0, 7, 1, 0, 0), 12),
        (slots(1024, 32, 4, 4, 5), 1),
        (slots(30, 1, 1, 0, 0), 7),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |((shape, residue), hasher)| Fuse::new(SlotShape { residue, ..shape }, hasher);
    shapes.map(|s| shape(s).unwrap()).collect()
}

pub fn xor() -> Vec<Xor> {
    let shapes = [
        (slots(16, 8, 1, 0, 0), 0),
        (slots(60, 7, 2, 3, 0), 2),
        (slots(30, 31, 1, 3, 0), 0),
        (slots(3000, 17, 5, 3, 0), 0),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |((shape, residue), hasher)| Xor::new(SlotShape { residue, ..shape }, hasher);
    shapes.map(|s| shape(s).unwrap()).collect()
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
    all.extend(cuckoo().into_iter().map(AnyKind::from));
    all.extend(counting().into_iter().map(AnyKind::from));
    all.extend(ribbon().into_iter().map(AnyKind::from));
    all.extend(fuse().into_iter().map(AnyKind::from));
    all.extend(xor().into_iter().map(AnyKind::from));
    all
}

/// Those whose files can be tried bit by bit, without a secret.
pub fn small() -> Vec<AnyKind> {
    let mut all = all();
    all.retain(|k| (63..2000).contains(&k.bits()) && secret_of(k.hasher()).is_none());
    all
}

#[test]
fn no_kind_of_the_table_is_left_out() {
    for facts in AnyKind::KINDS {
        for shapes in [all(), small()] {
            let count = shapes.iter().filter(|k| k.facts() == *facts).count();
            assert!(count >= 2, "{} has {} shapes", facts.name, count);
        }
    }
}
