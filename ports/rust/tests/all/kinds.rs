//! Shapes of every kind, small and odd, each with every hasher that it takes.

use bloomery::{
    AnyKind, Block, Classic, Counting, Cuckoo, Fuse, Hasher, Kind, Layout, Partitioned, Policy,
    Portable, Profile, Quotient, QuotientShape, Ribbon, RibbonShape, Scalable, ScalableShape,
    SlotShape, SplitBlock, Stable, StableShape, Window, WindowShape, Xor,
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

/// So many levels from so many lines on, with the profiles from (a, b) on.
pub fn scalable_shape(lines: u64, growth: u8, levels: u32, (a, b): (u8, u8)) -> ScalableShape {
    ScalableShape {
        lines,
        levels,
        growth,
        rate: 0.01,
        policy: Policy::Geometric,
        line_from: a,
        two_lines_from: b,
    }
}

pub fn scalable() -> Vec<Scalable> {
    let shapes = [
        (scalable_shape(1, 2, 1, (0, 0)), Policy::Equal(48)),
        (scalable_shape(1, 2, 2, (1, 2)), Policy::Geometric),
        (scalable_shape(1, 2, 2, (48, 48)), Policy::Equal(2)),
        (scalable_shape(3, 2, 1, (0, 48)), Policy::Dynamic),
        (scalable_shape(2, 4, 3, (1, 2)), Policy::Equal(3)),
        (scalable_shape(1, 16, 3, (0, 2)), Policy::Dynamic),
        (scalable_shape(3, 8, 3, (2, 2)), Policy::Geometric),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape =
        |((shape, policy), hasher)| Scalable::new(ScalableShape { policy, ..shape }, hasher);
    shapes.map(|s| shape(s).unwrap()).collect()
}

/// So many cells of so many bits, all of which an insert sets to the most that they hold.
pub fn stable_shape(cells: u64, cell_bits: u32, hashes: u32) -> StableShape {
    StableShape {
        cells,
        cell_bits,
        max: (1 << cell_bits) - 1,
        hashes,
        decrement: 0,
        fraction: 1 << 31,
        seed: 0xdead_beef,
        inserts: 77,
    }
}

pub fn stable() -> Vec<Stable> {
    let shapes = [
        stable_shape(1, 4, 64),
        stable_shape(96, 2, 7),
        stable_shape(1001, 1, 3),
        stable_shape(331, 4, 5),
        stable_shape(77, 1, 2),
        stable_shape(9000, 4, 1),
        stable_shape(40_001, 2, 4),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |(shape, hasher)| Stable::new(shape, hasher).unwrap();
    shapes.map(shape).collect()
}

/// So many generations of so many blocks, the last of which is current.
pub fn window_shape(profile: Profile, generations: u32, blocks: u64) -> WindowShape {
    WindowShape {
        profile,
        generations,
        blocks,
        current: generations - 1,
        generation_keys: 9,
        count: 7,
    }
}

pub fn window() -> Vec<Window> {
    let shapes = [
        window_shape(Profile::Line, 2, 1),
        window_shape(Profile::HalfLine, 5, 1),
        window_shape(Profile::TwoLines, 3, 1),
        window_shape(Profile::HalfLine, 2, 3),
        window_shape(Profile::HalfLine, 1024, 1),
        window_shape(Profile::TwoLines, 7, 20),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |(shape, hasher)| Window::new(shape, hasher).unwrap();
    shapes.map(shape).collect()
}

pub fn quotient_shape(remainder_bits: u32, quotients: u64, blocks: u64) -> QuotientShape {
    QuotientShape {
        remainder_bits,
        quotients,
        blocks,
        identity: 77,
    }
}

/// With room for ten keys or more.
pub fn quotient() -> Vec<Quotient> {
    let shapes = [
        quotient_shape(7, 60, 1),
        quotient_shape(2, 64, 1),
        quotient_shape(12, 90, 2),
        quotient_shape(3, 65, 3),
        quotient_shape(5, 1, 1),
        quotient_shape(32, 200, 5),
        quotient_shape(9, 6000, 95),
    ];
    let shapes = shapes.into_iter().zip(hashers().into_iter().cycle());
    let shape = |(shape, hasher)| Quotient::new(shape, hasher).unwrap();
    shapes.map(shape).collect()
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
    all.extend(scalable().into_iter().map(AnyKind::from));
    all.extend(stable().into_iter().map(AnyKind::from));
    all.extend(window().into_iter().map(AnyKind::from));
    all.extend(quotient().into_iter().map(AnyKind::from));
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
