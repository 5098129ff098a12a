// Loops over hashed keys around a lookup that they inline.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kit/keep.hpp"
#include "kit/latency.hpp"

namespace bloomery::bench {

template <class Lookup>  // std::uint64_t -> bool
std::uint64_t count_each(const std::uint64_t* keys, std::size_t count, Lookup lookup) {
  std::uint64_t yes = 0;
  for (std::size_t i = 0; i < count; ++i) yes += lookup(keys[i]);
  return yes;
}

template <class Lookup>
void stamp_each(const std::uint64_t* keys, std::size_t count, std::uint64_t* out,
                Lookup lookup) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t k = keys[i];
    keep(k);  // loaded before the clock starts
    const std::uint64_t start = stamp();
    keep(lookup(k));
    out[i] = stamp() - start;
  }
}

}  // namespace bloomery::bench
