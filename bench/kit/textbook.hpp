// The portable filter as a textbook has it: hash the bytes, `% m` for each probe, one
// bit of one byte at a time, leave at the first zero.  The same bits as portable_bloom,
// which is checked before anything is timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <bloomery/kinds.hpp>

#include "kit/mix.hpp"

namespace bloomery::bench {

class textbook_bloom {
 public:
  explicit textbook_bloom(bloom_layout layout)
      : bits_(layout.bits), hashes_(layout.hashes), bytes_((layout.bits + 7) / 8) {}

  static std::uint64_t hash(std::string_view key) noexcept {
    std::uint64_t h = 0xcbf29ce484222325;
    for (const char c : key) {
      h ^= static_cast<unsigned char>(c);
      h *= 0x100000001b3;
    }
    return splitmix64(h);
  }

  void insert(std::uint64_t h) noexcept {
    const std::uint64_t h1 = h & 0xffffffff, h2 = h >> 32;
    for (std::uint32_t i = 0; i < hashes_; ++i) {
      const std::uint64_t bit = (h1 + i * h2) % bits_;
      bytes_[bit / 8] |= static_cast<std::uint8_t>(1u << (bit % 8));
    }
  }

  bool may_contain(std::uint64_t h) const noexcept {
    const std::uint64_t h1 = h & 0xffffffff, h2 = h >> 32;
    for (std::uint32_t i = 0; i < hashes_; ++i) {
      const std::uint64_t bit = (h1 + i * h2) % bits_;
      if ((bytes_[bit / 8] >> (bit % 8) & 1) == 0) return false;
    }
    return true;
  }

  void clear() noexcept { bytes_.assign(bytes_.size(), 0); }
  std::span<const std::byte> bytes() const noexcept {
    return std::as_bytes(std::span(bytes_));
  }

 private:
  std::uint64_t bits_;
  std::uint32_t hashes_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace bloomery::bench
