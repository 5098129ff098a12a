// --kind static: the smallest kind that is built from all keys at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <bloomery/kinds.hpp>

namespace bloomery::cli {

inline constexpr std::string_view static_kind = "static";

struct static_choice {
  const kind_info* kind;
  std::string reason;  // "6.71 bits per key; fuse would take 9.05"
};

// Whatever is the same for all of them, before keys are counted.
// Throws failure: there is none.
const kind_info& any_static_kind();

// The smallest that meets the rate, or, where the size is given, the one with the lowest
// rate; with `fast`, among those whose lookups are fast, if any can.
// Throws failure: none can.
static_choice choose_static(std::uint64_t keys, const size_request& size, bool fast);

}  // namespace bloomery::cli
