//! The header check, held to the table.

use crate::assemble::packed_block;
use crate::kinds::all;
use bloomery::container::{self, crc32c, Extras};
use bloomery::kind::{HashCount, Kind};
use bloomery::{AnyFilter, AnyKind, Code};

/// Where a header with these bytes put into it is refused; none if it is not, or only for the length of its payload.
fn refused_at(header: &[u8], edits: &[(usize, &[u8])]) -> Option<u64> {
    let mut header = header.to_vec();
    for (at, with) in edits {
        header[*at..*at + with.len()].copy_from_slice(with);
    }
    let crc = crc32c(&header[..124]);
    header[124..128].copy_from_slice(&crc.to_le_bytes());
    let e = container::inspect(&header, None).err()?;
    assert_eq!(e.code(), Code::Corrupt);
    e.offset().filter(|o| *o != 80)
}

#[test]
fn headers_are_checked_against_the_table() {
    for kind in all() {
        let facts = kind.facts();
        let file = AnyFilter::empty(kind.clone()).unwrap();
        let file = file.to_container(&Extras::default()).unwrap();
        let header = &file[..128];
        let at = |edits: &[(usize, &[u8])]| refused_at(header, edits);
        assert_eq!(at(&[]), None);
        for hash in 1..=4u8 {
            let wanted = Some(16).filter(|_| !facts.hashes.contains(&hash));
            assert_eq!(at(&[(16, &[hash]), (32, &[0; 8])]), wanted);
            let takes_seed = facts.seed && (hash == 1 || hash == 3);
            let wanted = wanted.or(Some(32).filter(|_| !takes_seed));
            assert_eq!(at(&[(16, &[hash]), (32, &[1])]), wanted);
        }
        for profile in 0..=5u8 {
            // Another profile has another k.
            let wanted = if facts.profiles.contains(&profile) {
                None
            } else {
                Some(11)
            };
            assert_eq!(at(&[(11, &[profile])]).filter(|o| *o != 20), wanted);
        }
        let (min, max) = match facts.k {
            HashCount::Between(min, max) if kind.profile() == 0 => (min, max),
            _ => (kind.hashes(), kind.hashes()),
        };
        for k in [min.wrapping_sub(1), min, max, max.wrapping_add(1), 0] {
            let wanted = Some(20).filter(|_| !(min..=max).contains(&k));
            // A ribbon filter of one column has no narrow part, and a chain of many levels has more than its policy allows, or than
            // fit.
            let beside: &[u64] = match facts.payload {
                "ribbon" => &[116],
                "levels" => &[110, 24],
                _ => &[],
            };
            let got = at(&[(20, &k.to_le_bytes())]).filter(|o| !beside.contains(o));
            assert_eq!(got, wanted, "{} of {}", k, facts.name);
        }
        let used: usize = facts.parameters.iter().map(|p| p.bytes).sum();
        for unused in 100 + used..124 {
            assert_eq!(at(&[(unused, &[1])]), Some(100));
            assert_eq!(at(&[(unused, &[1]), (14, &[1])]), None);
        }
        let wanted = Some(18).filter(|_| !facts.sentinels);
        assert_eq!(at(&[(18, &[1])]), wanted);
        let wanted = Some(64).filter(|_| !facts.keys);
        assert_eq!(at(&[(64, &[1])]), wanted);
        if matches!(facts.payload, "ribbon" | "slots" | "quotient") {
            continue; // how many units there may be follows from their parameters: container_hostile.json
        }
        let bits_of_unit = kind.bits() / kind.units();
        let (name, limit) = facts.limit.expect("a filter has a largest size");
        let most = match name {
            "max_units" => limit,
            "max_payload" => limit / (bits_of_unit / 8),
            "max_bits" => limit / bits_of_unit,
            _ => panic!("{}", name),
        };
        let step = match facts.units {
            "buckets" => 2,
            "cells" if kind.profile() != 0 => 128,
            "blocks" => match &kind {
                AnyKind::Window(window) => window.parameters()[0].into(),
                _ => 1,
            },
            _ => 1,
        };
        let most = most / step * step;
        for units in [0, step - 1, step, most, most + 1, most + step] {
            let fits = (1..=most).contains(&units) && units % step == 0;
            let wanted = Some(24).filter(|_| !fits);
            assert_eq!(at(&[(24, &units.to_le_bytes())]), wanted, "{}", facts.name);
        }
    }
}

#[test]
fn packed_sets_have_no_members_of_lanes16() {
    let members = |profile, k, size| container::read(&packed_block(profile, k, size)).map(|_| ());
    assert_eq!(members(1, 4, 32), Ok(()));
    let e = members(5, 8, 16).unwrap_err();
    assert_eq!((e.code(), e.offset()), (Code::Corrupt, Some(11)));
}
