//! `nori` (spec/dialects/nori.md): which of its forms the bytes are; its Bloom section.

use super::bits::{k_m_bits, opened, Rule, Section};
use super::{no_such_variant, nori_table, number, Cells, Opened, Parts, Places};
use crate::dialect::quotient::{self, Quotient};
use crate::error::Error;

pub(super) fn open(b: &[u8], named: Option<&str>) -> Result<Opened, Error> {
    match named {
        Some("quotient") => {
            let q = Quotient::parse(b)?;
            let places = Places {
                form: alloc::vec![0..quotient::HEADER],
                parts: alloc::vec![quotient::HEADER..b.len()],
            };
            Ok(("quotient", Parts::One(Cells::Quotient(q)), places))
        }
        Some("sstable") => nori_table::open(b),
        None if nori_table::has_mark(b) => nori_table::open(b),
        Some("current") | Some("old-mod") | None => {
            let s = section(b, named == Some("current"))?;
            let power = s.bits() == 0 || s.bits().is_power_of_two();
            let variant = match named {
                Some("old-mod") => "old-mod",
                _ if power => "current",
                _ => "old-mod",
            };
            Ok(opened(variant, s))
        }
        Some(_) => Err(no_such_variant()),
    }
}

/// A Bloom section; `current` takes only powers of two.
pub(super) fn section(b: &[u8], current: bool) -> Result<Section, Error> {
    if current && b.len() >= 12 {
        let (k, m) = (number(b, 0, 4), number(b, 4, 8));
        if m != 0 && k != 0 && !m.is_power_of_two() {
            return Err(Error::corrupt(
                4,
                "the current form has a power of two for its bits",
            ));
        }
    }
    k_m_bits(b, Rule::TwoSeeds, true)
}
