#include "base/bits.hpp"

#include <cassert>

namespace bloomery::base {

std::uint64_t count_ones(std::span<const std::byte> bytes, std::uint64_t bits) noexcept {
  assert(bits <= 8 * static_cast<std::uint64_t>(bytes.size()));
  const auto whole = static_cast<std::size_t>(bits / 8);
  std::uint64_t ones = 0;
  std::size_t i = 0;
  for (; i + 8 <= whole; i += 8)
    ones += static_cast<std::uint64_t>(std::popcount(load_u64(&bytes[i])));
  for (; i < whole; ++i)
    ones += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(bytes[i])));
  if (const unsigned rest = bits % 8; rest != 0) {
    const unsigned kept = static_cast<unsigned>(bytes[whole]) & ((1u << rest) - 1);
    ones += static_cast<std::uint64_t>(std::popcount(kept));
  }
  return ones;
}

bool padding_is_clear(std::span<const std::byte> bytes, std::uint64_t bits) noexcept {
  const unsigned used = bits % 8;
  return used == 0 || (static_cast<unsigned>(bytes.back()) >> used) == 0;
}

void or_into(std::span<std::byte> a, std::span<const std::byte> b) noexcept {
  assert(a.size() == b.size());
  std::byte* to = a.data();
  const std::byte* from = b.data();
  for (std::size_t i = 0, n = a.size(); i < n; ++i) to[i] |= from[i];
}

void and_into(std::span<std::byte> a, std::span<const std::byte> b) noexcept {
  assert(a.size() == b.size());
  std::byte* to = a.data();
  const std::byte* from = b.data();
  for (std::size_t i = 0, n = a.size(); i < n; ++i) to[i] &= from[i];
}

}  // namespace bloomery::base
