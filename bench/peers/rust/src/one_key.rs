//! xorf with integers as its users have them (../../../one_key/contender.h).
use crate::peer::{by_ref, free, into_raw, slice, Filter};
use std::ffi::{c_char, c_int, c_uint, CStr};
use xorf::{BinaryFuse16, BinaryFuse8, Filter as _, Xor16, Xor8};

#[repr(C)]
pub struct Contender {
    name: *const c_char,
    bits: c_uint,
    forgets: c_int,
    make: Option<extern "C" fn(u64, c_uint) -> Filter>,
    insert: Option<extern "C" fn(Filter, *const u64, usize)>,
    build: Option<extern "C" fn(*const u64, usize, c_uint) -> Filter>,
    count_inline: extern "C" fn(Filter, *const u64, usize) -> u64,
    count_called: extern "C" fn(Filter, *const u64, usize) -> u64,
    bytes: extern "C" fn(Filter) -> usize,
    free: extern "C" fn(Filter),
}

// It is constant, and so is what it points to.
unsafe impl Sync for Contender {}

trait Static: xorf::Filter<u64> + Sized {
    const SLOT_BYTES: usize;
    fn of(keys: &[u64]) -> Option<Self>;
}

macro_rules! of_slots {
    ($filter:ident, $bytes:expr, $build:expr) => {
        impl Static for $filter {
            const SLOT_BYTES: usize = $bytes;
            fn of(keys: &[u64]) -> Option<Self> {
                $build(keys)
            }
        }
    };
}
of_slots!(BinaryFuse8, 1, |keys| BinaryFuse8::try_from(keys).ok());
of_slots!(BinaryFuse16, 2, |keys| BinaryFuse16::try_from(keys).ok());
of_slots!(Xor8, 1, |keys| Some(Xor8::from(keys)));
of_slots!(Xor16, 2, |keys| Some(Xor16::from(keys)));

extern "C" fn build<T: Static>(keys: *const u64, count: usize, _: c_uint) -> Filter {
    T::of(slice(keys, count)).map_or(std::ptr::null_mut(), into_raw)
}

#[inline(never)]
fn contain<T: Static>(filter: &T, key: u64) -> bool {
    filter.contains(&key)
}

extern "C" fn count_called<T: Static>(filter: Filter, keys: *const u64, count: usize) -> u64 {
    let filter: &T = by_ref(filter);
    slice(keys, count).iter().map(|key| contain(filter, *key) as u64).sum()
}

extern "C" fn count_inline<T: Static>(filter: Filter, keys: *const u64, count: usize) -> u64 {
    let filter: &T = by_ref(filter);
    slice(keys, count).iter().map(|key| filter.contains(key) as u64).sum()
}

extern "C" fn bytes<T: Static>(filter: Filter) -> usize {
    by_ref::<T>(filter).len() * T::SLOT_BYTES
}

const fn contender<T: Static>(name: &'static CStr, bits: c_uint) -> Contender {
    Contender {
        name: name.as_ptr(),
        bits,
        forgets: 0,
        make: None,
        insert: None,
        build: Some(build::<T>),
        count_inline: count_inline::<T>,
        count_called: count_called::<T>,
        bytes: bytes::<T>,
        free: free::<T>,
    }
}

#[no_mangle]
pub static bloomery_one_key_binary_fuse8: Contender = contender::<BinaryFuse8>(c"xorf BinaryFuse8", 8);
#[no_mangle]
pub static bloomery_one_key_binary_fuse16: Contender =
    contender::<BinaryFuse16>(c"xorf BinaryFuse16", 16);
#[no_mangle]
pub static bloomery_one_key_xor8: Contender = contender::<Xor8>(c"xorf Xor8", 8);
#[no_mangle]
pub static bloomery_one_key_xor16: Contender = contender::<Xor16>(c"xorf Xor16", 16);
