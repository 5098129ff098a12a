// RedisBloom's cuckoo filter, so roomy that no fingerprint has to move.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "hash/murmur.hpp"

namespace bloomery::testing {

inline std::vector<std::byte> cuckoo_image(const std::vector<std::string>& keys) {
  constexpr std::size_t slots = 4;
  const std::uint64_t buckets = std::bit_ceil(keys.size());
  std::vector<std::byte> out;
  const auto put = [&](std::uint64_t v, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
      out.push_back(static_cast<std::byte>(v >> (8 * i) & 0xff));
  };
  for (const std::uint64_t v :
       {std::uint64_t{keys.size()}, buckets, std::uint64_t{0}, std::uint64_t{1}})
    put(v, 8);
  for (const std::uint64_t v :
       {std::uint64_t{slots}, std::uint64_t{20}, std::uint64_t{1}})
    put(v, 2);
  const std::size_t header = out.size();
  out.resize(header + slots * buckets);
  for (const std::string& key : keys) {
    const std::uint64_t h = hash::murmur64a(key, 0);
    const auto print = static_cast<std::byte>(h % 255 + 1);
    const auto free_slot = [&](std::uint64_t bucket) -> std::byte* {
      std::byte* const first = out.data() + header + slots * (bucket & (buckets - 1));
      for (std::size_t i = 0; i < slots; ++i)
        if (first[i] == std::byte{0}) return first + i;
      return nullptr;
    };
    std::byte* slot = free_slot(h);
    if (slot == nullptr) slot = free_slot(h ^ (h % 255 + 1) * 0x5bd1e995);
    if (slot == nullptr) throw std::runtime_error("two buckets are full");
    *slot = print;
  }
  return out;
}

}  // namespace bloomery::testing
