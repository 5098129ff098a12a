// What a small image must survive: being cut short, and every flipped bit.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "test_key.hpp"

namespace bloomery::testing {

inline void ask_everything(const foreign_filter& f) {
  for (const std::string& k : edge65()) (void)f.may_contain(k);
  (void)f.fill();
  (void)f.estimated_keys();
  for (std::uint64_t i = 0; i < f.parts() && i < 8; ++i) (void)f.part(i);
  (void)f.encode();
}

// Each beginning, and each flip of one bit, is refused or answers.
inline void batter(std::string_view dialect, std::span<const std::byte> image,
                   const foreign_options& o = {}) {
  for (std::size_t n = 0; n < image.size(); ++n) {
    // A copy of its own, so that a tool sees any read beyond it.
    const std::vector<std::byte> cut(image.begin(),
                                     image.begin() + static_cast<std::ptrdiff_t>(n));
    if (const auto f = foreign_filter::decode(dialect, cut, o)) ask_everything(*f);
    for (std::size_t d = 0; d < dialect_count(); ++d) (void)could_be(d, cut);
  }
  std::vector<std::byte> flipped(image.begin(), image.end());
  for (std::size_t bit = 0; bit < 8 * image.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1u << (bit % 8));
    flipped[bit / 8] ^= mask;
    if (const auto f = foreign_filter::decode(dialect, flipped, o)) ask_everything(*f);
    flipped[bit / 8] ^= mask;
  }
}

// That it is refused, and which byte is to blame.
inline void expect_refused(std::string_view dialect, std::span<const std::byte> image,
                           const foreign_options& o, errc code, std::uint64_t at) {
  const auto f = foreign_filter::decode(dialect, image, o);
  ASSERT_FALSE(f.has_value());
  EXPECT_EQ(f.error().code, code) << f.error().what;
  EXPECT_EQ(f.error().at, at) << f.error().what;
}

}  // namespace bloomery::testing
