// Which filter `build` makes.  A new kind is one row of the table in kinds.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <bloomery/any_filter.hpp>
#include <bloomery/hasher.hpp>

namespace bloomery::cli {

// How large a filter is to be; at most one of the three ways.
struct size_request {
  std::optional<double> fpr;
  std::optional<double> bits_per_key;
  std::optional<std::uint64_t> memory;  // bytes
  bool force = false;
};

struct kind {
  std::string_view name;
  std::string_view summary;
  std::string_view dialect;  // written unless another is named
  bloomery::hasher (*hasher)();
  // An empty filter.  Warns where the format barely keeps its word, throws failure where
  // it does not.  REQUIRES: keys > 0
  any_filter (*make)(std::uint64_t keys, const size_request& size);
};

inline constexpr double default_fpr = 0.01;

std::span<const kind> kinds();

// The kind of that name.  Throws failure, listing the names.
const kind& kind_named(std::string_view name);

}  // namespace bloomery::cli
