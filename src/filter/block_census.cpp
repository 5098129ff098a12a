// Block filters: what their bits say.
#include <bloomery/detail/filter/block_storage.hpp>

#include <bit>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"

namespace bloomery::inline v1 {
namespace {

unsigned ones_of_word(const std::byte* p) noexcept {
  return static_cast<unsigned>(std::popcount(words::load<std::uint32_t>(p)));
}

// Ones of each lane multiplied: of lane_bits^lanes random keys that fall into this
// block, so many find all their bits.
std::uint64_t hits_of_block(const block_shape& s, const std::byte* block) noexcept {
  std::uint64_t hits = 1;
  const unsigned lanes = s.lanes();
  for (unsigned j = 0; j < lanes; ++j) {
    unsigned ones = ones_of_word(block + 4 * j);
    if (s.lane_bits() == 64) ones += ones_of_word(block + 4 * (lanes + j));
    hits *= ones;
  }
  return hits;
}

}  // namespace

std::uint64_t block_storage::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

double block_storage::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(bits());
}

double block_storage::estimated_keys() const noexcept {
  return model::block_keys(shape_, static_cast<double>(ones()));
}

double block_storage::expected_fpr(std::uint64_t keys) const noexcept {
  return model::block_fpr(shape_, static_cast<double>(keys));
}

// The mean over blocks, in integers: at most 2^48 a block, so the sum is exact.
double block_storage::realised_fpr() const noexcept {
  __extension__ using u128 = unsigned __int128;
  u128 hits = 0;
  const std::size_t step = shape_.block_bytes();
  for (std::uint64_t b = 0; b < shape_.blocks; ++b)
    hits += hits_of_block(shape_, store_.data() + b * step);
  double all = static_cast<double>(shape_.blocks);
  for (unsigned j = 0; j < shape_.lanes(); ++j) all *= shape_.lane_bits();
  const double of_one = static_cast<double>(hits) / all;
  return shape_.choices() == 2 ? of_one * of_one : of_one;
}

}  // namespace bloomery::inline v1
