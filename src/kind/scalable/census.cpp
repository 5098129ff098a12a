// Scalable filters: what their bits say, level by level and in all (spec/model.md, 12).
#include <bloomery/scalable_bloom.hpp>

#include <array>
#include <span>

#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/block_census.hpp"

namespace bloomery::inline v1 {

std::uint64_t scalable_bloom::ones_of(unsigned level) const noexcept {
  const level_blocks b = blocks_of(level);
  return base::count_ones({b.data, static_cast<std::size_t>(b.shape.size_in_bytes())},
                          b.shape.bits());
}

std::uint64_t scalable_bloom::ones() const noexcept {
  return base::count_ones(bytes(), bits());
}

double scalable_bloom::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(bits());
}

double scalable_bloom::estimated_keys() const noexcept {
  double keys = 0;
  for (unsigned i = 0; i < levels_; ++i)
    keys += model::block_keys(shape_.level(i), static_cast<double>(ones_of(i)));
  return keys;
}

double scalable_bloom::expected_fpr(std::uint64_t keys) const noexcept {
  return model::scalable_fpr(shape_, static_cast<double>(keys));
}

double scalable_bloom::realised_fpr() const noexcept {
  std::array<block_array, scalable_shape::level_limit> all;
  for (unsigned i = 0; i < levels_; ++i) {
    const level_blocks b = blocks_of(i);
    all[i] = {b.shape, b.data};
  }
  return rate_of_any(std::span(all).first(levels_));
}

scalable_bloom::level_state scalable_bloom::level(unsigned level) const noexcept {
  const level_blocks b = blocks_of(level);
  const auto ones = static_cast<double>(ones_of(level));
  return {.shape = b.shape,
          .room = scalable_level_keys(shape_, level),
          .target_fpr = shape_.level_fpr(level),
          .estimated_keys = model::block_keys(b.shape, ones),
          .fill = ones / static_cast<double>(b.shape.bits()),
          .realised_fpr = rate_of_blocks(b.shape, b.data, 1, 1)};
}

}  // namespace bloomery::inline v1
