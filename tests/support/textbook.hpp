// The portable filter as the specification words it: a byte loop and `% m`.
//
// Slow, and written without a look at the library, which must agree bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <bloomery/key.hpp>

namespace bloomery::testing {

inline std::uint64_t textbook_hash(std::string_view bytes) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : bytes) {
    h ^= static_cast<std::uint8_t>(c);
    h *= 0x100000001b3u;
  }
  h += 0x9e3779b97f4a7c15u;
  h ^= h >> 30;
  h *= 0xbf58476d1ce4e5b9u;
  h ^= h >> 27;
  h *= 0x94d049bb133111ebu;
  h ^= h >> 31;
  return h;
}

// Bit i of a key.  In 128 bits, where nothing wraps whatever i is.
inline std::uint64_t textbook_position(std::uint64_t hash, std::uint64_t i,
                                       std::uint64_t bits) {
  __extension__ using wide = unsigned __int128;
  const std::uint64_t h1 = hash & 0xffffffff, h2 = hash >> 32;
  return static_cast<std::uint64_t>((h1 + static_cast<wide>(i) * h2) % bits);
}

class textbook_bloom {
 public:
  textbook_bloom(std::uint64_t bits, std::uint32_t hashes)
      : bits_(bits), hashes_(hashes), bytes_(static_cast<std::size_t>((bits + 7) / 8)) {}

  void insert(key k) {
    for (std::uint32_t i = 0; i < hashes_; ++i) {
      const std::uint64_t at = textbook_position(k.bits(), i, bits_);
      bytes_[at / 8] |= static_cast<std::byte>(1u << (at % 8));
    }
  }
  void insert(std::string_view s) { insert(key::from_bits(textbook_hash(s))); }

  bool may_contain(key k) const {
    for (std::uint32_t i = 0; i < hashes_; ++i) {
      const std::uint64_t at = textbook_position(k.bits(), i, bits_);
      if ((static_cast<unsigned>(bytes_[at / 8]) >> (at % 8) & 1u) == 0) return false;
    }
    return true;
  }
  bool may_contain(std::string_view s) const {
    return may_contain(key::from_bits(textbook_hash(s)));
  }

  void clear() { bytes_.assign(bytes_.size(), std::byte{0}); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

  // k as u32, m as u64, both little-endian, then the bits.
  std::vector<std::byte> file() const {
    std::vector<std::byte> out;
    for (unsigned i = 0; i < 4; ++i)
      out.push_back(static_cast<std::byte>(hashes_ >> (8 * i) & 0xff));
    for (unsigned i = 0; i < 8; ++i)
      out.push_back(static_cast<std::byte>(bits_ >> (8 * i) & 0xff));
    out.insert(out.end(), bytes_.begin(), bytes_.end());
    return out;
  }

 private:
  std::uint64_t bits_;
  std::uint32_t hashes_;
  std::vector<std::byte> bytes_;
};

}  // namespace bloomery::testing
