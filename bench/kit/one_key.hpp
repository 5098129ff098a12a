// The loops that call a filter of ours one key at a time, inlined as in a user's program.
//
// Apart from the rest because they are compiled twice: for any x86-64, as most programs
// are, and for x86-64-v3, where the one-key calls are SIMD (v3.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <bloomery/key.hpp>

#include "kit/inserts.hpp"
#include "kit/loops.hpp"

namespace bloomery::bench {

// A key is 64 bits and nothing else, so an array of hashes is an array of keys.
inline std::span<const key> as_keys(const std::uint64_t* keys, std::size_t count) {
  static_assert(sizeof(key) == sizeof(std::uint64_t) &&
                std::is_trivially_copyable_v<key>);
  return {reinterpret_cast<const key*>(keys), count};
}

template <class F>
struct one_key {
  static void insert(void* f, const std::uint64_t* keys,
                     std::size_t count) requires growing<F> {
    insert_each(*static_cast<F*>(f), as_keys(keys, count));
  }
  static std::uint64_t count(const void* f, const std::uint64_t* keys,
                             std::size_t count) {
    const F& filter = *static_cast<const F*>(f);
    return count_each(keys, count, [&](std::uint64_t k) {
      return filter.may_contain(key::from_bits(k));
    });
  }
  static void ticks(const void* f, const std::uint64_t* keys, std::size_t count,
                    std::uint64_t* out) {
    const F& filter = *static_cast<const F*>(f);
    stamp_each(keys, count, out,
               [&](std::uint64_t k) { return filter.may_contain(key::from_bits(k)); });
  }
};

}  // namespace bloomery::bench
