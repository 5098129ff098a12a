// String keys in batches: hashed some at a time, so that their keys stay in the L1 cache.
//
// Out-of-order execution overlaps the end of hashing with the first lookups; weaving the
// two loops into one was slower (docs/dead_ends.md).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

inline constexpr std::size_t hashed_group = 512;

// use(keys, first) for each group, `first` being the position of its first string.
template <class Use>
void for_each_hashed_group(const hasher& h, std::span<const std::string_view> ks,
                           Use use) noexcept {
  std::array<key, hashed_group> keys;
  for (std::size_t i = 0; i < ks.size(); i += keys.size()) {
    const std::size_t left = ks.size() - i;
    const auto part = ks.subspan(i, left < keys.size() ? left : keys.size());
    const auto hashed = std::span(keys).first(part.size());
    h.hash(part, hashed);
    use(std::span<const key>(hashed), i);
  }
}

}  // namespace bloomery::inline v1
