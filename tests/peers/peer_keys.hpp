// Keys as nobody would choose them: of every length, with bytes of every value, repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "full.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

// Filters made of each kind, and keys asked of each that it was not given.
inline const std::uint64_t peer_configurations = sanitized ? 20 : 100;
inline const std::size_t peer_questions = sanitized ? 1'000 : 5'000;

inline std::string peer_key(random& from) {
  std::size_t length = 1 + from.below(40);
  if (const auto kind = from.below(20); kind == 0)
    length = 0;
  else if (kind == 1)
    length = from.below(2'000);
  const bool high = from.below(3) == 0;
  std::string key(length, '\0');
  for (char& c : key) c = static_cast<char>(from.next() | (high ? 0x80 : 0));
  return key;
}

// Its length is one that keys hardly have: never one of them.
inline std::string absent(random& from) {
  std::string key(19, '\0');
  for (char& c : key) c = static_cast<char>(from.next());
  return key;
}

// One in eight was there before: often the one just before.
inline std::vector<std::string> peer_keys(random& from, std::size_t n) {
  std::vector<std::string> keys;
  keys.reserve(n);
  while (keys.size() < n) {
    const bool again = !keys.empty() && from.below(8) == 0;
    keys.push_back(!again               ? peer_key(from)
                   : from.below(2) == 0 ? keys.back()
                                        : keys[from.below(keys.size())]);
  }
  return keys;
}

// Few keys as often as many: a filter's odd sizes are small.
inline std::size_t peer_count(random& from) {
  return from.below(2) == 0 ? from.below(70) : from.below(20'001);
}

inline std::span<const std::byte> bytes_of(std::string_view s) {
  return std::as_bytes(std::span(s));
}

// Ours finds all keys, and of other keys just those that theirs finds.
template <class Theirs>  // bool(std::string_view)
void expect_same_answers(const foreign_filter& ours, Theirs theirs,
                         const std::vector<std::string>& keys, random& from) {
  for (const std::string& k : keys) {
    ASSERT_TRUE(ours.may_contain(k)) << k.size() << " bytes";
    ASSERT_TRUE(theirs(k)) << k.size() << " bytes";
  }
  for (std::size_t i = 0; i < peer_questions; ++i) {
    const std::string k = peer_key(from);
    ASSERT_EQ(ours.may_contain(k), theirs(k)) << k.size() << " bytes";
  }
}

}  // namespace bloomery::testing
