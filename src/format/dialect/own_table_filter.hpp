// Our own filters inside the tables of engines (spec/table_filter.md).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

// Whether the bytes bear our mark, of a kind that is known here or not.
bool is_own_table_filter(std::span<const std::byte> bytes) noexcept;

struct own_table_shape {
  const char* name = "unknown";  // of its kind
  std::uint64_t bits = 0;
  std::uint32_t hashes = 0;
};
// Errors: corrupt.  An unknown kind is no error: it may contain every key.
result<own_table_shape> inspect_own_table_filter(
    std::span<const std::byte> bytes) noexcept;

bool own_table_may_contain(std::span<const std::byte> bytes,
                           std::string_view key) noexcept;

census own_table_count(std::span<const std::byte> bytes) noexcept;

// From the bits; 1 of an unknown kind.
double own_table_rate(std::span<const std::byte> bytes) noexcept;

}  // namespace bloomery::format
