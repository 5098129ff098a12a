// The counting filter as the specification words it: one number for each cell.
//
// Slow, and written without a look at the library, which must agree cell for cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <bloomery/detail/kind/counting/shape.hpp>
#include <bloomery/key.hpp>

namespace bloomery::testing {

class counting_oracle {
 public:
  explicit counting_oracle(counting_shape s)
      : shape_(s), cells_(static_cast<std::size_t>(s.cells)) {}

  std::set<std::uint64_t> cells_of(key k) const {
    constexpr std::uint32_t C[8] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                    0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
    std::set<std::uint64_t> out;
    const std::uint64_t h = k.bits();
    if (shape_.layout == cell_layout::line) {
      for (std::uint64_t j = 0; j < 8; ++j)
        out.insert(mulhi(h, shape_.cells / 128) * 128 + 16 * j +
                   ((static_cast<std::uint32_t>(h) * C[j]) >> 28));
    } else {
      std::uint64_t x = h | 1;
      for (std::uint32_t i = 0; i < shape_.hashes; ++i) {
        x *= 0xf1357aea2e62a9c5U;
        out.insert(mulhi(x, shape_.cells));
      }
    }
    return out;
  }
  void insert(key k) {
    for (const std::uint64_t c : cells_of(k))
      if (cells_[c] < sticky()) ++cells_[c];
  }
  bool erase(key k) {
    if (!may_contain(k)) return false;
    for (const std::uint64_t c : cells_of(k))
      if (cells_[c] < sticky()) --cells_[c];
    return true;
  }
  bool may_contain(key k) const {
    return std::ranges::all_of(cells_of(k),
                               [&](std::uint64_t c) { return cells_[c] != 0; });
  }
  std::uint64_t count(key k) const {
    std::uint64_t least = ~std::uint64_t{0};
    for (const std::uint64_t c : cells_of(k)) least = std::min(least, cells_[c]);
    return least >= sticky() ? ~std::uint64_t{0} : least;
  }
  std::uint64_t stuck() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(cells_, [&](std::uint64_t v) { return v >= sticky(); }));
  }
  std::uint64_t nonzero() const {
    return cells_.size() - static_cast<std::size_t>(std::ranges::count(cells_, 0u));
  }
  // As they are stored.
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> out((cells_.size() * shape_.cell_bits + 7) / 8);
    for (std::size_t c = 0; c < cells_.size(); ++c)
      for (unsigned b = 0; b < shape_.cell_bits; ++b)
        if ((cells_[c] >> b & 1) != 0)
          out[(c * shape_.cell_bits + b) / 8] |=
              static_cast<std::byte>(1u << ((c * shape_.cell_bits + b) % 8));
    return out;
  }

 private:
  static std::uint64_t mulhi(std::uint64_t a, std::uint64_t b) {
    __extension__ using u128 = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
  }
  std::uint64_t sticky() const { return std::uint64_t{1} << (shape_.cell_bits - 1); }

  counting_shape shape_;
  std::vector<std::uint64_t> cells_;
};

// One of each kind of code: lines, scattered cells, every width, cells that coincide.
inline std::vector<counting_shape> counting_shapes() {
  std::vector<counting_shape> out;
  for (const unsigned width : {4u, 8u, 32u}) {
    for (const std::uint64_t blocks : {1u, 3u, 29u})
      out.push_back({128 * blocks, cell_layout::line, width, 8});
    out.push_back({1, cell_layout::flat, width, 5});
    out.push_back({33, cell_layout::flat, width, 7});
    out.push_back({2003, cell_layout::flat, width, 11});
  }
  return out;
}

}  // namespace bloomery::testing
