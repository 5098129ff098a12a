//! Threads that fill one filter.

use crate::texts;
use bloomery::{AtomicOf, BitKind, Block, FilterOf, Hasher, Partitioned, Portable, Profile};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn threads_make_the_same_bits<K: BitKind + Send + Sync>(kind: K) {
    let keys = texts("k", 4000);
    let mut plain = FilterOf::empty(kind.clone()).unwrap();
    plain.insert_batch(&keys);
    let atomic = AtomicOf::empty(kind).unwrap();
    // How many keys of each part are in: who reads the number finds the keys.
    let done: Vec<AtomicUsize> = (0..4).map(|_| AtomicUsize::new(0)).collect();
    thread::scope(|s| {
        for (part, done) in keys.chunks(1000).zip(&done) {
            let atomic = &atomic;
            s.spawn(move || {
                for (i, key) in part.iter().enumerate() {
                    atomic.insert(key);
                    done.store(i + 1, Ordering::Release);
                }
            });
        }
        let (atomic, keys, done) = (&atomic, &keys, &done);
        s.spawn(move || {
            for _ in 0..200 {
                for (part, done) in keys.chunks(1000).zip(done) {
                    let count = done.load(Ordering::Acquire);
                    assert!(part[..count].iter().all(|k| atomic.may_contain(k)));
                }
                thread::yield_now();
            }
        });
        s.spawn(move || {
            for _ in 0..20 {
                let counts: Vec<usize> = done.iter().map(|d| d.load(Ordering::Acquire)).collect();
                let snapshot = atomic.snapshot().unwrap();
                for (part, count) in keys.chunks(1000).zip(counts) {
                    assert!(part[..count].iter().all(|k| snapshot.may_contain(k)));
                }
            }
        });
    });
    assert_eq!(atomic.snapshot().unwrap(), plain);
}

#[test]
fn portable() {
    threads_make_the_same_bits(Portable::by_rate(4000, 0.01).unwrap());
}

#[test]
fn block() {
    threads_make_the_same_bits(Block::new(Profile::Line, 80, Hasher::DEFAULT).unwrap());
}

#[test]
fn partitioned() {
    threads_make_the_same_bits(Partitioned::by_rate(4000, 0.01, Hasher::DEFAULT).unwrap());
}
