//! Lookups in a ribbon filter (spec/filters.md 9.3 and 9.4). A byte that is damaged makes a result none.

use super::layers::{Last, Layer};
use super::Ribbon;
use crate::hash::{splitmix64, Key};
use crate::kind::Payload;
use crate::words::mulhi;

/// What must hold of a key in a layer: for each of so many columns, the slots from `slot` on for which a bit of the coefficients is 1
/// have the parity that the column's bit of the fingerprint says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The first slot of the window, counted over the layer.
    pub slot: u64,
    /// As many bits as the window has slots.
    pub coefficients: u128,
    /// 32 bits, of which the lowest count, one for each column.
    pub fingerprint: u32,
    /// Columns of the slot.
    pub columns: u32,
}

/// The coefficients of a hash, and its fingerprint, of which the lowest bits count, one for each column.
#[inline]
fn equation(h: u64, window: u32) -> (u128, u64) {
    let g = h.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let g = g ^ (g >> 32);
    let p = u128::from(g) * 0xf135_7aea_2e62_a9c5;
    if window == 64 {
        return (u128::from(p as u64 | 1), (p >> 64) as u64);
    }
    let f = (g ^ (g >> 29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (p | 1, f >> 32)
}

/// Where the window of a hash begins in the last layer, and its equation.
#[inline]
fn last_equation(h: u64, seed: u8, last: &Last) -> (u64, u64, u64) {
    let h = splitmix64(h.wrapping_add(u64::from(seed)));
    let (coefficients, fingerprint) = equation(h, 64);
    let mask = u64::MAX >> (64 - last.window());
    let start = mulhi(h, last.places);
    (start, coefficients as u64 & mask, fingerprint)
}

fn parity(ones: u32) -> u64 {
    u64::from(ones & 1)
}

impl Ribbon {
    /// What must hold of a key if the layers before this one pass it on; the last layer counts as one more. None where there is no
    /// such layer.
    pub fn equation(&self, key: Key, layer: usize) -> Option<Equation> {
        let h = (0..layer.min(4)).fold(key.raw(), |h, _| splitmix64(h));
        if let Some(own) = self.layers().nth(layer) {
            let slot = own.place(h);
            let (coefficients, fingerprint) = equation(h, self.width.window);
            return Some(Equation {
                slot,
                coefficients,
                fingerprint: fingerprint as u32,
                columns: own.columns_of(slot / u64::from(self.width.window)),
            });
        }
        let last = &self.parts.last;
        if layer > self.layers().count() || last.slots == 0 {
            return None;
        }
        let (slot, coefficients, fingerprint) = last_equation(h, self.shape.seed, last);
        Some(Equation {
            slot,
            coefficients: coefficients.into(),
            fingerprint: fingerprint as u32,
            columns: last.columns_of(slot),
        })
    }

    /// The threshold of a bucket.
    #[inline]
    pub(super) fn threshold(
        &self,
        payload: &impl Payload,
        layer: &Layer,
        bucket: u64,
    ) -> Option<u64> {
        let number = layer.earlier + bucket;
        let byte = payload.known(self.parts.thresholds_at + number / 4, 1)?;
        Some(byte >> (2 * (number % 4)) & 3)
    }

    /// The slots of a block in a column, as an integer.
    #[inline]
    fn column(&self, payload: &impl Payload, at: u64) -> Option<u128> {
        let low = u128::from(payload.known(at, 8)?);
        if self.width.window == 64 {
            return Some(low);
        }
        Some(low | u128::from(payload.known(at + 8, 8)?) << 64)
    }

    /// Whether all equations of a hash hold in a layer. If bytes can be damaged, all of them are read: damage in one that an earlier
    /// answer makes unnecessary counts too.
    #[inline]
    fn holds(
        &self,
        payload: &impl Payload,
        layer: &Layer,
        slot: u64,
        h: u64,
        intact: bool,
    ) -> Option<bool> {
        let window = u64::from(self.width.window);
        let (block, shift) = (slot / window, (slot % window) as u32);
        let (coefficients, fingerprint) = equation(h, self.width.window);
        let first = layer.block_at(self.width, block);
        let next = layer.block_at(self.width, block + 1);
        let mut equal = true;
        for j in 0..layer.columns_of(block) {
            let column = u64::from(j) * self.width.window_bytes();
            let mut bits = self.column(payload, first + column)? >> shift;
            if shift > 0 {
                let beyond = self.column(payload, next + column)?;
                bits |= beyond << (self.width.window - shift);
            }
            equal &= parity((bits & coefficients).count_ones()) == fingerprint >> j & 1;
            if intact && !equal {
                break;
            }
        }
        Some(equal)
    }

    /// The same in the last layer.
    fn holds_in_last(&self, payload: &impl Payload, h: u64, intact: bool) -> Option<bool> {
        let last = &self.parts.last;
        let (start, coefficients, fingerprint) = last_equation(h, self.shape.seed, last);
        let mut equal = true;
        for j in 0..last.columns_of(start) {
            let bit = last.bit_at(start, j);
            let (at, shift) = (bit / 8, (bit % 8) as u32);
            let bytes = (shift + last.window() + 7) / 8;
            let mut bits = payload.known(at, bytes.min(8))? >> shift;
            if bytes > 8 {
                bits |= payload.known(at + 8, 1)? << (64 - shift);
            }
            equal &= parity((bits & coefficients).count_ones()) == fingerprint >> j & 1;
            if intact && !equal {
                break;
            }
        }
        Some(equal)
    }

    /// Whether a hash is possibly present; none if a byte that the lookup reads is damaged. `intact`: none is.
    #[inline]
    pub(super) fn find_hash(
        &self,
        payload: &impl Payload,
        mut h: u64,
        intact: bool,
    ) -> Option<bool> {
        for layer in self.layers() {
            let slot = layer.place(h);
            let bucket = slot / self.width.bucket;
            let threshold = self.threshold(payload, &layer, bucket)?;
            if slot % self.width.bucket >= self.width.limits[threshold as usize] {
                return self.holds(payload, &layer, slot, h, intact);
            }
            h = splitmix64(h);
        }
        if self.shape.kept {
            return Some(self.parts.hashes.may_contain(payload, h));
        }
        if self.parts.last.slots == 0 {
            return Some(false);
        }
        self.holds_in_last(payload, h, intact)
    }
}
