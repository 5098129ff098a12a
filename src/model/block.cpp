// Block filters: a key falls into one block, where it sets one bit in each lane.
//
// The number of keys in a block is binomial(keys, 1 / blocks), for many blocks Poisson.
// With i keys in it, a bit of a lane of w bits is set with probability 1 - (1 - 1/w)^i,
// and lanes are independent given i (Putze, Sanders and Singler 2007 for the mixture).
// Two keys of one block with the same 32 low bits cannot be told apart: i / 2^32.
#include <bloomery/model.hpp>

#include <algorithm>
#include <cmath>

namespace bloomery::inline v1::model {
namespace {

// From here on the binomial and the Poisson mixture differ by less than 0.1 %.
constexpr double many_blocks = 4096;

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
        binomial_ ? std::lgamma(throws + 1) - std::lgamma(first + 1) -
                        std::lgamma(throws - first + 1) - first * std::log(blocks) +
                        (throws - first) * std::log1p(-1 / blocks)
                  : first * std::log(mean) - mean - std::lgamma(first + 1);
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

// Mean and mean square, over blocks, of the chance that a random key finds all its bits.
struct moments {
  double mean = 0, square = 0;
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
    return {all + (1 - all) * keys_ * 0x1p-32,
            power(1 - 2 * clear_ + both_clear, lanes_)};
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
  if (mean > 64 * w) return {1, 1};  // (1 - 1/w)^i < e^-64: every bit is set
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
  }
  return {std::min(1.0, m.mean), std::min(1.0, m.square)};
}

// Two different keys with the same 64 bits.
double collision(double keys) noexcept { return keys * 0x1p-64; }

}  // namespace

double block_fpr(const block_shape& s, double keys) noexcept {
  if (keys <= 0 || s.blocks == 0) return 0;
  const auto blocks = static_cast<double>(s.blocks);
  const moments m = of_blocks(blocks, s.lanes(), s.lane_bits(), keys * s.choices());
  // Two blocks that may coincide: the mean of the square over what the blocks became.
  const double rate =
      s.choices() == 1
          ? m.mean
          : m.mean * m.mean + std::max(0.0, m.square - m.mean * m.mean) / blocks;
  return std::min(1.0, rate + collision(keys));
}

double block_keys(const block_shape& s, double ones) noexcept {
  // Each key sets at most one bit of a lane, in `choices` of the blocks.
  const auto lane_bits_in_all = static_cast<double>(s.blocks) * s.lane_bits();
  const double share = ones / static_cast<double>(s.bits());
  return classic_keys(lane_bits_in_all, s.choices(), share * lane_bits_in_all);
}

}  // namespace bloomery::inline v1::model
