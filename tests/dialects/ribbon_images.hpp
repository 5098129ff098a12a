// RocksDB's ribbon filter: the equations of the keys, solved as in the paper (Dillinger,
// Walzer 2021), column by column from the last slot.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "hash/xxph3.hpp"

namespace bloomery::testing {

__extension__ using ribbon_row = unsigned __int128;

class ribbon_bands {
 public:
  explicit ribbon_bands(std::uint64_t blocks)
      : rows_(128 * blocks), wanted_(128 * blocks) {}

  // False: the equation contradicts those before it.
  bool add(std::uint64_t start, ribbon_row row, std::uint32_t wanted) {
    while (row != 0) {
      while ((row & 1) == 0) {
        row >>= 1;
        ++start;
      }
      if (rows_[start] == 0) {
        rows_[start] = row;
        wanted_[start] = wanted;
        return true;
      }
      row ^= rows_[start];
      wanted ^= wanted_[start];
    }
    return wanted == 0;
  }

  // The bits of one column, 128 slots to an element.
  std::vector<ribbon_row> column(unsigned i) const {
    std::vector<ribbon_row> out(rows_.size() / 128);
    ribbon_row next = 0;  // the slots after this one
    for (std::size_t slot = rows_.size(); slot-- != 0;) {
      const ribbon_row later = next << 1 & rows_[slot];
      const auto folded = static_cast<std::uint64_t>(later ^ later >> 64);
      const unsigned bit =
          rows_[slot] == 0
              ? 0
              : (static_cast<unsigned>(std::popcount(folded)) ^ wanted_[slot] >> i) & 1;
      next = next << 1 | bit;
      out[slot / 128] |= static_cast<ribbon_row>(bit) << (slot % 128);
    }
    return out;
  }

 private:
  std::vector<ribbon_row> rows_;
  std::vector<std::uint32_t> wanted_;
};

inline std::vector<std::byte> ribbon_image(const std::vector<std::string>& keys,
                                           unsigned columns = 7) {
  const std::uint64_t blocks = keys.size() / 110 + 2;
  for (std::uint64_t seed = 0; seed < 256; ++seed) {
    std::uint64_t raw = seed * 0xc78219a23eeadd03;
    raw = (raw ^ (raw & 0xf0f0f0f0f0f0f0f0) >> 4) & 0xffffffff;
    const std::uint32_t mask = (1u << columns) - 1;
    ribbon_bands bands(blocks);
    bool solvable = true;
    for (const std::string& key : keys) {
      const std::uint64_t h = (hash::xxph3(key) ^ raw) * 0x6193d459236a3a0d;
      const auto start = static_cast<std::uint64_t>(
          static_cast<ribbon_row>(h) * (128 * (blocks - 1) + 1) >> 64);
      const std::uint64_t a = h * 0xc28f82822b650bed;
      const ribbon_row row =
          static_cast<ribbon_row>(a) << 64 | (a ^ 0xc367844a6e52731d) | 1;
      std::uint32_t wanted = 0;
      for (unsigned i = 0; i < 4; ++i)
        wanted |= static_cast<std::uint32_t>(a >> (56 - 8 * i) & 0xff) << (8 * i);
      solvable = solvable && bands.add(start, row, wanted & mask);
    }
    if (!solvable) continue;
    std::vector<std::byte> out(16 * blocks * columns);
    for (unsigned i = 0; i < columns; ++i) {
      const auto bits = bands.column(i);
      for (std::size_t block = 0; block < blocks; ++block)
        for (unsigned byte = 0; byte < 16; ++byte)
          out[16 * (block * columns + i) + byte] =
              static_cast<std::byte>(bits[block] >> (8 * byte) & 0xff);
    }
    for (const std::uint64_t b :
         {std::uint64_t{0xfe}, seed, blocks & 0xff, blocks >> 8 & 0xff, blocks >> 16})
      out.push_back(static_cast<std::byte>(b));
    return out;
  }
  throw std::runtime_error("no seed solves these equations");
}

}  // namespace bloomery::testing
