// The keys of the tables in these tests, and filters of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "foreign.hpp"
#include "table_images.hpp"

namespace bloomery::testing::rocksdb_table {

using keys = std::vector<std::string>;

inline table_bytes filter(const keys& ks, std::string_view variant = "fastlocal") {
  const auto f = filter_of("rocksdb", sized_by_bits(ks.size(), 10, variant), ks);
  return {f.bytes().begin(), f.bytes().end()};
}

inline keys ascending(std::size_t n) {
  keys out;
  for (std::size_t i = 0; i < n; ++i) {
    std::string digits = std::to_string(i);
    out.push_back("key" + std::string(6 - digits.size(), '0') + digits);
  }
  return out;
}

}  // namespace bloomery::testing::rocksdb_table
