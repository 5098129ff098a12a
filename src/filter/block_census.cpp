// Block filters: what their bits say.
#include <bloomery/detail/filter/block_storage.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/block_census.hpp"

namespace bloomery::inline v1 {
namespace {

template <class Word>
unsigned ones_of(const std::byte* p) noexcept {
  return static_cast<unsigned>(std::popcount(words::load<Word>(p)));
}

unsigned ones_of_lane(const block_shape& s, const std::byte* block, unsigned j) noexcept {
  if (s.lane_bits() == 16) return ones_of<std::uint16_t>(block + 2 * j);
  const unsigned ones = ones_of<std::uint32_t>(block + 4 * j);
  if (s.lane_bits() == 32) return ones;
  return ones + ones_of<std::uint32_t>(block + 4 * (s.lanes() + j));
}

struct block_facts {
  // Ones of each lane multiplied: of lane_bits^lanes ways to choose a bit of each lane,
  // so many find all of them set.  At most 2^48.
  std::uint64_t hits = 1;
  std::uint64_t ones = 0;
};

block_facts facts_of(const block_shape& s, const std::byte* block) noexcept {
  block_facts f;
  for (unsigned j = 0; j < s.lanes(); ++j) {
    const unsigned ones = ones_of_lane(s, block, j);
    f.hits *= ones;
    f.ones += ones;
  }
  return f;
}

// The union of `group` adjacent blocks.
class block_union {
 public:
  block_union(std::size_t block_bytes, std::uint64_t group) noexcept
      : bytes_(block_bytes), group_(group) {}
  const std::byte* of(const std::byte* first) noexcept {
    if (group_ == 1) return first;
    const std::span all(room_.data(), bytes_);
    std::ranges::fill(all, std::byte{0});
    for (std::uint64_t i = 0; i < group_; ++i)
      base::or_into(all, {first + i * bytes_, bytes_});
    return room_.data();
  }

 private:
  std::size_t bytes_;
  std::uint64_t group_;
  alignas(64) std::array<std::byte, 64> room_;
};

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

double block_storage::realised_fpr() const noexcept {
  return rate_of_blocks(shape_, store_.data(), 1, 1);
}

}  // namespace bloomery::inline v1

namespace bloomery {

// The mean over blocks, in integers: at most 2^48 per block, so the sum is exact.
double rate_of_blocks(const block_shape& s, const std::byte* data, std::uint64_t group,
                      double at_most) noexcept {
  __extension__ using u128 = unsigned __int128;
  const block_shape folded{s.blocks / group, s.profile};
  double all = static_cast<double>(folded.blocks);
  for (unsigned j = 0; j < s.lanes(); ++j) all *= s.lane_bits();
  // The other terms of the rate only add to this one.
  const auto max_hits =
      static_cast<u128>(all * (s.choices() == 2 ? std::sqrt(at_most) : at_most)) + 1;
  u128 hits = 0;
  std::uint64_t ones = 0;
  block_union blocks(s.block_bytes(), group);
  for (std::uint64_t b = 0; b < folded.blocks; ++b) {
    const block_facts f = facts_of(s, blocks.of(data + b * group * s.block_bytes()));
    hits += f.hits;
    ones += f.ones;
    if (hits > max_hits) return 1;
  }
  return model::block_fpr_from_bits(folded, static_cast<double>(hits) / all,
                                    static_cast<double>(ones));
}

}  // namespace bloomery
