// Keys for tests: made by formula, the same on every machine and in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <bloomery/key.hpp>

namespace bloomery::testing {

// SplitMix64 as a generator.  Not std::mt19937: its distributions differ by library.
class random {
 public:
  explicit random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  // 0 .. limit-1; the bias of `%` is below 2^-30 for the limits of tests.
  std::uint64_t below(std::uint64_t limit) noexcept { return next() % limit; }
  double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// `n` keys of the stream `seed`.  Streams do not meet: 2^64 / 2^64 odds apart.
inline std::vector<key> keys(std::uint64_t seed, std::size_t n) {
  random from(seed ^ 0x6b657973);
  std::vector<key> out(n);
  for (key& k : out) k = key::from_bits(from.next());
  return out;
}

// prefix0, prefix1, ...: the keys of the published files.
inline std::vector<std::string> numbered(std::string_view prefix, std::size_t n) {
  std::vector<std::string> out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(std::string(prefix) + std::to_string(i));
  return out;
}

// Strings of any bytes.  Lengths are mixed, so that a batch that runs keys side by side
// meets every combination of long and short; some are empty.
inline std::vector<std::string> mixed_strings(std::uint64_t seed, std::size_t n) {
  constexpr std::size_t lengths[] = {0, 1, 2, 7, 8, 9, 16, 31, 64, 200};
  random from(seed);
  std::vector<std::string> out(n);
  for (std::string& s : out) {
    s.resize(lengths[from.below(std::size(lengths))]);
    for (char& c : s) c = static_cast<char>(from.next() & 0xff);
  }
  return out;
}

// The same, no two of them equal: for filters that hold only some copies of a key.
inline std::vector<std::string> distinct_strings(std::uint64_t seed, std::size_t n) {
  auto out = mixed_strings(seed, n);
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < n; ++i)
    while (!seen.insert(out[i]).second) out[i] += std::to_string(i);
  return out;
}

inline std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

// EDGE65 (spec/vectors/hash.json): key L has L bytes, byte j = 31*L + 7*j + 128.  It
// covers every tail length, and bytes above 0x7f, where signed characters go wrong.
inline std::vector<std::string> edge65() {
  std::vector<std::string> out(65);
  for (std::size_t length = 0; length < out.size(); ++length)
    for (std::size_t j = 0; j < length; ++j)
      out[length].push_back(static_cast<char>((31 * length + 7 * j + 128) & 0xff));
  return out;
}

}  // namespace bloomery::testing
