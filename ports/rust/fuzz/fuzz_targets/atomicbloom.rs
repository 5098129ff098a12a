#![no_main]
//! Files of atomicbloom, in every form.

use bloomery::dialect::Dialect;
use bloomery_fuzz::dialect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let variants = [None];
    dialect(Dialect::AtomicBloom, &variants, bytes);
});
