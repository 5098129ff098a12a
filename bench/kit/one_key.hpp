// The loops that call a filter of ours one key at a time, inlined as in a user's program.
//
// Apart from the rest because they are compiled twice: for any x86-64, as most programs
// are, and for x86-64-v3, where the one-key calls are SIMD (v3.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/key.hpp>

#include "kit/loops.hpp"

namespace bloomery::bench {

template <class F>
struct one_key {
  static void insert(void* f, const std::uint64_t* keys, std::size_t count) {
    F& filter = *static_cast<F*>(f);
    for (std::size_t i = 0; i < count; ++i) filter.insert(key::from_hash(keys[i]));
  }
  static std::uint64_t count(const void* f, const std::uint64_t* keys,
                             std::size_t count) {
    const F& filter = *static_cast<const F*>(f);
    return count_each(keys, count, [&](std::uint64_t k) {
      return filter.may_contain(key::from_hash(k));
    });
  }
  static void ticks(const void* f, const std::uint64_t* keys, std::size_t count,
                    std::uint64_t* out) {
    const F& filter = *static_cast<const F*>(f);
    stamp_each(keys, count, out,
               [&](std::uint64_t k) { return filter.may_contain(key::from_hash(k)); });
  }
};

}  // namespace bloomery::bench
