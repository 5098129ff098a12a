// Xor and binary fuse filters, made the way their owner makes them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <bloomery/detail/hash/mix.hpp>
#include "hash/xxh.hpp"

namespace bloomery::testing {

using fuse_slots = std::array<std::size_t, 3>;

inline void put(std::vector<std::byte>& out, std::uint64_t v, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<std::byte>(v >> (8 * i) & 0xff));
}

// Fingerprints of these hashes, by peeling slots that only one key has left; none if a
// core remains.  Small sets: a quadratic search will do.
inline std::optional<std::vector<unsigned>> assign(
    const std::vector<std::uint64_t>& hashes, std::size_t count,
    const std::function<fuse_slots(std::uint64_t)>& at) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  std::map<std::uint64_t, fuse_slots> left;
  for (const auto h : hashes) left[h] = at(h);
  while (!left.empty()) {
    std::vector<unsigned> users(count);
    for (const auto& [h, s] : left)
      for (const auto i : s) ++users[i];
    const auto before = left.size();
    std::erase_if(left, [&](const auto& one) {
      for (const auto i : one.second)
        if (users[i] == 1) {
          order.emplace_back(one.first, i);
          return true;
        }
      return false;
    });
    if (left.size() == before) return {};
  }
  std::vector<unsigned> out(count);
  for (auto one = order.rbegin(); one != order.rend(); ++one) {
    unsigned sum = static_cast<unsigned>(one->first ^ one->first >> 32) & 0xffff;
    for (const auto i : at(one->first)) sum ^= i == one->second ? 0 : out[i];
    out[one->second] = sum;
  }
  return out;
}

inline std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
}

inline std::vector<std::uint64_t> numbers_of(const std::vector<std::string>& keys) {
  std::vector<std::uint64_t> out;
  for (const auto& k : keys) out.push_back(hash::xxh64(k, 0));
  return out;
}

// The bytes of a filter of these numbers, in any variant.
inline std::vector<std::byte> fastfilter_image(std::string_view variant,
                                               const std::vector<std::uint64_t>& numbers,
                                               std::size_t segment,
                                               std::size_t segments) {
  const bool is_xor = variant.starts_with("xor");
  const std::size_t width = variant.ends_with("16") ? 2 : 1;
  const std::size_t count = is_xor ? 3 * segment : (segments + 2) * segment;
  const auto at = [&](std::uint64_t h) -> fuse_slots {
    if (is_xor) {
      const auto r = [&](int by) {
        return static_cast<std::size_t>((std::rotl(h, by) & 0xffffffff) * segment >> 32);
      };
      return {r(0), segment + r(21), 2 * segment + r(42)};
    }
    const std::size_t first = high_product(h, segments * segment);
    return {first, (first + segment) ^ (h >> 18 & (segment - 1)),
            (first + 2 * segment) ^ (h & (segment - 1))};
  };
  for (std::uint64_t seed = 0x6df6b22537d23467;; ++seed) {
    std::vector<std::uint64_t> hashes;
    for (const auto n : numbers) hashes.push_back(hash::fmix64(n + seed));
    const auto prints = assign(hashes, count, at);
    if (!prints) continue;
    std::vector<std::byte> out;
    put(out, seed, 8);
    if (is_xor) {
      put(out, segment, 8);
    } else {
      put(out, numbers.size(), 4);
      if (variant.starts_with("packed")) {
        std::vector<std::byte> map((count + 7) / 8), some;
        for (std::size_t i = 0; i < count; ++i) {
          if (((*prints)[i] & (width == 1 ? 0xffu : 0xffffu)) == 0) continue;
          map[i / 8] |= static_cast<std::byte>(1u << (i % 8));
          put(some, (*prints)[i], width);
        }
        out.insert(out.end(), map.begin(), map.end());
        out.insert(out.end(), some.begin(), some.end());
        return out;
      }
      for (const std::size_t n : {segment, segments, segments * segment, count})
        put(out, n, 4);
    }
    for (const unsigned p : *prints) put(out, p, width);
    return out;
  }
}

// The same of `keys`, as large as the owner makes it.
inline std::vector<std::byte> fastfilter_image(std::string_view variant,
                                               const std::vector<std::string>& keys) {
  const double n = static_cast<double>(keys.size());
  const auto numbers = numbers_of(keys);
  if (variant.starts_with("xor"))
    return fastfilter_image(variant, numbers, static_cast<std::size_t>(32 + 1.23 * n) / 3,
                            0);
  const std::size_t segment =
      std::size_t{1} << static_cast<unsigned>(std::log(n) / std::log(3.33) + 2.25);
  const double slots =
      std::round(n * std::max(1.125, 0.875 + 0.25 * std::log(1e6) / std::log(n)));
  const auto segments = (static_cast<std::size_t>(slots) + segment - 1) / segment;
  return fastfilter_image(variant, numbers, segment, segments <= 2 ? 1 : segments - 2);
}

}  // namespace bloomery::testing
