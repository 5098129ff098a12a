// The quotient filter by the definition alone: a sorted map of fingerprints and counts,
// and the bytes that spec/filters.md 15 prescribes for it, slot by slot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <bloomery/detail/kind/quotient/probe.hpp>

namespace bloomery::testing {

// What is known to fit.
template <class T>
T must(std::optional<T> x) {
  return std::move(x).value();
}

using multiset = std::map<std::uint64_t, std::uint64_t>;  // fingerprint: copies

// The values of a group (15.4).
inline std::vector<std::uint64_t> group_values(std::uint64_t x, std::uint64_t count,
                                               unsigned r) {
  if (count < 3) return std::vector<std::uint64_t>(count, x);
  std::vector<std::uint64_t> out(3, x);
  const std::uint64_t base = std::uint64_t{1} << (r - 1);
  for (std::uint64_t more = count - 3;; more /= base) {
    const bool is_last = more < base;
    out.push_back(more % base + (is_last ? 0 : base));
    if (is_last) return out;
  }
}

// Nothing, if it does not fit.
inline std::optional<std::vector<std::byte>> quotient_bytes(const quotient_layout& l,
                                                            const multiset& all) {
  struct slot {
    std::uint64_t value = 0;
    bool is_end = false, occupied = false;
  };
  std::vector<slot> slots(l.slots());
  std::vector<std::uint64_t> firsts(l.blocks, 0);  // 15.3
  const unsigned r = l.remainder_bits;
  std::uint64_t free = 0;
  for (auto at = all.begin(); at != all.end();) {
    const std::uint64_t q = at->first >> r;
    slots[q].occupied = true;
    free = std::max(free, q);
    for (; at != all.end() && at->first >> r == q; ++at)
      for (const std::uint64_t v :
           group_values(at->first % (std::uint64_t{1} << r), at->second, r)) {
        if (free == slots.size()) return std::nullopt;
        slots[free++].value = v;
      }
    slots[free - 1].is_end = true;
    for (std::uint64_t b = q / 64 + 1; b < l.blocks; ++b) {
      if (free <= 64 * b) break;
      firsts[b] = free;
    }
  }
  std::vector<std::uint64_t> words(l.words());
  for (std::uint64_t i = 0; i < slots.size(); ++i) {
    std::uint64_t* const block = &words[i / 64 * (r + 2)];
    const auto put = [&](std::uint64_t& word, bool bit) {
      word |= std::uint64_t{bit} << (i % 64);
    };
    put(block[0], slots[i].occupied);
    put(block[1], slots[i].is_end);
    for (unsigned j = 0; j < r; ++j) put(block[2 + j], (slots[i].value >> j & 1) != 0);
  }
  std::vector<std::byte> out;
  for (const std::uint64_t w : words)
    for (unsigned i = 0; i < 8; ++i) out.push_back(static_cast<std::byte>(w >> (8 * i)));
  for (std::uint64_t b = 0; b < l.blocks; ++b)
    out[8 * l.offsets_at() + b] = static_cast<std::byte>(
        std::min<std::uint64_t>(255, std::max(firsts[b], 64 * b) - 64 * b));
  return out;
}

}  // namespace bloomery::testing
