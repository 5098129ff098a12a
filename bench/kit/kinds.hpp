// Which filters can be measured: every kind of the library (bloomery/kinds.hpp), in its
// order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kit/end_to_end.hpp"
#include "kit/measure.hpp"

namespace bloomery::bench {

struct kind {
  std::string_view name;
  const char* (*kernel)();
  // Calls with keys hashed before.  Errors: as make or build of the filter,
  // out_of_memory.
  result<figures> (*measure)(std::uint64_t keys, double fpr, const options& o);

  // Calls with a user's keys.  Errors: as `measure`.
  result<std::vector<user_key_figures>> end_to_end(std::uint64_t keys, double fpr,
                                                   const options& o) const {
    return measure_end_to_end(user_kind_of(name), keys, fpr, o);
  }
};

std::span<const kind> kinds() noexcept;
const kind* find_kind(std::string_view name) noexcept;  // null if there is none

}  // namespace bloomery::bench
