// One filter in a table of RocksDB: the engine's own, or ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

struct stored_filter {
  const char* kind = "damaged";  // "empty": no keys; "unknown": of a later version
  const char* hash = "xxph3";
  bool is_own = false;
  std::uint64_t bits = 0;
  std::uint32_t hashes = 0;
};

// Errors: corrupt.
result<stored_filter> inspect_stored(std::span<const std::byte> filter) noexcept;

// What cannot be read may contain every key.
bool stored_may_contain(std::span<const std::byte> filter, std::string_view key) noexcept;

census stored_count(std::span<const std::byte> filter) noexcept;

// From the bits; that of `legacy` by so many lookups.
double stored_rate(std::span<const std::byte> filter, std::uint64_t trials) noexcept;

}  // namespace bloomery::format
