// What every dialect must stand: bytes cut short, bits turned, one field overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

using image_bytes = std::vector<std::byte>;

// The bytes of a filter of these parameters that holds `keys`.
inline image_bytes written(std::string_view dialect, const foreign_params& p,
                           const std::vector<std::string>& keys) {
  auto f = must(foreign_filter::make(dialect, p));
  for (const std::string& k : keys) must(f.insert(k));
  const auto bytes = must(f.encode());
  return {bytes.bytes().begin(), bytes.bytes().end()};
}

// `image` with the bytes of `hex` at `at`.
inline image_bytes patched(image_bytes image, std::size_t at, std::string_view hex) {
  for (const std::byte b : from_hex(hex)) image.at(at++) = b;
  return image;
}

inline void expect_refused(std::string_view dialect, std::span<const std::byte> image,
                           errc code, std::uint64_t at, const foreign_options& o = {}) {
  const auto f = foreign_filter::decode(dialect, image, o);
  ASSERT_FALSE(f.has_value()) << to_hex(image);
  EXPECT_EQ(f.error().code, code) << f.error().what;
  EXPECT_EQ(f.error().at, at) << f.error().what;
}

// Decodes it if it can be, and asks, counts and writes.
inline void use(std::string_view dialect, std::span<const std::byte> image,
                const foreign_options& o) {
  // A copy of just this size, so that a read past its end is seen.
  const image_bytes copy(image.begin(), image.end());
  const auto f = foreign_filter::decode(dialect, copy, o);
  if (!f) return;
  for (const std::string& k : edge65()) (void)f->may_contain(k);
  (void)f->fill();
  (void)f->estimated_keys();
  EXPECT_TRUE(f->encode().has_value());
}

// Every truncation and every turned bit of a small image.
inline void expect_survives(std::string_view dialect, const image_bytes& image,
                            const foreign_options& o = {}) {
  for (std::size_t size = 0; size < image.size(); ++size)
    use(dialect, std::span(image).first(size), o);
  for (std::size_t bit = 0; bit < 8 * image.size(); ++bit) {
    auto turned = image;
    turned[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    use(dialect, turned, o);
  }
}

// Every key of every length, at least `shortest`, is found, before and after writing and
// reading.
inline void expect_finds_edge_keys(std::string_view dialect, const foreign_params& p,
                                   std::size_t shortest = 0) {
  auto f = must(foreign_filter::make(dialect, p));
  auto keys = edge65();
  keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(shortest));
  for (const std::string& k : keys) must(f.insert(k));
  const auto bytes = must(f.encode());
  const auto read = must(foreign_filter::decode(dialect, bytes.bytes(), f.options()));
  for (const std::string& k : keys) {
    EXPECT_TRUE(f.may_contain(k)) << k.size();
    EXPECT_TRUE(read.may_contain(k)) << k.size();
  }
  std::size_t others = 0;
  for (const std::string& k : numbered("x", 1000)) others += read.may_contain(k);
  EXPECT_LT(others, 100u) << "of 1000";
}

inline foreign_params sized(std::uint64_t keys, double fpr,
                            std::string_view variant = {}) {
  foreign_params p;
  p.variant = variant;
  p.keys = keys;
  p.fpr = fpr;
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

inline foreign_options as(std::string_view variant) {
  foreign_options o;
  o.variant = variant;
  return o;
}

// 8 little-endian bytes.
inline std::string long_key(std::int64_t v) {
  std::string s;
  for (unsigned i = 0; i < 8; ++i)
    s.push_back(static_cast<char>(static_cast<std::uint64_t>(v) >> (8 * i) & 0xff));
  return s;
}

}  // namespace bloomery::testing
