// What the owners of the hashes printed for EDGE65, a column for each hash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "hex.hpp"

namespace bloomery::testing {

inline constexpr const char* hash_columns_file = "hashes/edge65_hash_vectors.tsv";

// Of the 65 keys, in their order.
inline std::vector<std::uint64_t> hash_column(const std::string& name) {
  std::istringstream in(text_of(fixture(hash_columns_file)));
  const auto fields = [](const std::string& line) {
    std::vector<std::string> out;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) out.push_back(cell);
    return out;
  };
  std::string line;
  std::getline(in, line);
  const auto names = fields(line);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw std::runtime_error("no column " + name);
  const auto column = static_cast<std::size_t>(found - names.begin());
  std::vector<std::uint64_t> out;
  while (std::getline(in, line)) out.push_back(u64_from_hex(fields(line).at(column)));
  return out;
}

}  // namespace bloomery::testing
