// Keys as users have them: integers, texts that are views of one buffer, as lines of a
// file are, and std::string.  Key i is random, and no two are alike.
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
  static std::string option() { return "text" + std::to_string(size); }
};
template <std::size_t size>
struct string_of_size {
  using key = std::string;
  static std::string name() { return "std::string, " + std::to_string(size) + " bytes"; }
  static std::string option() { return "string" + std::to_string(size); }
};
struct u64_key {
  using key = std::uint64_t;
  static constexpr const char* type = "u64";
  static constexpr std::size_t key_bytes = sizeof(key);
  static std::string name() { return "u64"; }
  static std::string option() { return "u64"; }
};

// Letters and digits, six bits each: eleven are different for all keys, eight for 2^48.
inline void write_text(std::uint64_t x, std::span<char> out) noexcept {
  for (std::size_t j = 0; j < std::min<std::size_t>(out.size(), 11); ++j, x >>= 6)
    out[out.size() - 1 - j] = static_cast<char>('0' + (x & 63));
}

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
      write_text(splitmix64(index_of(i)), {at, size});
      keys_.emplace_back(at, size);
    }
  }
  user_keys(const user_keys&) = delete;
  user_keys& operator=(const user_keys&) = delete;
  std::span<const std::string_view> all() const noexcept { return keys_; }

 private:
  std::vector<char> buffer_;
  std::vector<std::string_view> keys_;
};

template <std::size_t size>
class user_keys<string_of_size<size>> {
 public:
  template <class IndexOf>
  user_keys(std::size_t n, IndexOf index_of) : keys_(n, std::string(size, 'k')) {
    for (std::size_t i = 0; i < n; ++i) write_text(splitmix64(index_of(i)), keys_[i]);
  }
  std::span<const std::string> all() const noexcept { return keys_; }

 private:
  std::vector<std::string> keys_;
};

}  // namespace bloomery::bench
