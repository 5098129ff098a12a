// Every filter, and how tests make one.  A new filter is one line in all_filters and
// one recipe; the laws in tests/law then hold it to the same promises.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/block_sizing.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/bloom_sizing.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/detail/format/portable_format.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/sizing.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "base/cpu.hpp"
#include "format/container/header.hpp"
#include "must.hpp"

namespace bloomery::testing {

// What a recipe<F> offers:
//   of(keys, fpr)         a filter sized for the keys and the rate, all of them in it
//   empty(n, fpr)         the same with none in it; for insertable filters
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

template <>
struct recipe<portable_bloom> {
  static constexpr bool checksummed = false;
  static std::size_t encoded_size(std::size_t bytes) {
    return portable_header_size + bytes;
  }

  static portable_bloom empty(std::uint64_t n, double fpr) {
    // Sized for no keys is refused; what a test then wants is the smallest filter.
    return must(portable_bloom::make({.keys = n == 0 ? 1 : n, .fpr = fpr}));
  }

  static portable_bloom of(std::span<const key> keys, double fpr) {
    portable_bloom f = empty(keys.size(), fpr);
    f.insert(keys);
    return f;
  }

  static std::vector<shape<portable_bloom>> shapes() {
    const std::uint64_t beyond_l2 = 8 * (std::uint64_t{base::caches().l2} + 4096) + 5;
    const bloom_layout layouts[] = {
        {1, 1},         {1, 9},         {2, 1},         {2, 3},          {3, 2},
        {7, 7},         {8, 1},         {9, 4},         {63, 3},         {64, 5},
        {65, 31},       {257, 2},       {1000, 30},     {1009, 33},      {4096, 64},
        {9586, 7},      {65536, 4},     {65537, 10},    {5, 4294967295}, {beyond_l2, 1},
        {beyond_l2, 2}, {beyond_l2, 7}, {beyond_l2, 33}};
    std::vector<shape<portable_bloom>> out;
    for (const bloom_layout& l : layouts)
      out.push_back({"m=" + std::to_string(l.bits) + " k=" + std::to_string(l.hashes),
                     must(portable_bloom::make(l))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>((must(size_by_rate(n, fpr)).bits + 7) / 8);
  }
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
    return must(F::make({.keys = n == 0 ? 1 : n, .fpr = fpr}));
  }
  static F of(std::span<const key> keys, double fpr) {
    F f = empty(keys.size(), fpr);
    f.insert(keys);
    return f;
  }
};

// Numbers of blocks: the least, around powers of two, primes, and larger than L2.
inline std::vector<std::uint64_t> awkward_blocks(std::size_t block_bytes) {
  return {1, 2, 3, 5, 7, 64, 1000, 1009, base::caches().l2 / block_bytes + 3};
}

// The laws ask for rates from 0.9 to 0.001, and shapes() for all three profiles.
template <>
struct recipe<block_bloom> : sized_recipe<block_bloom> {
  static std::vector<shape<block_bloom>> shapes() {
    std::vector<shape<block_bloom>> out;
    for (const block_profile p :
         {block_profile::half_line, block_profile::line, block_profile::two_lines})
      for (const std::uint64_t blocks : awkward_blocks(block_shape{1, p}.block_bytes()))
        out.push_back({name_of(p) + (" blocks=" + std::to_string(blocks)),
                       must(block_bloom::make(block_shape{blocks, p}))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return must(size_blocks_by_rate(n, fpr)).size_in_bytes();
  }
};

template <>
struct recipe<split_block_bloom> : sized_recipe<split_block_bloom> {
  static std::vector<shape<split_block_bloom>> shapes() {
    std::vector<shape<split_block_bloom>> out;
    for (const std::uint64_t blocks : awkward_blocks(32))
      out.push_back(
          {"blocks=" + std::to_string(blocks), must(split_block_bloom::make(blocks))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return must(size_blocks_by_rate(n, fpr, block_profile::split)).size_in_bytes();
  }
};

template <>
struct recipe<bloom> : sized_recipe<bloom> {
  static std::vector<shape<bloom>> shapes() {
    const std::uint64_t beyond_l2 = 8 * (std::uint64_t{base::caches().l2} + 4096) + 5;
    const bloom_layout layouts[] = {
        {1, 1},         {2, 1},         {2, 3},         {7, 7},      {8, 1},
        {9, 4},         {63, 3},        {64, 5},        {65, 31},    {1000, 30},
        {1009, 33},     {4096, 64},     {9586, 7},      {65537, 10}, {beyond_l2, 1},
        {beyond_l2, 2}, {beyond_l2, 7}, {beyond_l2, 33}};
    std::vector<shape<bloom>> out;
    for (const bloom_layout& l : layouts)
      out.push_back({"m=" + std::to_string(l.bits) + " k=" + std::to_string(l.hashes),
                     must(bloom::make(l))});
    return out;
  }

  static std::size_t sized(std::uint64_t n, double fpr) {
    return static_cast<std::size_t>((must(size_bloom_by_rate(n, fpr)).bits + 7) / 8);
  }
};

// For several threads: the plain filter's recipe.
template <class F, class Policy>
struct recipe<concurrent<F, Policy>> {
  using filter = concurrent<F, Policy>;
  static filter empty(std::uint64_t n, double fpr) {
    return must(filter::adopt(recipe<F>::empty(n, fpr)));
  }
  static filter of(std::span<const key> keys, double fpr) {
    filter f = empty(keys.size(), fpr);
    f.insert(keys);
    return f;
  }
  static std::vector<shape<filter>> shapes() {
    std::vector<shape<filter>> out;
    for (auto& [name, f] : recipe<F>::shapes())
      out.push_back({name, must(filter::adopt(std::move(f)))});
    return out;
  }
  static std::size_t sized(std::uint64_t n, double fpr) {
    return recipe<F>::sized(n, fpr);
  }
};

// Those with bytes of their own; a concurrent filter is stored as the plain one it holds.
using stored_filters =
    ::testing::Types<portable_bloom, block_bloom, split_block_bloom, bloom>;
using all_filters =
    ::testing::Types<portable_bloom, block_bloom, split_block_bloom, bloom,
                     concurrent<portable_bloom>, concurrent<block_bloom>,
                     concurrent<block_bloom, locked>, concurrent<split_block_bloom>,
                     concurrent<split_block_bloom, locked>, concurrent<bloom>>;

// Names the typed tests: NoFalseNegatives/portable_bloom instead of /0.
struct filter_names {
  template <class F>
  static std::string GetName(int) {
    if constexpr (std::same_as<F, portable_bloom>) return "portable_bloom";
    if constexpr (std::same_as<F, block_bloom>) return "block_bloom";
    if constexpr (std::same_as<F, split_block_bloom>) return "split_block_bloom";
    if constexpr (std::same_as<F, bloom>) return "bloom";
    if constexpr (requires { typename F::policy; })
      return (std::same_as<typename F::policy, locked> ? "locked_" : "wait_free_") +
             GetName<typename F::plain>(0);
  }
};

// For laws that only some shapes of filter have to obey.
template <class F>
concept encodable = filter<F> && requires(const F& f, std::span<const std::byte> bytes) {
  f.encode();
  F::decode(bytes);
};

template <class F>
std::vector<std::byte> encoded(const F& f) {
  const auto bytes = must(f.encode());
  return {bytes.bytes().begin(), bytes.bytes().end()};
}

}  // namespace bloomery::testing
