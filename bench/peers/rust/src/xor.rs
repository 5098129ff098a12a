//! xorf: static filters of 8-bit fingerprints, whatever the target rate.
use crate::peer::*;
use std::ffi::{c_uint, CStr};
use xorf::{BinaryFuse8, Filter as _, Xor8};

trait Static: xorf::Filter<u64> + Sized {
    fn of(keys: &[u64]) -> Option<Self>;
    fn fingerprints(&self) -> usize;
}

impl Static for BinaryFuse8 {
    fn of(keys: &[u64]) -> Option<Self> {
        BinaryFuse8::try_from(keys).ok()
    }
    fn fingerprints(&self) -> usize {
        self.len()
    }
}

impl Static for Xor8 {
    fn of(keys: &[u64]) -> Option<Self> {
        Some(Xor8::from(keys))
    }
    fn fingerprints(&self) -> usize {
        self.len()
    }
}

extern "C" fn build<T: Static>(keys: *const u64, count: usize, _: f64, _: c_uint) -> Filter {
    T::of(slice(keys, count)).map_or(std::ptr::null_mut(), into_raw)
}

extern "C" fn count<T: Static>(filter: Filter, keys: *const u64, count: usize) -> u64 {
    let filter = by_ref::<T>(filter);
    let mut yes = 0;
    for key in slice(keys, count) {
        yes += filter.contains(key) as u64;
    }
    yes
}

extern "C" fn ticks<T: Static>(filter: Filter, keys: *const u64, count: usize, out: *mut u64) {
    let filter = by_ref::<T>(filter);
    stamp_each(slice(keys, count), out, |key| filter.contains(&key));
}

extern "C" fn bytes<T: Static>(filter: Filter) -> usize {
    by_ref::<T>(filter).fingerprints()
}

const fn peer<T: Static>(name: &'static CStr, about: &'static CStr, max_keys: u64) -> Peer {
    Peer {
        name: name.as_ptr(),
        about: about.as_ptr(),
        make: None,
        insert: None,
        insert_batched: None,
        clear: None,
        build: Some(build::<T>),
        build_takes_threads: 0,
        count: Some(count::<T>),
        count_batched: None,
        ticks: if STAMPS { Some(ticks::<T>) } else { None },
        peak_bytes_per_key: 100,
        max_keys,
        bytes: Some(bytes::<T>),
        free: Some(free::<T>),
    }
}

#[no_mangle]
pub static bloomery_peer_binary_fuse8: Peer = peer::<BinaryFuse8>(
    c"xorf BinaryFuse8 (Rust)",
    c"xorf 0.13.0; static; 8-bit fingerprints, so 0.39 % and not the target rate",
    0,
);
#[no_mangle]
pub static bloomery_peer_xor8: Peer = peer::<Xor8>(
    c"xorf Xor8 (Rust)",
    c"xorf 0.13.0; static; 8-bit fingerprints, so 0.39 % and not the target rate",
    20_000_000,
);
