//! Files that other programs wrote, where they lie beside this repository.

use crate::texts;
use bloomery::dialect::{Dialect, Image, Options};
use bloomery::hash::{fnv1a64, siphash13, xxh64};
use bloomery::{FilterOf, Hasher, PortableBloom, SplitBlock};
use std::path::{Path, PathBuf};

/// The folder of fixtures, if it is there.
fn folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures");
    let path = path.join(name);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no fixtures of {} beside the repository", name);
    None
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn portable_files() {
    let dir = match folder("db-lab") {
        Some(dir) => dir,
        None => return,
    };
    let rows = [
        ("k1000_n1000_p0.001.bin", "k", 1000, 0.001),
        ("k1000_n1000_p0.01.bin", "k", 1000, 0.01),
        ("k10_n10_p0.01.bin", "k", 10, 0.01),
        ("key1000_n1000_p0.01.bin", "key", 1000, 0.01),
    ];
    for (name, prefix, n, p) in rows {
        let mut f = PortableBloom::make(n as u64, p).unwrap();
        f.insert_batch(&texts(prefix, n));
        assert_eq!(f.encode().unwrap(), bytes(&dir, name), "{}", name);
    }
}

/// How many of x0 .. x9999 a file lets through; all of its keys must be there.
fn strangers(image: &Image<Vec<u8>>, keys: &[String]) -> usize {
    assert!(keys.iter().all(|k| image.may_contain(k)));
    texts("x", 10_000)
        .iter()
        .filter(|x| image.may_contain(x))
        .count()
}

#[test]
fn files_of_parquet() {
    let dir = match folder("parquet-sbbf") {
        Some(dir) => dir,
        None => return,
    };
    let rows = [
        ("k1000_1024bytes.bitset", 32, 1000, 289),
        ("k1000_2048bytes.bitset", 64, 1000, 10),
        ("k10_32bytes.bitset", 1, 10, 0),
    ];
    for (name, blocks, n, through) in rows {
        let bytes = bytes(&dir, name);
        let mut f = FilterOf::empty(SplitBlock::new(blocks).unwrap()).unwrap();
        f.insert_batch(&texts("k", n));
        assert_eq!(f.payload(), bytes, "{}", name);
        let image = Image::open(bytes, &Options::with_variant(Dialect::Parquet, "bitset")).unwrap();
        assert_eq!(strangers(&image, &texts("k", n)), through, "{}", name);
    }
    let open = |name| Image::open(bytes(&dir, name), &Options::new(Dialect::Parquet)).unwrap();
    let image = open("bloom_filter.xxhash.bin");
    let words = ["hello", "parquet", "bloom", "filter"].map(String::from);
    assert_eq!((image.variant(), strangers(&image, &words)), ("header", 0));
    for name in [
        "data_index_bloom_encoding_stats.parquet",
        "data_index_bloom_encoding_with_length.parquet",
    ] {
        let image = open(name);
        assert_eq!((image.variant(), image.parts()), ("file", 1));
        assert!(image.may_contain("Hello") && image.may_contain("today"));
        assert!(!image.may_contain("NOT_EXISTS"));
    }
}

#[test]
fn hashes_of_others() {
    let dir = match folder("hashes") {
        Some(dir) => dir,
        None => return,
    };
    let text = String::from_utf8(bytes(&dir, "edge65_hash_vectors.tsv")).unwrap();
    let mut lines = text.lines().map(|l| l.split('\t').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let secret: [u8; 16] = core::array::from_fn(|i| i as u8);
    let mut checked = 0;
    for row in lines {
        let length: usize = row[0].parse().unwrap();
        let input: Vec<u8> = (0..length)
            .map(|j| (31 * length + 7 * j + 128) as u8)
            .collect();
        for (name, value) in names.iter().zip(&row) {
            let hash = match *name {
                "fnv1a64" => fnv1a64(&input),
                "fnv1a64_splitmix64" => Hasher::FnvSplitMix.key(&input).raw(),
                "xxh64_s0" => xxh64(&input, 0),
                "xxh64_s1" => xxh64(&input, 1),
                "siphash13_key000102..0f" => siphash13(&input, &secret),
                _ => continue,
            };
            assert_eq!(
                format!("{:016x}", hash),
                *value,
                "{} of {} bytes",
                name,
                length
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 5 * 65);
}
