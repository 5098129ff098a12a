//! Two halves of 32 bits over 2^31 bits and more (spec/model.md 4): the load is no longer even.

use alloc::vec::Vec;

const CELLS: usize = 8192;
const MOST_HASHES: u64 = 4096;

/// The loads of a filter of m bits and k hashes. Lengths are in units of 2^32 bits.
pub(super) struct Halves {
    /// Length of the array.
    r: f64,
    /// As far as probes come.
    reach: f64,
    hashes: usize,
    /// The load of a cell for one key.
    loads: Vec<f64>,
}

/// The density of probe i at y, folded modulo r.
fn density(i: usize, y: f64, r: f64) -> f64 {
    let end = i as f64 + 1.0;
    let mut sum = 0.0;
    let mut t = y;
    while t < end {
        sum += if i == 0 { 1.0 } else { t.min(1.0).min(end - t) };
        t += r;
    }
    if i == 0 {
        sum
    } else {
        sum / i as f64
    }
}

impl Halves {
    pub(super) fn new(m: u64, k: u64) -> Self {
        let unit = 4_294_967_296.0;
        let r = m as f64 / unit;
        let hashes = k.min(MOST_HASHES);
        let reach = r.min(hashes as f64);
        let loads = (0..CELLS)
            .map(|c| {
                let y = (c as f64 + 0.5) / CELLS as f64 * reach;
                let sum: f64 = (0..hashes as usize).map(|i| density(i, y, r)).sum();
                (sum + (k - hashes) as f64 / r) / unit
            })
            .collect();
        Halves {
            r,
            reach,
            hashes: hashes as usize,
            loads,
        }
    }

    fn chances(&self, n: f64) -> Vec<f64> {
        self.loads.iter().map(|f| -(-n * f).exp_m1()).collect()
    }

    /// The share of bits that n keys set.
    pub(super) fn fill(&self, n: f64) -> f64 {
        self.chances(n).iter().sum::<f64>() / CELLS as f64 * (self.reach / self.r)
    }

    /// The rate with n keys: the mean over a grid of queries.
    pub(super) fn fpr(&self, n: f64) -> f64 {
        let chances = self.chances(n);
        let mut grid = 1024usize;
        let mut bound = 64;
        while bound < self.hashes {
            grid /= 2;
            bound *= 4;
        }
        let point = |a: usize| ((a as f64 + 0.5) / grid as f64) % self.r;
        let scale = CELLS as f64 / self.reach;
        let mut sum = 0.0;
        for a in 0..grid {
            for b in 0..grid {
                let (mut y, step) = (point(a), point(b));
                let mut product = 1.0;
                for _ in 0..self.hashes {
                    product *= chances[((y * scale) as usize).min(CELLS - 1)];
                    if product < 1e-30 {
                        break;
                    }
                    y += step;
                    if y >= self.r {
                        y -= self.r;
                    }
                }
                sum += product;
            }
        }
        sum / (grid as f64 * grid as f64)
    }

    /// The n whose fill is this; infinite where no number of keys gives it.
    pub(super) fn keys(&self, fill: f64) -> f64 {
        let mut high = 1.0;
        while self.fill(high) < fill {
            high *= 2.0;
            if high > 1e30 {
                return f64::INFINITY;
            }
        }
        let mut low = 0.0;
        while high - low > 1e-12 * high {
            let middle = (low + high) / 2.0;
            if middle <= low || middle >= high {
                break;
            }
            if self.fill(middle) < fill {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}
