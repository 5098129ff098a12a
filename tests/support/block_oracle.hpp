// The block filters as the specification words them: bit by bit, byte by byte.
//
// Slow, and written without a look at the library, which must agree bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/key.hpp>

namespace bloomery::testing {

// The bits of a key, as bit numbers of the whole array, least significant first.
inline std::vector<std::uint64_t> oracle_positions(block_shape s, std::uint64_t h) {
  constexpr std::uint32_t C[8] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                  0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
  __extension__ using u128 = unsigned __int128;
  const auto mulhi = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
  };
  const auto splitmix64 = [](std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  };
  std::vector<std::uint64_t> out;
  // `lanes` pairs of 32-bit words (j, lanes + j); a pair holds bits 0..31 and 32..63.
  const auto pairs = [&](std::uint64_t g, std::uint64_t lanes) {
    const std::uint64_t block = mulhi(g, s.blocks);
    for (std::uint64_t j = 0; j < lanes; ++j) {
      const std::uint32_t x = static_cast<std::uint32_t>(g) * C[j];
      const std::uint64_t bit = x >> 26;
      const std::uint64_t word = bit < 32 ? j : lanes + j;
      out.push_back(block * lanes * 64 + word * 32 + bit % 32);
    }
  };
  switch (s.profile) {
    case block_profile::half_line:
      pairs(h, 4);
      break;
    case block_profile::line:
      pairs(h, 8);
      break;
    case block_profile::two_lines:
      pairs(h, 8);
      pairs(splitmix64(h), 8);
      break;
    case block_profile::split: {
      const std::uint64_t block = ((h >> 32) * s.blocks) >> 32;
      for (std::uint64_t j = 0; j < 8; ++j)
        out.push_back(block * 256 + j * 32 +
                      ((static_cast<std::uint32_t>(h) * C[j]) >> 27));
      break;
    }
    case block_profile::lanes16:
      for (std::uint64_t j = 0; j < 8; ++j)
        out.push_back(mulhi(h, s.blocks) * 128 + j * 16 +
                      ((static_cast<std::uint32_t>(h) * C[j]) >> 28));
      break;
    case block_profile::by_rate:
      break;
  }
  return out;
}

// Bytes of a block, said once more.
inline std::size_t oracle_block_bytes(block_profile p) {
  if (p == block_profile::lanes16) return 16;
  return p == block_profile::line || p == block_profile::two_lines ? 64 : 32;
}

class block_oracle {
 public:
  explicit block_oracle(block_shape s)
      : shape_(s),
        bytes_(static_cast<std::size_t>(s.blocks) * oracle_block_bytes(s.profile)) {}
  block_oracle(block_shape s, std::vector<std::byte> bytes)
      : shape_(s), bytes_(std::move(bytes)) {}

  void insert(key k) {
    for (const std::uint64_t at : oracle_positions(shape_, k.bits()))
      bytes_[at / 8] |= static_cast<std::byte>(1u << (at % 8));
  }
  bool may_contain(key k) const {
    for (const std::uint64_t at : oracle_positions(shape_, k.bits()))
      if ((static_cast<unsigned>(bytes_[at / 8]) >> (at % 8) & 1u) == 0) return false;
    return true;
  }
  void clear() { bytes_.assign(bytes_.size(), std::byte{0}); }

  block_shape shape() const { return shape_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  block_shape shape_;
  std::vector<std::byte> bytes_;
};

inline constexpr block_profile all_profiles[] = {
    block_profile::half_line, block_profile::line, block_profile::two_lines,
    block_profile::split, block_profile::lanes16};

// For names of parameterized tests, which take no dashes.
inline std::string test_name(block_profile p) {
  std::string name = name_of(p);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

}  // namespace bloomery::testing
