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

namespace {

double passes_by_chance(const block_shape& s, const std::byte* block) noexcept {
  double p = 1;
  for (unsigned j = 0; j < s.lanes(); ++j)
    p *= static_cast<double>(ones_of_lane(s, block, j)) / s.lane_bits();
  return p;
}

// The sum, over the blocks of the last array that lie in block `b` of the first, of the
// chance that no array passes a key there; `none` is that of the arrays before these.
double chances_of_none(std::span<const block_array> arrays, std::uint64_t b,
                       double none) noexcept {
  const auto& [shape, data] = arrays.front();
  none *= 1 - passes_by_chance(shape, data + b * shape.block_bytes());
  const auto rest = arrays.subspan(1);
  if (rest.empty()) return none;
  const std::uint64_t parts = rest.front().shape.blocks / shape.blocks;
  double sum = 0;
  for (std::uint64_t i = 0; i < parts; ++i)
    sum += chances_of_none(rest, b * parts + i, none);
  return sum;
}

}  // namespace

double rate_of_any(std::span<const block_array> arrays) noexcept {
  double rate = 0, alike = 0;
  std::size_t lines = 0;
  while (lines < arrays.size() && arrays[lines].shape.choices() == 1) ++lines;
  if (lines != 0) {
    const auto of_one = arrays.first(lines);
    double none = 0;
    for (std::uint64_t b = 0; b < of_one.front().shape.blocks; ++b)
      none += chances_of_none(of_one, b, 1);
    rate = 1 - none / static_cast<double>(of_one.back().shape.blocks);
    for (const auto& [shape, data] : of_one) {
      const auto bytes = static_cast<std::size_t>(shape.size_in_bytes());
      const auto ones =
          static_cast<double>(base::count_ones({data, bytes}, shape.bits()));
      alike += model::block_keys(shape, ones) / static_cast<double>(shape.blocks);
    }
    // Keys whose low 32 bits are those of a stored one.
    rate += (1 - rate) * std::min(1.0, std::ldexp(alike, -32));
  }
  for (const auto& [shape, data] : arrays.subspan(lines))
    rate += rate_of_blocks(shape, data, 1, 1);
  return std::min(1.0, rate);
}

}  // namespace bloomery
