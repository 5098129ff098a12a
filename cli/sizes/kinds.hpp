// Which filter `build` makes.  A new kind is one row of the table in kinds.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <bloomery/any_filter.hpp>
#include <bloomery/block_shape.hpp>
#include <bloomery/hasher.hpp>

namespace bloomery::cli {

// How large a filter is to be; at most one of the first three.
struct size_request {
  std::optional<double> fpr;
  std::optional<double> bits_per_key;
  std::optional<std::uint64_t> memory;  // bytes
  block_profile profile = block_profile::by_rate;
  bool force = false;
};

struct kind {
  std::string_view name;
  std::string_view summary;
  bloomery::hasher (*hasher)();
  bool takes_hash;     // --hash and --seed; otherwise hasher() is part of its definition
  bool takes_profile;  // --profile
  double min_bytes;    // the smallest filter ...
  double max_bytes;    // ... and the largest that its definition allows
  // Bytes that the request comes to, max_bytes or not.  Errors: those of the sizing
  // functions but too_large.  REQUIRES: keys > 0
  result<double> (*need)(std::uint64_t keys, const size_request& size);
  // An empty filter.  Warns where the format barely keeps its word, throws failure where
  // it does not.  REQUIRES: keys > 0
  any_filter (*make)(std::uint64_t keys, const size_request& size,
                     const bloomery::hasher& hash);
};

// Rows of the table.
extern const kind block_kind, split_block_kind, bloom_kind, portable_kind;

inline constexpr double default_fpr = 0.01;

// The first is the default.
std::span<const kind* const> kinds();

// "block, split-block, bloom, portable"
std::string kind_names();

// The kind of that name.  Throws failure, listing the names.
const kind& kind_named(std::string_view name);

}  // namespace bloomery::cli
