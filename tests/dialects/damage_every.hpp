// Small images damaged in every place: refused or answered, never a crash.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

inline std::vector<std::byte> copy_of(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

// A filter of these keys, as its dialect writes it.
inline std::vector<std::byte> written(std::string_view dialect, const foreign_params& p,
                                      const std::vector<std::string>& keys) {
  auto f = must(foreign_filter::make(dialect, p));
  for (const std::string& k : keys) must(f.insert(k));
  return copy_of(must(f.encode()).bytes());
}

inline std::size_t count_found(const foreign_filter& f,
                               const std::vector<std::string>& keys) {
  std::size_t found = 0;
  for (const std::string& k : keys) found += f.may_contain(k);
  return found;
}

// Every call that reads the image.
inline void ask_everything(const foreign_filter& f) {
  count_found(f, edge65());
  (void)f.fill();
  (void)f.estimated_keys();
  if (f.parts() != 0) {
    (void)f.part(0);
    (void)f.part(f.parts() - 1);
  }
}

// How many of the shorter images were read.
inline std::size_t cut_everywhere(std::string_view dialect,
                                  const std::vector<std::byte>& image,
                                  const foreign_options& o = {}) {
  std::size_t read = 0;
  for (std::size_t n = 0; n < image.size(); ++n) {
    const std::vector<std::byte> cut(image.begin(),
                                     image.begin() + static_cast<std::ptrdiff_t>(n));
    const auto f = foreign_filter::decode(dialect, cut, o);
    if (f) ask_everything(*f);
    read += f.has_value();
  }
  return read;
}

inline void flip_every_bit(std::string_view dialect, std::vector<std::byte> image,
                           const foreign_options& o = {}) {
  for (std::size_t i = 0; i < 8 * image.size(); ++i) {
    image[i / 8] ^= static_cast<std::byte>(1u << (i % 8));
    if (auto f = foreign_filter::decode(dialect, image, o)) {
      ask_everything(*f);
      // Perhaps by growing beyond all reason: the cells are not counted again.
      (void)f->insert("one more");
      count_found(*f, edge65());
    }
    image[i / 8] ^= static_cast<std::byte>(1u << (i % 8));
  }
}

// The image with a little-endian number of `size` bytes written over it.
inline std::vector<std::byte> with_number(std::vector<std::byte> image, std::size_t at,
                                          std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    image.at(at + i) = static_cast<std::byte>(value >> (8 * i) & 0xff);
  return image;
}

inline void expect_refused(std::string_view dialect, const std::vector<std::byte>& image,
                           std::uint64_t at, const foreign_options& o = {},
                           errc code = errc::corrupt) {
  const auto f = foreign_filter::decode(dialect, image, o);
  ASSERT_FALSE(f.has_value());
  EXPECT_EQ(f.error().code, code) << f.error().what;
  EXPECT_EQ(f.error().at, at) << f.error().what;
}

}  // namespace bloomery::testing
