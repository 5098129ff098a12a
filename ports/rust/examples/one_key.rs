//! What a call with one key costs: `cargo run --release --example one_key [KEYS]`.
//!
//! Block filters at 1 %, nanoseconds per key, the minimum of 25 passes that take turns; keys lie side by side. The row "hashed" is the
//! call without a hash. Beside other crates: `bench`.

use bloomery::{BlockBloom, Hasher, Key, KeySource};
use std::hint::black_box;
use std::time::Instant;

const PASSES: usize = 25;
const GROUP: usize = 1024;

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

struct Keys {
    numbers: Vec<u64>,
    texts: Vec<[u8; 16]>,
    hashed: Vec<Key>,
}

impl Keys {
    fn new(count: usize, family: u64) -> Self {
        let numbers: Vec<u64> = (0..count as u64).map(|i| mix(i + (family << 48))).collect();
        let text = |x: &u64| {
            let mut t = [0; 16];
            t.copy_from_slice(format!("{:016x}", x).as_bytes());
            t
        };
        Keys {
            texts: numbers.iter().map(text).collect(),
            hashed: numbers.iter().map(|x| Key::from_raw(mix(!x))).collect(),
            numbers,
        }
    }
}

struct Row {
    name: &'static str,
    best: f64,
}

/// Keeps the shorter time of a row.
fn time(rows: &mut Vec<Row>, name: &'static str, keys: usize, work: impl FnOnce() -> usize) {
    let begin = Instant::now();
    black_box(work());
    let ns = begin.elapsed().as_nanos() as f64 / keys as f64;
    match rows.iter_mut().find(|row| row.name == name) {
        Some(row) => row.best = row.best.min(ns),
        None => rows.push(Row { name, best: ns }),
    }
}

fn count<T>(keys: &[T], ask: impl Fn(&T) -> bool) -> usize {
    keys.iter().filter(|k| ask(k)).count()
}

fn main() -> Result<(), bloomery::Error> {
    let n = std::env::args()
        .nth(1)
        .map_or(1_000_000, |n| n.parse().expect("a number of keys"));
    let (there, others) = (Keys::new(n, 1), Keys::new(n, 2));
    let mut rows = Vec::new();
    for _ in 0..PASSES {
        let empty = BlockBloom::make_with(
            n as u64,
            0.01,
            bloomery::Profile::Line,
            Hasher::Xxh3 { seed: 7 },
        )?;
        let mut ids = empty.clone().of(KeySource::Integers);
        let mut names = empty.clone();
        let mut hashed = empty.clone();
        time(&mut rows, "integers  insert", n, || {
            there.numbers.iter().for_each(|x| {
                let _ = ids.insert_integer(*x);
            });
            0
        });
        time(&mut rows, "integers  present", n, || {
            count(&there.numbers, |x| ids.may_contain_integer(*x))
        });
        time(&mut rows, "integers  absent", n, || {
            count(&others.numbers, |x| ids.may_contain_integer(*x))
        });
        time(&mut rows, "texts     insert", n, || {
            there.texts.iter().for_each(|t| {
                let _ = names.insert(t);
            });
            0
        });
        time(&mut rows, "texts     present", n, || {
            count(&there.texts, |t| names.may_contain(t))
        });
        time(&mut rows, "texts     absent", n, || {
            count(&others.texts, |t| names.may_contain(t))
        });
        time(&mut rows, "texts     absent, batches", n, || {
            let mut out = [false; GROUP];
            let mut found = 0;
            for group in others.texts.chunks(GROUP) {
                names.may_contain_batch(group, &mut out[..group.len()]);
                found += out[..group.len()].iter().filter(|a| **a).count();
            }
            found
        });
        time(&mut rows, "hashed    insert", n, || {
            there.hashed.iter().for_each(|k| {
                let _ = hashed.insert_key(*k);
            });
            0
        });
        time(&mut rows, "hashed    present", n, || {
            count(&there.hashed, |k| hashed.may_contain_key(*k))
        });
        time(&mut rows, "hashed    absent", n, || {
            count(&others.hashed, |k| hashed.may_contain_key(*k))
        });
        assert_eq!(
            count(&there.numbers, |x| ids.may_contain_integer(*x)),
            n,
            "a key was forgotten"
        );
    }
    println!("block, {} keys, 1 %; ns per key", n);
    for row in &rows {
        println!("{:<28}{:>6.1}", row.name, row.best);
    }
    Ok(())
}
