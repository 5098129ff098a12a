// The runs of a quotient filter whose bytes must be checked before they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/kind/quotient/runs.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

namespace bloomery::inline v1 {

// ok(first, bytes): whether these bytes of the payload may be read.
template <class Ok>
auto checked_runs(const quotient_layout& l, const std::byte* data, Ok ok) noexcept {
  return quotient_runs<checked_words<Ok>, broadword_select>(
      l, {{data}, 8 * l.block_words(), 8 * l.offsets_at(), ok});
}

inline auto damaged_runs(const quotient_layout& l, const std::byte* data,
                         const damage_set& damage) noexcept {
  return checked_runs(l, data,
                      [&damage](std::uint64_t first, std::uint64_t bytes) noexcept {
                        return !damage.touches(first, bytes);
                      });
}

}  // namespace bloomery::inline v1
