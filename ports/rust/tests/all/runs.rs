//! Payloads of quotient filters from the fingerprints they hold, as spec/filters.md 15.1, 15.3 and 15.4 describe them.

use crate::fill::{number, set_number};
use bloomery::QuotientShape;
use std::collections::{BTreeMap, BTreeSet};

/// The values of a remainder with so many copies.
pub fn group(shape: &QuotientShape, remainder: u64, copies: u64) -> Vec<u64> {
    if copies < 3 {
        return vec![remainder; copies as usize];
    }
    let mut values = vec![remainder; 3];
    let base = 1 << (shape.remainder_bits - 1);
    let mut left = copies - 3;
    while left >= base {
        values.push(left % base + base);
        left /= base;
    }
    values.push(left);
    values
}

/// How many bytes a block has.
pub fn block_bytes(shape: &QuotientShape) -> u64 {
    8 * (u64::from(shape.remainder_bits) + 2)
}

/// Puts a value into a slot.
pub fn set_value(shape: &QuotientShape, payload: &mut [u8], slot: u64, value: u64) {
    let r = u64::from(shape.remainder_bits);
    for j in 0..r {
        let word = slot / 64 * (r + 2) + 2 + j;
        set_number(payload, 64 * word + slot % 64, 1, value >> j & 1);
    }
}

/// Sets a bit of the occupieds (0) or of the runends (1).
pub fn set_bit(shape: &QuotientShape, payload: &mut [u8], which: u64, place: u64, value: u64) {
    let word = place / 64 * (u64::from(shape.remainder_bits) + 2) + which;
    set_number(payload, 64 * word + place % 64, 1, value);
}

/// The payload with so many copies of each fingerprint.
pub fn payload(shape: &QuotientShape, counts: &BTreeMap<u64, u64>) -> Vec<u8> {
    let blocks = shape.blocks;
    let length = blocks * block_bytes(shape) + (blocks + 7) / 8 * 8;
    let mut payload = vec![0; length as usize];
    let mut runs: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (fingerprint, copies) in counts {
        let r = shape.remainder_bits;
        let (quotient, remainder) = (fingerprint >> r, fingerprint & ((1 << r) - 1));
        let values = group(shape, remainder, *copies);
        runs.entry(quotient).or_default().extend(values);
    }
    // For each block, the first slot that runs of earlier quotients do not use.
    let mut first: Vec<u64> = (0..blocks).map(|b| 64 * b).collect();
    let mut free = 0;
    for (quotient, values) in runs {
        let start = free.max(quotient);
        free = start + values.len() as u64;
        assert!(free <= 64 * blocks, "no room");
        set_bit(shape, &mut payload, 0, quotient, 1);
        set_bit(shape, &mut payload, 1, free - 1, 1);
        for (slot, value) in (start..).zip(values) {
            set_value(shape, &mut payload, slot, value);
        }
        for later in &mut first[quotient as usize / 64 + 1..] {
            *later = free.max(*later);
        }
    }
    for (b, first) in first.iter().enumerate() {
        let at = (blocks * block_bytes(shape)) as usize + b;
        payload[at] = (first - 64 * b as u64).min(255) as u8;
    }
    payload
}

fn bit(shape: &QuotientShape, payload: &[u8], which: u64, place: u64) -> bool {
    let word = place / 64 * (u64::from(shape.remainder_bits) + 2) + which;
    number(payload, 64 * word + place % 64, 1) == 1
}

fn value(shape: &QuotientShape, payload: &[u8], slot: u64) -> u64 {
    let r = u64::from(shape.remainder_bits);
    let bit = |j: u64| bit(shape, payload, 2 + j, slot);
    (0..r).map(|j| u64::from(bit(j)) << j).sum()
}

/// The counts of the remainders of a run; none if its values are not groups.
fn groups(shape: &QuotientShape, mut values: &[u64]) -> Option<Vec<(u64, u64)>> {
    let base = 1u64 << (shape.remainder_bits - 1);
    let mut found = Vec::new();
    while let Some(x) = values.first() {
        let same = values.iter().take_while(|v| *v == x).count();
        if same < 3 {
            found.push((*x, same as u64));
            values = &values[same..];
            continue;
        }
        let digits = &values[3..];
        let more = digits.iter().take_while(|d| **d >= base).count();
        let digits = digits.get(..=more)?;
        let mut count = 0u64;
        for digit in digits.iter().rev() {
            count = count.checked_mul(base)?.checked_add(digit % base)?;
        }
        found.push((*x, count.checked_add(3).filter(|c| *c < 1 << 48)?));
        values = &values[3 + digits.len()..];
    }
    Some(found)
}

/// The fingerprints of a payload with their counts; none if no writer made it: what they are must make the same bytes.
pub fn decode(shape: &QuotientShape, payload_bytes: &[u8]) -> Option<BTreeMap<u64, u64>> {
    let places =
        |which| (0..64 * shape.blocks).filter(move |p| bit(shape, payload_bytes, which, *p));
    let (quotients, ends): (Vec<u64>, Vec<u64>) = (places(0).collect(), places(1).collect());
    if quotients.len() != ends.len() || quotients.iter().any(|q| *q >= shape.quotients) {
        return None;
    }
    let (mut counts, mut free) = (BTreeMap::new(), 0);
    for (q, end) in quotients.into_iter().zip(ends) {
        let start = free.max(q);
        let values: Vec<u64> = (start..=end)
            .map(|s| value(shape, payload_bytes, s))
            .collect();
        let found = groups(shape, &values)?;
        if found.is_empty() || found.windows(2).any(|w| w[0].0 >= w[1].0) {
            return None;
        }
        free = end + 1;
        counts.extend(
            found
                .into_iter()
                .map(|(x, c)| (q << shape.remainder_bits | x, c)),
        );
    }
    Some(counts).filter(|counts| payload(shape, counts) == payload_bytes)
}

/// What a lookup answers by the steps of 15.5, and the chunks that it reads by 15.8.
pub fn lookup(shape: &QuotientShape, payload: &[u8], q: u64, x: u64) -> (bool, BTreeSet<u64>) {
    let (size, slots) = (block_bytes(shape), 64 * shape.blocks);
    let mut read = BTreeSet::new();
    let mut reads = |from: u64, to: u64| read.extend(from * size / 4096..=(to * size - 1) / 4096);
    let b = q / 64;
    reads(b, b + 1);
    if !bit(shape, payload, 0, q) {
        return (false, read);
    }
    // The n-th slot from p on that ends a run.
    let nth = |p: u64, n: u64| {
        (p..slots)
            .filter(|s| bit(shape, payload, 1, *s))
            .nth(n as usize - 1)
    };
    let runs =
        |from: u64, to: u64| (from..to).filter(|q| bit(shape, payload, 0, *q)).count() as u64;
    let offset = |a: u64| u64::from(payload[(shape.blocks * size + a) as usize]);
    let mut a = b;
    let mut offsets = BTreeSet::new();
    while a > 0 && {
        offsets.insert(shape.blocks * size + a);
        offset(a) == 255
    } {
        a -= 1;
    }
    let found = (|| {
        let mut p = if a == 0 { 0 } else { 64 * a + offset(a) };
        for c in a..b {
            let n = runs(64 * c, 64 * (c + 1));
            if n > 0 {
                p = 1 + nth(p, n)?;
            }
            p = p.max(64 * (c + 1));
        }
        let k = runs(64 * b, q + 1);
        let u = if k == 1 { p } else { 1 + nth(p, k - 1)? };
        let s = q.max(u);
        Some((s, nth(s, 1)?))
    })();
    let (s, e) = match found {
        Some(run) => run,
        None => return (true, read),
    };
    reads(a, e / 64 + 1);
    read.extend(offsets.into_iter().map(|at| at / 4096));
    let value = |i: u64| value(shape, payload, i);
    let mut i = s;
    while i <= e {
        let y = value(i);
        if y == x {
            return (true, read);
        }
        if i + 2 <= e && value(i + 1) == y && value(i + 2) == y {
            i += 3;
            while i <= e && value(i) >= 1 << (shape.remainder_bits - 1) {
                i += 1;
            }
        }
        i += 1;
    }
    (false, read)
}
