// Block filters: a key falls into one block, where it sets one bit in each lane.
//
// The number of keys in a block is binomial(keys, 1 / blocks), for many blocks Poisson.
// With i keys in it, a bit of a lane of w bits is set with probability 1 - (1 - 1/w)^i,
// and lanes are independent given i (Putze, Sanders and Singler 2007 for the mixture).
// Two keys of one block with the same 32 low bits are indistinguishable: i / 2^32.  That
// comes on top: the product of the lanes' fills speaks of the other 2^32 - i low words.
#include <bloomery/model.hpp>

#include <math.h>  // lgamma_r, which <cmath> does not name

#include <algorithm>
#include <cmath>

namespace bloomery::inline v1::model {
namespace {

// From here on the binomial and the Poisson mixture differ by less than 0.2 %.
constexpr double many_blocks = 4096;

// std::lgamma writes a global variable: a race between threads that size filters.
double log_gamma(double x) noexcept {
  int sign;
  return ::lgamma_r(x, &sign);
}

// The chances of i, i + 1, .. keys in one block, for throws of which each hits it with
// chance 1 / blocks.
class load_chances {
 public:
  load_chances(double throws, double blocks, double first) noexcept
      : throws_(throws),
        odds_(blocks < many_blocks ? 1 / (blocks - 1) : 1 / blocks),
        binomial_(blocks < many_blocks),
        i_(first) {
    const double mean = throws / blocks;
    const double log_chance =
        binomial_ ? log_gamma(throws + 1) - log_gamma(first + 1) -
                        log_gamma(throws - first + 1) - first * std::log(blocks) +
                        (throws - first) * std::log1p(-1 / blocks)
                  : first * std::log(mean) - mean - log_gamma(first + 1);
    chance_ = std::exp(log_chance);
  }
  double chance() const noexcept { return chance_; }
  void next() noexcept {
    chance_ *= (binomial_ ? throws_ - i_ : throws_) * odds_ / (i_ + 1);
    ++i_;
  }

 private:
  double throws_, odds_;
  bool binomial_;
  double i_, chance_;
};

double power(double x, unsigned n) noexcept {
  double product = 1;
  for (; n != 0; n /= 2, x *= x)
    if (n % 2 != 0) product *= x;
  return product;
}

// The chance that a key has the 32 low bits of one of so many.
double same_low_bits(double keys) noexcept { return std::min(1.0, keys * 0x1p-32); }

// Moments of q, the probability that a random key finds all its bits in a block.
struct moments {
  double mean = 0, square = 0;
  // With i keys in the block, E[q | i]: its mean square, and its mean product with i.
  double mean_by_load_squared = 0, mean_by_load_times_load = 0;
};

// A block of `lanes` lanes of w bits with i, i + 1, .. keys in it.
class loaded_block {
 public:
  loaded_block(unsigned lanes, double w, double i) noexcept
      : lanes_(lanes),
        w_(w),
        keys_(i),
        clear_(std::pow(1 - 1 / w, i)),
        pair_clear_(std::pow(1 - 2 / w, i)) {}
  moments chances() const noexcept {
    const double both_clear = clear_ / w_ + (1 - 1 / w_) * pair_clear_;
    const double all = power(1 - clear_, lanes_);
    const double alike = same_low_bits(keys_);
    const double mean = all + (1 - all) * alike;
    const double square = power(1 - 2 * clear_ + both_clear, lanes_);
    return {mean, (1 - alike) * ((1 - alike) * square + 2 * alike * all) + alike * alike,
            mean * mean, mean * keys_};
  }
  void add_key() noexcept {
    ++keys_;
    clear_ *= 1 - 1 / w_;
    pair_clear_ *= 1 - 2 / w_;
  }

 private:
  unsigned lanes_;
  double w_, keys_;
  double clear_;       // chance that a bit of a lane is clear
  double pair_clear_;  // chance that two different bits of a lane are
};

moments of_blocks(double blocks, unsigned lanes, double w, double throws) noexcept {
  if (throws <= 0) return {};
  const double mean = throws / blocks;
  if (mean > 64 * w) return {1, 1, 1, mean};  // (1 - 1/w)^i < e^-64: every bit is set
  if (blocks <= 1) return loaded_block(lanes, w, throws).chances();
  const double spread = 12 * std::sqrt(mean) + 30;
  const double first = std::max(0.0, std::floor(mean - spread));
  const double last = std::min(throws, std::ceil(mean + spread));
  moments m;
  load_chances load(throws, blocks, first);
  loaded_block block(lanes, w, first);
  for (double i = first; i <= last; ++i, load.next(), block.add_key()) {
    const moments one = block.chances();
    m.mean += load.chance() * one.mean;
    m.square += load.chance() * one.square;
    m.mean_by_load_squared += load.chance() * one.mean_by_load_squared;
    m.mean_by_load_times_load += load.chance() * one.mean_by_load_times_load;
  }
  m.mean = std::min(1.0, m.mean);
  m.square = std::min(1.0, m.square);
  return m;
}

// The mean of q * q' over two blocks, chosen independently, that may coincide.
//
// Where they differ, a key more in one is a key less in the other: their loads have the
// correlation r = -1 / (blocks - 1), and the k-th order of the dependence of q on its
// load (in Krawtchouk's polynomials) has r^k.  The first order is taken apart; all
// others, which matter for a handful of blocks only, count as the second.
double pair_mean(const moments& m, double blocks, double throws) noexcept {
  if (blocks <= 1) return m.square;
  const double load = throws / blocks, load_variance = load * (1 - 1 / blocks);
  const double with_load = m.mean_by_load_times_load - m.mean * load;
  const double first_order = with_load * with_load / load_variance;
  const double others =
      std::max(0.0, m.mean_by_load_squared - m.mean * m.mean - first_order);
  const double same = std::max(0.0, m.square - m.mean * m.mean - first_order);
  return m.mean * m.mean + (same + others / (blocks - 1)) / blocks;
}

// Two different keys with the same 64 bits.
double collision(double keys) noexcept { return keys * 0x1p-64; }

}  // namespace

double block_fpr(const block_shape& s, double keys) noexcept {
  if (keys <= 0 || s.blocks == 0) return 0;
  const auto blocks = static_cast<double>(s.blocks);
  const double throws = keys * s.choices();
  const moments m = of_blocks(blocks, s.lanes(), s.lane_bits(), throws);
  const double rate = s.choices() == 1 ? m.mean : pair_mean(m, blocks, throws);
  return std::min(1.0, rate + collision(keys));
}

double block_keys(const block_shape& s, double ones) noexcept {
  // Each key sets at most one bit of a lane, in `choices` of the blocks.
  const auto lane_bits_in_all = static_cast<double>(s.blocks) * s.lane_bits();
  const double share = ones / static_cast<double>(s.bits());
  return classic_keys(lane_bits_in_all, s.choices(), share * lane_bits_in_all);
}

double block_ones(const block_shape& s, double keys) noexcept {
  const auto lane_bits_in_all = static_cast<double>(s.blocks) * s.lane_bits();
  return static_cast<double>(s.bits()) *
         -std::expm1(keys * s.choices() * std::log1p(-1 / lane_bits_in_all));
}

// The mean of q over the blocks, less what the load of all of them explains: a filter
// with as many ones has as many keys.  With two blocks per key the rate is about the
// square.
double block_fpr_scatter(const block_shape& s, double keys) noexcept {
  const auto blocks = static_cast<double>(s.blocks);
  const double load = keys * s.choices() / blocks;
  const moments m = of_blocks(blocks, s.lanes(), s.lane_bits(), keys * s.choices());
  if (!(m.mean > 0)) return 0;
  const double with_load = m.mean_by_load_times_load - m.mean * load;
  const double variance = m.square - m.mean * m.mean - with_load * with_load / load;
  return s.choices() * std::sqrt(std::max(0.0, variance) / blocks) / m.mean;
}

double block_fpr_from_bits(const block_shape& s, double passing, double ones) noexcept {
  if (ones <= 0 || s.blocks == 0) return 0;
  const double keys = block_keys(s, ones);  // infinite if passing is 1
  const double of_a_block = keys * s.choices() / static_cast<double>(s.blocks);
  const double one = passing + (1 - passing) * same_low_bits(of_a_block);
  if (s.choices() == 1) return one;  // equal 64 bits are among equal low ones
  const double both = one * one;
  return both + (1 - both) * std::min(1.0, collision(keys));
}

}  // namespace bloomery::inline v1::model
