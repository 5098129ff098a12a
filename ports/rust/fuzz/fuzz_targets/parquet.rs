#![no_main]
//! Files of parquet, in every form.

use bloomery::dialect::Dialect;
use bloomery_fuzz::dialect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let variants = [None, Some("header"), Some("bitset"), Some("file")];
    dialect(Dialect::Parquet, &variants, bytes);
});
