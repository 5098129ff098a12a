#include <bloomery/detail/kind/block/sizing.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <bloomery/model.hpp>

#include "model/saturated.hpp"

namespace bloomery::inline v1 {
namespace {

error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}

// `bytes` may be an estimate, but it is more than there can be.
error no_profile() noexcept {
  return {errc::invalid_argument, "no profile of a block filter"};
}

error too_large(double bytes, const block_shape& s) noexcept {
  const auto limit = static_cast<double>(s.max_blocks() * s.block_bytes());
  return {errc::too_large, "more bytes than a filter can have", 0,
          std::max(bytes, std::nextafter(limit, 2 * limit)), limit};
}

bool keeps(block_shape s, std::uint64_t blocks, double keys, double fpr) noexcept {
  s.blocks = blocks;
  return model::block_fpr(s, keys) <= fpr;
}

// The least number of blocks that keeps the rate.  The rate falls as blocks are added,
// nearly as a power of their number: interpolation on logarithms closes in fast, and the
// middle is taken whenever it does not.
std::uint64_t min_blocks(block_shape s, double keys, double fpr) noexcept {
  const auto rate_at = [&](std::uint64_t blocks) noexcept {
    s.blocks = blocks;
    return std::log(model::block_fpr(s, keys));
  };
  const double want = std::log(fpr);
  std::uint64_t low = 0, high = 1;  // low breaks the rate, high keeps it
  double low_rate = 0, high_rate = rate_at(1);
  while (high_rate > want) {
    low = high, low_rate = high_rate;
    if (high >= s.max_blocks()) return s.max_blocks() + 1;
    high = std::min(4 * high, s.max_blocks());
    high_rate = rate_at(high);
  }
  for (int step = 0; high - low > 1; ++step) {
    std::uint64_t middle = low + (high - low) / 2;
    if (step % 3 != 2 && low != 0 && low_rate > high_rate) {
      const double x = std::log(static_cast<double>(low)),
                   y = std::log(static_cast<double>(high));
      const double at = x + (y - x) * (low_rate - want) / (low_rate - high_rate);
      middle = std::clamp(model::saturated<std::uint64_t>(std::ceil(std::exp(at))),
                          low + 1, high - 1);
    }
    const double rate = rate_at(middle);
    if (rate <= want)
      high = middle, high_rate = rate;
    else
      low = middle, low_rate = rate;
  }
  return high;
}

}  // namespace

result<block_shape> size_blocks_by_rate(std::uint64_t keys, double fpr,
                                        block_profile profile) noexcept {
  if (keys == 0) return no_keys();
  if (profile > block_profile::lanes16) return no_profile();
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument,
                 "a false-positive rate lies strictly between 0 and 1", 0, fpr};
  block_shape s{0, profile == block_profile::by_rate ? best_profile(fpr) : profile};
  const auto n = static_cast<double>(keys);
  const double limit = static_cast<double>(s.max_blocks() * s.block_bytes());
  // No filter of any kind is smaller than log2(1/p) bits per key: no search needed.
  if (const double least = -n * std::log2(fpr) / 8; least > limit)
    return too_large(1.5 * least, s);
  if (!keeps(s, s.max_blocks(), n, fpr)) {
    s.blocks = s.max_blocks();
    const double lowest = model::block_fpr(s, n);
    if (fpr < model::key_collisions(n))
      return error{errc::unattainable, "64-bit keys collide more often than this", 0, fpr,
                   lowest};
    return too_large(-1.5 * n * std::log2(fpr) / 8, s);
  }
  s.blocks = min_blocks(s, n, fpr);
  return s;
}

result<block_shape> size_blocks_by_memory(std::uint64_t keys, std::uint64_t bytes,
                                          block_profile profile) noexcept {
  if (keys == 0) return no_keys();
  if (profile > block_profile::lanes16) return no_profile();
  using enum block_profile;
  block_shape best{0, profile};
  double best_rate = 2;
  for (const block_profile p : {half_line, line, two_lines, split, lanes16}) {
    if (profile == by_rate ? p > two_lines : p != profile) continue;
    block_shape s{0, p};
    if (bytes < s.block_bytes()) continue;
    s.blocks = bytes / s.block_bytes();
    if (s.blocks > s.max_blocks()) return too_large(static_cast<double>(bytes), s);
    const double rate = model::block_fpr(s, static_cast<double>(keys));
    if (rate >= best_rate) continue;
    best = s;
    best_rate = rate;
  }
  if (best.blocks == 0) {
    const block_shape least{1, profile == by_rate ? half_line : profile};
    return error{errc::invalid_argument, "a filter needs at least one block", 0,
                 static_cast<double>(bytes), static_cast<double>(least.block_bytes())};
  }
  return best;
}

std::uint64_t foldable_blocks(std::uint64_t blocks) noexcept {
  // Each has more divisors than any smaller number.
  constexpr std::array<std::uint64_t, 9> steps{720720, 55440, 5040, 840, 120,
                                               60,     12,    4,    2};
  if (blocks >> 48 != 0) return blocks;  // no filter has as many
  for (const std::uint64_t step : steps)
    if (blocks / 100 >= step) return (blocks + step - 1) / step * step;
  return blocks;
}

}  // namespace bloomery::inline v1
