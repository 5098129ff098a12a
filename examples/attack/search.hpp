// Pollution without inverting anything: keys are drawn and hashed until one sets only
// bits that are not set yet.  It takes no more than a hash that the attacker can compute.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invert.hpp"

namespace attack {

// positions(key, out): the bits that it sets, out.size() of them.
template <class Positions>
std::vector<std::string> searched_pollution(std::size_t n, std::uint64_t bits,
                                            std::size_t hashes, std::size_t draws,
                                            Positions positions) {
  std::vector<bool> set(bits);
  std::vector<std::uint64_t> at(hashes), best(hashes);
  std::vector<std::string> keys;
  std::uint64_t number = 0;
  while (keys.size() < n) {
    std::size_t most = 0;
    std::string chosen;
    for (std::size_t i = 0; i < draws && (chosen.empty() || most < hashes); ++i) {
      std::string key = bytes_of(splitmix64(++number));
      positions(std::string_view(key), std::span(at));
      const auto fresh = static_cast<std::size_t>(
          std::ranges::count_if(at, [&](std::uint64_t bit) { return !set[bit]; }));
      if (!chosen.empty() && fresh <= most) continue;
      most = fresh, chosen = std::move(key), best = at;
    }
    for (const std::uint64_t bit : best) set[bit] = true;
    keys.push_back(std::move(chosen));
  }
  return keys;
}

}  // namespace attack
