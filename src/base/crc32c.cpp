#include "base/crc32c.hpp"

#include <array>

namespace bloomery::base {
namespace {

// What one byte does to the remainder; the polynomial with its bits reversed.
constexpr auto table = [] {
  std::array<std::uint32_t, 256> t{};
  for (std::uint32_t i = 0; i < t.size(); ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? 0x82f63b78u : 0u);
    t[i] = c;
  }
  return t;
}();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed) noexcept {
  std::uint32_t c = ~seed;
  for (const std::byte b : bytes)
    c = table[(c ^ static_cast<std::uint32_t>(b)) & 0xff] ^ (c >> 8);
  return ~c;
}

}  // namespace bloomery::base
