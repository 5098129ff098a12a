// Fingerprints with their copies in the slots of a block of quotients, as
// quotient_block_reader has them (spec/filters.md, 15.4).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/quotient/probe.hpp>

namespace bloomery::kernel {
namespace {

// One after the other.
struct quotient_groups {
  const std::int32_t *at, *end;
  unsigned r;                    // bits of a remainder
  std::int32_t top = INT32_MAX;  // the fingerprint, after `next`
  std::uint64_t count = 0;       // its copies; 0: there is none
  bool is_sorted = true;         // so far

  void next() noexcept {
    const std::int32_t before = count == 0 ? -1 : top;
    count = 0;
    if (at == end) {
      top = INT32_MAX;
      return;
    }
    top = *at++;
    is_sorted &= top > before;
    count = 1;
    if (at == end || *at != top) return;
    ++at;
    count = 2;
    if (at == end || *at != top) return;
    ++at;
    const unsigned digit_bits = r - 1;
    const std::uint64_t low = (std::uint64_t{1} << digit_bits) - 1;
    std::uint64_t more = 0;
    bool is_last = false;
    for (unsigned shift = 0; !is_last && at != end; shift += digit_bits) {
      const auto digit = static_cast<std::uint64_t>(*at++);
      if (shift < 48) more |= (digit & low) << shift;
      is_last = (digit >> digit_bits & 1) == 0;
    }
    count = std::min(3 + more, quotient_layout::max_count);
  }
};

// The slots of a group, at most this many.
constexpr std::size_t max_group_slots = 64;

// Writes the slots of a group; returns their end.
inline std::int32_t* put_group(std::int32_t* to, std::int32_t x, std::uint64_t count,
                               unsigned r) noexcept {
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(3, count); ++i) *to++ = x;
  if (count < 3) return to;
  const unsigned digit_bits = r - 1;
  const std::uint64_t low = (std::uint64_t{1} << digit_bits) - 1;
  const std::uint64_t quotient = static_cast<std::uint64_t>(x) >> r << r;
  for (std::uint64_t more = count - 3;; more >>= digit_bits) {
    const bool is_last = more >> digit_bits == 0;
    *to++ = static_cast<std::int32_t>(quotient | (more & low) | (is_last ? 0 : low + 1));
    if (is_last) return to;
  }
}

}  // namespace
}  // namespace bloomery::kernel
