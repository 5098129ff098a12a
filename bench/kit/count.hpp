// How many answers of a batch are yes, at a price that does not show beside a lookup:
// eight at a time, where a loop over bools takes a quarter of a nanosecond for each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace bloomery::bench {

inline std::uint64_t count_yes(std::span<const bool> answers) noexcept {
  std::uint64_t yes = 0;
  const std::size_t words = answers.size() / 8;
  for (std::size_t w = 0; w < words;) {
    std::uint64_t sums = 0;  // of eight columns; none passes 255
    for (const std::size_t stop = std::min(words, w + 255); w < stop; ++w) {
      std::uint64_t eight;
      std::memcpy(&eight, answers.data() + 8 * w, sizeof eight);
      sums += eight;
    }
    for (; sums != 0; sums >>= 8) yes += sums & 0xff;
  }
  for (const bool a : answers.subspan(8 * words)) yes += a;
  return yes;
}

}  // namespace bloomery::bench
