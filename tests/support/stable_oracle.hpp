// The stable filter as the specification words it: one number for each cell.
//
// Slow, and written without a look at the library, which must agree cell for cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bloomery/detail/kind/stable/shape.hpp>
#include <bloomery/key.hpp>

namespace bloomery::testing {

// The numbers of one insert.
class stable_insert {
 public:
  stable_insert(stable_shape s, std::uint32_t seed, std::uint64_t t)
      : shape_(s), r_(splitmix64(seed + t * 0x9e3779b97f4a7c15U)) {}

  std::uint64_t start() const { return mulhi(r_, shape_.cells); }
  std::uint64_t steps() const {
    const std::uint64_t whole = shape_.decrement / two32;
    return r_ % two32 < shape_.decrement % two32 ? whole + 1 : whole;
  }
  std::vector<std::uint64_t> cells_of(key k) const {
    std::vector<std::uint64_t> out;
    std::uint64_t x = k.bits() | 1;
    for (std::uint32_t i = 0; i < shape_.hashes; ++i) {
      x *= 0xf1357aea2e62a9c5U;
      out.push_back(mulhi(x, shape_.cells));
    }
    return out;
  }

 private:
  static constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  static std::uint64_t mulhi(std::uint64_t a, std::uint64_t b) {
    __extension__ using u128 = unsigned __int128;
    return static_cast<std::uint64_t>(u128{a} * b >> 64);
  }
  static std::uint64_t splitmix64(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }

  stable_shape shape_;
  std::uint64_t r_;
};

class stable_oracle {
 public:
  stable_oracle(stable_shape s, std::uint32_t seed, std::uint64_t inserts = 0)
      : shape_(s),
        seed_(seed),
        inserts_(inserts),
        cells_(static_cast<std::size_t>(s.cells)) {}

  void insert(key k) {
    const stable_insert now(shape_, seed_, inserts_++);
    for (std::uint64_t i = 0; i < now.steps(); ++i) {
      unsigned& c = cells_[static_cast<std::size_t>((now.start() + i) % shape_.cells)];
      if (c != 0) --c;
    }
    for (const std::uint64_t c : now.cells_of(k))
      cells_[static_cast<std::size_t>(c)] = shape_.max;
  }
  bool may_contain(key k) const {
    for (const std::uint64_t c : stable_insert(shape_, 0, 0).cells_of(k))
      if (cells_[static_cast<std::size_t>(c)] == 0) return false;
    return true;
  }
  std::uint64_t nonzero() const {
    std::uint64_t n = 0;
    for (const unsigned c : cells_) n += c != 0;
    return n;
  }
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> out(
        static_cast<std::size_t>((shape_.cells * shape_.cell_bits + 7) / 8));
    for (std::size_t c = 0; c < cells_.size(); ++c)
      for (std::size_t b = 0; b < shape_.cell_bits; ++b)
        if (cells_[c] >> b & 1) {
          const std::size_t bit = c * shape_.cell_bits + b;
          out[bit / 8] |= std::byte{1} << (bit % 8);
        }
    return out;
  }

 private:
  stable_shape shape_;
  std::uint32_t seed_;
  std::uint64_t inserts_;
  std::vector<unsigned> cells_;
};

// Awkward ones: runs over the end, cells that coincide, the last word full and not.
inline std::vector<stable_shape> stable_shapes() {
  constexpr std::uint64_t one = std::uint64_t{1} << 32;
  return {{1, 1, 1, 1, 0},
          {1, 4, 15, 3, one},
          {2, 2, 3, 2, one + one / 2},
          {7, 1, 1, 2, 7 * one},
          {63, 1, 1, 3, 5 * one + one / 3},
          {64, 1, 1, 3, 64 * one},
          {65, 1, 1, 3, 20 * one},
          {31, 2, 2, 5, 9 * one + 1},
          {32, 2, 3, 4, 31 * one + one - 1},
          {101, 2, 3, 7, 10 * one + one / 2},
          {15, 4, 9, 4, 3 * one},
          {16, 4, 15, 64, 2 * one},
          {1009, 4, 15, 6, 141 * one + one / 4},
          {5000, 1, 1, 4, 18 * one + one / 2},
          {5000, 2, 3, 7, 300 * one}};
}

}  // namespace bloomery::testing
