// Which filters can be measured: every kind of the library (bloomery/kinds.hpp), in its
// order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kit/measure.hpp"

namespace bloomery::bench {

struct kind {
  std::string_view name;
  // Errors: as make or build of the filter, out_of_memory.
  result<figures> (*measure)(std::uint64_t keys, double fpr, const options& o);
};

std::span<const kind> kinds() noexcept;
const kind* find_kind(std::string_view name) noexcept;  // null if there is none

}  // namespace bloomery::bench
