// How tests make a filter: one header per kind in this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <bloomery/container.hpp>
#include <bloomery/key.hpp>

#include "base/cpu.hpp"
#include "format/container/header.hpp"
#include "must.hpp"
#include "put_into.hpp"

namespace bloomery::testing {

// What a recipe<F> offers:
//   of(keys, fpr)         a filter sized for the keys and the rate, all of them in it
//   empty(n, fpr)         the same with none in it; for filters that grow
//   shapes()              empty filters of awkward layouts: tiny, odd, larger than L2
//   sized(n, fpr)         size_in_bytes() that the sizing rule prescribes
//   encoded_size(bytes)   what encode() makes of size_in_bytes()
//   checksummed           damage is noticed: it is refused, or answers "perhaps"
template <class F>
struct recipe;

template <class F>
struct shape {
  std::string name;
  F filter;
};

// What the recipes of filters with params have in common.
template <class F>
struct sized_recipe {
  static constexpr bool checksummed = true;
  static std::size_t encoded_size(std::size_t bytes) {
    container_facts f;
    f.payload_bytes = bytes;
    f.payload_at = format::payload_place(f);
    return static_cast<std::size_t>(f.file_bytes());
  }

  static F empty(std::uint64_t n, double fpr) {
    // Sized for no keys is refused; what a test then wants is the smallest filter.
    return must(F::make({.keys = n == 0 ? 1 : n, .fpr = fpr}));
  }
  static F of(std::span<const key> keys, double fpr) {
    F f = empty(keys.size(), fpr);
    put_all_into(f, keys);
    return f;
  }
};

// Filters of m bits and k hashes; an m beyond the cache takes other loops.
inline std::uint64_t bits_beyond_l2() {
  return 8 * (std::uint64_t{base::caches().l2} + 4096) + 5;
}
template <class F, class Layout>
std::vector<shape<F>> shapes_of(std::span<const Layout> layouts) {
  std::vector<shape<F>> out;
  for (const Layout& l : layouts)
    out.push_back({"m=" + std::to_string(l.bits) + " k=" + std::to_string(l.hashes),
                   must(F::make(l))});
  return out;
}

// Numbers of blocks: the least, around powers of two, primes, and larger than L2.
inline std::vector<std::uint64_t> awkward_blocks(std::size_t block_bytes) {
  return {1, 2, 3, 5, 7, 64, 1000, 1009, base::caches().l2 / block_bytes + 3};
}

}  // namespace bloomery::testing
