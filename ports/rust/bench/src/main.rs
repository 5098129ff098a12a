//! Lookups beside two other crates, in one run: `cargo run --release [-- --large] [--quick]`.
//!
//! Every filter is sized for the same keys at the same rate, 1 %, and asked for the same keys in the same order. A pass
//! asks for all of them, slice by slice; the contenders take turns, so that whatever else the machine does meets all alike.

mod contenders;
mod keys;

use contenders::{Contender, FastBloom, HashAlone, OtherBloom, OurBlocks, Ours, OursBatch};
use keys::Keys;
use std::hint::black_box;
use std::time::Instant;

const RATE: f64 = 0.01;
const ASKED: usize = 100_000;
const SLICE: usize = 5_000;
/// How many contenders are filters; the last is a hash alone.
const FILTERS: usize = 5;
/// Which contenders are of other crates.
const PEERS: std::ops::Range<usize> = 2..4;

/// The minimum and the median of some times.
fn summary(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() / 2])
}

/// Nanoseconds per lookup of each contender: minimum and median over the passes, of each slice of the keys, then their mean.
/// Slices are shorter than the time for which a busy machine takes the processor away, so that the minimum is undisturbed.
fn measure(contenders: &[Box<dyn Contender>], asked: &[&[u8]], passes: usize) -> Vec<(f64, f64)> {
    let slices: Vec<&[&[u8]]> = asked.chunks(SLICE).collect();
    let mut times = vec![vec![Vec::new(); slices.len()]; contenders.len()];
    let mut out = vec![false; SLICE];
    for _ in 0..passes {
        for (i, slice) in slices.iter().enumerate() {
            for (c, times) in contenders.iter().zip(&mut times) {
                let out = &mut out[..slice.len()];
                let begin = Instant::now();
                black_box(c.count(black_box(slice), out));
                times[i].push(begin.elapsed().as_nanos() as f64 / slice.len() as f64);
            }
        }
    }
    let mean = |times: Vec<Vec<f64>>| {
        let count = times.len() as f64;
        times.into_iter().map(summary).fold((0.0, 0.0), |sum, t| {
            (sum.0 + t.0 / count, sum.1 + t.1 / count)
        })
    };
    times.into_iter().map(mean).collect()
}

fn table(count: usize, length: usize, passes: usize) {
    let present = Keys::new(count, length, 1);
    let absent = Keys::new(ASKED, length, 2);
    let contenders: Vec<Box<dyn Contender>> = vec![
        Box::new(Ours::new(&present, RATE)),
        Box::new(OursBatch::new(&present, RATE)),
        Box::new(OtherBloom::new(&present, RATE)),
        Box::new(FastBloom::new(&present, RATE)),
        Box::new(OurBlocks::new(&present, RATE)),
        Box::new(HashAlone),
    ];
    let sample = present.sample(ASKED);
    for (what, asked) in [("present", sample.all()), ("absent", absent.all())] {
        let mut out = vec![false; asked.len()];
        let counts: Vec<usize> = contenders
            .iter()
            .map(|c| c.count(&asked, &mut out))
            .collect();
        if what == "present" {
            assert!(
                counts[..FILTERS].iter().all(|c| *c == asked.len()),
                "a key was forgotten"
            );
        }
        let rates: Vec<String> = counts[1..FILTERS]
            .iter()
            .map(|c| format!("{:.2}", 100.0 * *c as f64 / asked.len() as f64))
            .collect();
        let t = measure(&contenders, &asked, passes);
        print!("{:>10} {:>4} {:<8}", count, length, what);
        for (min, median) in &t {
            print!(" {:>7.1} {:>7.1}", min, median);
        }
        let best = t[PEERS].iter().map(|t| t.0).fold(f64::INFINITY, f64::min);
        print!("  {:>5.2} {:>5.2}", best / t[0].0, best / t[1].0);
        let rates = if what == "absent" {
            rates.join(" ")
        } else {
            String::new()
        };
        println!("   {}", rates);
    }
}

fn main() {
    let flag = |name: &str| std::env::args().any(|a| a == name);
    let mut counts = vec![10_000, 1_000_000, 10_000_000];
    if flag("--large") {
        counts.push(100_000_000);
    }
    let passes = if flag("--quick") { 5 } else { 15 };
    println!(
        "ns a lookup, minimum and median of {} passes over {} keys, taking turns; rate 1 %",
        passes, ASKED
    );
    let names = [
        "portable",
        "portable batch",
        "bloomfilter",
        "fastbloom",
        "block",
        "portable's hash",
    ];
    print!("{:>10} {:>4} {:<8}", "keys", "len", "asked");
    for name in names {
        print!(" {:>15}", name);
    }
    println!("  best peer over   strangers let through, %, of");
    print!("{:>24}", "");
    for _ in names {
        print!(" {:>15}", "min  median");
    }
    println!("    one batch      the filters but the first");
    for count in counts {
        for length in [8, 16, 32] {
            table(count, length, passes);
        }
    }
}
