//! The rate of a ribbon filter, from its thresholds and its shape (spec/model.md 10).

use super::layers::Layer;
use super::Ribbon;
use crate::kind::Payload;
use crate::residue::are_known;

/// 2^-columns.
fn by_chance(columns: u32) -> f64 {
    1.0 / (1u64 << columns) as f64
}

impl Ribbon {
    /// The rates of the places that are not passed, added up, and how many are.
    fn census(&self, payload: &impl Payload, layer: &Layer) -> (f64, u64) {
        let (mut rates, mut passed) = (0.0, 0);
        for bucket in 0..layer.slots() / self.width.bucket {
            let first = bucket * self.width.bucket;
            let segment = first / layer.segment_slots * layer.segment_slots;
            let end = (first + self.width.bucket).min(segment + layer.places);
            match self.threshold(payload, layer, bucket) {
                None => rates += (end - first) as f64,
                Some(threshold) => {
                    let limit = self.width.limits[threshold as usize];
                    let taken = (first + limit).min(end);
                    passed += taken - first;
                    rates += self.taken(payload, layer, taken, end);
                }
            }
        }
        (rates, passed)
    }

    /// The rates of places `from .. to`, whose keys the layer keeps, added up.
    fn taken(&self, payload: &impl Payload, layer: &Layer, from: u64, to: u64) -> f64 {
        let window = u64::from(self.width.window);
        let mut rates = 0.0;
        let mut slot = from;
        while slot < to {
            let block = slot / window;
            let end = to.min((block + 1) * window);
            let columns = layer.columns_of(block);
            let length = u64::from(columns) * self.width.window_bytes();
            let known = |block| {
                let at = layer.block_at(self.width, block);
                are_known(payload, at, at + length)
            };
            // A window that begins with the block reads no other.
            let alone = u64::from(slot % window == 0);
            let places = (end - slot) as f64;
            rates += if !known(block) {
                places
            } else if end - slot > alone && !known(block + 1) {
                places - alone as f64 * (1.0 - by_chance(columns))
            } else {
                places * by_chance(columns)
            };
            slot = end;
        }
        rates
    }

    /// Of what the layers pass on.
    fn rate_of_rest(&self, payload: &impl Payload) -> f64 {
        let parts = &self.parts;
        if !are_known(payload, parts.hashes.at, parts.length) {
            return 1.0;
        }
        let last = &parts.last;
        if last.slots == 0 {
            return 0.0;
        }
        let narrow = last.narrow_slots as f64 / last.places as f64;
        by_chance(last.columns) * (1.0 + narrow)
    }

    pub(super) fn rate(&self, payload: &impl Payload) -> f64 {
        let (mut reach, mut rate) = (1.0, 0.0);
        for layer in self.layers() {
            let places = layer.all_places() as f64;
            let (rates, passed) = self.census(payload, &layer);
            rate += reach * rates / places;
            reach *= passed as f64 / places;
        }
        rate += reach * self.rate_of_rest(payload);
        (rate + self.room() as f64 / 2f64.powi(64)).min(1.0)
    }

    /// With so many keys, as if no layer passed any on: the first has columns of its own for nearly all of them.
    pub(super) fn rate_before(&self, keys: u64) -> f64 {
        if keys == 0 {
            return 0.0;
        }
        let equations = self.shape.buckets[0] > 0 || self.parts.last.slots > 0;
        let narrow = f64::from(self.shape.narrow) / 2f64.powi(32);
        let passes = by_chance(self.shape.columns) * (1.0 + narrow);
        (if equations { passes } else { 0.0 }) + keys as f64 / 2f64.powi(64)
    }
}
