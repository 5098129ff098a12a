// The classic filter as the specification words it (spec/filters.md, section 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bloomery/key.hpp>

namespace bloomery::testing {

inline std::vector<std::uint64_t> oracle_walk(std::uint64_t bits, std::uint32_t hashes,
                                              std::uint64_t h) {
  __extension__ using u128 = unsigned __int128;
  std::vector<std::uint64_t> out;
  std::uint64_t x = h | 1;
  for (std::uint32_t i = 0; i < hashes; ++i) {
    x = x * 0xf1357aea2e62a9c5U;
    out.push_back(static_cast<std::uint64_t>(static_cast<u128>(x) * bits >> 64));
  }
  return out;
}

class bloom_oracle {
 public:
  bloom_oracle(std::uint64_t bits, std::uint32_t hashes)
      : bits_(bits), hashes_(hashes), bytes_(static_cast<std::size_t>((bits + 7) / 8)) {}

  void insert(key k) {
    for (const std::uint64_t at : oracle_walk(bits_, hashes_, k.bits()))
      bytes_[at / 8] |= static_cast<std::byte>(1u << (at % 8));
  }
  bool may_contain(key k) const {
    for (const std::uint64_t at : oracle_walk(bits_, hashes_, k.bits()))
      if ((static_cast<unsigned>(bytes_[at / 8]) >> (at % 8) & 1u) == 0) return false;
    return true;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::uint64_t bits_;
  std::uint32_t hashes_;
  std::vector<std::byte> bytes_;
};

}  // namespace bloomery::testing
