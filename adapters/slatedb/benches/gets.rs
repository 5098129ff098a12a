//! Gets of absent and of present keys in databases that differ in nothing but the policy, warm, and lookups in a filter: minima of
//! rounds that take turns, in nanoseconds. `cargo bench`; BLOOMERY_BENCH_KEYS sets the number of keys.

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Instant;

use bloomery_slatedb::BlockPolicy;
use common::{key, open, Opened, Policies};
use slatedb::object_store::{memory::InMemory, ObjectStore};
use slatedb::{BloomFilterPolicy, FilterPolicy, FilterQuery, RowEntry, ValueDeletable};

const ROUNDS: u64 = 300;
const GETS: u64 = 100; // a round is shorter than a turn of another process

fn main() {
    let keys = std::env::var("BLOOMERY_BENCH_KEYS").map_or(200_000, |v| v.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(gets(keys));
    probes();
}

async fn gets(keys: u64) {
    let policies: [(&str, Policies); 3] = [
        ("none", vec![]),
        ("built-in", vec![Arc::new(BloomFilterPolicy::new(10))]),
        ("ours", vec![Arc::new(BlockPolicy::new(10.0))]),
    ];
    let mut opened = Vec::new();
    for (name, policy) in policies {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let db = open(&store, policy, false).await;
        db.load(0, keys).await;
        for i in (0..keys).step_by(7) {
            db.db.get(key(i)).await.unwrap(); // every block is in the cache
        }
        opened.push((name, db, f64::MAX, f64::MAX));
    }
    for round in 0..ROUNDS {
        for (_, db, absent, present) in &mut opened {
            *absent = absent.min(per_get(db, 1 << 40).await);
            *present = present.min(per_get(db, round * GETS % (keys - GETS)).await);
        }
    }
    println!("{keys} keys, ns per Get       absent    present");
    for (name, _, absent, present) in &opened {
        println!("{name:24} {absent:9.0}  {present:9.0}");
    }
}

async fn per_get(db: &Opened, from: u64) -> f64 {
    let keys: Vec<_> = (from..from + GETS).map(key).collect();
    let start = Instant::now();
    for key in &keys {
        std::hint::black_box(db.db.get(key).await.unwrap());
    }
    start.elapsed().as_nanos() as f64 / GETS as f64
}

/// A filter of 100,000 keys: made, decoded, and lookups of absent keys, the hash of the key included.
fn probes() {
    const KEYS: u64 = 100_000;
    let entry = |i| RowEntry {
        key: key(i).into(),
        value: ValueDeletable::Tombstone,
        seq: 0,
        create_ts: None,
        expire_ts: None,
    };
    let entries: Vec<_> = (0..KEYS).map(entry).collect();
    let absent: Vec<_> = (0..20_000)
        .map(|i| FilterQuery::point(key(1 << 40 | i).into()))
        .collect();
    let policies: [(&str, Box<dyn FilterPolicy>, [f64; 3]); 2] = [
        (
            "built-in",
            Box::new(BloomFilterPolicy::new(10)),
            [f64::MAX; 3],
        ),
        ("ours", Box::new(BlockPolicy::new(10.0)), [f64::MAX; 3]),
    ];
    println!("a filter of {KEYS} keys, ns   made/key  decoded/key  lookup");
    let mut policies = policies;
    for _ in 0..30 {
        for (_, policy, best) in &mut policies {
            let start = Instant::now();
            let mut builder = policy.builder();
            for entry in &entries {
                builder.add_entry(entry);
            }
            let mut bytes = Vec::new();
            builder.build().encode(&mut bytes);
            best[0] = best[0].min(start.elapsed().as_nanos() as f64 / KEYS as f64);
            let start = Instant::now();
            let filter = policy.decode(&bytes);
            best[1] = best[1].min(start.elapsed().as_nanos() as f64 / KEYS as f64);
            let start = Instant::now();
            let passed = absent.iter().filter(|q| filter.might_match(q)).count();
            best[2] = best[2].min(start.elapsed().as_nanos() as f64 / absent.len() as f64);
            assert!(passed < absent.len() / 20);
        }
    }
    for (name, _, [made, decoded, lookup]) in &policies {
        println!("{name:24} {made:9.1}  {decoded:11.2}  {lookup:6.1}");
    }
}
