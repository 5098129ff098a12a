// The keys of a measurement.
//
// Key i is 16 hexadecimal digits, no two alike; its pre-hashed form is what the filter's
// own hasher makes of them, so one filter serves both.  A filter holds keys 0 .. n-1.
// Present queries are drawn from those at random, absent ones from a disjoint stream:
// 2^20 of each, so that neither the branch predictor nor a cache learns them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::bench {

inline constexpr std::size_t queries = std::size_t{1} << 20;
inline constexpr std::size_t text_size = 16;

// Text keys one after the other in one buffer, as lines of a file would be.
class text_block {
 public:
  template <class IndexOf>  // position -> index of the key
  text_block(std::size_t count, IndexOf index_of) : buffer_(count * text_size) {
    views_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      write_text(index_of(i), &buffer_[i * text_size]);
      views_.emplace_back(&buffer_[i * text_size], text_size);
    }
  }

  std::span<const std::string_view> views() const noexcept { return views_; }
  std::vector<key> hashed(const hasher& h) const;

 private:
  static void write_text(std::uint64_t index, char* out) noexcept;

  std::vector<char> buffer_;  // moves keep its address, so the views stay valid
  std::vector<std::string_view> views_;
};

struct workload {
  workload(std::uint64_t keys, const hasher& h);

  text_block present_texts, absent_texts;
  text_block fresh_texts;            // the first keys of the filter, each once
  std::vector<key> present, absent;  // the same keys, hashed
  std::vector<key> mixed;            // of both, by the throw of a coin
  std::vector<key> fresh;
};

// Calls take(std::span<const key>) with keys 0 .. n-1, some at a time: 10^8 of them need
// not lie in memory together.
template <class Take>
void for_each_key(std::uint64_t keys, const hasher& h, Take take) {
  constexpr std::uint64_t at_once = 1 << 16;
  for (std::uint64_t first = 0; first < keys; first += at_once) {
    const auto count = static_cast<std::size_t>(std::min(at_once, keys - first));
    const text_block texts(count, [&](std::size_t i) { return first + i; });
    const std::vector<key> hashed = texts.hashed(h);
    take(std::span<const key>(hashed));
  }
}

}  // namespace bloomery::bench
