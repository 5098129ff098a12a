// What every dialect must stand: bytes cut short, bits turned, one field overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "foreign.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

// That it is refused, and which byte is to blame.
inline void expect_refused(std::string_view dialect, std::span<const std::byte> image,
                           errc code, std::uint64_t at, const foreign_options& o = {}) {
  const auto f = foreign_filter::decode(dialect, image, o);
  ASSERT_FALSE(f.has_value()) << to_hex(image);
  EXPECT_EQ(f.error().code, code) << f.error().what;
  EXPECT_EQ(f.error().at, at) << f.error().what;
}

// Decodes it if it can be, and asks everything that a filter can be asked.  Sanitizers
// and timeouts judge the answers; but what could be inserted must be found.  Whether it
// could be decoded.
inline bool ask_everything(std::string_view dialect, std::span<const std::byte> image,
                           const foreign_options& o = {}) {
  // On the heap and no byte more, so that a read past the end is seen.
  const image_bytes exact = copy_of(image);
  for (std::size_t d = 0; d < dialect_count(); ++d) (void)could_be(d, exact);
  auto f = foreign_filter::decode(dialect, exact, o);
  if (!f) return false;
  (void)count_found(*f, edge65());
  (void)f->fill();
  (void)f->estimated_keys();
  for (std::uint64_t i = 0; i < f->parts() && i < 8; ++i) (void)f->part(i);
  if (f->parts() != 0) (void)f->part(f->parts() - 1);
  EXPECT_TRUE(f->encode().has_value());
  // Perhaps by growing beyond all reason: the cells are not counted again.
  const bool inserted = f->insert("inserted").has_value();
  EXPECT_TRUE(!inserted || f->may_contain("inserted"));
  return true;
}

// How many of the shorter images were read.
inline std::size_t cut_everywhere(std::string_view dialect,
                                  std::span<const std::byte> image,
                                  const foreign_options& o = {}) {
  std::size_t read = 0;
  for (std::size_t size = 0; size < image.size(); ++size)
    read += ask_everything(dialect, image.first(size), o);
  return read;
}

// Every truncation and every turned bit of a small image, and bytes that are all alike.
inline void expect_survives(std::string_view dialect, std::span<const std::byte> image,
                            const foreign_options& o = {}) {
  (void)cut_everywhere(dialect, image, o);
  for (std::size_t bit = 0; bit < 8 * image.size(); ++bit) {
    image_bytes turned = copy_of(image);
    turned[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    (void)ask_everything(dialect, turned, o);
  }
  for (const std::byte fill : {std::byte{0}, std::byte{0x7f}, std::byte{0xff}})
    (void)ask_everything(dialect, image_bytes(image.size(), fill), o);
}

// Every key of every length, at least `shortest`, is found, before and after writing and
// reading.
inline void expect_finds_edge_keys(std::string_view dialect, const foreign_params& p,
                                   std::size_t shortest = 0) {
  auto keys = edge65();
  keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(shortest));
  const auto f = filter_of(dialect, p, keys);
  const auto bytes = must(f.encode());
  const auto read = must(foreign_filter::decode(dialect, bytes.bytes(), f.options()));
  for (const std::string& k : keys) {
    EXPECT_TRUE(f.may_contain(k)) << k.size();
    EXPECT_TRUE(read.may_contain(k)) << k.size();
  }
  EXPECT_LT(count_found(read, numbered("x", 1000)), 100u) << "of 1000";
}

}  // namespace bloomery::testing
