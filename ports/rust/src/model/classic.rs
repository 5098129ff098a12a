//! Independent probes (spec/model.md 1 and 6).

/// The chance that a bit is set after n keys of k probes each.
pub(super) fn set_chance(m: f64, k: f64, n: f64) -> f64 {
    -(k * n * (-1.0 / m).ln_1p()).exp_m1()
}

/// The rate of a filter of m bits whose probes are independent: the mean of fill^k, to second order around its mean.
pub(crate) fn classic_fpr(m: f64, k: f64, n: f64) -> f64 {
    if n == 0.0 {
        return 0.0;
    }
    if m <= 1.0 {
        return 1.0;
    }
    let q = (k * n * (-1.0 / m).ln_1p()).exp();
    let s = set_chance(m, k, n);
    // log1p(-1) is minus infinity at m = 2, where the second bit is clear only if no probe met it.
    let pair = (k * n * (-1.0 / ((m - 1.0) * (m - 1.0))).ln_1p()).exp_m1();
    let v = q * s / m + q * q * (1.0 - 1.0 / m) * pair;
    (s.powf(k) * (1.0 + k * (k - 1.0) / 2.0 * v / (s * s))).clamp(0.0, 1.0)
}

/// How many keys set `ones` of m bits.
pub(crate) fn classic_keys(m: u64, k: u32, ones: u64) -> f64 {
    if ones == 0 {
        return 0.0;
    }
    if ones >= m {
        return f64::INFINITY;
    }
    let m = m as f64;
    (-(ones as f64) / m).ln_1p() / (f64::from(k) * (-1.0 / m).ln_1p())
}
