// Counting filters: what their cells say.  Cells of damaged chunks count as not 0.
#include <bloomery/counting_bloom.hpp>

#include <algorithm>
#include <cmath>

#include <bloomery/model.hpp>

#include "base/bits.hpp"

namespace bloomery::inline v1 {
namespace {

using cell_probe::with_width;

// A chunk of a container, which is damaged or not: 4096 bytes.
constexpr std::uint64_t step_words = 512;

// The sum of count(word) over intact words, and over damaged chunks of all their cells if
// `damaged_count`.
template <class Words, class Count>
std::uint64_t sum_over(const counting_shape& s, const std::byte* data,
                       const damage_set& damage, bool damaged_count,
                       Count count) noexcept {
  const std::uint64_t words = (s.cells + Words::per_word - 1) / Words::per_word;
  std::uint64_t sum = 0;
  for (std::uint64_t w = 0; w < words; w += step_words) {
    const std::uint64_t end = std::min(words, w + step_words);
    if (damage.touches(8 * w, 1)) {
      if (damaged_count)
        sum += std::min(s.cells, end * Words::per_word) - w * Words::per_word;
      continue;
    }
    for (std::uint64_t i = w; i < end; ++i)
      sum += count(cell_probe::word_of(Words{}, data, i, s.cells));
  }
  return sum;
}

// The mean over blocks of the chance that a random key finds all its cells, in integers:
// of 16^8 ways to choose a cell of each lane, so many find none that is 0.
template <class Words>
double passing(const counting_shape& s, const std::byte* data,
               const damage_set& damage) noexcept {
  constexpr unsigned lane_words = 16 / Words::per_word;
  __extension__ using u128 = unsigned __int128;
  u128 hits = 0;
  for (std::uint64_t b = 0; b < s.blocks(); ++b) {
    const std::uint64_t at = b * s.block_bytes();
    std::uint64_t of_block = 1;
    if (damage.touches(at, s.block_bytes())) {
      of_block = std::uint64_t{1} << 32;
    } else {
      const std::byte* p = data + at;
      for (unsigned j = 0; j < counting_shape::line_hashes; ++j) {
        unsigned nonzero = 0;
        for (unsigned w = 0; w < lane_words; ++w, p += 8)
          nonzero += Words::nonzero_count(words::load_le<std::uint64_t>(p));
        of_block *= nonzero;
      }
    }
    hits += of_block;
  }
  return static_cast<double>(hits) / 0x1p32 / static_cast<double>(s.blocks());
}

}  // namespace

std::uint64_t counting_bloom::nonzero_cells() const noexcept {
  return with_width(shape_.cell_bits, [&]<class Words>(Words) noexcept {
    return sum_over<Words>(shape_, store_.data(), damage_, true, Words::nonzero_count);
  });
}

std::uint64_t counting_bloom::stuck_cells() const noexcept {
  return with_width(shape_.cell_bits, [&]<class Words>(Words) noexcept {
    return sum_over<Words>(shape_, store_.data(), damage_, false, Words::stuck_count);
  });
}

std::uint64_t counting_bloom::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

double counting_bloom::fill() const noexcept {
  return static_cast<double>(nonzero_cells()) / static_cast<double>(shape_.cells);
}

double counting_bloom::estimated_keys() const noexcept {
  const auto x = static_cast<double>(nonzero_cells());
  return shape_.is_line()
             ? model::block_keys(shape_.published(), x)
             : model::classic_keys(static_cast<double>(shape_.cells), shape_.hashes, x);
}

double counting_bloom::expected_fpr(std::uint64_t keys) const noexcept {
  return model::counting_fpr(shape_, static_cast<double>(keys));
}

double counting_bloom::realised_fpr() const noexcept {
  const auto x = static_cast<double>(nonzero_cells());
  if (shape_.is_line())
    return with_width(shape_.cell_bits, [&]<class Words>(Words) noexcept {
      return model::block_fpr_from_bits(
          shape_.published(), passing<Words>(shape_, store_.data(), damage_), x);
    });
  const auto m = static_cast<double>(shape_.cells);
  return model::fpr_with_collisions(std::pow(x / m, shape_.hashes),
                                    model::classic_keys(m, shape_.hashes, x));
}

bool counting_bloom::padding_is_clear() const noexcept {
  return base::padding_is_clear(store_.bytes(), shape_.cells * shape_.cell_bits);
}

}  // namespace bloomery::inline v1
