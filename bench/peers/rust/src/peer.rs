//! `bloomery_peer` of ../../peer.h, and what all peers share.
use std::ffi::{c_char, c_int, c_uint, c_void};

pub type Filter = *mut c_void;

#[repr(C)]
pub struct Peer {
    pub name: *const c_char,
    pub about: *const c_char,
    pub make: Option<extern "C" fn(u64, f64) -> Filter>,
    pub insert: Option<extern "C" fn(Filter, *const u64, usize)>,
    pub insert_batched: Option<extern "C" fn(Filter, *const u64, usize)>,
    pub clear: Option<extern "C" fn(Filter)>,
    pub build: Option<extern "C" fn(*const u64, usize, f64, c_uint) -> Filter>,
    pub build_takes_threads: c_int,
    pub count: Option<extern "C" fn(Filter, *const u64, usize) -> u64>,
    pub count_batched: Option<extern "C" fn(Filter, *const u64, usize) -> u64>,
    pub ticks: Option<extern "C" fn(Filter, *const u64, usize, *mut u64)>,
    pub peak_bytes_per_key: c_uint,
    pub max_keys: u64,
    pub bytes: Option<extern "C" fn(Filter) -> usize>,
    pub free: Option<extern "C" fn(Filter)>,
}

// It is constant, and so is what it points to.
unsafe impl Sync for Peer {}

pub fn slice<'a>(keys: *const u64, count: usize) -> &'a [u64] {
    unsafe { std::slice::from_raw_parts(keys, count) }
}

pub fn by_ref<'a, T>(filter: Filter) -> &'a mut T {
    unsafe { &mut *filter.cast::<T>() }
}

pub fn into_raw<T>(filter: T) -> Filter {
    Box::into_raw(Box::new(filter)).cast()
}

pub extern "C" fn free<T>(filter: Filter) {
    drop(unsafe { Box::from_raw(filter.cast::<T>()) })
}

#[cfg(target_arch = "x86_64")]
fn stamp() -> u64 {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}

/// Writes what each lookup takes, stamping included.
#[cfg(target_arch = "x86_64")]
pub fn stamp_each(keys: &[u64], out: *mut u64, lookup: impl Fn(u64) -> bool) {
    use std::hint::black_box;
    for (i, key) in keys.iter().enumerate() {
        let key = black_box(*key);
        let start = stamp();
        black_box(lookup(key));
        unsafe { *out.add(i) = stamp() - start };
    }
}

pub const STAMPS: bool = cfg!(target_arch = "x86_64");
#[cfg(not(target_arch = "x86_64"))]
pub fn stamp_each(_: &[u64], _: *mut u64, _: impl Fn(u64) -> bool) {}
