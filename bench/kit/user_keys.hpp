// Keys as users have them: integers, and texts that are views of one buffer, as lines of
// a file are.  Key i is random, and no two are alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kit/mix.hpp"

namespace bloomery::bench {

template <std::size_t size>
struct text_of_size {
  using key = std::string_view;
  static constexpr const char* type = "text";
  static constexpr std::size_t key_bytes = size;
  static std::string name() { return "text, " + std::to_string(size) + " bytes"; }
};
struct u64_key {
  using key = std::uint64_t;
  static constexpr const char* type = "u64";
  static constexpr std::size_t key_bytes = sizeof(key);
  static std::string name() { return "u64"; }
};

// The keys of some indices.
template <class Type>
class user_keys {
 public:
  template <class IndexOf>  // position -> index
  user_keys(std::size_t n, IndexOf index_of) {
    keys_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) keys_.push_back(splitmix64(index_of(i)));
  }
  std::span<const std::uint64_t> all() const noexcept { return keys_; }

 private:
  std::vector<std::uint64_t> keys_;
};

template <std::size_t size>
class user_keys<text_of_size<size>> {
 public:
  template <class IndexOf>
  user_keys(std::size_t n, IndexOf index_of) : buffer_(n * size, 'k') {
    keys_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      char* at = buffer_.data() + i * size;
      write(splitmix64(index_of(i)), at);
      keys_.emplace_back(at, size);
    }
  }
  user_keys(const user_keys&) = delete;
  user_keys& operator=(const user_keys&) = delete;
  std::span<const std::string_view> all() const noexcept { return keys_; }

 private:
  // Letters and digits, six bits each: eleven are different for all keys, eight for 2^48.
  static void write(std::uint64_t x, char* out) noexcept {
    for (std::size_t j = 0; j < std::min<std::size_t>(size, 11); ++j, x >>= 6)
      out[size - 1 - j] = static_cast<char>('0' + (x & 63));
  }

  std::vector<char> buffer_;
  std::vector<std::string_view> keys_;
};

}  // namespace bloomery::bench
