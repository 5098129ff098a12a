// Stable filters: what their cells say.  Cells of damaged chunks count as not 0.
#include <bloomery/stable_bloom.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "kind/stable/kernel/probe.hpp"

namespace bloomery::inline v1 {
namespace {

// A chunk of a container, which is damaged or not: 4096 bytes.
constexpr std::uint64_t step_words = 512;

}  // namespace

std::uint64_t stable_bloom::nonzero_cells() const noexcept {
  return kernel::stable_probe::with_width(
      shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
        const std::uint64_t all = (shape_.cells - 1) / Cells::per_word + 1;  // words
        // Cells of the last word.
        const std::uint64_t left = shape_.cells - (all - 1) * Cells::per_word;
        std::uint64_t sum = 0;
        for (std::uint64_t w = 0; w < all; w += step_words) {
          const std::uint64_t end = std::min(all, w + step_words);
          if (damage_.touches(8 * w, 1)) {
            sum += std::min(shape_.cells, end * Cells::per_word) - w * Cells::per_word;
            continue;
          }
          for (std::uint64_t i = w; i < end; ++i) {
            auto word = words::load_le<std::uint64_t>(store_.data() + 8 * i);
            if (i + 1 == all) word &= ~std::uint64_t{0} >> (64 - left * Cells::width);
            sum += static_cast<unsigned>(std::popcount(Cells::nonzero(word)));
          }
        }
        return sum;
      });
}

std::uint64_t stable_bloom::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

bool stable_bloom::padding_is_clear() const noexcept {
  return base::padding_is_clear(store_.bytes(), bits());
}

double stable_bloom::fill() const noexcept {
  return static_cast<double>(nonzero_cells()) / static_cast<double>(shape_.cells);
}

double stable_bloom::estimated_keys() const noexcept {
  return model::classic_keys(static_cast<double>(shape_.cells), shape_.hashes,
                             static_cast<double>(nonzero_cells()));
}

double stable_bloom::realised_fpr() const noexcept {
  return std::pow(fill(), static_cast<double>(shape_.hashes));
}

double stable_bloom::expected_fpr(std::uint64_t inserts) const noexcept {
  return model::stable_fpr_after(shape_, static_cast<double>(inserts));
}

double stable_bloom::stable_fpr() const noexcept { return model::stable_fpr(shape_); }

double stable_bloom::forgetting(std::uint64_t gap) const noexcept {
  return model::stable_forgetting(shape_, static_cast<double>(gap));
}

}  // namespace bloomery::inline v1
