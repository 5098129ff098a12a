//! Ribbon, fuse and xor filters, built by the tests: the equations of all keys, solved by elimination, and put where the pages say.

use bloomery::hash::splitmix64;
use bloomery::{Key, Ribbon, SlotShape};

/// Some slots, as bits, and their exclusive or.
#[derive(Clone)]
struct Row {
    slots: Vec<u64>,
    value: u64,
}

impl Row {
    fn of(count: u64, slots: impl IntoIterator<Item = u64>, value: u64) -> Self {
        let mut bits = vec![0; count as usize / 64 + 1];
        for slot in slots {
            bits[slot as usize / 64] ^= 1 << (slot % 64);
        }
        Row { slots: bits, value }
    }

    fn lowest(&self) -> Option<usize> {
        let word = self.slots.iter().position(|w| *w != 0)?;
        Some(64 * word + self.slots[word].trailing_zeros() as usize)
    }

    fn add(&mut self, other: &Row) {
        for (a, b) in self.slots.iter_mut().zip(&other.slots) {
            *a ^= b;
        }
        self.value ^= other.value;
    }
}

/// The values of so many slots; none if the rows contradict each other.
fn solve(count: u64, rows: impl IntoIterator<Item = Row>) -> Option<Vec<u64>> {
    let mut pivots: Vec<Option<Row>> = vec![None; count as usize];
    for mut row in rows {
        loop {
            match row.lowest() {
                None if row.value == 0 => break,
                None => return None,
                Some(slot) => match &pivots[slot] {
                    Some(pivot) => row.add(pivot),
                    None => {
                        pivots[slot] = Some(row);
                        break;
                    }
                },
            }
        }
    }
    let mut values = vec![0; count as usize];
    for (slot, pivot) in pivots.iter().enumerate().rev() {
        if let Some(row) = pivot {
            // All other slots of the row lie above it.
            let has = |other: &usize| row.slots[other / 64] >> (other % 64) & 1 == 1;
            let above = (slot + 1..count as usize).filter(has).map(|o| values[o]);
            values[slot] = above.fold(row.value, |a, b| a ^ b);
        }
    }
    Some(values)
}

fn set(payload: &mut [u8], bit: u64) {
    payload[(bit / 8) as usize] |= 1 << (bit % 8);
}

/// So many of the hashes as they are, the last one repeatedly if there are too few.
fn put_hashes(payload: &mut [u8], at: u64, count: u64, hashes: &[u64]) {
    for i in 0..count as usize {
        let hash = hashes.get(i).or_else(|| hashes.last());
        let from = at as usize + 8 * i;
        payload[from..from + 8].copy_from_slice(&hash.unwrap_or(&u64::MAX).to_le_bytes());
    }
}

fn distinct(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// A fuse or xor filter: the residue takes as many keys as it has places. `places` gives fingerprint and slots of a key.
pub fn slots(
    shape: &SlotShape,
    hashes: Vec<u64>,
    places: impl Fn(Key, u8) -> (u64, [u64; 4]),
    payload: &mut [u8],
) {
    let hashes = distinct(hashes);
    let (count, bits) = (shape.slots, u64::from(shape.slot_bits));
    let rounds = (count * bits + 7) / 8;
    let residue = rounds + u64::from(shape.shards);
    put_hashes(payload, residue, shape.residue, &hashes);
    let arity = if shape.layout == 0 { 4 } else { shape.layout };
    let others = &hashes[hashes.len().min(shape.residue as usize)..];
    for shard in 0..u64::from(shape.shards) {
        let shards = u128::from(shape.shards);
        let shard_of = |h: u64| ((u128::from(h) * shards) >> 64) as u64;
        let own = others.iter().copied().filter(|h| shard_of(*h) == shard);
        if own.clone().next().is_none() {
            continue;
        }
        let row = |h, round| {
            let (fingerprint, slots) = places(Key::from_raw(h), round);
            let slots = slots.into_iter().take(arity.into());
            Row::of(count, slots, fingerprint)
        };
        let solved = |round| Some((round, solve(count, own.clone().map(|h| row(h, round)))?));
        let (round, values) = (0..=255).find_map(solved).expect("no round can be solved");
        payload[(rounds + shard) as usize] = round;
        for (slot, value) in values.into_iter().enumerate() {
            for bit in (0..bits).filter(|bit| value >> bit & 1 == 1) {
                set(payload, bits * slot as u64 + bit);
            }
        }
    }
}

/// The numbers of spec/filters.md 9.1 for a layer: segments, slots of one, places of one, narrow blocks.
pub fn layer_numbers(w: u64, buckets: u64, narrow: u64) -> [u64; 4] {
    let (bucket, least) = if w == 64 { (128, 512) } else { (512, 256) };
    let segments = (buckets / least).max(1);
    let slots = buckets / segments * bucket;
    let places = slots - w + 1;
    let narrow = (u128::from(segments * places) * u128::from(narrow)) >> 32;
    [segments, slots, places, narrow as u64 / w]
}

/// A ribbon filter. Thresholds are 1, 2, 0, 1, .. in the buckets of a layer, or 0 if nothing can be passed on.
pub fn ribbon(kind: &Ribbon, hashes: Vec<u64>, payload: &mut [u8]) {
    let shape = kind.shape();
    let (w, r, narrow) = (
        u64::from(shape.window),
        u64::from(shape.columns),
        u64::from(shape.narrow),
    );
    let (bucket, limits) = if w == 64 {
        (128, [0, 16, 40, 128])
    } else {
        (512, [0, 40, 96, 512])
    };
    let layers: Vec<u64> = shape
        .buckets
        .into_iter()
        .map(u64::from)
        .take_while(|b| *b > 0)
        .collect();
    let length = |b: &u64| {
        let [_, _, _, x] = layer_numbers(w, *b, narrow);
        w / 8 * (b * bucket / w * r - x)
    };
    let thresholds: u64 = layers.iter().map(length).sum();
    let mut hashes: Vec<(u64, u64)> = distinct(hashes).into_iter().map(|h| (h, h)).collect();
    let (mut at, mut earlier) = (0, 0);
    for (i, b) in layers.iter().enumerate() {
        let [_, _, _, x] = layer_numbers(w, *b, narrow);
        let threshold = |bucket: u64| if shape.rest == 0 { 0 } else { (bucket + 1) % 3 };
        let of = |key: u64| kind.equation(Key::from_raw(key), i).unwrap();
        let (passed, kept): (Vec<_>, Vec<_>) = hashes.into_iter().partition(|(key, _)| {
            let slot = of(*key).slot;
            slot % bucket < limits[threshold(slot / bucket) as usize]
        });
        let rows = kept.iter().map(|(key, _)| of(*key));
        put_columns(rows.collect(), b * bucket, r, |slot, j| {
            let block = slot / w;
            let first = 8 * (at + w / 8 * (block * r - block.min(x) + j));
            set(payload, first + slot % w);
        });
        for number in 0..*b {
            let bit = 8 * thresholds + 2 * (earlier + number);
            for j in (0..2).filter(|j| threshold(number) >> j & 1 == 1) {
                set(payload, bit + j);
            }
        }
        hashes = passed
            .into_iter()
            .map(|(key, h)| (key, splitmix64(h)))
            .collect();
        at += length(b);
        earlier += b;
    }
    let rest_at = thresholds + (earlier + 3) / 4;
    let rest = u64::from(shape.rest);
    if shape.kept {
        let kept = distinct(hashes.into_iter().map(|(_, h)| h).collect());
        assert!(kept.len() as u64 <= rest);
        put_hashes(payload, rest_at, rest, &kept);
        return;
    }
    let places = rest.max(64) - 63;
    let x = (places * narrow) >> 32;
    let rows = hashes.iter().map(|(key, _)| {
        let equation = kind.equation(Key::from_raw(*key), layers.len());
        equation.expect("no room for what is passed on")
    });
    put_columns(rows.collect(), rest, r, |slot, j| {
        let missing = if j == r - 1 { x } else { 0 };
        set(payload, 8 * rest_at + j * rest + slot - missing);
    });
}

/// Solves for all columns but the last, then for that, which some slots lack; `put` is called with each slot and column that is 1.
fn put_columns(
    equations: Vec<bloomery::Equation>,
    count: u64,
    columns: u64,
    mut put: impl FnMut(u64, u64),
) {
    let window = |e: &bloomery::Equation| {
        let (slot, c) = (e.slot, e.coefficients);
        (0..128)
            .filter(move |k| c >> k & 1 == 1)
            .map(move |k| slot + k)
    };
    let top = columns - 1;
    let lower = equations.iter().map(|e| {
        Row::of(
            count,
            window(e),
            u64::from(e.fingerprint) & ((1 << top) - 1),
        )
    });
    let wide = equations.iter().filter(|e| u64::from(e.columns) == columns);
    let upper = wide.map(|e| Row::of(count, window(e), u64::from(e.fingerprint >> top & 1)));
    let lower = solve(count, lower).expect("equations that contradict each other");
    let upper = solve(count, upper).expect("equations that contradict each other");
    for slot in 0..count {
        let value = lower[slot as usize] | upper[slot as usize] << top;
        for j in (0..columns).filter(|j| value >> j & 1 == 1) {
            put(slot, j);
        }
    }
}
