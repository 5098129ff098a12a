//! What a stable filter forgets, and the rate that it settles at (spec/model.md 13).

/// The chances of one cell, and how many of them a key has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StableModel {
    hashes: i32,
    max: u32,
    /// The chance that an insert of another key sets or decreases a cell.
    event: f64,
    /// The chance that such an event decreases it.
    decrease: f64,
}

impl StableModel {
    /// Of so many cells, `hashes` of which a key sets to `max`, and `decrement` of which each insert decreases.
    pub(crate) fn new(cells: f64, hashes: u32, max: u32, decrement: f64) -> Self {
        let set = -(f64::from(hashes) * (-1.0 / cells).ln_1p()).exp_m1();
        let decreased = decrement / cells * (1.0 - set);
        StableModel {
            hashes: hashes as i32,
            max,
            event: decreased + set,
            decrease: decreased / (decreased + set),
        }
    }

    /// The share of the cells that are 0 in the long run: the last `max` events decreased them.
    fn zeros(&self) -> f64 {
        self.decrease.powi(self.max as i32)
    }

    pub(crate) fn stable_fpr(&self) -> f64 {
        (1.0 - self.zeros()).powi(self.hashes)
    }

    pub(crate) fn forgetting(&self, inserts: u64) -> f64 {
        let zero = self.zeros() * at_least(self.max, inserts, self.event);
        -(f64::from(self.hashes) * (-zero).ln_1p()).exp_m1()
    }

    /// A cell that was 0 at first is not after so many inserts, if one of them set it and fewer than `max` events came later.
    pub(crate) fn expected_fpr(&self, inserts: u64) -> f64 {
        let later = |j: u32| {
            let enough = at_least(j + 1, inserts, self.event);
            enough * self.decrease.powi(j as i32) * (1.0 - self.decrease)
        };
        let set: f64 = (0..self.max).map(later).sum();
        set.min(1.0).powi(self.hashes)
    }
}

/// The chance of at least `least` successes in so many trials of this chance; `least` is small.
fn at_least(least: u32, trials: u64, chance: f64) -> f64 {
    if u64::from(least) > trials {
        return 0.0;
    }
    if chance >= 1.0 {
        return 1.0;
    }
    let n = trials as f64;
    // The chance of exactly so many, by logarithms: the first can be far too small for a number.
    let exactly = |successes: u32| {
        let ways: f64 = (0..successes)
            .map(|i| ((n - f64::from(i)) / f64::from(i + 1)).ln())
            .sum();
        let s = f64::from(successes);
        let log = ways + s * chance.ln() + (n - s) * (-chance).ln_1p();
        log.exp()
    };
    if n * chance > f64::from(least) {
        // Most of the chance is above: what is missing is summed up.
        let fewer: f64 = (0..least).map(exactly).sum();
        return (1.0 - fewer).max(0.0);
    }
    // Terms shrink from here on, by a factor that shrinks too.
    let (mut sum, mut term, mut successes) = (0.0, exactly(least), f64::from(least));
    while term > sum * 1e-17 && successes <= n {
        sum += term;
        term *= (n - successes) / (successes + 1.0) * chance / (1.0 - chance);
        successes += 1.0;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside the sum over all numbers of successes, each by products.
    #[test]
    fn binomial_tails() {
        for trials in [0u64, 1, 2, 7, 40, 300] {
            for chance in [1e-9f64, 0.001, 0.03, 0.4, 0.99] {
                let exactly = |s: u64| {
                    let ways = |i: u64| (trials - i) as f64 / (i + 1) as f64;
                    let of_each = (0..s).map(|i| ways(i) * chance).product::<f64>();
                    of_each * (1.0 - chance).powi((trials - s) as i32)
                };
                for least in 0..=15u32 {
                    let wanted: f64 = (u64::from(least)..=trials).map(exactly).sum();
                    let got = at_least(least, trials, chance);
                    let slack = 1e-9 * wanted + 1e-15;
                    assert!((got - wanted).abs() < slack, "{} {}", got, wanted);
                }
            }
        }
        assert_eq!(at_least(3, 10, 1.0), 1.0);
    }

    #[test]
    fn forgetting_begins_at_nothing_and_ends_at_the_rate() {
        for (cells, k, max, p) in [(1000.0, 4, 3, 20.0), (96.0, 7, 1, 10.5), (1e9, 2, 15, 3.25)] {
            let model = StableModel::new(cells, k, max, p);
            assert_eq!(model.forgetting(0), 0.0);
            let long = model.forgetting(1 << 60);
            assert!((long + model.stable_fpr() - 1.0).abs() < 1e-9);
            let mut last = (0.0, 0.0);
            for inserts in (0..60).map(|i| 1u64 << i) {
                let now = (model.forgetting(inserts), model.expected_fpr(inserts));
                assert!(now.0 >= last.0 - 1e-12 && now.1 >= last.1 - 1e-12);
                last = now;
            }
            assert!((last.1 - model.stable_fpr()).abs() < 1e-9);
        }
        // One cell is set by every key; without a decrement nothing is forgotten.
        assert_eq!(StableModel::new(1.0, 3, 1, 1.0).forgetting(9), 0.0);
        let grows = StableModel::new(100.0, 3, 1, 0.0);
        assert_eq!((grows.forgetting(1 << 40), grows.stable_fpr()), (0.0, 1.0));
    }
}
