// How the tests of dialects ask for filters, and take their bytes apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/foreign_filter.hpp>

#include "hex.hpp"
#include "must.hpp"

namespace bloomery::testing {

using image_bytes = std::vector<std::byte>;

// --- parameters and options ---

inline foreign_params sized(std::uint64_t keys, double fpr = 0.01,
                            std::string_view variant = {}) {
  foreign_params p;
  p.variant = variant;
  p.keys = keys;
  p.fpr = fpr;
  return p;
}

inline foreign_params sized_by_bits(std::uint64_t keys, double bits_per_key,
                                    std::string_view variant = {}) {
  foreign_params p;
  p.variant = variant;
  p.keys = keys;
  p.bits_per_key = bits_per_key;
  return p;
}

inline foreign_params exactly(std::uint64_t bits, std::uint32_t hashes,
                              std::string_view variant = {}) {
  foreign_params p;
  p.variant = variant;
  p.bits = bits;
  p.hashes = hashes;
  return p;
}

inline foreign_options as(std::string_view variant,
                          std::uint64_t part = foreign_options::every_part) {
  foreign_options o;
  o.variant = variant;
  o.part = part;
  return o;
}

// --- filters and keys ---

inline foreign_filter filter_of(std::string_view dialect, const foreign_params& p,
                                const std::vector<std::string>& keys) {
  for (std::size_t i = 0; i < dialect_count(); ++i)
    if (dialect_at(i).name == dialect && dialect_at(i).builds)
      return must(foreign_filter::build(
          dialect, p, std::vector<std::string_view>(keys.begin(), keys.end())));
  auto f = must(foreign_filter::make(dialect, p));
  for (const std::string& k : keys) must(f.insert(k));
  return f;
}

inline std::size_t count_found(const foreign_filter& f,
                               const std::vector<std::string>& keys) {
  return static_cast<std::size_t>(
      std::ranges::count_if(keys, [&](const auto& k) { return f.may_contain(k); }));
}

// 8 little-endian bytes.
inline std::string long_key(std::int64_t v) {
  std::string s;
  for (unsigned i = 0; i < 8; ++i)
    s.push_back(static_cast<char>(static_cast<std::uint64_t>(v) >> (8 * i) & 0xff));
  return s;
}

// --- bytes ---

inline image_bytes copy_of(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

// The bytes of a filter of these parameters that holds `keys`.
inline image_bytes written(std::string_view dialect, const foreign_params& p,
                           const std::vector<std::string>& keys) {
  return copy_of(must(filter_of(dialect, p, keys).encode()).bytes());
}

// `image` with the bytes of `hex` at `at`.
inline image_bytes patched(image_bytes image, std::size_t at, std::string_view hex) {
  for (const std::byte b : from_hex(hex)) image.at(at++) = b;
  return image;
}

// `image` with a little-endian number of `size` bytes at `at`.
inline image_bytes with_number(image_bytes image, std::size_t at, std::size_t size,
                               std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    image.at(at + i) = static_cast<std::byte>(value >> (8 * i) & 0xff);
  return image;
}

}  // namespace bloomery::testing
