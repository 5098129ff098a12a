//! The rates that filters report, held to what they do.

use crate::texts;
use bloomery::{
    Block, BlockBloom, Bloom, FilterOf, Hasher, PartitionedBloom, PortableBloom, Profile, Rated,
    SplitBlock, SplitBlockBloom, Verdict,
};

/// How many of so many strangers are let through, as a rate.
fn measured(f: &dyn Rated, strangers: usize) -> f64 {
    let passed = (0..strangers).filter(|i| f.may_contain_bytes(format!("s{}", i).as_bytes()));
    passed.count() as f64 / strangers as f64
}

/// In a sparse filter keys that cannot be told from a stored one are nearly all that pass.
#[test]
fn sparse_filters_count_keys_that_collide() {
    let blocks = 1u64 << 14;
    let line = 990.0 / (blocks as f64 * 2f64.powi(32));
    let of = |profile| {
        Box::new(
            FilterOf::empty(Block::new(profile, blocks, Hasher::Xxh3 { seed: 0 }).unwrap())
                .unwrap(),
        )
    };
    let mut filters: Vec<(Box<dyn Rated>, f64)> = vec![
        (of(Profile::HalfLine), line),
        (of(Profile::Line), line),
        (of(Profile::TwoLines), 4.0 * line * line),
        (
            Box::new(FilterOf::empty(SplitBlock::new(blocks).unwrap()).unwrap()),
            line,
        ),
        (
            Box::new(Bloom::make(1_000_000, 1e-6).unwrap()),
            990.0 / 2f64.powi(63),
        ),
        (
            Box::new(PartitionedBloom::make(1_000_000, 1e-6).unwrap()),
            990.0 / 2f64.powi(63),
        ),
    ];
    for (f, least) in &mut filters {
        for key in texts("k", 1000) {
            f.insert_bytes(key.as_bytes()).unwrap();
        }
        let (name, realised, expected) = (f.kind_name(), f.realised_fpr(), f.expected_fpr(1000));
        assert!(
            (realised / expected - 1.0).abs() < 0.3,
            "{} {} {}",
            name,
            realised,
            expected
        );
        assert!(
            realised > *least && expected > *least,
            "{} {} {}",
            name,
            realised,
            least
        );
    }
}

#[test]
fn what_is_asked_for_is_what_comes() {
    let keys = texts("k", 20_000);
    for fpr in [0.05, 0.01, 0.001] {
        let mut filters: Vec<Box<dyn Rated>> = vec![
            Box::new(PortableBloom::make(20_000, fpr).unwrap()),
            Box::new(BlockBloom::make(20_000, fpr).unwrap()),
            Box::new(
                BlockBloom::make_with(20_000, fpr, Profile::TwoLines, Hasher::Xxh3 { seed: 1 })
                    .unwrap(),
            ),
            Box::new(
                BlockBloom::make_with(20_000, fpr, Profile::Lanes16, Hasher::DEFAULT).unwrap(),
            ),
            Box::new(SplitBlockBloom::make(20_000, fpr).unwrap()),
            Box::new(Bloom::make(20_000, fpr).unwrap()),
            Box::new(PartitionedBloom::make(20_000, fpr).unwrap()),
        ];
        for f in &mut filters {
            for key in &keys {
                f.insert_bytes(key.as_bytes()).unwrap();
            }
            let (name, realised, expected) =
                (f.kind_name(), f.realised_fpr(), f.expected_fpr(20_000));
            // Five sigma of counting 200,000 strangers, and of how filters scatter around their expected rate.
            let sigma = (realised / 200_000.0).sqrt();
            let seen = measured(f.as_ref(), 200_000);
            assert!(
                (seen - realised).abs() < 5.0 * sigma,
                "{} {} {}",
                name,
                seen,
                realised
            );
            assert!(
                (realised / expected - 1.0).abs() < 0.2,
                "{} {} {}",
                name,
                realised,
                expected
            );
            assert!(expected < 1.1 * fpr, "{} {} {}", name, expected, fpr);
            assert!(
                (f.estimated_keys() / 20_000.0 - 1.0).abs() < 0.03,
                "{}",
                name
            );
        }
    }
}

#[test]
fn the_window() {
    let kept = PortableBloom::make(1000, 0.01).unwrap().promise().unwrap();
    assert_eq!(kept.verdict, Verdict::Kept);
    let warned = PortableBloom::make(10, 0.01).unwrap().promise().unwrap();
    assert_eq!(warned.verdict, Verdict::Warned);
    let refused = PortableBloom::make(1000, 1e-9).unwrap_err();
    assert_eq!(refused.code(), bloomery::Code::Unattainable);
    assert!(refused.to_string().contains("1.49e-5"), "{}", refused);
    let forced = PortableBloom::make_forced(1000, 1e-9).unwrap();
    assert_eq!(forced.promise().unwrap().verdict, Verdict::Refused);
    assert!(PortableBloom::make_by_memory(10, 100)
        .unwrap()
        .promise()
        .is_none());
}

#[test]
fn the_empty_and_the_full() {
    let mut f = PortableBloom::make(100, 0.05).unwrap();
    assert_eq!(
        (f.realised_fpr(), f.estimated_keys(), f.fill()),
        (0.0, 0.0, 0.0)
    );
    f.insert_batch(&texts("k", 100_000));
    assert_eq!((f.realised_fpr(), f.fill()), (1.0, 1.0));
    assert!(f.estimated_keys().is_infinite());
}

#[test]
fn rates_of_a_damaged_merge_and_of_folds() {
    let keys = texts("k", 300);
    let mut f = BlockBloom::make_with(1000, 0.001, Profile::Line, Hasher::DEFAULT).unwrap();
    f.insert_batch(&keys);
    let blocks = f.size_in_bytes() / 64;
    let factor = (2..=blocks).find(|d| blocks % d == 0).unwrap();
    let folded = f.fold(factor).unwrap();
    assert!(folded.realised_fpr() > f.realised_fpr());
    assert!(keys.iter().all(|k| folded.may_contain(k)));
    assert!(f.fold(0).is_err());
}
