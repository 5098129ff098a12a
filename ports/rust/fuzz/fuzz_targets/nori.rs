#![no_main]
//! Files of nori, in every form.

use bloomery::dialect::Dialect;
use bloomery_conform::repair;
use bloomery_fuzz::dialect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let variants = [
        None,
        Some("current"),
        Some("old-mod"),
        Some("sstable"),
        Some("quotient"),
    ];
    dialect(Dialect::Nori, &variants, bytes);
    // With the checksum of the footer made right, what lies under it is looked at.
    let mut repaired = bytes.to_vec();
    repair::table(&mut repaired);
    dialect(Dialect::Nori, &variants, &repaired);
});
