#include "base/bits.hpp"

#include <cassert>

#include "base/cpu.hpp"

namespace bloomery::base {
namespace {

inline std::uint64_t ones_in_words(const std::byte* p, std::size_t words) noexcept {
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < words; ++i)
    ones += static_cast<std::uint64_t>(std::popcount(load_u64(p + 8 * i)));
  return ones;
}

#if defined(__x86_64__)
// The baseline of x86-64 has no such instruction; everything that has AVX2 does.
__attribute__((target("popcnt"), flatten)) std::uint64_t ones_by_instruction(
    const std::byte* p, std::size_t words) noexcept {
  return ones_in_words(p, words);
}
#endif

std::uint64_t count_words(const std::byte* p, std::size_t words) noexcept {
#if defined(__x86_64__)
  if (cpu().popcnt) return ones_by_instruction(p, words);
#endif
  return ones_in_words(p, words);
}

}  // namespace

std::uint64_t count_ones(std::span<const std::byte> bytes, std::uint64_t bits) noexcept {
  assert(bits <= 8 * static_cast<std::uint64_t>(bytes.size()));
  const auto whole = static_cast<std::size_t>(bits / 8);
  std::uint64_t ones = count_words(bytes.data(), whole / 8);
  for (std::size_t i = whole / 8 * 8; i < whole; ++i)
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
