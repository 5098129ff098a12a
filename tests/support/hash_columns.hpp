// The table of hashes that other programs computed of EDGE65: a column for each hash.
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

inline constexpr const char* hash_table_name = "hashes/edge65_hash_vectors.tsv";

// The cells of one column, row L for the key of L bytes.
inline std::vector<std::string> hash_column(const std::string& column) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
    return cells;
  };
  std::istringstream table(text_of(fixture(hash_table_name)));
  std::string line;
  std::getline(table, line);
  const auto names = split(line);
  const auto found = std::ranges::find(names, column);
  if (found == names.end()) throw std::runtime_error("no column " + column);
  const auto index = static_cast<std::size_t>(found - names.begin());
  std::vector<std::string> cells;
  while (std::getline(table, line)) cells.push_back(split(line).at(index));
  return cells;
}

// The same of a column of 64-bit (or shorter) hashes.
inline std::vector<std::uint64_t> hash_numbers(const std::string& column) {
  std::vector<std::uint64_t> out;
  for (const std::string& cell : hash_column(column)) out.push_back(u64_from_hex(cell));
  return out;
}

}  // namespace bloomery::testing
