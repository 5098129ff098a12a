//! The rates of filters of blocks (spec/model.md 6 to 8), and the search for the smallest filter.

use crate::error::{Code, Error};

/// From so many blocks up the binomial distribution is taken as Poisson's.
const MANY_BLOCKS: u64 = 4096;

/// The expected rate of n keys in so many blocks of `lanes` lanes of `width` bits, a key having `lines` blocks.
pub(crate) fn block_fpr(width: u32, lanes: u32, lines: u32, blocks: u64, n: f64) -> f64 {
    let throws = n * f64::from(lines);
    let share = 1.0 / blocks as f64;
    let clear = (-1.0 / f64::from(width)).ln_1p();
    let passes = |i: f64| with_low_bits((-(i * clear).exp_m1()).powi(lanes as i32), i);
    let q = if blocks == 1 {
        passes(throws)
    } else {
        // Chances as multiples of that of the most likely load, by the ratio of neighbours; then their sum is known.
        let mean = throws * share;
        let reach = 12.0 * mean.sqrt() + 30.0;
        let mode = mean.floor();
        let ratio = |i: f64| {
            if blocks >= MANY_BLOCKS {
                mean / (i + 1.0)
            } else {
                (throws - i) / (i + 1.0) * share / (1.0 - share)
            }
        };
        let (mut weights, mut sum) = (1.0, passes(mode));
        let (mut chance, mut i) = (1.0, mode);
        while i < mean + reach && chance > 0.0 {
            chance *= ratio(i).max(0.0);
            i += 1.0;
            weights += chance;
            sum += chance * passes(i);
        }
        chance = 1.0;
        i = mode;
        while i > 0.0 && i > mean - reach {
            i -= 1.0;
            chance /= ratio(i);
            weights += chance;
            sum += chance * passes(i);
        }
        sum / weights
    };
    (q.powi(lines as i32) + n / 2f64.powi(64)).min(1.0)
}

/// The chance that a random key passes a block of `keys` keys whose bits are all set by chance with probability p: keys with
/// the same low 32 bits have the same bits (spec/model.md 7).
fn with_low_bits(p: f64, keys: f64) -> f64 {
    with_collisions(p, keys, 32)
}

/// The rate p of bits that are set by chance, and of keys that are one of n in so many bits.
pub(crate) fn with_collisions(p: f64, n: f64, bits: i32) -> f64 {
    p + (1.0 - p) * (n / 2f64.powi(bits)).min(1.0)
}

/// The rate that bits have (spec/model.md 7): `passing` is the mean over the blocks of the product over lanes of their fill,
/// `throws` the lines of keys that the bits hold.
pub(crate) fn block_realised_fpr(lines: u32, blocks: u64, passing: f64, throws: f64) -> f64 {
    let one = with_low_bits(passing, throws / blocks as f64);
    if lines == 1 {
        return one;
    }
    with_collisions(one * one, throws / f64::from(lines), 64)
}

/// How many lines of keys set so many of m bits, in blocks with lanes of `width` bits.
pub(crate) fn block_keys(width: u32, blocks: u64, m: u64, ones: u64) -> f64 {
    if ones == 0 {
        return 0.0;
    }
    if ones >= m {
        return f64::INFINITY;
    }
    let cells = f64::from(width) * blocks as f64;
    (-(ones as f64) / m as f64).ln_1p() / (-1.0 / cells).ln_1p()
}

/// The chance that a random key passes a random block: the mean over blocks of the product over lanes of their fill.
pub(crate) fn mean_over_blocks(
    words: &[u64],
    words_of_block: usize,
    lanes: usize,
    width: f64,
    ones_of_lane: impl Fn(&[u64], usize) -> u32,
) -> f64 {
    let blocks = words.chunks_exact(words_of_block);
    let count = blocks.len() as f64;
    // Products of whole numbers below 64^8 = 2^48 are exact, and so is their sum up to 2^80.
    let sum: u128 = blocks
        .map(|block| {
            let product: u64 = (0..lanes)
                .map(|lane| u64::from(ones_of_lane(block, lane)))
                .product();
            u128::from(product)
        })
        .sum();
    sum as f64 / width.powi(lanes as i32) / count
}

/// The smallest size up to `most` whose rate is at most the requested one; rates fall as sizes grow.
pub(crate) fn fewest(
    keys: u64,
    fpr: f64,
    most: u64,
    rate: impl Fn(u64) -> f64,
) -> Result<u64, Error> {
    if keys == 0 {
        return Err(Error::invalid("a filter is sized for at least one key"));
    }
    if !(fpr > 0.0 && fpr < 1.0) {
        return Err(Error::invalid("a rate lies between 0 and 1"));
    }
    if rate(most) > fpr {
        return Err(Error::new(
            Code::TooLarge,
            "the largest filter of this kind does not reach the rate",
        ));
    }
    let mut high = 1;
    while high < most && rate(high) > fpr {
        high = (2 * high).min(most);
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if rate(middle) > fpr {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}
