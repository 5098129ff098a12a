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

// Hashes are divided into at most so many equal intervals, the cells, where keys have two
// blocks: a pair of cells is visited for each pair of blocks that a key may have.
constexpr std::uint64_t max_cells = 64;
using cell_chances = std::array<double, max_cells>;

double passes_by_chance(const block_shape& s, const std::byte* block) noexcept {
  double p = 1;
  for (unsigned j = 0; j < s.lanes(); ++j)
    p *= static_cast<double>(ones_of_lane(s, block, j)) / s.lane_bits();
  return p;
}

// Keys of an array, from its ones.
double keys_of(const block_array& a) noexcept {
  const auto bytes = static_cast<std::size_t>(a.shape.size_in_bytes());
  return model::block_keys(
      a.shape, static_cast<double>(base::count_ones({a.data, bytes}, a.shape.bits())));
}

double either(double p, double q) noexcept { return p + (1 - p) * q; }

// Means over cells of what is known of blocks, which are intervals of hashes too.
class cell_means {
 public:
  explicit cell_means(std::uint64_t cells) noexcept : cells_(cells) {}
  // Block `b` of `blocks`.
  void add(std::uint64_t b, std::uint64_t blocks, double chance) noexcept {
    __extension__ using u128 = unsigned __int128;
    // In units of which a cell has `blocks`, and a block `cells`.
    const u128 first = u128{b} * cells_, end = first + cells_;
    for (u128 at = first; at < end;) {
      const auto cell = static_cast<std::size_t>(at / blocks);
      const u128 next = std::min(end, (u128{cell} + 1) * blocks);
      mean_[cell] +=
          chance * (static_cast<double>(static_cast<std::uint64_t>(next - at)) /
                    static_cast<double>(blocks));
      at = next;
    }
  }
  const cell_chances& all() const noexcept { return mean_; }

 private:
  std::uint64_t cells_;
  cell_chances mean_{};
};

// Adds the chance that some array passes a key, for the blocks of the last array that lie
// in block `b` of the first; `any` is that of the arrays before these.
void add_chances_of_any(std::span<const block_array> arrays, std::uint64_t b, double any,
                        cell_means& to) noexcept {
  const auto& [shape, data] = arrays.front();
  any = either(any, passes_by_chance(shape, data + b * shape.block_bytes()));
  const auto rest = arrays.subspan(1);
  if (rest.empty()) return to.add(b, shape.blocks, any);
  const std::uint64_t parts = rest.front().shape.blocks / shape.blocks;
  for (std::uint64_t i = 0; i < parts; ++i)
    add_chances_of_any(rest, b * parts + i, any, to);
}

// With two lines: that a block passes one of the two halves of a key, keys with the low
// bits of a stored one among them.
cell_chances halves_that_pass(const block_array& a, double keys,
                              std::uint64_t cells) noexcept {
  const auto& [shape, data] = a;
  const double alike =
      std::min(1.0, std::ldexp(2 * keys / static_cast<double>(shape.blocks), -32));
  cell_means means(cells);
  for (std::uint64_t b = 0; b < shape.blocks; ++b)
    means.add(b, shape.blocks,
              either(passes_by_chance(shape, data + b * shape.block_bytes()), alike));
  return means.all();
}

}  // namespace

double rate_of_any(std::span<const block_array> arrays) noexcept {
  if (arrays.empty()) return 0;
  std::size_t lines = 0;
  while (lines < arrays.size() && arrays[lines].shape.choices() == 1) ++lines;
  const auto of_one = arrays.first(lines), of_two = arrays.subspan(lines);
  const std::uint64_t cells =
      of_two.empty() ? 1 : std::min(max_cells, of_two.back().shape.blocks);

  // none[c][d]: the chance that no array passes a key whose blocks are in cells c and d;
  // kept as its complement, which may be far below 1.
  cell_means first(cells);
  double alike = 0;
  if (!of_one.empty())
    for (std::uint64_t b = 0; b < of_one.front().shape.blocks; ++b)
      add_chances_of_any(of_one, b, 0, first);
  for (const block_array& a : of_one)
    alike += keys_of(a) / static_cast<double>(a.shape.blocks);
  std::array<std::array<double, max_cells>, max_cells> any;
  for (std::uint64_t c = 0; c < cells; ++c)
    std::ranges::fill(std::span(any[c]).first(cells), first.all()[c]);
  double equal = 0;
  for (const block_array& a : of_two) {
    const double keys = keys_of(a);
    equal += keys;
    const cell_chances half = halves_that_pass(a, keys, cells);
    for (std::uint64_t c = 0; c < cells; ++c)
      for (std::uint64_t d = 0; d < cells; ++d)
        any[c][d] = either(any[c][d], half[c] * half[d]);
  }
  double rate = 0;
  for (std::uint64_t c = 0; c < cells; ++c)
    for (std::uint64_t d = 0; d < cells; ++d) rate += any[c][d];
  rate /= static_cast<double>(cells * cells);
  // Keys whose low 32 bits are those of a stored one; with two lines, all 64.
  rate = either(rate, std::min(1.0, std::ldexp(alike, -32)));
  rate = either(rate, std::min(1.0, std::ldexp(equal, -64)));
  return std::min(1.0, rate);
}

}  // namespace bloomery
