//! fastbloom, through its calls for precomputed hashes.
use crate::peer::*;
use fastbloom::{BloomFilter, BuilderWithFalsePositiveRate};

type Bloom = BloomFilter;

extern "C" fn make(keys: u64, fpr: f64) -> Filter {
    let sized: BuilderWithFalsePositiveRate = BloomFilter::with_false_pos(fpr);
    // The seed is of no account: its hasher is never asked.
    into_raw(sized.seed(&1).expected_items(keys as usize))
}

extern "C" fn insert(filter: Filter, keys: *const u64, count: usize) {
    let filter = by_ref::<Bloom>(filter);
    for key in slice(keys, count) {
        filter.insert_hash(*key);
    }
}

extern "C" fn clear(filter: Filter) {
    by_ref::<Bloom>(filter).clear();
}

extern "C" fn count(filter: Filter, keys: *const u64, count: usize) -> u64 {
    let filter = by_ref::<Bloom>(filter);
    let mut yes = 0;
    for key in slice(keys, count) {
        yes += filter.contains_hash(*key) as u64;
    }
    yes
}

extern "C" fn ticks(filter: Filter, keys: *const u64, count: usize, out: *mut u64) {
    let filter = by_ref::<Bloom>(filter);
    stamp_each(slice(keys, count), out, |key| filter.contains_hash(key));
}

extern "C" fn bytes(filter: Filter) -> usize {
    by_ref::<Bloom>(filter).num_bits() / 8
}

#[no_mangle]
pub static bloomery_peer_fastbloom: Peer = Peer {
    name: c"fastbloom (Rust)".as_ptr(),
    about: c"fastbloom 0.17.0, insert_hash and contains_hash".as_ptr(),
    make: Some(make),
    insert: Some(insert),
    insert_batched: None,
    clear: Some(clear),
    build: None,
    build_takes_threads: 0,
    count: Some(count),
    count_batched: None,
    ticks: if STAMPS { Some(ticks) } else { None },
    peak_bytes_per_key: 0,
    max_keys: 0,
    bytes: Some(bytes),
    free: Some(free::<Bloom>),
};
