// Erasing keys that are in a filter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/filter.hpp>
#include <bloomery/key.hpp>

#include "kit/inserts.hpp"

namespace bloomery::bench {

// How many were present.
template <erasable F>
std::uint64_t erase_each(F& f, std::span<const key> ks) {
  std::uint64_t erased = 0;
  for (const key k : ks) erased += f.erase_present(k).has_value();
  return erased;
}

template <erasable F>
std::uint64_t erase_batches(F& f, std::span<const key> ks) {
  std::array<bool, batch_keys> was_there;
  std::uint64_t erased = 0;
  for (std::size_t i = 0; i < ks.size(); i += batch_keys) {
    const auto part = ks.subspan(i, std::min(batch_keys, ks.size() - i));
    erased += f.erase_present(part, std::span(was_there).first(part.size())).value_or(0);
  }
  return erased;
}

}  // namespace bloomery::bench
