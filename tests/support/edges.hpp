// Where implementations break.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace bloomery::testing {

// Numbers of keys: none, one, around the batch's group of 64 and the string batch's
// 256, and enough for many groups.
inline constexpr std::size_t edge_counts[] = {0,  1,  2,   7,   8,   9,     63,
                                              64, 65, 255, 256, 257, 10'000};

// 1, 2, 3 and 2^b - 3 .. 2^b + 3 up to 2^63, ascending.
inline std::vector<std::uint64_t> edge_bits() {
  std::set<std::uint64_t> out;
  for (unsigned b = 0; b <= 63; ++b)
    for (std::uint64_t d = 0; d <= 3; ++d)
      for (const std::uint64_t v :
           {(std::uint64_t{1} << b) - d, (std::uint64_t{1} << b) + d})
        if (v >= 1 && v <= std::uint64_t{1} << 63) out.insert(v);
  return {out.begin(), out.end()};
}

}  // namespace bloomery::testing
